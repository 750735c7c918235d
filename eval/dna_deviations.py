#!/usr/bin/env python3
"""What digits of initials_dna are worth that count in deviations of letters which are measured in a
corpus, and not in binomial ones: the share of copies, edited or of a passage, that are more alike
than 99 in 100 pairs of other texts. Prints the tables of
docs/decisions/013-deviations-of-letters.md.

examples:
  python eval/dna_deviations.py --data ../shared/data --pairs 200
Without --data the texts are pieces of the novels in testdata. Everything is seeded.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Iterator, Sequence
from operator import sub
from pathlib import Path

import corpora
from initials_dna import COPIES, Setting, found_by, texts
from program import WORK, ProgramFailed, add_inputs, run, similarities
from tables import markdown_table

LETTERS = "bcdfghjklmnpqrstwxyz"
SETTINGS: list[Setting] = [(g, 0.5, d) for g in (30, 50, 100, 200) for d in (10, 8, 4)]
DEVIATIONS = ("binomial, of the language", "binomial, of the corpus", "measured in the corpus")
CORPUS_TEXTS = 4000  # at most
Digits = list[tuple[int, ...]]  # of each granule


def letters_of(zhiwen: Path, texts: Sequence[str]) -> dict[str, str]:
    """Returns the first letter of each Han character that has a reading; a space for a, e and o.
    Fails: ProgramFailed."""
    path = WORK / "characters.txt"
    path.write_text("".join(sorted(set("".join(texts)) - {"\n", "\r"})), encoding="utf-8")
    bytes_of = path.read_bytes()
    shown = json.loads(
        run(zhiwen, "inspect", "--json", "--channel", "phonemes",
            "--bytes", f"0-{len(bytes_of)}", path)
    )["channels"][0]  # fmt: skip
    return {
        bytes_of[begin:end].decode(): name[0] if name[0] in LETTERS else " "
        for name, (begin, end) in zip(shown["names"], shown["spans"])
    }


def granules(letters: str, granule: int, overlap: float) -> Iterator[str]:
    """Yields granules, the last at the end."""
    step = max(1, int(granule * (1 - overlap) + 0.5))
    yield from (letters[at : at + granule] for at in range(0, len(letters) - granule, step))
    yield letters[-granule:]


class Deviations:
    """What digits are counted in: the share of each letter in a corpus, and by how much its count
    varies between granules; binomial where none is measured."""

    def __init__(self, shares: Sequence[float], corpus: Sequence[str] = ()) -> None:
        self.shares = shares
        self.measured: dict[int, list[float]] = {}
        for granule in {granule for granule, _, _ in SETTINGS} if corpus else ():
            pieces = [piece for text in corpus for piece in granules(text, granule, 0)]
            counts = [[piece.count(c) for c in LETTERS] for piece in pieces]
            squares = [
                sum((count - granule * share) ** 2 for count in column) / len(column)
                for column, share in zip(zip(*counts), shares)
            ]
            self.measured[granule] = [math.sqrt(square) for square in squares]

    def binomial(self, granule: int) -> list[float]:
        """Returns √(n p (1 − p)) of each letter."""
        return [math.sqrt(granule * p * (1 - p)) for p in self.shares]

    def digits(self, letters: str, setting: Setting) -> Digits:
        """Returns the digits of docs/formats/initials_dna.md, 4."""
        granule, overlap, radix = setting
        sigmas = self.measured.get(granule) or self.binomial(granule)
        scales = [
            (c, granule * p, radix / (4 * sigma))
            for c, p, sigma in zip(LETTERS, self.shares, sigmas)
        ]
        return [
            tuple(
                min(max(math.floor((g.count(c) - mean) * scale + radix / 2), 0), radix - 1)
                for c, mean, scale in scales
            )
            for g in granules(letters, granule, overlap)
        ]


def digit_l1(a: Digits, b: Digits, radix: int) -> float:
    """Returns the measure of that name."""
    rows = [[sum(map(abs, map(sub, x, y))) for y in b] for x in a]
    distance = sum(map(min, rows)) + sum(map(min, zip(*rows)))
    return 1 - distance / ((len(a) + len(b)) * len(LETTERS) * (radix - 1))


def print_deviations(
    zhiwen: Path, chosen: list[str], corpus: list[str], rng: random.Random
) -> None:
    """Prints a row a setting: how much is found by each kind of deviations. Fails: ProgramFailed;
    ValueError where the program and this one do not agree."""
    WORK.mkdir(parents=True, exist_ok=True)
    corpora.write(WORK / "dna.jsonl", [{"text": text} for text in corpus])
    snapshot = WORK / "dna.zwp"
    run(zhiwen, "phonemes", "train", WORK / "dna.jsonl", "--texts", "0", "-q", "--overwrite",
        "-o", snapshot)  # fmt: skip
    shown = json.loads(run(zhiwen, "phonemes", "show", "--json", snapshot))
    counts = dict.fromkeys(LETTERS, 0)
    for row in shown["phonemes"]:
        if row["kind"] == "initial" and row["name"] != "none":
            counts[row["name"][0]] += row["count"]
    shares = [max(1, count) / shown["characters"] for count in counts.values()]
    letter = letters_of(zhiwen, [*chosen, *corpus])

    def read(text: str) -> str:
        return "".join(letter.get(c, "") for c in text)

    measured = Deviations(shares, [t for t in map(read, corpus) if len(t) >= 200])
    print_ratios(measured)
    name = "initials_dna(channel=phonemes,granule={},overlap={:g},digits={},reference={})"
    names = [
        name.format(*setting, reference)
        for reference in ("language", shown["id"])
        for setting in SETTINGS
    ]

    def by_program(a: str, b: str) -> list[float]:
        return similarities(zhiwen, names, a, b, "--phonemes", snapshot)

    def by_hand(of: Deviations, a: str, b: str) -> list[float]:
        x, y = read(a), read(b)
        return [digit_l1(of.digits(x, s), of.digits(y, s), s[2]) for s in SETTINGS]

    for a, b in zip(chosen[:5], chosen[5:10]):
        theirs = by_program(a, b)[len(SETTINGS) :]
        if any(abs(x - y) > 2e-6 for x, y in zip(theirs, by_hand(Deviations(shares), a, b))):
            raise ValueError("digits by hand are not those of the program")
    found = found_by(lambda a, b: by_program(a, b) + by_hand(measured, a, b), chosen, rng)
    rows = []
    for at, (granule, _, radix) in enumerate(SETTINGS):
        three = found[at :: len(SETTINGS)]
        shares_of = [" ".join(f"{shares[kind]:.2f}" for shares in three) for kind in COPIES]
        rows.append([str(granule), str(radix), *shares_of])
    print(f"Each cell: {'; '.join(DEVIATIONS)}.\n")
    print(markdown_table(["granule", "digits", *COPIES], rows, left=range(5)))


def print_ratios(measured: Deviations) -> None:
    """Prints a row a granule: measured deviations over binomial ones."""
    rows = []
    for granule, sigmas in sorted(measured.measured.items()):
        ratios = sorted(
            (sigma / expected, c)
            for sigma, expected, c in zip(sigmas, measured.binomial(granule), LETTERS)
        )
        (least, of_least), (most, of_most) = ratios[0], ratios[-1]
        middle = (ratios[9][0] + ratios[10][0]) / 2
        rows.append([str(granule), f"{least:.2f} ({of_least})", f"{middle:.2f}",
                     f"{most:.2f} ({of_most})"])  # fmt: skip
    print(markdown_table(["granule", "least", "median", "most"], rows, left=range(4)) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_inputs(parser, "folder with the dev corpora")
    parser.add_argument("--pairs", type=int, default=100)
    options = parser.parse_args()
    rng = random.Random(1)
    drawn = texts(options.data)
    chosen = rng.sample(drawn, 2 * options.pairs)
    corpus = sorted(set(drawn) - set(chosen))
    random.Random(2).shuffle(corpus)
    try:
        print_deviations(options.zhiwen, chosen, corpus[:CORPUS_TEXTS], rng)
    except (ProgramFailed, ValueError) as error:
        print(f"eval: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
