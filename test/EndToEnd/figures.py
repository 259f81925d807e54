# ===- figures.py - start, memory and size of a trainer ----------------------===#
#
#   figures.py TRAINER [ARGUMENTS..]        e.g. figures.py ./fashion --data DIR
#
# prints the size of the executable, the time from its start to the end of the
# first step, in several runs, and the peak of the memory in a longer run, as the
# kernel counts it: what was read of mapped data files is part of that.
#
# ===----------------------------------------------------------------------===#

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 9
LONG = 100  # iterations


def run(words, out, iterations):
    """Seconds that so many iterations take from the start, and the peak resident memory in MiB."""
    begin = time.monotonic()
    child = subprocess.Popen([*words, "--out", out, "--max-iterations", str(iterations)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.monotonic() - begin
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{words[0]} ended with {child.returncode}")
    return seconds, usage.ru_maxrss / 1024


def main():
    words = sys.argv[1:]
    print(f"executable: {os.path.getsize(words[0]) / 2**20:.2f} MiB")
    with tempfile.TemporaryDirectory() as folder:
        seconds = [run(words, os.path.join(folder, str(i)), 1)[0] for i in range(RUNS)]
        memory = run(words, os.path.join(folder, "long"), LONG)[1]
    print(f"first step after {statistics.median(seconds):.3f} s (median of {RUNS}; {min(seconds):.3f} to {max(seconds):.3f})")
    print(f"peak memory in {LONG} iterations: {memory:.1f} MiB")


if __name__ == "__main__":
    main()
