# ===- test_peers.py - the comparison finds what is off --------------------===#

import array
import json
import math
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import check_golden
import formula

SHAPES = {"a.weight": (50, 30), "a.bias": (50,)}


class Compare(unittest.TestCase):
    def setUp(self):
        self.before = {n: (s, formula.initial(n, s)) for n, s in SHAPES.items()}
        self.after = {n: (s, array.array("f", [v + 0.01 * w for v, w in zip(
            self.before[n][1], formula.initial("change " + n, s))])) for n, s in SHAPES.items()}
        self.losses = [2.0, 1.0, 0.5]
        self.golden = {"losses": self.losses, "changes": {}}
        for name in SHAPES:
            change = [a - b for a, b in zip(self.after[name][1], self.before[name][1])]
            self.golden["changes"][name] = {"norm": math.hypot(*change), "sketch": formula.sketch(name, change)}

    def problems(self, losses=None, after=None):
        return list(check_golden.compare(self.golden, self.before, losses or self.losses, after or self.after))

    def off(self, name, factor):
        """The weights if training had changed one parameter by `factor`."""
        shape, old = self.before[name]
        new = array.array("f", [b + factor * (a - b) for a, b in zip(self.after[name][1], old)])
        return {**self.after, name: (shape, new)}

    def test_same(self):
        self.assertEqual(self.problems(), [])

    def test_loss(self):
        self.assertIn("step 2", self.problems(losses=[2.0, 1.002, 0.5])[0])
        self.assertEqual(self.problems(losses=[2.0, 1.0005, 0.5]), [])

    def test_loss_is_no_number(self):
        self.assertIn("step 3", self.problems(losses=[2.0, 1.0, math.nan])[0])

    def test_missing_steps(self):
        self.assertIn("2 losses", self.problems(losses=[2.0, 1.0])[0])

    def test_change(self):
        for name in SHAPES:
            self.assertIn(name, self.problems(after=self.off(name, 1.02))[0])
            self.assertEqual(self.problems(after=self.off(name, 1.005)), [])

    def test_missing_parameter(self):
        after = {n: t for n, t in self.after.items() if n != "a.bias"}
        self.assertIn("a.bias", self.problems(after=after)[0])

    def test_shape(self):
        shape, values = self.after["a.weight"]
        self.assertIn("shape", self.problems(after={**self.after, "a.weight": (shape[::-1], values)})[0])


class Files(unittest.TestCase):
    def test_safetensors_round_trip(self):
        tensors = {n: (s, formula.initial(n, s)) for n, s in SHAPES.items()}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "w.safetensors")
            formula.write_safetensors(path, tensors)
            self.assertEqual(formula.read_safetensors(path), tensors)

    def test_golden_files_fit_the_models(self):
        with open(os.path.join(HERE, "models.json"), encoding="utf-8") as f:
            models = json.load(f)
        for name, model in models.items():
            with open(os.path.join(HERE, "golden", name + ".json"), encoding="utf-8") as f:
                golden = json.load(f)
            self.assertEqual(golden["changes"].keys(), check_golden.shapes(model).keys())
            self.assertEqual(len(golden["losses"]), model["steps"])
            self.assertLess(golden["f32"]["loss"], check_golden.LOSS_TOLERANCE / 10)
            self.assertLess(golden["f32"]["change"], check_golden.CHANGE_TOLERANCE / 10)

    def test_formula(self):
        # Values that another implementation of the formula has to give.
        self.assertEqual(formula.words("label", 3), WORDS)
        self.assertEqual(list(formula.labels(3, 10)), [w % 10 for w in WORDS])
        self.assertEqual(formula.initial("b", (2,)).tolist(), BIAS)


WORDS = [2224059146, 2348351211, 2222963753]
BIAS = [0.012910569086670876, 0.012082124128937721]

if __name__ == "__main__":
    unittest.main()
