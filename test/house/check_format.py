# ===- check_format.py - C++ sources are as clang-format writes them -------===

import os
import subprocess
import sys

import tree

TOOL = os.environ.get("CLANG_FORMAT", "clang-format-22")


def check(root):
    """Yields one sentence for each file that clang-format would change."""
    names = [n for n in tree.files(root)
             if n.endswith((".h", ".cpp")) and n.startswith(("compiler/", "runtime/", "test/"))]
    if not names:
        return
    run = subprocess.run([TOOL, "--dry-run", "-Werror", *names], cwd=root, capture_output=True, text=True)
    places = {}
    for line in run.stderr.split("\n"):
        name, found, _ = line.partition(": error: code should be clang-formatted")
        if found:
            file, number = name.split(":")[:2]
            places.setdefault(file, []).append(number)
    for file, numbers in places.items():
        yield f"{file}: lines {', '.join(dict.fromkeys(numbers))} are not formatted; run {TOOL} -i {file}"
    if run.returncode != 0 and not places:
        yield run.stderr


def main():
    problems = list(check(sys.argv[1]))
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
