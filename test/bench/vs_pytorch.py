# ===- vs_pytorch.py - trainer and PyTorch in turn, and their ratio --------===#
#
# Runs the two sides A B A B .. on one machine, so that what else happens there
# meets both. Of each run only the steady state counts: blocks of iterations
# behind the warm-up. Prints a line for each round, then medians, and writes
# all of it as JSON. vs_pytorch.sh prepares what this needs.
#
# ===----------------------------------------------------------------------===#

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BLOCK = 100  # iterations between two records of NAME.dpl
# What makes PyTorch's allocator keep and reuse memory; without it the peer is
# slower than it needs to be.
MALLOC = "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=4294967296:glibc.malloc.hugetlb=1"


class Load:
    """How many cores other processes kept busy during a run."""

    def __init__(self):
        self.begin = self.now()

    @staticmethod
    def now():
        with open("/proc/stat", encoding="ascii") as f:
            user, nice, system, _, _, irq, softirq, steal = map(int, f.readline().split()[1:9])
        busy = (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
        own = resource.getrusage(resource.RUSAGE_CHILDREN)
        return busy, own.ru_utime + own.ru_stime, time.perf_counter()

    def foreign_cores(self):
        busy, own, wall = (b - a for a, b in zip(self.begin, self.now()))
        return max(0.0, (busy - own) / wall)


def run_trainer(args, batch):
    """Samples per second of each block, from the times in the log."""
    iterations = args.warmup + BLOCK * args.blocks
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "run")
        subprocess.run([args.trainer, "train", "--data", args.data, "--threads", str(args.threads),
                        "--max-iterations", str(iterations), "--out", out],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with open(os.path.join(out, "log"), encoding="utf-8") as f:
            rows = [(r["iteration"], r["elapsed_time"]) for r in json.load(f) if r["iteration"] >= args.warmup]
    return {"samples_per_second": [(b[0] - a[0]) * batch / (b[1] - a[1]) for a, b in zip(rows, rows[1:])]}


def run_torch(args):
    command = [args.torch_python, os.path.join(HERE, "torch_train.py"), args.model, "--data", args.data,
               "--threads", str(args.threads), "--warmup", str(args.warmup),
               "--block", str(BLOCK), "--blocks", str(args.blocks)]
    if args.channels_last:
        command.append("--channels-last")
    environment = {**os.environ, "OMP_NUM_THREADS": str(args.threads), "MKL_NUM_THREADS": str(args.threads),
                   "GLIBC_TUNABLES": MALLOC}
    return json.loads(subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE).stdout)


def measured(run, *args):
    load = Load()
    result = run(*args)
    result["foreign_cores"] = load.foreign_cores()
    result["median"] = statistics.median(result["samples_per_second"])
    return result


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        names = [line.split(":", 1)[1].strip() for line in f if line.startswith("model name")]
    return names[0] if names else platform.machine()


def summary(rounds):
    """Medians of both sides, and of the ratios within a round."""
    ratios = [r["trainer"]["median"] / r["torch"]["median"] for r in rounds]
    return {
        "trainer": statistics.median(r["trainer"]["median"] for r in rounds),
        "torch": statistics.median(r["torch"]["median"] for r in rounds),
        "ratio": statistics.median(ratios), "ratio_min": min(ratios), "ratio_max": max(ratios),
    }


def main():
    parser = argparse.ArgumentParser(description="compares the training rate of a trainer with PyTorch's")
    parser.add_argument("model", help="a network of test/peers/models.json that has a program here")
    parser.add_argument("--trainer", required=True)
    parser.add_argument("--torch-python", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--json", required=True, help="file that gets the result")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--warmup", type=int, default=BLOCK, help="iterations that are not counted")
    parser.add_argument("--blocks", type=int, default=5, help=f"blocks of {BLOCK} iterations in a run")
    parser.add_argument("--channels-last", action="store_true", help="PyTorch's other layout")
    args = parser.parse_args()
    with open(os.path.join(HERE, "..", "peers", "models.json"), encoding="utf-8") as f:
        batch = json.load(f)[args.model]["batch"]

    rounds = []
    for number in range(1, args.rounds + 1):
        rounds.append({"trainer": measured(run_trainer, args, batch), "torch": measured(run_torch, args)})
        a, b = rounds[-1]["trainer"], rounds[-1]["torch"]
        print(f"round {number}: trainer {a['median']:8.0f}  PyTorch {b['median']:8.0f} samples/s  ratio "
              f"{a['median'] / b['median']:.2f}   (others kept {a['foreign_cores']:.1f} and {b['foreign_cores']:.1f} cores busy)",
              flush=True)
    result = summary(rounds)
    print(f"median:  trainer {result['trainer']:8.0f}  PyTorch {result['torch']:8.0f} samples/s  ratio {result['ratio']:.2f} "
          f"({result['ratio_min']:.2f} to {result['ratio_max']:.2f})")
    with open(args.json, "w", encoding="utf-8") as f:
        json.dump({"model": args.model, "batch": batch, "threads": args.threads, "processor": processor(),
                   "torch": rounds[0]["torch"]["version"], "channels_last": args.channels_last,
                   "summary": result, "rounds": rounds}, f, indent=1)
    print(f"details: {args.json}")


if __name__ == "__main__":
    sys.exit(main())
