# ===- test_compiler.py - what dplc says and how it ends ---------------------===#

import json
import os
import unittest

import trainers

MODEL = """dataset t = mnist("data", split: train) |> to_float
iterator i = serial(t, batch: 8, repeat: true)
model M(x: f32[1, 28, 28]) -> f32[10] {
  %s
}
train M { data i; loss softmax_cross_entropy; optimizer sgd(lr: 0.1); stop 1 epoch }
"""


class Compiler(trainers.Case):
    def refused(self, code, pieces, *words):
        """One error, and no trainer."""
        result = self.dplc(*words)
        self.assertEqual(result.code, code, result.err)
        self.assertEqual(result.err.count("error:"), 1, result.err)
        for piece in pieces:
            self.assertIn(piece, result.err)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_wrong_words(self):
        program = trainers.SMALL
        for pieces, words in ((["no input file"], []), (["no output", "-o"], [program]),
                              (["unknown option `--zzz`"], ["--zzz", program]),
                              (["two input files", "a.dpl", "b.dpl"], ["a.dpl", "b.dpl", "-o", "out"]),
                              (["no phase `tyles`", "tiles"], [program, "--stop-after=tyles"]),
                              (["gradcheck"], ["gradcheck", program, "-o", "out"])):
            with self.subTest(words=words):
                self.refused(2, pieces, *words)

    def test_wrong_programs(self):
        for pieces, body in ((["wrong.dpl:4:8: error: unknown name `convd`"], "x |> convd(3) |> flatten |> linear(10)"),
                             (["wrong.dpl:4:", "kernel"], "x |> conv2d(3, kernel: 31) |> flatten |> linear(10)"),
                             (["wrong.dpl:4:", "f32[10]"], "x |> flatten |> linear(11)"),
                             (["wrong.dpl:4:"], "x |> flatten |> linear(10"),
                             (["wrong.dpl:4:", "linear(1.5)"], "x |> flatten |> linear(1.5) |> linear(10)")):
            with self.subTest(body=body):
                self.refused(1, pieces, self.write("wrong.dpl", MODEL % body), "-o", "out")

    def test_files(self):
        program = self.write("right.dpl", MODEL % "x |> flatten |> linear(10)")
        self.refused(1, ["`absent.dpl`", "No such file"], "absent.dpl", "-o", "out")
        self.refused(1, ["absent/out"], program, "-o", "absent/out")
        self.refused(1, ["override_unknown", "`width`"], program, "-o", "out", "-D", "width=3")

    def test_outputs_that_are_no_place_for_a_trainer(self):
        program = self.write("right.dpl", MODEL % "x |> flatten |> linear(10)")
        for output, piece in ((program, "is the input"), ("/dev/null", "no regular file")):
            result = self.dplc(program, "-o", output)
            self.assertEqual(result.code, 1)
            self.assertEqual(result.err.count("error:"), 1, result.err)
            self.assertIn(piece, result.err)
        with open(self.path("right.dpl")) as file:
            self.assertIn("model M", file.read())
        self.refused(1, ["no `train`"], self.write("none.dpl", "const a = 1\n"), "-o", "out")

    def test_widths_that_fit_no_vector(self):
        # One place more than whole vectors, and single places.
        for body in ("x |> flatten |> linear(33) |> relu |> linear(1) |> linear(10)",
                     "x |> conv2d(17, kernel: 5, stride: 3) |> max_pool2d(3) |> conv2d(1, kernel: 1) |> flatten |> linear(10)"):
            program = self.write("odd.dpl", MODEL % body)
            result = self.dplc(program, "-o", "odd")
            self.assertEqual((result.code, result.err), (0, ""))

    def codes(self, *words):
        """The codes of the messages that another program would read."""
        result = self.dplc(*words, "--diagnostics=json")
        self.assertEqual(result.code, 1, result.err)
        return [message["code"] for message in json.loads(result.err)]

    def test_messages_for_programs(self):
        wrong = self.write("wrong.dpl", MODEL % "x |> relo |> flatten |> linear(10)")
        self.assertEqual(self.codes(wrong, "-o", "out"), ["unknown_name"])
        self.assertEqual(self.codes("absent.dpl", "-o", "out"), ["cannot_read"])
        self.assertEqual(self.codes("absent.dpl", "--stop-after=syntax"), ["cannot_read"])
        self.assertEqual(self.codes(self.write("none.dpl", "const a = 1\n"), "-o", "out"), ["nothing_to_train"])
        right = self.write("right.dpl", MODEL % "x |> flatten |> linear(10)")
        self.assertEqual(self.codes(right, "-o", right), ["bad_output"])
        self.assertEqual(self.codes(right, "-o", "absent/out"), ["cannot_make"])

    def test_explanations(self):
        result = self.dplc("--explain", "conv2d_window")
        self.assertEqual((result.code, result.err), (0, ""))
        for piece in ("error [conv2d_window]", "This fails:", "This works:", "conv2d(4, kernel: 3, pad: 1)"):
            self.assertIn(piece, result.out)
        self.refused(2, ["did you mean `conv2d_window`?"], "--explain=conv2d_windw")
        self.refused(2, ["expected layers or diagnostics"], "--docs=layer")

    def test_options_keep_the_range_of_their_use(self):
        program = self.write("ranged.dpl", "option rate = 0.1\n" + (MODEL % "x |> flatten |> linear(10)")
                             .replace("lr: 0.1", "lr: rate"))
        self.assertEqual(self.dplc(program, "-o", "ranged").code, 0)
        result = trainers.Result([self.path("ranged"), "--rate", "-1"], self.folder)
        self.assert_refused(result, 2, "--rate: -1 is not at least 0")

    def test_help_and_version(self):
        result = self.dplc("--help")
        self.assertEqual((result.code, result.err), (0, ""))
        for option in ("-o FILE", "--march=", "--stop-after=", "gradcheck", "--seed=", "PHASES:"):
            self.assertIn(option, result.out.replace("<", "").replace(">", ""))
        self.assertEqual(self.dplc("--version").code, 0)

    def test_each_phase_prints(self):
        for phase, piece in (("syntax", "model Small"), ("import", "dpl.grad"), ("gradient", "dpl.pool_max_grad"),
                             ("layout", "channels_last"), ("kernels", "dpl.kernel"), ("linalg", "linalg.generic"),
                             ("tiles", "vector."), ("memory", "memref.view"), ("llvm", "llvm.func")):
            with self.subTest(phase=phase):
                result = self.dplc(trainers.SMALL, "--stop-after=" + phase)
                self.assertEqual(result.code, 0, result.err)
                self.assertIn(piece, result.out)

    def test_a_portable_trainer_trains(self):
        program = self.write("right.dpl", MODEL % "x |> flatten |> linear(10)")
        for level in ("x86-64-v2", "x86-64-v3"):
            with self.subTest(level=level):
                self.assertEqual(self.dplc(program, "-o", level, "--march=" + level).code, 0)
                result = trainers.Result([self.path(level), "--max-iterations", "3", "--out", "run-" + level], self.folder)
                self.assertEqual(result.code, 0, result.err)

    def test_processors_that_are_none(self):
        for name, piece in (("x86_64-v3", "'x86-64-v3'"), ("", "'native'"), ("i486", "has no 64-bit code")):
            with self.subTest(name=name):
                self.refused(2, [piece], trainers.SMALL, "-o", "out", "--march=" + name)

    def test_a_trainer_for_another_processor(self):
        # FMA4 and XOP were in a few processors of AMD only.
        program = self.write("right.dpl", MODEL % "x |> flatten |> linear(10)")
        self.assertEqual(self.dplc(program, "-o", "other", "--march=bdver2").code, 0)
        for command in ("train", "eval"):
            result = trainers.Result([self.path("other"), command], self.folder)
            self.assert_refused(result, 2, "made for the processor `bdver2`; this one lacks", "fma4", "xop",
                                "compile right.dpl again here, or anywhere with --march=x86-64")
        for command in (["info"], ["--help"]):
            self.assertEqual(trainers.Result([self.path("other"), *command], self.folder).code, 0)

    def test_gradcheck(self):
        for program, parameters in ((trainers.EXAMPLE, 8), (trainers.SMALL, 9)):
            with self.subTest(program=program):
                result = self.dplc("gradcheck", program, "--elements=4")
                self.assertEqual(result.code, 0, result.out + result.err)
                self.assertEqual(result.out.count(": PASS\n"), parameters)
                self.assertNotIn("without influence", result.out)


if __name__ == "__main__":
    unittest.main()
