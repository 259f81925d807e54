# ===- formula.py - weights, pictures and labels that need no file ---------===#
#
# A golden result is worth something only if both sides start from the same
# numbers. Here they are functions of integers, so that any program can make
# them: mix() is a bijection of 32-bit words, and
#
#   word(name, i)     mix((crc32(name) + i * 0x9E3779B9) mod 2^32)
#   unit(w)           (w >> 8) / 2^24 - 1/2, in [-1/2, 1/2), exact in f32
#   weight, element i unit(word(name, i)) * 2 / sqrt(fan_in), rounded to f32
#   bias, element i   unit(word(name, i)) / 5, rounded to f32; a vector that is
#                     called weight or running_var gets 1 added before
#   label of sample s word("label", s) mod classes
#   pixel (r, c)      (word("noise", s * height * width + r * width + c) & 127)
#                     + (word("pattern", label * 4096 + (r / 4) * 64 + c / 4) & 127)
#
# fan_in is the product of the shape without its first size. A picture is the
# pattern of its class, in blocks of 4x4, under noise of the same strength.
#
# ===----------------------------------------------------------------------===#

import array
import json
import math
import os
import struct
import sys
import zlib

MASK = 0xFFFFFFFF


def mix(x):
    """The 32-bit mixer "lowbias32" of Wellons' hash-prospector."""
    x ^= x >> 16
    x = (x * 0x7FEB352D) & MASK
    x ^= x >> 15
    x = (x * 0x846CA68B) & MASK
    return x ^ (x >> 16)


def words(name, count, first=0):
    """word(name, i) for i from first on."""
    seed = zlib.crc32(name.encode())
    return [mix((seed + i * 0x9E3779B9) & MASK) for i in range(first, first + count)]


def initial(name, shape):
    """Initial values of a parameter or state: an array of f32, C order."""
    middle, scale = 0, 0.2
    if len(shape) > 1:
        scale = 2 / math.sqrt(math.prod(shape[1:]))
    elif name.rsplit(".", 1)[-1] in ("weight", "running_var"):
        middle = 1
    return array.array("f", [middle + ((w >> 8) / 16777216 - 0.5) * scale
                             for w in words(name, math.prod(shape))])


def labels(count, classes):
    return bytes(w % classes for w in words("label", count))


def pictures(label_bytes, height, width):
    """The pixels of all samples, one after the other."""
    size = height * width
    blocks = [(r // 4) * 64 + c // 4 for r in range(height) for c in range(width)]
    patterns = {}
    out = bytearray()
    for sample, label in enumerate(label_bytes):
        if label not in patterns:
            block_words = words("pattern", 4096, label * 4096)
            patterns[label] = [block_words[b] & 127 for b in blocks]
        noise = words("noise", size, sample * size)
        out += bytes((n & 127) + p for n, p in zip(noise, patterns[label]))
    return bytes(out)


def write_idx(path, sizes, data):
    """An IDX file of unsigned bytes."""
    with open(path, "wb") as f:
        f.write(struct.pack(f">BBBB{len(sizes)}I", 0, 0, 8, len(sizes), *sizes))
        f.write(data)


def write_dataset(folder, count, classes, height, width):
    """Training files in the format and with the names of MNIST."""
    os.makedirs(folder, exist_ok=True)
    y = labels(count, classes)
    write_idx(os.path.join(folder, "train-labels-idx1-ubyte"), [count], y)
    write_idx(os.path.join(folder, "train-images-idx3-ubyte"), [count, height, width],
              pictures(y, height, width))


def little_endian(values):
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values


def write_safetensors(path, tensors):
    """tensors: {name: (shape, array of f32)}."""
    header, offset = {}, 0
    for name, (shape, values) in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [offset, offset + 4 * len(values)]}
        offset += 4 * len(values)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for _, values in tensors.values():
            f.write(little_endian(values).tobytes())


def read_safetensors(path):
    """{name: (shape, array of f32)} of the F32 tensors of a file."""
    with open(path, "rb") as f:
        (length,) = struct.unpack("<Q", f.read(8))
        header = json.loads(f.read(length))
        data = f.read()
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            begin, end = entry["data_offsets"]
            values = array.array("f", data[begin:end])
            tensors[name] = (tuple(entry["shape"]), little_endian(values))
    return tensors


SKETCH = 256


def sketch(name, values):
    """A linear summary of SKETCH numbers: element i is added to place
    (w >> 1) mod SKETCH with the sign of w's lowest bit, w = word("sketch " +
    name, i). The squared norm of a difference of sketches estimates that of the
    difference itself without bias, with a relative deviation of sqrt(2/SKETCH)
    (Charikar, Chen, Farach-Colton, "Finding frequent items in data streams",
    2002). Short arrays are their own sketch."""
    if len(values) <= SKETCH:
        return [float(v) for v in values]
    sums = [0.0] * SKETCH
    for w, v in zip(words("sketch " + name, len(values)), values):
        sums[(w >> 1) % SKETCH] += v if w & 1 else -v
    return sums
