# ===- trainers.py - compiled programs and their data for the tests ---------===#
#
# The tests run in a folder of the build that `trainers.py DPLC FOLDER` fills:
# trainers of small.dpl with each kind of iterator, those of the examples, and
# synthetic data in the format of MNIST.
#
# ===----------------------------------------------------------------------===#

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, "..", "peers"))
import formula

KINDS = ("serial", "threads", "multiprocess")
EXAMPLE = os.path.join(ROOT, "dsl-examples", "fashion-mnist", "fashion.dpl")
CIFAR = os.path.join(ROOT, "dsl-examples", "cifar10", "cifar10.dpl")
SMALL = os.path.join(HERE, "small.dpl")
TRAIN_SAMPLES = 150  # two batches of 64 and a short one
TEST_SAMPLES = 37
LIMIT = 60  # seconds for one run of any tool

# Set by main() of the build, read by the tests.
DPLC = os.environ.get("DPL_E2E_DPLC", "")
FOLDER = os.environ.get("DPL_E2E_FOLDER", "")


def write_split(folder, prefix, first, count):
    """`count` samples of the formula, from sample `first` on."""
    size = 28
    labels = formula.labels(first + count, 10)
    pixels = formula.pictures(labels, size, size)[first * size * size:]
    formula.write_idx(os.path.join(folder, prefix + "-images-idx3-ubyte"), [count, size, size], pixels)
    formula.write_idx(os.path.join(folder, prefix + "-labels-idx1-ubyte"), [count], labels[first:])


def write_data(folder):
    os.makedirs(folder, exist_ok=True)
    write_split(folder, "train", 0, TRAIN_SAMPLES)
    write_split(folder, "t10k", TRAIN_SAMPLES, TEST_SAMPLES)


def write_cifar(folder, per_file):
    """Binary batches of CIFAR-10: `per_file` samples of the formula in each of the six files."""
    os.makedirs(folder, exist_ok=True)
    size = 3 * 32 * 32
    labels = formula.labels(6 * per_file, 10)
    # Three planes under one another are a picture of three times the height.
    pixels = formula.pictures(labels, 3 * 32, 32)
    for number, name in enumerate([f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"]):
        with open(os.path.join(folder, name + ".bin"), "wb") as f:
            for s in range(number * per_file, (number + 1) * per_file):
                f.write(labels[s:s + 1] + pixels[s * size:(s + 1) * size])


def with_kind(kind):
    """small.dpl with another kind of training iterator."""
    with open(SMALL, encoding="utf-8") as f:
        text = f.read()
    assert text.count("train_iter = serial(") == 1
    return text.replace("train_iter = serial(", f"train_iter = {kind}(")


class Result:
    """Exit code and texts of a process that ended."""

    def __init__(self, words, folder, environment=None):
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=LIMIT,
                              env={**os.environ, **(environment or {})})
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr


class Case(unittest.TestCase):
    """A test in a folder of its own, with the data in `data`."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="dpl-e2e-")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        os.symlink(os.path.join(FOLDER, "data"), self.path("data"))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content):
        with open(self.path(name), "wb" if isinstance(content, bytes) else "w") as f:
            f.write(content)
        return self.path(name)

    def run_trainer(self, *words, kind="serial", **environment):
        return Result([os.path.join(FOLDER, kind), *words], self.folder, environment)

    def train(self, out, *words, kind="serial"):
        """Trains into `out`; fails the test unless that ends well."""
        result = self.run_trainer("--out", out, *words, kind=kind)
        self.assertEqual(result.code, 0, result.err)
        return result

    def dplc(self, *words):
        return Result([DPLC, *words], self.folder)

    def rows(self, out):
        """The log of a run without what depends on time."""
        with open(self.path(out, "log"), encoding="utf-8") as f:
            return [{k: v for k, v in row.items() if k != "elapsed_time"} for row in json.load(f)]

    def snapshots(self, out):
        return sorted(name for name in os.listdir(self.path(out)) if name.startswith("snapshot"))

    def weights(self, out, iteration):
        return self.path(out, f"snapshot_iter_{iteration}", "weights.safetensors")

    def digest(self, out, iteration):
        """Of weights and optimizer in a snapshot."""
        sums = []
        for name in ("weights", "optimizer"):
            with open(self.path(out, f"snapshot_iter_{iteration}", name + ".safetensors"), "rb") as f:
                sums.append(hashlib.sha256(f.read()).hexdigest())
        return sums

    def assert_refused(self, result, code, *pieces):
        """One error, maybe with causes, with these pieces, and this exit code."""
        self.assertEqual(result.code, code, result.err)
        self.assertRegex(result.err, r"\Aerror: .*\n(  because: .*\n)*\Z")
        for piece in pieces:
            self.assertIn(piece, result.err)


def build(dplc, folder):
    """Compiles what the tests run; raises CalledProcessError if that fails."""
    os.makedirs(folder, exist_ok=True)
    write_data(os.path.join(folder, "data"))
    for kind in KINDS:
        source = os.path.join(folder, kind + ".dpl")
        with open(source, "w", encoding="utf-8") as f:
            f.write(with_kind(kind))
        subprocess.run([dplc, source, "-o", os.path.join(folder, kind)], check=True)
    for name, source in (("example", EXAMPLE), ("cifar10", CIFAR)):
        subprocess.run([dplc, source, "-o", os.path.join(folder, name)], check=True)


if __name__ == "__main__":
    build(*sys.argv[1:])
