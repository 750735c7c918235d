"""Disguised copies of news that a library with granules (`zhiwen library derive --scheme
initials_dna`) has: which of them `zhiwen query --scheme` finds, and how many unrelated news it
finds documents for, by radius, granules of a passage and overlap.

Copies and unrelated news are those of library_attacks.py, a sample of each kind. A copy is
found when its original is among the listed documents; of an unrelated text documents count that
the truth does not pair with it. Each text is asked for once, with the largest radius and
passages of one granule; what the other settings would list is cut from that: granules beyond a
radius are left out, and part a passage where more than a granule of the document lies between
two others. As in the command, a text that has room for fewer granules needs fewer, none of them
further away than SHORT_RADIUS.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import corpora
import library_attacks
from corpora import Record, say

RADII = (4, 8, 12, 16, 20, 24)
LEAST = (1, 2, 3, 4, 6)
OVERLAPS = ("0.5", "0")
OF_KIND = 30  # copies of each kind
UNRELATED = 1000
GRANULE = 50
SHORT_RADIUS = 4
TOUCHING = 65  # code points between begins: 50 characters, with the marks between them
LONGEST = 3000  # characters of a text that is asked for
KINDS = ("dev:", "homophones 30 %", "homophones 100 %", "spelled 100 %", "look-alikes 20 %",
         "first letters", "homophones 30 % + split",
         "homophones 30 % + edits 5 % + traditional + zero width")


def _sample(copies: list[Record]) -> list[Record]:
    by_kind: dict[str, list[Record]] = {}
    for copy in copies:
        name = copy["kind"].removeprefix("whole: ").removeprefix("passage: ")
        if name in KINDS or name.startswith("dev:"):
            by_kind.setdefault(copy["kind"], []).append(copy)
    rng = random.Random(library_attacks.SEED)
    return [copy for rows in by_kind.values() for copy in rng.sample(rows, OF_KIND)]


def _ask(tool: Path, library: Path, scheme: str, record: Record) -> dict[str, Any]:
    run = subprocess.run(
        [tool, "query", library, "-", "--scheme", scheme, "--radius", str(max(RADII)),
         "--granules", "1", "--count", "200", "--json"],
        input=record["text"][:LONGEST].encode(), check=True, capture_output=True)
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


def _is_listed(match: dict[str, Any], room: int, radius: int, least: int) -> bool:
    """Returns whether a document would be listed."""
    needed = min(least, match["granules"], room)
    if needed < least:
        radius = min(radius, SHORT_RADIUS)
    for passage in match["passages"]:
        granules, before = 0, 0
        for granule in passage["granules"]:
            if granule["distance"] > radius:
                continue
            begin = granule["original"]["begin"]
            granules = granules + 1 if begin - before <= TOUCHING else 1
            before = begin
            if granules >= needed:
                return True
    return False


def _room(text: str, overlap: str) -> int:
    """Returns how many granules surely lie in a copy of this length."""
    characters = sum(map(corpora.is_han, text[:LONGEST]))
    step = round(GRANULE * (1 - float(overlap)))
    return max(1, (characters - GRANULE + 1) // step)


def _sweep(tool: Path, library: Path, overlap: str, records: list[Record],
           is_right: Callable[[Record, str], bool]) -> dict[tuple[int, int], dict[str, int]]:
    """Returns for each radius and least number of granules how many texts of each kind have a
    document that counts."""
    scheme = f"initials_dna(overlap={overlap})"
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda record: _ask(tool, library, scheme, record), records))
    result: dict[tuple[int, int], dict[str, int]] = {}
    for radius, least in itertools.product(RADII, LEAST):
        row = result.setdefault((radius, least), {})
        for record, answer in zip(records, answers, strict=True):
            room = _room(record["text"], overlap)
            found = any(is_right(record, match["document"]["id"])
                        and _is_listed(match, room, radius, least)
                        for match in answer["documents"])
            row[record["kind"]] = row.get(record["kind"], 0) + found
    return result


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Returns the shares by overlap, radius and granules; status 4 where the data is not there."""
    prepared = library_attacks.prepare(options)
    if prepared is None:
        return {}, 4
    news, copies, held_out, pairs = prepared
    copies, held_out = _sample(copies), held_out[:UNRELATED]
    for row in held_out:
        row["kind"] = "unrelated"
    library = library_attacks.WORK / "lib-granules"
    shutil.rmtree(library, ignore_errors=True)
    corpora.write(library_attacks.WORK / "news.jsonl", news)
    tool = options.zhiwen
    subprocess.run([tool, "library", "create", library, "-q"], check=True)
    subprocess.run([tool, "library", "add", library, library_attacks.WORK / "news.jsonl", "-q"],
                   check=True)
    cells = []
    kinds = sorted({copy["kind"] for copy in copies})
    for overlap in OVERLAPS:
        subprocess.run([tool, "library", "derive", library, "--scheme",
                        f"initials_dna(overlap={overlap})", "-q"], check=True)
        found = _sweep(tool, library, overlap, copies, lambda r, i: r["source"] == i)
        alarms = _sweep(tool, library, overlap, held_out,
                        lambda r, i: tuple(sorted((r["id"], i))) not in pairs)
        cells += [{"overlap": overlap, "radius": radius, "granules": least,
                   "found": {kind: row[kind] / OF_KIND for kind in kinds},
                   "alarms": alarms[radius, least]["unrelated"] / len(held_out)}
                  for (radius, least), row in found.items()]
    return {"granules": cells}, 0


def table(result: dict[str, Any]) -> str:
    """Returns the table in Markdown."""
    lines = ["| overlap | radius | granules | dev attacks | disguises: whole | passage "
             "| unrelated news, per 10,000 |", "|---:|---:|---:|---:|---:|---:|---:|"]
    for cell in result["granules"]:
        means = []
        for form in ("dev: ", "whole: ", "passage: "):
            of_form = [s for kind, s in cell["found"].items() if kind.startswith(form)]
            means.append(f"{sum(of_form) / len(of_form):.1%}")
        lines.append(f"| {cell['overlap']} | {cell['radius']} | {cell['granules']} | "
                     + " | ".join(means) + f" | {10_000 * cell['alarms']:.0f} |")
    return "\n".join(lines)
