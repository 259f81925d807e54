# ===- test_commands.py - what a trainer says, and what it leaves alone ------===#

import json
import os
import re
import subprocess
import time
import unittest

import trainers

FLAGS = ("help", "version", "epochs", "batch", "devices", "out", "resume", "seed", "workers", "threads", "data", "weights",
         "deterministic", "update", "max-iterations", "dry-run", "print-config", "lr", "saved")


class Commands(trainers.Case):
    def test_help_lists_every_flag(self):
        result = self.run_trainer("--help")
        self.assertEqual(result.code, 0)
        listed = re.findall(r"^\s+(?:-\w,)?--([\w-]+)", result.out, re.MULTILINE)
        self.assertCountEqual(listed, FLAGS)
        for piece in ("learning rate (default: 0.05)", "at most 64", "(default: 20 iterations)", "DPL_LR"):
            self.assertIn(piece, result.out)

    def test_info(self):
        result = self.run_trainer("info")
        self.assertEqual(result.code, 0)
        for pieces in (("conv1", "conv2d", "[1, 28, 28]", "[3, 9, 9]", "78"), ("fc1.weight", "[13, 63]", "weight"),
                       ("fc1.weight.v", "optimizer"), ("1253 parameters",), ("train_iter", "serial", "64", "shuffled"),
                       ("train.Small.fused",), ("train.Small.bucketed",), ("--lr", "0.05")):
            self.assertTrue(any(all(p in line for p in pieces) for line in result.out.split("\n")), pieces)

    def test_info_of_the_target(self):
        text = self.run_trainer("info").out
        self.assertRegex(text[text.index("\ntarget\n"):],
                         r"\A\ntarget\n  \S+-linux-gnu  \S+\n  instructions:( .*\n)+  glibc 2\.\d+ or newer\n  \d+ kernels\n\Z")
        self.assertLessEqual(max(len(line) for line in text[text.index("\ntarget\n"):].split("\n")), 80)
        needed = subprocess.run(["readelf", "-V", os.path.join(trainers.FOLDER, "serial")], capture_output=True, text=True)
        versions = [tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_(\d[\d.]*)", needed.stdout)]
        self.assertIn("glibc " + ".".join(map(str, max(versions))) + " or newer", text)

    def test_eval_gives_what_training_logged(self):
        # The epoch's evaluation is in the row of the same iteration.
        self.train("run", "--max-iterations", "3")
        texts = set()
        for words in (["--out", "run"], ["--weights", "run/snapshot_iter_3"], ["--weights", self.weights("run", 3)]):
            result = self.run_trainer("eval", *words)
            self.assertEqual(result.code, 0, result.err)
            texts.add(result.out.split("\n")[1])
        self.assertEqual(len(texts), 1)
        found = re.search(r"main/loss (\S+)  main/accuracy (\S+)  \(37 samples\)", texts.pop())
        logged = [row for row in self.rows("run") if "val/main/loss" in row]
        self.assertEqual(len(logged), 1)
        self.assertAlmostEqual(float(found[1]), logged[0]["val/main/loss"], places=4)
        self.assertAlmostEqual(float(found[2]), logged[0]["val/main/accuracy"], places=4)

    def test_eval_without_a_run(self):
        self.assert_refused(self.run_trainer("eval", "--out", "nowhere"), 2, "`nowhere` has no good snapshot", "--weights")

    def test_rows_are_there_when_they_are_printed(self):
        # A killed trainer flushes nothing any more.
        words = [os.path.join(trainers.FOLDER, "serial"), "--out", "run", "--epochs", "1000000"]
        with subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, text=True) as child:
            deadline = time.monotonic() + trainers.LIMIT
            while time.monotonic() < deadline and not (os.path.exists(self.path("run", "log")) and len(self.rows("run")) > 9):
                time.sleep(0.01)
            child.kill()
            text = child.stdout.read()
        self.assertGreaterEqual(len(re.findall(r"^ *[1-3] +\d", text, re.MULTILINE)), 3, text)

    def test_plot(self):
        self.train("run", "--max-iterations", "6")
        result = self.run_trainer("plot", "run")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("* main/loss", result.out)
        self.assertEqual(self.run_trainer("plot", "run/log", "main/accuracy", "--file", "a.png").code, 0)
        for picture in ("a.png", "run/loss.png"):
            with open(self.path(picture), "rb") as f:
                self.assertEqual(f.read(8), b"\x89PNG\r\n\x1a\n")
        self.assert_refused(self.run_trainer("plot", "run", "main/los"), 2, "did you mean `main/loss`?")

    def test_dry_run_writes_nothing(self):
        result = self.run_trainer("--dry-run", "--out", "run")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("1253 parameters", result.out)
        self.assertEqual(os.listdir(self.folder), ["data"])

    def test_print_config(self):
        result = self.run_trainer("--print-config", "--lr", "0.25", "--batch", "13", "--saved", "7", "--threads", "2",
                                  DPL_SEED="4", DPL_LR="9")
        self.assertEqual(result.code, 0, result.err)
        config = json.loads(result.out)
        self.assertEqual(config["options"], {"lr": "0.25", "saved": "7 iterations"})
        self.assertEqual((config["batch"], config["seed"], config["devices"]), (13, 4, "cpu:2"))
        self.assertEqual(os.listdir(self.folder), ["data"])

    def test_wrong_words_are_one_line(self):
        for words, pieces in ((["--epohcs", "3"], ["did you mean `--epochs`?"]), (["trian"], ["did you mean `train`?"]),
                              (["--batch", "65"], ["65 is more than 64"]), (["--lr", "fast"], ["--lr", "`fast`"]),
                              (["--saved", "2 epochs"], ["--saved", "iterations"])):
            with self.subTest(words=words):
                self.assert_refused(self.run_trainer(*words), 2, *pieces)

    def test_gpu_is_refused(self):
        self.assert_refused(self.run_trainer("--devices", "cuda:0"), 5, "--devices cpu")

    def test_a_folder_that_cannot_be_written(self):
        self.write("file", "")
        result = self.run_trainer("--out", "file/run")
        self.assert_refused(result, 1, "file/run")


class Executable(trainers.Case):
    def trainers(self):
        return [os.path.join(trainers.FOLDER, name) for name in (*trainers.KINDS, "example")]

    def test_needs_the_c_library_alone(self):
        for trainer in self.trainers():
            listed = subprocess.run(["ldd", trainer], capture_output=True, text=True, check=True).stdout
            names = {os.path.basename(line.split()[0]).split(".so")[0] for line in listed.strip().split("\n")}
            self.assertLessEqual(names, {"linux-vdso", "libc", "libm", "ld-linux-x86-64", "ld-linux-aarch64"})

    def test_is_small(self):
        for trainer in self.trainers():
            self.assertLess(os.path.getsize(trainer), 5 << 20)

    def test_needs_little_memory(self):
        words = [os.path.join(trainers.FOLDER, "example"), "--data", "data", "--out", "run", "--max-iterations", "3"]
        with open(os.devnull, "w") as null:
            child = subprocess.Popen(words, cwd=self.folder, stdout=null, stderr=null)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, 0)
        self.assertLess(usage.ru_maxrss, 100 << 10)  # in KiB; the data are 0.2 MB


if __name__ == "__main__":
    unittest.main()
