# ===- tree.py - the files that belong to the repository -------------------===

import os
import subprocess

IGNORED_FOLDERS = (".git", "__pycache__")


def files(root):
    """Paths, relative to root, of all files that are tracked or would be
    added; in a copy without git, of all files outside build and result
    folders."""
    try:
        out = subprocess.run(
            ["git", "-c", "safe.directory=*", "-C", root, "ls-files", "-z",
             "--cached", "--others", "--exclude-standard"],
            check=True, capture_output=True).stdout.decode()
        names = set(out.split("\0")) - {""}
    except (OSError, subprocess.CalledProcessError):
        names = set(_walk(root))
    return sorted(n for n in names if os.path.isfile(os.path.join(root, n)))


def _walk(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders
                      if f not in IGNORED_FOLDERS and not f.startswith(("build", "result", ".venv"))]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), root)
