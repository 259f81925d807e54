# ===- test_cifar.py - the example with transforms and two workers ------------===#

import os
import re
import unittest

import trainers

PER_FILE = 90  # 450 samples: three batches of 128 and one of 66


class Cifar(trainers.Case):
    @classmethod
    def setUpClass(cls):
        # Written once; the tests that break files do so in folders of their own.
        cls.shared = os.path.join(trainers.FOLDER, "data-cifar", "cifar10")
        trainers.write_cifar(cls.shared, PER_FILE)

    def run_cifar(self, *words, data=None):
        return trainers.Result([os.path.join(trainers.FOLDER, "cifar10"), "--data", data or self.shared, *words],
                               self.folder)

    def train_cifar(self, out, *words):
        result = self.run_cifar("--out", out, *words)
        self.assertEqual(result.code, 0, result.err)
        return result

    def refused(self, *pieces):
        self.assert_refused(self.run_cifar("--out", "run", data="broken"), 3, *pieces)
        self.assertFalse(os.path.exists(self.path("run")))

    def broken(self):
        trainers.write_cifar(self.path("broken"), 3)

    def test_trains_reports_and_evaluates(self):
        out = self.train_cifar("run", "--epochs", "30", "--threads", "2").out
        # Four batches make an epoch: the only line of a hundred iterations is in the middle of the epochs' lines.
        self.assertRegex(out, r"\nepoch +iteration +main/loss +main/accuracy\n25 +100 +\d\S+ +\d\S+\n")
        rows = self.rows("run")
        self.assertEqual([row["epoch"] for row in rows], list(range(1, 31)))
        self.assertLess(rows[-1]["main/loss"], rows[0]["main/loss"])
        result = self.run_cifar("eval", "--out", "run")
        self.assertEqual(result.code, 0, result.err)
        found = re.search(r"main/loss (\S+)  main/accuracy (\S+)  \(90 samples\)", result.out)
        self.assertAlmostEqual(float(found[1]), rows[-1]["val/main/loss"], places=4)

    def test_a_run_in_two_parts_is_the_run_in_one(self):
        self.train_cifar("whole", "--epochs", "2")
        self.train_cifar("parts", "--epochs", "1")
        resumed = self.train_cifar("parts", "--epochs", "2", "--resume", "auto")
        self.assertIn("at iteration 4", resumed.err)
        self.assertEqual(self.digest("parts", 8), self.digest("whole", 8))
        self.assertEqual(self.rows("parts"), self.rows("whole"))

    def test_workers_do_not_change_a_run(self):
        for workers in ("1", "3"):
            self.train_cifar(workers, "--epochs", "1", "--workers", workers)
        self.assertEqual(self.digest("1", 4), self.digest("3", 4))

    def test_missing(self):
        self.broken()
        os.unlink(self.path("broken", "test_batch.bin"))
        self.refused("`cifar_test`", "broken/test_batch.bin", "does not exist")

    def test_truncated(self):
        self.broken()
        os.truncate(self.path("broken", "data_batch_2.bin"), 2 * 3073 + 5)
        self.refused("broken/data_batch_2.bin", "offset 6146", "sample 5 has 5 bytes of 3073")

    def test_a_label_out_of_range(self):
        self.broken()
        with open(self.path("broken", "data_batch_5.bin"), "r+b") as f:
            f.write(b"\x0a")
        self.refused("broken/data_batch_5.bin", "offset 0", "sample 12 is 10", "0 to 9")


if __name__ == "__main__":
    unittest.main()
