# ===- test_norm.py - the running statistics of batch normalisation ---------===#

import math
import unittest

import trainers

BATCH = 5
PROGRAM = f"""
dataset train_set = mnist("data", split: train) |> to_float
iterator train_iter = serial(train_set, batch: {BATCH}, repeat: true)
iterator again = serial(train_set, batch: {BATCH})
model N(x: f32[1, 28, 28]) -> f32[1] {{
  let norm = batch_norm(momentum: 0.5, eps: 0.25)
  norm(reshape(mean(x), [1]))
}}
train N {{
  data      train_iter
  loss      sum(out)
  optimizer sgd(lr: 0.0)
  stop      1 iteration
  every 1 iteration {{ evaluate(again, name: "val"); log; snapshot }}
}}
"""


class Norm(trainers.Case):
    def test_running_statistics(self):
        result = self.dplc(self.write("n.dpl", PROGRAM), "-o", self.path("n"))
        self.assertEqual(result.code, 0, result.err)
        self.assertEqual(trainers.Result([self.path("n"), "--out", "run"], self.folder).code, 0)
        count = trainers.TRAIN_SAMPLES
        pixels = trainers.formula.pictures(trainers.formula.labels(count + trainers.TEST_SAMPLES, 10), 28, 28)
        means = [sum(pixels[s * 784:(s + 1) * 784]) / 784 / 255 for s in range(count)]
        mean = sum(means[:BATCH]) / BATCH
        # The running variance is the unbiased one, from 1 at the start.
        variance = sum((m - mean)**2 for m in means[:BATCH]) / (BATCH - 1)
        mean, variance = 0.5 * mean, 0.5 * 1 + 0.5 * variance
        tensors = trainers.formula.read_safetensors(self.weights("run", 1))
        self.assertAlmostEqual(tensors["norm.running_mean"][1][0], mean, delta=1e-6)
        self.assertAlmostEqual(tensors["norm.running_var"][1][0], variance, delta=1e-6)
        expected = sum((m - mean) / math.sqrt(variance + 0.25) for m in means) / count
        self.assertAlmostEqual(self.rows("run")[0]["val/main/loss"], expected, delta=1e-5)


if __name__ == "__main__":
    unittest.main()
