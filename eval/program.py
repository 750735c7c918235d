"""Runs zhiwen and reads what it prints or writes."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import corpora

WORK = corpora.ROOT / "build" / "eval"


def add_inputs(
    parser: argparse.ArgumentParser, of_data: str = "folder with the dev corpora and truth files"
) -> None:
    """Declares --zhiwen and --data."""
    parser.add_argument(
        "--zhiwen", type=Path, default=Path("build/release/bin/zhiwen"), help="the program to judge"
    )
    parser.add_argument("--data", type=Path, help=of_data)


def add_forms(
    parser: argparse.ArgumentParser,
    of_markdown: str = "",
    of_json: str = "one JSON object instead of the table",
) -> None:
    """Declares --markdown, where it is described, and --json: the forms of what is printed."""
    if of_markdown:
        parser.add_argument("--markdown", action="store_true", help=of_markdown)
    parser.add_argument("--json", action="store_true", help=of_json)


def positive(word: str) -> int:
    """Returns a count that was typed. Fails: ArgumentTypeError."""
    if word.isascii() and word.isdigit() and int(word) > 0:
        return int(word)
    raise argparse.ArgumentTypeError(f"{word!r} is no whole number from 1 on")


class ProgramFailed(RuntimeError):
    """zhiwen ended with another status than 0."""


@dataclass(frozen=True)
class Outcome:
    """The input and the outputs of one run; keeper: removed id → id of the kept document it was
    removed for."""

    corpus: Path
    folder: Path
    keeper: dict[str, str]

    def together(self, a: str, b: str) -> bool:
        """Returns whether one was removed for the other, or both for the same document."""
        return self.keeper.get(a, a) == self.keeper.get(b, b)

    def kept_records(self) -> list[corpora.Record]:
        """Returns the kept records."""
        return [
            r
            for path in sorted((self.folder / "kept").rglob("*.jsonl*"))
            for r in corpora.read(path)
        ]

    def kept_texts(self) -> Counter[str]:
        """Returns the multiset of kept texts."""
        return Counter(r["text"] for r in self.kept_records())

    def report(self) -> dict[str, Any]:
        """Returns report.json."""
        loaded: dict[str, Any] = json.loads(
            (self.folder / "report.json").read_text(encoding="utf-8")
        )
        return loaded

    def digests(self) -> dict[str, str]:
        """Returns a hash of every output that must not depend on threads or instruction set: all
        files but
        report.html and the `run` part of report.json."""
        found = {}
        for path in sorted(p for p in self.folder.rglob("*") if p.is_file()):
            name = str(path.relative_to(self.folder))
            data = path.read_bytes()
            if name == "report.json":
                data = json.dumps(self.report()["result"], sort_keys=True).encode()
            if name != "report.html":
                found[name] = hashlib.sha256(data).hexdigest()
        return found


def run(zhiwen: Path, *words: str | Path) -> str:
    """Returns what a command prints. Fails: ProgramFailed."""
    command = [str(w) for w in (zhiwen, *words)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise ProgramFailed(f"{' '.join(command[1:3])}: {done.stderr[-600:].strip()}")
    return done.stdout


def fingerprints(
    zhiwen: Path, schemes: Sequence[str], inputs: Sequence[Path], *options: str | Path
) -> list[dict[str, Any]]:
    """Returns for each scheme id → value, without documents that have none. Fails:
    ProgramFailed."""
    named = [word for scheme in schemes for word in ("-s", scheme)]
    lines = run(zhiwen, "fingerprint", "-q", *named, *options, *inputs).splitlines()
    found: list[dict[str, Any]] = [{} for _ in schemes]
    for at, line in enumerate(lines):
        row = json.loads(line)
        if row["value"] is not None:
            found[at % len(schemes)][row["id"]] = row["value"]
    return found


def similarities(
    zhiwen: Path, schemes: Sequence[str], a: str, b: str, *options: str | Path
) -> list[float]:
    """Returns how alike two texts are by each scheme, 0 where one has no value. Fails:
    ProgramFailed."""
    WORK.mkdir(parents=True, exist_ok=True)
    paths = [WORK / name for name in ("a.txt", "b.txt")]
    for path, text in zip(paths, (a, b)):
        path.write_text(text, encoding="utf-8")
    named = [word for scheme in schemes for word in ("-s", scheme)]
    found = json.loads(run(zhiwen, "compare", "--json", *named, *options, *paths))
    return [row["similarity"] or 0.0 for row in found["similarities"]]


class Program:
    """The zhiwen binary under evaluation; every run has a folder of its own under build/eval."""

    def __init__(self, binary: Path) -> None:
        self.binary = binary

    def dedup(
        self, name: str, records: list[corpora.Record], *options: str, simd: str = ""
    ) -> Outcome:
        """Writes the records as a corpus and deduplicates it. Fails: ProgramFailed."""
        return self.dedup_file(name, self.write(name, records), *options, simd=simd)

    def write(self, name: str, records: list[corpora.Record]) -> Path:
        """Writes the records as a corpus."""
        corpus = WORK / f"{name}.jsonl"
        corpora.write(corpus, records)
        return corpus

    def dedup_file(self, name: str, corpus: Path, *options: str, simd: str = "") -> Outcome:
        """Deduplicates a file. Fails: ProgramFailed."""
        folder = WORK / f"{name}.out"
        shutil.rmtree(folder, ignore_errors=True)
        command = [str(self.binary), "dedup", str(corpus), "-o", str(folder), "--quiet", *options]
        environment = dict(os.environ) | ({"ZHIWEN_SIMD": simd} if simd else {})
        done = subprocess.run(command, capture_output=True, env=environment, check=False)
        if done.returncode != 0:
            message = done.stderr.decode(errors="replace").strip()[-400:]
            raise ProgramFailed(
                f"zhiwen dedup of {corpus.name} ended with status {done.returncode}: {message}"
            )
        keeper = {r["id"]: r["kept_id"] for r in corpora.read(folder / "removed.jsonl.zst")}
        return Outcome(corpus, folder, keeper)
