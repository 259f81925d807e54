# ===- make_corpus.py - what the fuzzers start from -------------------------===#
#
# make_corpus.py ROOT FOLDER writes FOLDER/NAME/* for the seeds NAME = programs, idx, cifar and safetensors, and
# FOLDER/programs.dict with the words of all programs. Programs are the files *.dpl of the repository, the examples in
# their comments, and the raw strings in the tests of the compiler.

import gzip
import hashlib
import json
import os
import re
import struct
import sys

EXAMPLE = re.compile(r"^/// ```dpl\n(.*?)^/// ```", re.MULTILINE | re.DOTALL)
RAW_STRING = re.compile(r'R"(\w*)\((.*?)\)\1"', re.DOTALL)
WORD = re.compile(r"[A-Za-z_]\w+|[-=<>!|*.]{2}|[-+*/%()\[\]{}:;,=<>|?.]")


def files(root, folders, ending):
    for folder in folders:
        for here, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                if name.endswith(ending):
                    with open(os.path.join(here, name), encoding="utf-8") as f:
                        yield f.read()


def programs(root):
    for text in files(root, ("compiler/Prelude", "dsl-examples", "test"), ".dpl"):
        yield text
        for example in EXAMPLE.findall(text):
            yield example.replace("/// ", "")
    for text in files(root, [f"test/{f}" for f in ("Syntax", "Sema", "Import", "Diagnostics", "Gradient")], ".cpp"):
        for _, content in RAW_STRING.findall(text):
            yield content


def idx(axes, compressed, sizes, extra=b""):
    content = struct.pack(f">4B{len(sizes)}I", 0, 0, 8, len(sizes), *sizes) + bytes(range(24)) + extra
    return bytes([axes - 1 + 4 * compressed]) + (gzip.compress(content, mtime=0) if compressed else content)


def safetensors(header, data):
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def tensor(shape, begin, end):
    return {"dtype": "F32", "shape": shape, "data_offsets": [begin, end]}


def binaries():
    for compressed in (0, 1):
        for sizes in ([24], [4, 6], [2, 3, 4]):
            yield "idx", idx(len(sizes), compressed, sizes)
        yield "idx", idx(1, compressed, [25])
        yield "idx", idx(3, compressed, [2, 3, 4], b"more")
    for labels in (b"\3", b"\3\4"):
        yield "cifar", (labels + bytes(3072)) * 2
        yield "cifar", (labels + bytes(3072)) * 3 + b"cut off"
    yield "safetensors", safetensors({}, b"")
    yield "safetensors", safetensors({"a.weight": tensor([2, 3], 0, 24), "a.bias": tensor([2], 24, 32),
                                      "__metadata__": {"format": "pt"}}, bytes(32))
    yield "safetensors", safetensors({"s": tensor([], 0, 4), "empty": tensor([0, 3], 4, 4)}, bytes(4))


def main():
    root, folder = sys.argv[1:]
    texts = sorted(set(programs(root)))
    seeds = [("programs", text.encode()) for text in texts] + list(binaries())
    for name, content in seeds:
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        with open(os.path.join(folder, name, hashlib.sha256(content).hexdigest()[:16]), "wb") as f:
            f.write(content)
    words = sorted({word for text in texts for word in WORD.findall(re.sub(r"//.*", "", text)) if len(word) <= 24})
    with open(os.path.join(folder, "programs.dict"), "w", encoding="utf-8") as f:
        f.writelines(f'"{word}"\n' for word in words)
    print(f"{len(seeds)} seeds, {len(words)} words")
    return 0 if len(texts) > 50 else "no programs found"


if __name__ == "__main__":
    sys.exit(main())
