# ===- test_diverged.py - the first bad step ends a run ----------------------===#

import os
import re
import unittest

import trainers


class Diverged(trainers.Case):
    def test_a_rate_that_is_too_large(self):
        for kind in trainers.KINDS:
            for update in ("fused", "bucketed"):
                with self.subTest(kind=kind, update=update):
                    out = f"{kind}-{update}"
                    # The first step is finite and is saved; the second one's loss is not.
                    result = self.run_trainer("--out", out, "--lr", "1e30", "--saved", "1", "--update", update, kind=kind)
                    self.assert_refused(result, 4, "main/loss is", "at iteration 2", f"`{out}/snapshot_iter_1`")
                    self.assertEqual(self.snapshots(out), ["snapshot_iter_1"])
                    self.assertFalse([n for n in os.listdir(self.path(out)) if n.startswith(".unfinished")])
                    self.assertEqual(len(self.rows(out)), 1)

    def test_the_weights_before_the_bad_step_are_kept(self):
        # The step after the last good one can be computed from them by a run that stops there.
        for kind in trainers.KINDS:
            with self.subTest(kind=kind):
                out = f"bad-{kind}"
                words = ["--lr", "1e10", "--batch", "7", "--saved", "1000"]
                result = self.run_trainer("--out", out, *words, kind=kind)
                found = re.search(r"at iteration (\d+),", result.err)
                self.assertIsNotNone(found, result.err)
                last = int(found[1]) - 1
                self.assertEqual(self.snapshots(out), [f"snapshot_iter_{last}"])
                self.train(f"good-{kind}", *words, "--max-iterations", str(last), kind=kind)
                self.assertEqual(self.digest(out, last), self.digest(f"good-{kind}", last))

    def test_the_last_snapshot_is_good(self):
        self.train("run", "--max-iterations", "5")
        before = self.digest("run", 5)
        self.run_trainer("--out", "bad", "--resume", "run/snapshot_iter_5", "--lr", "1e30")
        self.assertEqual(self.digest("run", 5), before)
        self.run_trainer("--out", "spoilt", "--lr", "1e30", "--saved", "1")
        resumed = self.run_trainer("--out", "spoilt", "--lr", "1e30", "--saved", "1", "--resume")
        self.assertEqual(resumed.code, 4)
        self.assertIn("resumed from `spoilt/snapshot_iter_1`", resumed.err)

    def test_weights_that_are_not_finite(self):
        self.train("run", "--max-iterations", "5")
        tensors = trainers.formula.read_safetensors(self.weights("run", 5))
        for value in ("nan", "inf"):
            with self.subTest(value=value):
                shape, values = tensors["fc2.bias"]
                changed = values[:]
                changed[3] = float(value)
                trainers.formula.write_safetensors(self.path("w"), {**tensors, "fc2.bias": (shape, changed)})
                for command in ("train", "eval"):
                    result = self.run_trainer(command, "--weights", "w", "--out", value)
                    self.assert_refused(result, 4, f"`w`: value 3 of tensor `fc2.bias` is {value}")
                    self.assertFalse(os.path.exists(self.path(value)))

    def test_weights_that_are_not_finite_are_not_saved(self):
        # The rate is infinite in f32: the loss is good, what it makes of the weights is not.
        result = self.run_trainer("--out", "run", "--lr", "1e39", "--saved", "1", "--max-iterations", "1")
        self.assert_refused(result, 4, "the gradient or the update of `fc2.bias` in layer `fc2` (linear) is not finite",
                            "at iteration 1", "setting `lr` is inf", "no snapshot was written")
        self.assertEqual(self.snapshots("run"), [])

    def test_layers_without_parameters(self):
        program = """
dataset train_set = mnist("data", split: train) |> to_float
iterator train_iter = serial(train_set, batch: 10, repeat: true)
layer Bad(x: f32[..]) = log(%s)
model M(x: f32[1, 28, 28]) -> f32[10] {
  let first = linear(10, init: zeros)
  let second = linear(10)
  x |> flatten |> first |> Bad |> second
}
train M {
  data      train_iter
  loss      softmax_cross_entropy
  optimizer sgd(lr: 10.0)
  stop      5 iterations
}
"""
        # The output of `first` is finite; of -1 there is no logarithm, whatever the parameters are.
        for number, pieces in (("100.0 + 1000.0 * x", ("comes from layer `first` (linear) or from behind it, before layer `second` (linear)", )),
                               ("0.0 * x - 1.0", ("it is so with all parameters zero, too", "logarithms"))):
            with self.subTest(number=number):
                self.assertEqual(self.dplc(self.write("bad.dpl", program % number), "-o", self.path("bad")).code, 0)
                result = trainers.Result([self.path("bad"), "--out", f"out{len(number)}"], self.folder)
                self.assert_refused(result, 4, "main/loss is nan", *pieces)


if __name__ == "__main__":
    unittest.main()
