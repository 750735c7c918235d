"""Streams: `zhiwen cluster` beside its definition (tests/support/single_pass.py), document by
document, on whole corpora."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import corpora
from program import WORK, add_forms, add_inputs
from verdicts import Verdict, holds, skipped

PART = "streams"
SCHEME = "simhash64(feature=shingle(3))"
DEFINITION = corpora.ROOT / "tests" / "support" / "single_pass.py"
WEEK = 7 * 86400
# The rules that are compared: name, options of the program, options of the definition.
RULES: tuple[tuple[str, list[str], list[str]], ...] = (
    ("radius 3", [], []),
    ("radius 8", ["--radius", "8"], ["--radius", "8"]),
    ("a window of 7 days", ["--window", "7d"], ["--window", str(WEEK)]),
    (
        "verification at radius 12",
        ["--radius", "12", "--verify"],
        ["--radius", "12", "--shingles", "shingles.jsonl"],
    ),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options of the command."""
    add_inputs(parser)
    parser.add_argument("--documents", type=int, help="only the first N documents of each corpus")
    add_forms(parser)


def check(options: argparse.Namespace) -> Iterator[Verdict]:
    """Yields whether all lines and sets are the same, for each rule."""
    names = [n for n in corpora.NEWS_CORPORA if options.data and corpora.has(options.data, n)]
    if not names:
        yield skipped(PART, "all checks", "they need --data")
        return
    records = [r for n in names for r in corpora.load(options.data, n)[: options.documents]]
    records.sort(key=lambda r: str(r.get("date")))  # as they came
    folder = WORK / "streams"
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "stream.jsonl", records)
    for name, scheme in (("codes", SCHEME), ("shingles", "shingles")):
        with (folder / f"{name}.jsonl").open("wb") as out:
            _run(folder, [options.zhiwen, "fingerprint", "-q", "-s", scheme, "stream.jsonl"], out)
    corpora.say(f"  {PART}: {len(records)} documents, {len(RULES)} rules")
    for name, of_program, of_definition in RULES:
        yield _compare(options, folder, name, (of_program, of_definition))


def _compare(
    options: argparse.Namespace, folder: Path, name: str, words: tuple[list[str], list[str]]
) -> Verdict:
    """Runs both, and compares their files byte by byte."""
    of_program, of_definition = words
    with (folder / "clusters.jsonl").open("wb") as out:
        command = [sys.executable, DEFINITION, "stream.jsonl", "codes.jsonl", *of_definition]
        _run(folder, [*command, "--distset", "distset.jsonl", "--simset", "simset.jsonl"], out)
    command = [options.zhiwen, "cluster", "stream.jsonl", "-q", "-s", SCHEME, *of_program]
    _run(folder, [*command, "-o", "out", "--overwrite"], subprocess.DEVNULL)
    files = [f"{f}.jsonl" for f in ("clusters", "distset", "simset")]
    different = [f for f in files if (folder / f).read_bytes() != (folder / "out" / f).read_bytes()]
    lines = (folder / "clusters.jsonl").read_text(encoding="utf-8").splitlines()
    joined = sum(not json.loads(row)["is_new"] for row in lines)
    detail = f"{joined} of {len(lines)} documents join; different: {different or 'none'}"
    return holds(PART, f"{name}: the lines and sets of the definition", not different, detail)


def _write(path: Path, records: list[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(r, ensure_ascii=False) + "\n" for r in records)


def _run(folder: Path, command: list[Any], out: Any) -> None:
    """Runs a command in the folder; paths of programs may be relative to where this runs."""
    words = [str(Path(w).resolve()) if isinstance(w, Path) else w for w in command]
    subprocess.run(words, cwd=folder, check=True, stdout=out, stderr=subprocess.DEVNULL)
