"""The figures that the source documents state, made again: `eval reproductions` prints a sub-table
of each beside ours. 语义指纹 (eight keywords, SimHash with SDBM), simhash与重复信息识别(一) (the
example of six steps, 64 bits within 3), 网站文章如何能自动判定是抄袭 (what a good fingerprint is).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import reproduce_keywords
import reproduce_properties
import reproduce_sdbm
import reproduce_simhash
from program import add_forms, add_inputs
from reproduced import Table, as_markdown
from verdicts import Verdict

PARTS = {
    "keywords": reproduce_keywords.check,
    "sdbm": reproduce_sdbm.check,
    "simhash": reproduce_simhash.check,
    "properties": reproduce_properties.check,
}


def check(options: argparse.Namespace, rows: list[str]) -> Iterator[Verdict]:
    """Yields the verdicts of the wanted parts; appends their tables to `rows`."""
    reproduce_keywords.WORK.mkdir(parents=True, exist_ok=True)
    for name in options.only:
        tables: list[Table] = []
        yield from PARTS[name](options, tables)
        rows += [*([""] if rows else []), as_markdown(tables)]


def parts_of(text: str) -> list[str]:
    """Returns the parts that an option names. Fails: ArgumentTypeError."""
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in PARTS:
            raise argparse.ArgumentTypeError(f"no part '{name}': {', '.join(PARTS)}")
    return names


def add_arguments(commands: Any) -> None:
    """Adds the word reproductions to those of eval."""
    parser = commands.add_parser("reproductions", help="the figures of the sources, made again")
    add_inputs(parser)
    parser.add_argument(
        "--only",
        type=parts_of,
        default=list(PARTS),
        help="comma-separated parts: " + ", ".join(PARTS),
    )
    add_forms(
        parser,
        "the tables of docs/reproductions.md alone; checks on stderr",
        "one JSON object instead of the tables",
    )
