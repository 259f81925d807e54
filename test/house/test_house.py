# ===- test_house.py - planted violations, each of which must be found -----===

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_format
import check_layering
import check_scripts
import check_tree
import report

TABLE = """
| Folder | May use | What |
|---|---|---|
| `compiler/Low` | LLVM | x |
| `compiler/High` | `Low`, MLIR | x |
| `compiler/Top` | `High`, `runtime/include/dpl` | x |
| `runtime/include/dpl` | nothing | x |
| `runtime/Base` | `include/dpl` | x |
"""
SOUND = {
    "docs/architecture.md": TABLE,
    "compiler/Low/A.h": "#include \"llvm/ADT/StringRef.h\"\n#include <vector>\n",
    "compiler/High/B.cpp": "#include \"compiler/Low/A.h\"\n#include \"mlir/IR/Builders.h\"\n",
    "compiler/Top/C.cpp": "#include \"compiler/Low/A.h\"\n#include \"dpl/abi.h\"\n",
    "runtime/include/dpl/abi.h": "#include <stdint.h>\n",
    "runtime/Base/D.cpp": "#include \"dpl/abi.h\"\n",
}


class Planted(unittest.TestCase):
    def tree(self, changes):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in {**SOUND, **changes}.items():
            path = os.path.join(folder.name, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        return folder.name

    def layering(self, changes):
        return list(check_layering.check(self.tree(changes)))

    def one(self, problems, *words):
        self.assertEqual(len(problems), 1, problems)
        for word in words:
            self.assertIn(word, problems[0])

    def test_sound_tree_is_quiet(self):
        self.assertEqual(self.layering({}), [])
        self.assertEqual(list(check_tree.check(self.tree({}))), [])
        self.assertEqual(list(check_format.check(self.tree({}))), [])

    def test_upward_include(self):
        self.one(self.layering({"compiler/Low/A.h": "\n#include \"compiler/High/B.h\"\n"}),
                 "compiler/Low/A.h:2", "compiler/Low may not use compiler/High")

    def test_runtime_includes_compiler(self):
        self.one(self.layering({"runtime/Base/D.cpp": "#include \"compiler/Low/A.h\"\n"}),
                 "runtime/Base/D.cpp:1", "may not use compiler/Low")

    def test_compiler_includes_runtime(self):
        self.one(self.layering({"compiler/Top/C.cpp": "#include \"runtime/Base/D.h\"\n"}),
                 "compiler/Top may not use runtime/Base")

    def test_library_is_not_inherited(self):
        self.one(self.layering({"compiler/Top/C.cpp": "#include \"mlir/IR/Builders.h\"\n"}),
                 "compiler/Top may not use MLIR")

    def test_tablegen_include(self):
        self.one(self.layering({"compiler/Low/Ops.td": "include \"mlir/IR/OpBase.td\"\n"}),
                 "compiler/Low/Ops.td:1", "MLIR")

    def test_relative_include(self):
        self.one(self.layering({"compiler/High/B.cpp": "#include \"A.h\"\n"}), "no path from the root")

    def test_folder_without_row(self):
        self.one(self.layering({"compiler/New/E.cpp": "\n"}), "compiler/New has no row")

    def test_row_without_folder(self):
        table = TABLE + "| `compiler/Gone` | nothing | x |\n"
        self.one(self.layering({"docs/architecture.md": table}), "row compiler/Gone has no folder")

    def test_row_opens_the_runtime(self):
        table = TABLE.replace("| `Low`, MLIR", "| `Low`, `runtime/Base`, MLIR")
        self.one(self.layering({"docs/architecture.md": table}), "only runtime/include/dpl")

    def test_row_with_unknown_library(self):
        table = TABLE.replace("| LLVM |", "| LLVM, Boost |")
        self.one(self.layering({"docs/architecture.md": table}), "Boost")

    def test_long_file(self):
        self.one(list(check_tree.check(self.tree({"compiler/Low/L.cpp": "\n" * 501}))), "501 lines")

    def test_big_file(self):
        self.one(list(check_tree.check(self.tree({"docs/big.txt": "x" * ((1 << 20) + 1)}))), "docs/big.txt")

    def test_machine_path(self):
        planted = "see /" + "home/me/data\n"
        self.one(list(check_tree.check(self.tree({"docs/a.md": planted}))), "docs/a.md:1")

    def test_unfinished(self):
        planted = "// TO" + "DO: more\n"
        self.one(list(check_tree.check(self.tree({"runtime/Base/D.cpp": planted}))), "unfinished")

    def test_format(self):
        self.one(list(check_format.check(self.tree({"runtime/Base/D.cpp": "\nint   x ;\n"}))), "D.cpp: lines 2")

    def scripts(self, text, mode=0o755):
        root = self.tree({"test/a.sh": text})
        os.chmod(os.path.join(root, "test/a.sh"), mode)
        return list(check_scripts.check(root))

    def test_sound_script(self):
        self.assertEqual(self.scripts("#!/usr/bin/env bash\nset -euo pipefail\n"), [])

    def test_script_that_goes_on(self):
        self.one(self.scripts("#!/usr/bin/env bash\ntrue\n"), "set -euo pipefail")

    def test_script_that_does_not_parse(self):
        self.one(self.scripts("if true\n"), "test/a.sh")

    def test_script_that_is_not_executable(self):
        self.one(self.scripts("#!/usr/bin/env bash\nset -euo pipefail\n", 0o644), "not executable")

    def test_python_that_does_not_parse(self):
        self.one(list(check_scripts.check(self.tree({"test/a.py": "def f(:\n"}))), "test/a.py:1")


GTEST = """<testsuites><testsuite name="S"><testcase name="a"/>
<testcase name="b"><skipped message="file.cpp:3&#x0A;{}"/></testcase></testsuite></testsuites>"""
LIT = """<testsuites><testsuite name="dpl"><testcase classname="dpl.x" name="t.mlir">
<skipped message="missing required feature(s): {}"/></testcase></testsuite></testsuites>"""


class Skips(unittest.TestCase):
    def report(self, text, present=()):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "r.xml"), "w", encoding="utf-8") as f:
                f.write(text)
            return report.read(folder, present)

    def test_gtest_skip_with_a_reason(self):
        count, skips, problems = self.report(GTEST.format("needs mpirun"))
        self.assertEqual((count, problems), (2, []))
        self.assertEqual(skips, {"mpirun": ["S.b"]})

    def test_lit_skip_with_a_reason(self):
        count, skips, problems = self.report(LIT.format("nvidia-gpu"))
        self.assertEqual((count, problems), (1, []))
        self.assertEqual(skips, {"nvidia-gpu": ["dpl.x.t.mlir"]})

    def test_skip_without_a_reason(self):
        self.assertIn("S.b", self.report(GTEST.format("not today"))[2][0])

    def test_skip_although_present(self):
        self.assertIn("is here", self.report(GTEST.format("needs mpirun"), {"mpirun"})[2][0])

    def test_broken_report(self):
        self.assertIn("r.xml", self.report("<testsuites>")[2][0])


if __name__ == "__main__":
    unittest.main()
