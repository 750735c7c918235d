"""Which granule, overlap and digits initials_dna needs: the share of copies, edited or of a
passage, that are more alike than 99 in 100 pairs of other texts, by digit_l1. Makes the table of
docs/formats/initials_dna.md, and checks what stands below it.

Without --data the texts are pieces of the novels in testdata. Everything is seeded.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import corpora
from program import add_forms, add_inputs, similarities
from tables import markdown_table
from verdicts import Verdict, at_least, figure, skipped

LENGTH = 600  # characters of a text
WIDTHS = {10: 9, 8: 8, 4: 5, 2: 3}
GRANULES = (20, 30, 50, 100, 200)
OVERLAPS = (0.0, 0.5, 0.75, 1.0)
PASSAGE = LENGTH // 3
Setting = tuple[int, float, int]  # granule, overlap, digits
Found = dict[Setting, dict[str, float]]  # the share found of each kind of copies
DEFAULT: Setting = (50, 0.5, 10)
THRIFTY: Setting = (30, 0.5, 4)  # said to find as much
WHOLE = ("20 % edited", "40 % edited")
COPIED = "a third of it copied"
LEAST_WHOLE, LEAST_COPIED, SLACK = 0.95, 0.9, 0.03


def texts(data: Path | None) -> list[str]:
    """Returns texts of LENGTH characters, no two from one document where there is --data."""
    if data:
        records = corpora.load(data, "news_cctv", "news_rmrb")
        return [r["text"][:LENGTH] for r in records if len(r["text"]) >= LENGTH]
    whole = [r["text"] for r in corpora.read(corpora.DEMO / "novels.jsonl")]
    return [t[i : i + LENGTH] for t in whole for i in range(0, len(t) - LENGTH + 1, LENGTH)]


def edited(text: str, rate: float, rng: random.Random) -> str:
    """Of the characters a share is replaced, left out or followed by another, a third each."""
    out = []
    for c in text:
        kind = rng.randrange(3) if rng.random() < rate else -1
        if kind == 0:
            c = rng.choice(text)
        elif kind == 1:
            c = ""
        elif kind == 2:
            c += rng.choice(text)
        out.append(c)
    return "".join(out)


def with_passage(a: str, b: str, rng: random.Random) -> str:
    """Returns `b` with a third of it replaced by a passage of `a`, each from anywhere."""
    begin, at = rng.randrange(len(a) - PASSAGE), rng.randrange(len(b) - PASSAGE)
    return b[:at] + a[begin : begin + PASSAGE] + b[at + PASSAGE :]


Copy = Callable[[str, str, random.Random], str]
COPIES: dict[str, Copy] = {
    WHOLE[0]: lambda a, b, rng: edited(a, 0.2, rng),
    WHOLE[1]: lambda a, b, rng: edited(a, 0.4, rng),
    COPIED: with_passage,
}


def name_of(setting: Setting) -> str:
    """Returns the name of the scheme."""
    return "initials_dna(granule={},overlap={:g},digits={})".format(*setting)


def bytes_of(setting: Setting) -> float:
    """Returns the bytes of a value for each character of a text."""
    granule, overlap, digits = setting
    return WIDTHS[digits] / max(1, int(granule * (1 - overlap) + 0.5))


# How alike two texts are, by each setting.
Measure = Callable[[str, str], list[float]]


def found_by(measure: Measure, chosen: list[str], rng: random.Random) -> list[dict[str, float]]:
    """Returns, for each setting, the share found of each kind of copies. The first half of the
    texts is copied, the other half is what copies are to be told from."""
    pairs = len(chosen) // 2
    others = list(zip(chosen[:pairs], chosen[pairs:]))
    corpora.say(f"  {pairs} pairs of other texts, as many copies a kind")
    unlike = [measure(a, b) for a, b in others]
    bounds = [sorted(column)[-1 - pairs // 100] for column in zip(*unlike)]
    found: list[dict[str, float]] = [{} for _ in bounds]
    for kind, copy in COPIES.items():
        alike = [measure(a, copy(a, b, rng)) for a, b in others]
        for shares, bound, column in zip(found, bounds, zip(*alike)):
            shares[kind] = sum(s > bound for s in column) / pairs
    return found


def shares_found(zhiwen: Path, chosen: list[str], rng: random.Random) -> Found:
    """Returns what is found of copies of half of the texts. Fails: ProgramFailed."""
    settings = [(g, o, d) for g in GRANULES for o in OVERLAPS for d in WIDTHS]
    names = [name_of(setting) for setting in settings]
    return dict(
        zip(settings, found_by(lambda a, b: similarities(zhiwen, names, a, b), chosen, rng))
    )


def table(found: Found) -> str:
    """Returns a table of markdown: a row a granule and overlap, and in it all digits."""
    head = ["granule", "overlap", "bytes a character", *COPIES]
    rows = []
    for granule in GRANULES:
        for overlap in OVERLAPS:
            settings = [(granule, overlap, digits) for digits in WIDTHS]
            sizes = " ".join(f"{bytes_of(s):.2f}" for s in settings)
            shares = [" ".join(f"{found[s][kind]:.2f}" for s in settings) for kind in COPIES]
            rows.append([str(granule), f"{overlap:g}", sizes, *shares])
    return markdown_table(head, rows, left=range(len(head)))


def as_json(found: Found) -> list[dict[str, Any]]:
    """Returns a row for each setting."""
    return [
        {
            "scheme": name_of(setting),
            "granule": setting[0],
            "overlap": setting[1],
            "digits": setting[2],
            "bytes_a_character": round(bytes_of(setting), 4),
            "found": {kind: round(share, 4) for kind, share in shares.items()},
        }
        for setting, shares in found.items()
    ]


def check(options: argparse.Namespace, found: Found) -> Iterator[Verdict]:
    """Yields the verdicts of `eval initials_dna`; fills `found`."""
    known = texts(options.data)
    pairs = min(options.pairs, len(known) // 2)
    rng = random.Random(1)
    found |= shares_found(options.zhiwen, rng.sample(known, 2 * pairs), rng)
    yield figure("initials_dna", "pairs", pairs, f"of texts of {LENGTH} characters")
    for kind in WHOLE:
        yield at_least(kind, f"found by {name_of(DEFAULT)}", found[DEFAULT][kind], LEAST_WHOLE)
        if options.data is None:
            yield skipped(kind, "found with any setting", "pieces of one novel are too alike")
            continue
        least = min(found, key=lambda s: found[s][kind])
        share = found[least][kind]
        yield at_least(kind, "found with any setting", share, LEAST_WHOLE, name_of(least))
    default = found[DEFAULT][COPIED]
    yield at_least(COPIED, f"found by {name_of(DEFAULT)}", default, LEAST_COPIED)
    thrifty = found[THRIFTY][COPIED]
    yield at_least(COPIED, f"found by {name_of(THRIFTY)}", thrifty, round(default - SLACK, 4))


def pairs_of(text: str) -> int:
    """Returns how many pairs an option asks for. Fails: ArgumentTypeError."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of pairs, from 1 on")
    return int(text)


def add_arguments(commands: Any) -> None:
    """Adds the word initials_dna to those of eval."""
    parser = commands.add_parser(
        "initials_dna", help="which granule, overlap and digits initials_dna needs"
    )
    add_inputs(parser, "folder with the dev corpora")
    parser.add_argument(
        "--pairs", type=pairs_of, default=100, help="of other texts, and copies a kind (100)"
    )
    add_forms(
        parser,
        "the table of docs/formats/initials_dna.md instead",
        "one JSON object: figures and checks",
    )
