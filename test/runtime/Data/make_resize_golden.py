# ===- make_resize_golden.py - pictures that Pillow resized -----------------===
#
# make_resize_golden.py writes golden/resize.txt. It needs Pillow before version 13; the tests need neither. A line is a
# case: channels, rows, columns, new rows, new columns, the kind of picture, and the result in hexadecimal.

import os

import PIL
from PIL import Image

SIZES = [
    (1, 1, 1, 3, 2), (1, 2, 2, 5, 5), (1, 5, 7, 3, 2), (1, 7, 5, 14, 10), (3, 9, 8, 9, 8), (1, 100, 3, 7, 3),
    (1, 3, 100, 3, 7), (3, 32, 32, 11, 13), (1, 32, 32, 31, 33), (1, 64, 48, 1, 1), (2, 13, 17, 24, 9),
]


def pixel(kind, i):
    return (i * i * 31 + i * 7919 >> 3) & 255 if kind == "mixed" else 255 * (i % 2) if kind == "stripes" else 255


def main():
    assert int(PIL.__version__.split(".")[0]) < 13, PIL.__version__
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "golden", "resize.txt"), "w", encoding="utf-8") as out:
        for channels, rows, columns, new_rows, new_columns in SIZES:
            for kind in ("mixed", "stripes", "white") if rows * columns < 100 else ("mixed",):
                result = b""
                for channel in range(channels):
                    first = channel * rows * columns
                    pixels = bytes(pixel(kind, first + i) for i in range(rows * columns))
                    picture = Image.frombytes("L", (columns, rows), pixels)
                    result += picture.resize((new_columns, new_rows), Image.Resampling.BILINEAR).tobytes()
                print(channels, rows, columns, new_rows, new_columns, kind, result.hex(), file=out)


if __name__ == "__main__":
    main()
