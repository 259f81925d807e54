# ===- features.py - what a test may need of the machine -------------------===
#
# The one list of reasons for which a test may be skipped. lit tests name them
# in REQUIRES lines, GoogleTests in GTEST_SKIP() << "needs NAME". The report
# fails a skip whose reason is not in this list, or whose need is met.

import ctypes.util
import os
import shutil
import subprocess


def _nvidia_gpu():
    return os.path.exists("/dev/nvidiactl") and ctypes.util.find_library("cuda") is not None


def _private_mounts():
    """Whether a process may hide folders from itself and its children."""
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    words = ["unshare", "--mount", *as_root, "mount", "-t", "tmpfs", "none", "/tmp"]
    return shutil.which("unshare") is not None and subprocess.run(words, capture_output=True).returncode == 0


FEATURES = {
    # The test is long and runs under test/run.sh --long.
    "long": lambda: os.environ.get("DPL_TEST_LONG") == "1",
    "mpirun": lambda: shutil.which("mpirun") is not None,
    "nvidia-gpu": _nvidia_gpu,
    "strace": lambda: shutil.which("strace") is not None,
    "fashion-mnist": lambda: os.path.isdir("/usr/share/datasets/fashion-mnist"),
    "private-mounts": _private_mounts,
    "avx512": lambda: _cpu_flag("avx512f"),
    "avx2": lambda: _cpu_flag("avx2"),
}


def _cpu_flag(flag):
    try:
        with open("/proc/cpuinfo") as f:
            return any(line.startswith("flags") and flag in line.split() for line in f)
    except OSError:
        return False


def available():
    """The names of the features that this machine and this run have."""
    return {name for name, present in FEATURES.items() if present()}
