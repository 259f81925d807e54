# ===- clean_root.py - dplc where nothing of its build is ---------------------===#
#
# clean_root.py ROOT BUILD makes the packages of a build, unpacks each in a folder of its own, and compiles and trains a
# program with each. It does so in a mount namespace of its own, where the repository, the build and, for the .tar.gz,
# the libraries of LLVM are hidden.

import glob
import os
import shutil
import subprocess
import sys
import tempfile

C_LIBRARY = ("linux-vdso.so", "ld-linux", "libc.so", "libm.so", "libdl.so", "librt.so", "libpthread.so")
LIMIT = 600  # seconds


def run(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, **options)


def check(condition, message):
    if not condition:
        sys.exit(message)


def ok(done):
    check(done.returncode == 0, f"{done.args} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def unpack(build, folder):
    """Makes the packages; returns {kind: prefix}."""
    packages = os.path.join(folder, "packages")
    ok(run("cpack", "--config", os.path.join(build, "CPackConfig.cmake"), "-B", packages))
    (archive,), (debian,) = (glob.glob(os.path.join(packages, f"*.{ending}")) for ending in ("tar.gz", "deb"))
    prefixes = {kind: os.path.join(folder, kind) for kind in ("installed", "archive", "debian")}
    ok(run("cmake", "--install", build, "--prefix", prefixes["installed"]))
    os.mkdir(prefixes["archive"])
    ok(run("tar", "xzf", archive, "--strip-components=1", "-C", prefixes["archive"]))
    ok(run("dpkg-deb", "-x", debian, prefixes["debian"]))
    depends = ok(run("dpkg-deb", "-f", debian, "Depends"))
    for name in ("libmlir-", "libc6", "g++ | clang"):
        check(name in depends, f"the .deb depends on {depends}, and not on {name}")
    shutil.rmtree(packages)
    prefixes["debian"] = os.path.join(prefixes["debian"], "usr")
    for kind, prefix in prefixes.items():
        licences = os.listdir(os.path.join(prefix, "share", "doc", "dpl", "licences"))
        for name in ("zlib1g", "libpng", "nlohmann-json", "libcli11") + (("libmlir-", ) if kind == "archive" else ()):
            check(any(licence.startswith(name) for licence in licences), f"no licence of {name}: {licences}")
    return prefixes


def prepare(root, folder):
    """A program and its data."""
    sys.path.insert(0, os.path.join(root, "test", "EndToEnd"))
    import trainers
    trainers.write_data(os.path.join(folder, "data"))
    shutil.copy(trainers.SMALL, folder)


def libraries(program):
    """The shared libraries of a program: lines of the loader."""
    return [line.strip() for line in ok(run(program, env={"LD_TRACE_LOADED_OBJECTS": "1"})).split("\n") if line.strip()]


def is_c_library(line):
    return os.path.basename(line.split()[0]).startswith(C_LIBRARY)


def compile_and_train(prefix, work):
    os.makedirs(work)
    environment = {**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}"}
    # By its name alone: where it lies is then known from nothing but itself.
    ok(run("dplc", "../small.dpl", "-o", "small", cwd=work, env=environment))
    ok(run("./small", "--data", "../data", "--max-iterations", "5", "--out", "run", cwd=work))
    check("main/accuracy" in ok(run("./small", "eval", "--data", "../data", "--out", "run", cwd=work)), "no evaluation")
    for line in libraries(os.path.join(work, "small")):
        check(is_c_library(line), f"a trainer needs {line}")


def one_line(done, *pieces):
    check(done.returncode == 1 and done.stderr.count("\n") == 1 and done.stderr.startswith("dplc: error: "), done.stderr)
    for piece in pieces:
        check(piece in done.stderr, f"no {piece} in: {done.stderr}")


def check_what_is_missing(prefix, work):
    words = os.path.join(prefix, "bin", "dplc"), "../small.dpl", "-o", "other"
    one_line(run(*words, cwd=work, env={**os.environ, "PATH": "/nowhere"}), "g++", "clang++", "install")
    os.rename(os.path.join(prefix, "lib", "dpl"), os.path.join(prefix, "lib", "gone"))
    one_line(run(*words, cwd=work), "the runtime", f"{prefix}/lib/dpl/libdpl_runtime.a")


def hide(folder):
    ok(run("mount", "-t", "tmpfs", "none", folder))
    check(os.listdir(folder) == [], f"{folder} is not hidden")


def inside(root, build, folder, prefixes):
    os.chdir(folder)
    for hidden in (build, root):
        if os.path.isdir(hidden):
            hide(hidden)
    for kind in ("installed", "debian"):
        compile_and_train(prefixes[kind], os.path.join(folder, "work-" + kind))
    # Moved, and on a machine without LLVM.
    away = os.path.join(folder, "a folder")
    os.rename(prefixes["archive"], away)
    for line in libraries(os.path.join(away, "bin", "dplc")):
        if "/llvm" in line and away not in line or "not found" in line:
            sys.exit(f"dplc of the archive uses {line}")
        check(is_c_library(line) or away in line, f"dplc of the archive needs {line}")
    for library in glob.glob("/usr/lib/llvm-*/lib"):
        hide(library)
    work = os.path.join(folder, "work-archive")
    compile_and_train(away, work)
    check_what_is_missing(away, work)


def main():
    if sys.argv[1] == "--inside":
        root, build, folder, *prefixes = sys.argv[2:]
        return inside(root, build, folder, dict(zip(("installed", "archive", "debian"), prefixes)))
    root, build = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="dpl-install-") as folder:
        prefixes = unpack(build, folder)
        prepare(root, folder)
        words = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
        done = run(*words, sys.executable, os.path.abspath(__file__), "--inside", root, build, folder,
                   *(prefixes[kind] for kind in ("installed", "archive", "debian")))
        return 0 if done.returncode == 0 else done.stdout + done.stderr


if __name__ == "__main__":
    sys.exit(main())
