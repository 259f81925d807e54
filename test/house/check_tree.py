# ===- check_tree.py - sizes of files, and no path of one machine ----------===

import os
import re
import sys

import tree

MAX_LINES = 500
MAX_BYTES = 1 << 20
SOURCES = (".h", ".cpp", ".td", ".def", ".dpl", ".py", ".sh", ".mlir", ".test", ".cmake", ".in", ".inc")
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:root|home|work|Users|mnt|opt)/[\w.]")
UNFINISHED = re.compile(r"(?://|#|;).*\b(?:T[O]DO|F[I]XME|X[X]X)\b")


def check(root):
    """Yields one sentence for each broken rule."""
    for name in tree.files(root):
        path = os.path.join(root, name)
        size = os.path.getsize(path)
        if size > MAX_BYTES:
            yield f"{name}: {size} bytes; a tracked file has at most {MAX_BYTES}"
            continue
        with open(path, "rb") as f:
            data = f.read()
        if b"\0" in data:
            continue
        lines = data.decode("utf-8", errors="replace").split("\n")
        is_source = name.endswith(SOURCES) or os.path.basename(name) == "CMakeLists.txt"
        if is_source and len(lines) - 1 > MAX_LINES:
            yield f"{name}: {len(lines) - 1} lines; split it, a source file has at most {MAX_LINES}"
        for number, line in enumerate(lines, 1):
            found = MACHINE_PATH.search(line)
            if found:
                yield f"{name}:{number}: path of one machine: {line.strip()[:100]}"
            if is_source and UNFINISHED.search(line):
                yield f"{name}:{number}: unfinished: {line.strip()[:100]}"


def main():
    problems = list(check(sys.argv[1]))
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
