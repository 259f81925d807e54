# ===- test_data.py - data that are missing, broken, compressed, elsewhere ---===#

import gzip
import os
import shutil
import unittest

import trainers

IMAGES, LABELS = "train-images-idx3-ubyte", "train-labels-idx1-ubyte"


class Data(trainers.Case):
    def setUp(self):
        super().setUp()
        os.unlink(self.path("data"))
        shutil.copytree(os.path.join(trainers.FOLDER, "data"), self.path("data"))

    def content(self, name):
        with open(self.path("data", name), "rb") as f:
            return f.read()

    def refused(self, *pieces):
        self.assert_refused(self.run_trainer("--out", "run"), 3, *pieces)
        self.assertFalse(os.path.exists(self.path("run")))

    def test_missing(self):
        os.unlink(self.path("data", LABELS))
        self.refused("data/" + LABELS)
        shutil.rmtree(self.path("data"))
        self.refused("data")

    def test_missing_test_data(self):
        os.unlink(self.path("data", "t10k-images-idx3-ubyte"))
        self.refused("data/t10k-images-idx3-ubyte")

    def test_truncated(self):
        self.write(os.path.join("data", IMAGES), self.content(IMAGES)[:-100])
        self.refused("data/" + IMAGES)

    def test_counts_differ(self):
        labels = trainers.formula.labels(149, 10)
        trainers.formula.write_idx(self.path("data", LABELS), [149], labels)
        self.refused(LABELS, "149", "150")

    def test_another_size(self):
        trainers.formula.write_idx(self.path("data", IMAGES), [150, 28, 27], bytes(150 * 28 * 27))
        self.refused("`data`", "[1, 28, 27]", "[1, 28, 28]")

    def test_no_idx_file(self):
        self.write(os.path.join("data", IMAGES), b"something else")
        self.refused("data/" + IMAGES)

    def test_a_label_out_of_range(self):
        content = bytearray(self.content(LABELS))
        content[8 + 77] = 10
        self.write(os.path.join("data", LABELS), bytes(content))
        self.refused("data/" + LABELS, "10", "77")

    def test_compressed_data_give_the_same_run(self):
        self.train("plain", "--max-iterations", "5")
        for name in os.listdir(self.path("data")):
            content = self.content(name)
            os.unlink(self.path("data", name))
            with gzip.open(self.path("data", name + ".gz"), "wb") as f:
                f.write(content)
        self.train("compressed", "--max-iterations", "5")
        self.assertEqual(self.digest("compressed", 5), self.digest("plain", 5))

    def test_other_places(self):
        self.train("here", "--max-iterations", "5")
        os.makedirs(self.path("root"))
        shutil.move(self.path("data"), self.path("root", "data"))
        self.refused("data")
        self.train("flag", "--max-iterations", "5", "--data", "root/data")
        named = ["--data", "train_set=root/data", "--data", "test_set=root/data"]
        self.train("named", "--max-iterations", "5", *named)
        result = self.run_trainer("--out", "variable", "--max-iterations", "5", DPL_DATA=self.path("root"))
        self.assertEqual(result.code, 0, result.err)
        for out in ("flag", "named", "variable"):
            self.assertEqual(self.digest(out, 5), self.digest("here", 5))
        self.assert_refused(self.run_trainer("--data", "tran_set=root/data", "--out", "new"), 2,
                            "did you mean `train_set`?")


if __name__ == "__main__":
    unittest.main()
