"""Many short documents, made of nothing: four phrases of six characters each.

One in twenty is a copy of an earlier one, half of these with a character more at the end. The same
number of documents gives the same bytes everywhere.
"""

from __future__ import annotations

import random
from pathlib import Path

SEED = 4
PHRASES = 1 << 12
SHARE_COPIES = 20  # one in so many
REMEMBERED = 1 << 17  # documents that may be copied
CHUNK = 1 << 15  # documents written at once


def write(documents: int, inputs: list[Path]) -> None:
    """Writes JSON Lines, as many to each of `inputs`, one file after the other."""
    rng = random.Random(SEED)
    alphabet = [chr(c) for c in range(0x4E00, 0x8E00)]
    phrases = ["".join(rng.choices(alphabet, k=6)) for _ in range(PHRASES)]
    earlier: list[str] = []
    number = 0
    for part, path in enumerate(inputs):
        end = documents * (part + 1) // len(inputs)
        with path.open("w", encoding="utf-8") as file:
            while number < end:
                last = min(end, number + CHUNK)
                file.write("".join(_lines(number, last, rng, phrases, earlier)))
                number = last


def _lines(
    begin: int, end: int, rng: random.Random, phrases: list[str], earlier: list[str]
) -> list[str]:
    lines = []
    bits, mask = rng.getrandbits, PHRASES - 1
    for number in range(begin, end):
        b = bits(60)
        if earlier and b % SHARE_COPIES == 0:
            text = earlier[(b >> 20) % len(earlier)] + ("" if b & (1 << 40) else "。中")
        else:
            text = (
                phrases[b & mask]
                + phrases[b >> 12 & mask]
                + phrases[b >> 24 & mask]
                + phrases[b >> 36 & mask]
            )
            if len(earlier) < REMEMBERED:
                earlier.append(text)
        lines.append(f'{{"id":"{number}","text":"{text}"}}\n')
    return lines
