# ===- lit.cfg.py - how lit finds and runs the tests of this folder -------===
#
# A test is a file whose RUN lines name the tools as they are: dplc, dpl-opt,
# FileCheck, not, split-file. They are found through PATH, the build first.
# %root is the repository, %build the build. `REQUIRES: name` takes the names of
# house/features.py, so that a test is skipped only for a reason that the
# report of test/run.sh can check.

import os
import sys

config.test_source_root = os.path.join(config.dpl_source_root, "test")
config.test_exec_root = os.path.join(config.dpl_binary_root, "test")

sys.path.insert(0, os.path.join(config.test_source_root, "house"))
import features
import lit_format

config.name = "dpl"
config.test_format = lit_format.Tests(execute_external=False)
config.suffixes = [".mlir", ".dpl", ".test"]
config.excludes = ["Inputs", "house", "peers", "bench", "EndToEnd", "fuzz"]

config.available_features.update(features.available())
config.substitutions.append(("%root", config.dpl_source_root))
config.substitutions.append(("%build", config.dpl_binary_root))
config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.dpl_binary_root, "bin"),
        config.dpl_llvm_tools,
        config.environment["PATH"],
    ]
)
for name in ("DPL_TEST_SEED", "DPL_TEST_LONG", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
