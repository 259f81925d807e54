# ===- check_layering.py - includes against the table of the house ---------===
#
# The table is in docs/architecture.md: rows of | `folder` | may use | .. |.
# A folder may include itself, what its row names, and what those folders may
# use in turn. Libraries (LLVM, zlib, ..) are not inherited: each row names its
# own. A folder without a row, and a row without a folder, are errors too.

import os
import re
import sys

import tree

TABLE = "docs/architecture.md"
SOURCES = (".h", ".cpp", ".td", ".def", ".inc", ".dpl")
INCLUDE = re.compile(r'^\s*(?:#\s*include|include)\s+(?:"([^"]+)"|<([^>]+)>)')

# Prefixes of include paths, and the name that a row gives the library.
LIBRARIES = {
    "llvm/": "LLVM", "llvm-c/": "LLVM", "lld/": "LLD", "mlir/": "MLIR", "mlir-c/": "MLIR",
    "nlohmann/": "nlohmann-json", "CLI/": "CLI11", "zlib.h": "zlib", "png.h": "libpng",
    "jpeglib.h": "libjpeg", "gtest/": "GoogleTest", "gmock/": "GoogleTest",
}
ABI = "runtime/include/dpl"


class Table:
    """Rows of the table: folder -> (folders, libraries) that it may use."""

    def __init__(self, text):
        self.rows = {}
        self.problems = []
        for line in text.split("\n"):
            cells = [c.strip() for c in line.strip().strip("|").split("|")]
            folder = cells[0].strip("`").rstrip("/")
            if len(cells) >= 3 and folder.startswith(("compiler/", "runtime/")):
                self.rows[folder] = self._uses(folder, cells[1])
        for folder, (folders, _) in self.rows.items():
            for used in folders - self.rows.keys():
                self.problems.append(f"{TABLE}: row {folder} uses {used}, which has no row")
            if folder.startswith("compiler/"):
                for used in folders:
                    if used.startswith("runtime/") and used != ABI:
                        self.problems.append(f"{TABLE}: row {folder} uses {used}; of the runtime only {ABI} is open to the compiler")

    def _uses(self, folder, cell):
        tree_name = folder.split("/")[0]
        folders, libraries = set(), set()
        for name in filter(None, (n.strip() for n in cell.split(","))):
            if name.startswith("`"):
                name = name.strip("`").rstrip("/")
                folders.add(name if name.startswith("runtime/") else f"{tree_name}/{name}")
            elif name in LIBRARIES.values():
                libraries.add(name)
            elif name != "nothing":
                self.problems.append(f"{TABLE}: row {folder} uses {name}, which is neither a `folder` nor a known library")
        return folders, libraries

    def reachable(self, folder):
        """The folders that `folder` may include, itself first."""
        seen, todo = set(), [folder]
        while todo:
            here = todo.pop()
            if here not in seen:
                seen.add(here)
                todo.extend(self.rows.get(here, (set(), set()))[0])
        return seen


def target_of(include, quoted):
    """What an include names: ("folder", f), ("library", l), ("bad", why), or
    None for the standard library and the system."""
    if include.startswith("dpl/"):
        return "folder", ABI
    if include.startswith(("compiler/", "runtime/")):
        return "folder", os.path.dirname(include)
    for prefix, library in LIBRARIES.items():
        if include.startswith(prefix):
            return "library", library
    if quoted:
        return "bad", "is no path from the root of the repository"
    return None


def check_file(table, root, name):
    folder = os.path.dirname(name)
    if folder not in table.rows:
        yield f"{name}: folder {folder} has no row in {TABLE}"
        return
    reachable = table.reachable(folder)
    libraries = table.rows[folder][1]
    with open(os.path.join(root, name), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            include = match.group(1) or match.group(2)
            target = target_of(include, match.group(1) is not None)
            if target is None:
                continue
            kind, what = target
            if kind == "bad":
                yield f'{name}:{number}: include "{include}" {what}'
            elif kind == "library" and what not in libraries:
                yield f"{name}:{number}: {folder} may not use {what} (include of {include}); see {TABLE}"
            elif kind == "folder" and what not in reachable:
                yield f"{name}:{number}: {folder} may not use {what} (include of {include}); see {TABLE}"


def check(root):
    """Yields one sentence for each forbidden edge and each gap of the table."""
    with open(os.path.join(root, TABLE), encoding="utf-8") as f:
        table = Table(f.read())
    yield from table.problems
    names = tree.files(root)
    trees = [n for n in names if n.startswith(("compiler/", "runtime/"))]
    folders = {os.path.dirname(n) for n in trees}
    for row in sorted(table.rows.keys() - folders):
        yield f"{TABLE}: row {row} has no folder with files"
    for name in trees:
        if name.endswith(SOURCES):
            yield from check_file(table, root, name)


def main():
    problems = list(check(sys.argv[1]))
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
