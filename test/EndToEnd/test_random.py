# ===- test_random.py - random numbers are counted --------------------------===#

import math
import unittest

import trainers

SAMPLES = trainers.TRAIN_SAMPLES
PROGRAM = """
dataset train_set = mnist("data", split: train) |> to_float
iterator train_iter = threads(train_set, batch: 13, shuffle: true, repeat: true)
layer twice(x: f32[..]) -> f32[..] = random_uniform(shape(x)) - random_normal(shape(x))
model R(x: f32[1, 28, 28]) -> (u: f32[2, 3], z: f32[6], d: f32) {
  param w: f32[1] = zeros
  let shared = twice
  (u: random_uniform([2, 3]), z: random_normal([6]), d: shared(w[0]) + shared(sum(x)))
}
train R {
  data      train_iter
  loss      out.d
  metrics   %s
  optimizer sgd(lr: 0.0)
  stop      2 epochs
  out       "run"
  every 1 epoch { log }
}
""" % ", ".join([f"u{i}: out.u[{i // 3}, {i % 3}]" for i in range(6)] + [f"z{i}: out.z[{i}]" for i in range(6)])
DROPOUT = """
dataset train_set = mnist("data", split: train) |> to_float
iterator train_iter = serial(train_set, batch: 13, repeat: true)
iterator again = serial(train_set, batch: 64)
model D(x: f32[1, 28, 28]) -> f32[5] {
  param w: f32[1] = zeros
  let drop = dropout(0.25)
  drop(broadcast(w[0] + 3.0, [5], axes: []))
}
train D {
  data      train_iter
  loss      sum(out)
  metrics   %s
  optimizer sgd(lr: 0.0)
  stop      1 epoch
  out       "run"
  every 1 epoch { evaluate(again, name: "val"); log }
}
""" % ", ".join(f"y{i}: out[{i}]" for i in range(5))
MASK = (1 << 64) - 1


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def hash_text(text):
    h = 0xCBF29CE484222325
    for c in text.encode():
        h = ((h ^ c) * 0x100000001B3) & MASK
    return mix(h)


def key(seed, epoch, path):
    k = mix(seed ^ mix(1))
    for part in (epoch, hash_text(""), hash_text(path)):
        k = mix(k ^ mix(part))
    return k & 0xFFFFFFFF, k >> 32


def philox(c, k):
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = ((q >> 32) ^ c[1] ^ k[0], q & 0xFFFFFFFF, (p >> 32) ^ c[3] ^ k[1], p & 0xFFFFFFFF)
        k = ((k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF)
    return c


def uniform(k, sample, i):
    return (philox((i // 4, 0, sample, 0), k)[i % 4] >> 8) / (1 << 24)


def normal(k, sample, i):
    words = philox((i // 4, 0, sample, 0), k)
    a, b = words[i & 2], words[(i & 2) + 1]
    wave = math.sin if i & 1 else math.cos
    return math.sqrt(-2 * math.log((a + 0.5) / 2**32)) * wave(2 * math.pi * b / 2**32)


def mean(draw, *where):
    """Over all samples of a draw's element `where`."""
    return math.fsum(draw(k, s, i) for k, i in where for s in range(SAMPLES)) / SAMPLES


class Numbers(trainers.Case):
    def test_are_functions_of_seed_epoch_sample_and_path(self):
        result = self.dplc(self.write("r.dpl", PROGRAM), "-o", self.path("r"))
        self.assertEqual(result.code, 0, result.err)
        logs = []
        for number, words in enumerate((["--threads", "1"], ["--threads", "3", "--batch", "7", "--deterministic"])):
            done = trainers.Result([self.path("r"), "--seed", "5", "--out", f"r{number}", *words], self.folder)
            self.assertEqual(done.code, 0, done.err)
            logs.append(self.rows(f"r{number}"))
        for epoch in (0, 1):
            draws = [key(5, epoch, "R:1"), key(5, epoch, "R:2")]
            shared = [key(5, epoch, f"R.shared:{n}") for n in (1, 2, 3, 4)]
            expected = {f"main/u{i}": mean(uniform, (draws[0], i)) for i in range(6)}
            expected |= {f"main/z{i}": mean(normal, (draws[1], i)) for i in range(6)}
            expected["main/loss"] = (mean(uniform, (shared[0], 0), (shared[2], 0))
                                     - mean(normal, (shared[1], 0), (shared[3], 0)))
            for log in logs:
                for name, value in expected.items():
                    self.assertAlmostEqual(log[epoch][name], value, delta=2e-6, msg=f"{name} of epoch {epoch}")

    def test_dropout(self):
        result = self.dplc(self.write("d.dpl", DROPOUT), "-o", self.path("d"))
        self.assertEqual(result.code, 0, result.err)
        done = trainers.Result([self.path("d"), "--seed", "5", "--out", "run"], self.folder)
        self.assertEqual(done.code, 0, done.err)
        (row, ) = self.rows("run")
        drop = key(5, 0, "D.drop:1")
        for i in range(5):
            kept = sum(uniform(drop, s, i) >= 0.25 for s in range(SAMPLES))
            self.assertAlmostEqual(row[f"main/y{i}"], kept * 3 / 0.75 / SAMPLES, delta=2e-6)
            self.assertAlmostEqual(row[f"val/main/y{i}"], 3, delta=2e-6)


if __name__ == "__main__":
    unittest.main()
