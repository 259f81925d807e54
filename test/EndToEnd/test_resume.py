# ===- test_resume.py - a run in two parts is the run in one ----------------===#

import os
import shutil
import unittest

import trainers


class Resume(trainers.Case):
    def whole_and_parts(self, kind, *words, stop):
        """Ten iterations in one run, and stopped behind `stop`."""
        whole, parts = f"{kind}-whole", f"{kind}-parts"
        self.train(whole, "--max-iterations", "10", *words, kind=kind)
        self.train(parts, "--max-iterations", str(stop), *words, kind=kind)
        resumed = self.train(parts, "--resume", "auto", "--max-iterations", "10", *words, kind=kind)
        self.assertIn(f"at iteration {stop}", resumed.err)
        self.assertEqual(self.digest(parts, 10), self.digest(whole, 10))
        self.assertEqual(self.rows(parts), self.rows(whole))
        self.assertEqual([row["iteration"] for row in self.rows(parts)], list(range(1, 11)))

    def test_inside_an_epoch(self):
        # Three batches make an epoch, so five is inside of the second one.
        for kind in trainers.KINDS:
            with self.subTest(kind=kind):
                self.whole_and_parts(kind, "--threads", "2", stop=5)

    def test_at_the_end_of_an_epoch(self):
        # 150 samples in batches of 30.
        for kind in trainers.KINDS:
            with self.subTest(kind=kind):
                self.whole_and_parts(kind, "--threads", "2", "--batch", "30", stop=5)

    def test_inside_the_first_epoch(self):
        for kind in trainers.KINDS:
            with self.subTest(kind=kind):
                self.whole_and_parts(kind, "--batch", "13", stop=5)

    def test_rows_behind_the_snapshot_are_logged_once(self):
        self.train("whole", "--max-iterations", "10")
        self.train("parts", "--max-iterations", "8")
        # As a crash would have left it.
        shutil.rmtree(self.path("parts", "snapshot_iter_8"))
        resumed = self.train("parts", "--resume", "--max-iterations", "10")
        self.assertIn("at iteration 5", resumed.err)
        self.assertEqual(self.rows("parts"), self.rows("whole"))

    def test_blocks_share_the_log(self):
        with open(trainers.SMALL, encoding="utf-8") as f:
            text = f.read()
        block = "every 1 iteration { log }"
        self.assertEqual(text.count(block), 1)
        self.write("two.dpl", text.replace(block, "every 2 iterations { log }\n  every 3 iterations { log }"))
        self.assertEqual(self.dplc("two.dpl", "-o", "two").code, 0)
        for words in (("whole", "--max-iterations", "10"), ("parts", "--max-iterations", "5"),
                      ("parts", "--max-iterations", "10", "--resume")):
            self.assertEqual(trainers.Result([self.path("two"), "--out", *words], self.folder).code, 0)
        # The second block has seen the last iteration when training ends.
        self.assertEqual([row["iteration"] for row in self.rows("whole")], [2, 3, 4, 6, 6, 8, 9, 10, 10])
        self.assertEqual(self.rows("parts"), self.rows("whole"))

    def test_other_threads_under_deterministic(self):
        self.train("whole", "--deterministic", "--threads", "3", "--max-iterations", "10")
        self.train("parts", "--deterministic", "--threads", "1", "--max-iterations", "5")
        self.train("parts", "--deterministic", "--threads", "2", "--update", "bucketed", "--max-iterations", "10",
                   "--resume")
        self.assertEqual(self.digest("parts", 10), self.digest("whole", 10))

    def test_a_snapshot_into_another_folder(self):
        self.train("whole", "--max-iterations", "10")
        self.train("first", "--max-iterations", "5")
        self.train("second", "--max-iterations", "10", "--resume", "first/snapshot_iter_5")
        self.assertEqual(self.digest("second", 10), self.digest("whole", 10))

    def test_newest_snapshots_are_kept(self):
        self.train("run")
        self.assertEqual(self.snapshots("run"), ["snapshot_iter_15", "snapshot_iter_20"])

    def test_a_run_is_refused_without_resume(self):
        self.train("run", "--max-iterations", "5")
        before = self.rows("run"), self.digest("run", 5)
        self.assert_refused(self.run_trainer("--out", "run"), 2, "`run` holds a run already", "--resume", "--out")
        self.assertEqual((self.rows("run"), self.digest("run", 5)), before)

    def test_another_option_is_refused(self):
        self.train("run", "--max-iterations", "5")
        self.assert_refused(self.run_trainer("--out", "run", "--resume", "--lr", "0.1"), 2,
                            "option `lr` was 0.05 there and is 0.1 now")
        self.assert_refused(self.run_trainer("--out", "run", "--resume", "--batch", "13"), 2, "--batch was 64")

    def test_another_program_is_refused(self):
        self.train("run", "--max-iterations", "5")
        other = trainers.Result([os.path.join(trainers.FOLDER, "example"), "--data", "data", "--out", "run",
                                 "--resume"], self.folder)
        self.assert_refused(other, 2, "cannot resume", "`conv1.bias` was [3] there and is [16] now")


class Weights(trainers.Case):
    def test_training_starts_from_them(self):
        self.train("first", "--max-iterations", "5")
        expected = trainers.formula.read_safetensors(self.weights("first", 5))
        for weights in (self.weights("first", 5), "first/snapshot_iter_5"):
            with self.subTest(weights=weights):
                out = "from-" + os.path.basename(weights)
                # A rate of nothing leaves parameters as they are, and running statistics go on.
                self.train(out, "--weights", weights, "--lr", "0", "--max-iterations", "5")
                found = trainers.formula.read_safetensors(self.weights(out, 5))
                self.assertEqual(found.keys(), expected.keys())
                changed = {name for name in found if found[name] != expected[name]}
                self.assertEqual(changed, {"norm.running_mean", "norm.running_var"})

    def test_a_resumed_snapshot_has_its_own(self):
        self.train("other", "--seed", "1", "--max-iterations", "5")
        weights = self.weights("other", 5)
        self.train("whole", "--weights", weights, "--max-iterations", "10")
        self.train("parts", "--weights", weights, "--max-iterations", "5")
        self.train("parts", "--weights", weights, "--max-iterations", "10", "--resume", "auto")
        self.assertEqual(self.digest("parts", 10), self.digest("whole", 10))

    def test_what_does_not_fit_is_refused(self):
        self.train("run", "--max-iterations", "5")
        tensors = trainers.formula.read_safetensors(self.weights("run", 5))

        def refused(changed, *pieces):
            trainers.formula.write_safetensors(self.path("w"), changed)
            for command in ("train", "eval"):
                self.assert_refused(self.run_trainer(command, "--weights", "w", "--out", "new"), 3, "`w`", *pieces)
            self.assertFalse(os.path.exists(self.path("new")))

        shape, values = tensors["fc1.weight"]
        refused({**tensors, "fc1.weight": (shape[::-1], values)}, "`fc1.weight`", str(list(shape)))
        refused({**tensors, "fc3.bias": ((1,), values[:1])}, "no tensor `fc3.bias`")
        refused({n: t for n, t in tensors.items() if n != "fc2.bias"}, "no tensor `fc2.bias`")
        self.write("w", b"no weights")
        self.assert_refused(self.run_trainer("--weights", "w", "--out", "new"), 3, "`w`")
        self.assert_refused(self.run_trainer("--weights", "absent", "--out", "new"), 3, "`absent`")
        self.assert_refused(self.run_trainer("--dry-run", "--weights", "absent"), 3, "`absent`")


if __name__ == "__main__":
    unittest.main()
