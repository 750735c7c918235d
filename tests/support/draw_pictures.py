"""Draws PNG files for tests: draw_pictures.py FOLDER. Standard library alone.

a.png and b.png are different pictures, a-small.png is a in half the size, gray.png is a in grey,
white.png is one colour, bomb.png has 3,600,000,000 pixels in half a megabyte.
"""

import struct
import sys
import zlib
from pathlib import Path


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(
        ">I", zlib.crc32(kind + content)
    )


def png(width, height, bits, colour, packed):
    head = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def drawn(width, height, pixel):
    """Returns a picture whose pixels are those of places from 0 to 1."""
    rows = b"".join(
        b"\0" + b"".join(bytes(pixel(x / width, y / height)) for x in range(width))
        for y in range(height)
    )
    return png(width, height, 8, 2, zlib.compress(rows))


def a(x, y):
    is_inside = (x - 0.3) ** 2 + (y - 0.4) ** 2 < 0.04
    return (250, 200, 40) if is_inside else (int(200 * x), int(220 * y), 60)


def b(x, y):
    return (20, 90, 200) if (x - 0.7) ** 2 / 2 + (y - 0.6) ** 2 < 0.03 else (240, int(90 * y), 200)


def gray(x, y):
    red, green, blue = a(x, y)
    return [(299 * red + 587 * green + 114 * blue) // 1000] * 3


def bomb(side):
    packer = zlib.compressobj(9)
    row = bytes(1 + side // 8)
    packed = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    return png(side, side, 1, 0, packed)


def main():
    folder = Path(sys.argv[1])
    files = {
        "a.png": drawn(160, 120, a),
        "a-small.png": drawn(80, 60, a),
        "b.png": drawn(160, 120, b),
        "gray.png": drawn(160, 120, gray),
        "white.png": drawn(30, 30, lambda x, y: (255, 255, 255)),
        "bomb.png": bomb(60000),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
