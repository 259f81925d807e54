# ===- test_bench.py - what the timing takes from a run --------------------===#

import argparse
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import vs_pytorch

# Writes a log as trainers do: the first 200 iterations take 9 s, later blocks
# of 100 iterations 2 s.
TRAINER = """#!/usr/bin/env python3
import json, os, sys
flags = dict(zip(sys.argv[2::2], sys.argv[3::2]))
os.mkdir(flags["--out"])
rows, time = [], 5.0
for iteration in range(100, int(flags["--max-iterations"]) + 1, 100):
    time += 2.0
    rows.append({"iteration": iteration, "elapsed_time": time})
json.dump(rows, open(os.path.join(flags["--out"], "log"), "w"))
"""


class Bench(unittest.TestCase):
    def test_only_steady_blocks_count(self):
        with tempfile.TemporaryDirectory() as folder:
            trainer = os.path.join(folder, "trainer")
            with open(trainer, "w", encoding="utf-8") as f:
                f.write(TRAINER)
            os.chmod(trainer, 0o755)
            args = argparse.Namespace(trainer=trainer, data=folder, threads=2, warmup=200, blocks=3)
            result = vs_pytorch.run_trainer(args, batch=64)
        self.assertEqual(result["samples_per_second"], [3200.0] * 3)

    def test_ratio_is_taken_within_a_round(self):
        rounds = [{"trainer": {"median": a}, "torch": {"median": b}} for a, b in ((10, 5), (4, 1), (9, 3))]
        result = vs_pytorch.summary(rounds)
        self.assertEqual((result["ratio"], result["ratio_min"], result["ratio_max"]), (3, 2, 4))
        self.assertEqual((result["trainer"], result["torch"]), (9, 3))


if __name__ == "__main__":
    unittest.main()
