"""Pictures: which changed copies the schemes of pictures find again, and what they mistake.

A picture and each of its variants are a pair that must be found; a picture and another picture, or
a variant of another one, are a pair that must not. A pair is found where its similarity reaches the
threshold of the scheme (`zhiwen schemes NAME`). Similarities are computed here from the values, and
those of some pairs compared with what `zhiwen compare` says.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import random
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import corpora
from program import WORK, ProgramFailed, add_forms, add_inputs
from verdicts import Verdict, at_least, figure, holds

FOLDER = WORK / "pictures"
ORIGINAL = "orig"
LITERAL = "colour_grid(8,order=mode_first)"  # as the source has it
SCHEMES = ("colour_grid", LITERAL, "phash64")
LEAST_FOUND, LEAST_APART = 0.9, 0.99
WHAT = {
    "q30": "JPEG of quality 30",
    "half": "half as large",
    "up15": "1.5 times as large",
    "blur": "blurred",
    "stretch": "stretched by a quarter",
    "bright": "brighter",
    "gray": "grey",
    "crop5": "cut by 5 % at each side",
    "crop15": "cut by 15 %",
    "flip": "mirrored",
}
# Copies that a scheme cannot see, and why.
BLIND = {
    "colour_grid": {
        "bright": "the blocks have other colours",
        "gray": "the blocks have other colours",
        "crop15": "the blocks have other pixels",
        "flip": "the blocks stand on the other side",
    },
    "phash64": {
        "crop5": "the shapes stand in other places",
        "crop15": "the shapes stand in other places",
        "flip": "half of the coefficients change their sign",
    },
}
_LETTERS = "B.XoO+@#$%&*=-;:"
_SIZE = (160, 120)  # of a drawn picture

Colour = tuple[int, ...]


def unpack(data: Path) -> None:
    """Unpacks the pictures into files named GROUP_VARIANT."""
    packed = data / "images.tar.zst"
    tar = subprocess.run(["zstd", "-dcq", str(packed)], check=True, stdout=subprocess.PIPE).stdout
    subprocess.run(["tar", "-xf", "-", "-C", str(FOLDER)], check=True, input=tar)
    for row in corpora.load(data, "images_manifest"):
        name = f"{row['group']:03}_{row['variant']}{Path(row['file']).suffix}"
        shutil.move(FOLDER / row["file"], FOLDER / name)


def drawn(seed: int) -> bytes:
    """Returns a picture of ellipses on a shade, as PPM."""
    rng = random.Random(seed)
    width, height = _SIZE
    from_colour, to_colour = ([rng.randrange(256) for _ in range(3)] for _ in range(2))
    ellipses = [
        (
            rng.random() * width,
            rng.random() * height,
            rng.uniform(0.05, 0.3) * width,
            rng.uniform(0.05, 0.3) * height,
            [rng.randrange(256) for _ in range(3)],
        )
        for _ in range(12)
    ]
    pixels = bytearray()
    for y, x in itertools.product(range(height), range(width)):
        colour = [
            (a * (height - y) + b * y) // height
            for a, b in zip(from_colour, to_colour, strict=True)
        ]
        for left, top, across, down, own in ellipses:
            if ((x - left) / across) ** 2 + ((y - top) / down) ** 2 < 1:
                colour = own
        pixels += bytes(colour)
    return b"P6\n%d %d\n255\n" % _SIZE + bytes(pixels)


def draw(groups: int) -> None:
    """Draws pictures and makes their variants by vips, in files named GROUP_VARIANT."""
    width, height = _SIZE
    left, top = width // 20, height // 20
    variants = {
        ORIGINAL: ("copy", ".png", ()),
        "q30": ("copy", ".jpg[Q=30]", ()),
        "half": ("resize", ".png", ("0.5",)),
        "up15": ("resize", ".png", ("1.5",)),
        "blur": ("gaussblur", ".png", ("1.5",)),
        "stretch": ("resize", ".png", ("1", "--vscale", "1.25")),
        "bright": ("linear", ".png", ("1.2", "20", "--uchar")),
        "gray": ("colourspace", ".png", ("b-w",)),
        "crop5": ("crop", ".png", (left, top, width - 2 * left, height - 2 * top)),
        "crop15": ("crop", ".png", (3 * left, 3 * top, width - 3 * left, height - 3 * top)),
        "flip": ("flip", ".png", ("horizontal",)),
    }
    for group in range(groups):
        source = FOLDER / "drawn.ppm"
        source.write_bytes(drawn(group))
        for variant, (operation, ending, rest) in variants.items():
            target = f"{FOLDER / f'{group:03}_{variant}'}{ending}"
            command = ["vips", operation, str(source), target, *map(str, rest)]
            subprocess.run(command, check=True, capture_output=True)
        source.unlink()


def run(binary: Path, *words: str) -> bytes:
    """Returns what the program prints. Fails: ProgramFailed."""
    done = subprocess.run([str(binary), *words], capture_output=True, check=False)
    if done.returncode != 0:
        raise ProgramFailed(f"zhiwen {words[0]}: {done.stderr.decode(errors='replace')[-400:]}")
    return done.stdout


def values_of(binary: Path, scheme: str) -> dict[str, str]:
    """Returns the letters or hex digits of each picture; without those that have no value."""
    values = {}
    for line in run(binary, "fingerprint", "-s", scheme, str(FOLDER)).splitlines():
        row = json.loads(line)
        if row["value"]:
            values[Path(row["id"]).stem] = row.get("letters", row["value"])
    return values


@functools.cache
def colours_of(letters: str, count: int) -> list[Colour]:
    """Returns the colours of the blocks of a grid."""
    if count == 8:
        numbers = [_LETTERS.index(letter) for letter in letters]
        return [tuple(255 * (n >> bit & 1) for bit in (2, 1, 0)) for n in numbers]
    pairs = zip(letters[::2], letters[1::2], strict=True)
    numbers = [16 * _LETTERS.index(a) + _LETTERS.index(b) for a, b in pairs]
    return [((n >> 5) * 255 // 7, (n >> 2 & 7) * 255 // 7, (n & 3) * 255 // 3) for n in numbers]


def similarity(scheme: str, a: str, b: str) -> float:
    """Returns how alike two values are; by definition."""
    if scheme == "phash64":
        return 1 - (int(a, 16) ^ int(b, 16)).bit_count() / 64
    count = 8 if scheme == LITERAL else 256
    blocks = list(zip(colours_of(a, count), colours_of(b, count), strict=True))
    apart = sum(abs(p - q) for x, y in blocks for p, q in zip(x, y, strict=True))
    return 1 - apart / (3 * 255 * len(blocks))


def check_scheme(binary: Path, scheme: str, names: list[str]) -> Iterator[Verdict]:
    """Yields the recall of each variant, and how many unrelated pairs are found."""
    family = scheme.partition("(")[0]
    described = json.loads(run(binary, "schemes", family, "--json"))
    threshold = described[0]["threshold"]
    values = values_of(binary, scheme)
    found: dict[str, list[bool]] = defaultdict(list)
    mistaken = []
    for a, b in itertools.product([n for n in names if n.endswith("_" + ORIGINAL)], names):
        group, (other, variant) = a.partition("_")[0], b.split("_")
        if a == b or a not in values or (group > other and variant == ORIGINAL):
            continue
        is_found = b in values and similarity(scheme, values[a], values[b]) >= threshold
        (found[variant] if group == other else mistaken).append(is_found)
    part = f"{scheme}, found from {threshold:.3f} on"
    if len(values) < len(names):
        why = "most of each block has one colour, as in drawings on white; they are never found"
        yield figure(part, "pictures without a value", len(names) - len(values), why)
    for variant in sorted(found, key=list(WHAT).index):
        recall = sum(found[variant]) / len(found[variant])
        of = f"{sum(found[variant])} of {len(found[variant])}"
        why = BLIND[family].get(variant, "")
        if scheme == LITERAL or why:
            yield figure(part, WHAT[variant], recall, f"{of}{why and ': ' + why}")
        else:
            yield at_least(part, WHAT[variant], recall, LEAST_FOUND, of)
    apart, of = 1 - sum(mistaken) / len(mistaken), f"{sum(mistaken)} of {len(mistaken)} found"
    if scheme == LITERAL:
        yield figure(part, "unrelated pictures kept apart", apart, of)
    else:
        yield at_least(part, "unrelated pictures kept apart", apart, LEAST_APART, of)


def check_compare(binary: Path, scheme: str, names: list[str]) -> Verdict:
    """Returns whether `zhiwen compare` finds the same similarities."""
    values = values_of(binary, scheme)
    paths = {path.stem: str(path) for path in FOLDER.iterdir()}
    pairs = [pair for pair in itertools.combinations(names, 2) if values.keys() >= set(pair)]
    differ = []
    for a, b in random.Random(1).sample(pairs, 10):
        out = run(binary, "compare", "-s", scheme, "--json", paths[a], paths[b])
        said = json.loads(out)["similarities"][0]["similarity"]
        if abs(said - similarity(scheme, values[a], values[b])) > 1e-4:
            differ.append((a, b, said))
    return holds("zhiwen compare", f"{scheme}: as computed here", not differ, str(differ[:2]))


def check(options: argparse.Namespace) -> Iterator[Verdict]:
    """Yields the verdicts of `eval pictures`."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    if options.data and corpora.has(options.data, "images_manifest"):
        unpack(options.data)
    else:
        draw(groups=12)
    names = sorted(path.stem for path in FOLDER.iterdir() if path.is_file())
    for scheme in SCHEMES:
        yield from check_scheme(options.zhiwen, scheme, names)
    for scheme in SCHEMES:
        yield check_compare(options.zhiwen, scheme, names)


def add_arguments(commands: Any) -> None:
    """Adds the word pictures to those of eval."""
    parser = commands.add_parser("pictures", help="changed copies of pictures")
    add_inputs(parser, "folder with images_manifest and images.tar.zst (default: drawn pictures)")
    add_forms(parser)
