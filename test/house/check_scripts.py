# ===- check_scripts.py - scripts parse, and stop at the first error -------===

import os
import subprocess
import sys

import tree


def check(root):
    """Yields one sentence for each script that is not sound."""
    for name in tree.files(root):
        path = os.path.join(root, name)
        with open(path, "rb") as f:
            first = f.readline()
        if name.endswith(".py"):
            yield from _python(path, name)
        elif name.endswith(".sh") or (first.startswith(b"#!") and b"sh" in first):
            yield from _shell(path, name, first)


def _python(path, name):
    with open(path, encoding="utf-8") as f:
        try:
            compile(f.read(), name, "exec")
        except SyntaxError as error:
            yield f"{name}:{error.lineno}: {error.msg}"


def _shell(path, name, first):
    parsed = subprocess.run(["bash", "-n", path], capture_output=True, text=True)
    if parsed.returncode != 0:
        yield f"{name}: {parsed.stderr.strip()}"
    if not first.startswith(b"#!"):
        return  # sourced by others
    with open(path, encoding="utf-8") as f:
        if "set -euo pipefail" not in f.read():
            yield f"{name}: a script starts with `set -euo pipefail`"
    if not os.access(path, os.X_OK):
        yield f"{name}: has a #! line, but is not executable"


def main():
    problems = list(check(sys.argv[1]))
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
