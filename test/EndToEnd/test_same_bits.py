# ===- test_same_bits.py - what may not change a bit of the weights ---------===#

import unittest

import trainers


class SameBits(trainers.Case):
    def test_threads_and_update_under_deterministic(self):
        # Tiles of one sample, of part of a tile, a tile and a part, and many; the epoch's last batch is short.
        for batch in ("1", "3", "13", "64"):
            expected = None
            for threads in ("1", "2", "3"):
                for update in ("fused", "bucketed"):
                    with self.subTest(batch=batch, threads=threads, update=update):
                        out = f"{batch}-{threads}-{update}"
                        self.train(out, "--deterministic", "--batch", batch, "--threads", threads, "--update", update)
                        found = self.digest(out, 20), self.rows(out)
                        expected = expected or found
                        self.assertEqual(found, expected)

    def test_kinds_of_iterators(self):
        for mode in ([], ["--deterministic"]):
            expected = None
            for kind in trainers.KINDS:
                for workers in ("1", "3"):
                    with self.subTest(kind=kind, workers=workers, mode=mode):
                        out = f"{kind}-{workers}{''.join(mode)}"
                        self.train(out, "--threads", "2", "--workers", workers, *mode, kind=kind)
                        found = self.digest(out, 20), self.rows(out)
                        expected = expected or found
                        self.assertEqual(found, expected)

    def test_a_fixed_split_repeats(self):
        for out in ("a", "b"):
            self.train(out, "--threads", "2")
        self.assertEqual(self.digest("a", 20), self.digest("b", 20))

    def test_a_seed_is_another_run(self):
        self.train("a")
        self.train("b", "--seed", "1")
        self.assertNotEqual(self.digest("a", 20), self.digest("b", 20))

    def test_splits_agree_up_to_rounding(self):
        self.train("one", "--threads", "1")
        self.train("three", "--threads", "3", "--update", "bucketed")
        # Later a rounding error decides which side of a kink of relu or max a value is on, and the runs part.
        for a, b in zip(self.rows("one")[:5], self.rows("three")[:5], strict=True):
            self.assertAlmostEqual(a["main/loss"], b["main/loss"], delta=1e-5)


if __name__ == "__main__":
    unittest.main()
