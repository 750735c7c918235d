"""Reads and writes JSON Lines, plain or .zst, and finds the files of a data folder."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

Record = dict[str, Any]
ROOT = Path(__file__).resolve().parent.parent
DEMO = ROOT / "testdata" / "demo"

TEXT_CORPORA = (
    "news_cctv",
    "news_rmrb",
    "acad_fudan",
    "classics_chapters",
    "short_poems",
    "tech_docs",
)
NEWS_CORPORA = ("news_cctv", "news_rmrb", "acad_fudan")


def say(message: str) -> None:
    """Writes a line of progress."""
    print(message, file=sys.stderr, flush=True)


def is_han(character: str) -> bool:
    """Returns whether it is one of the Han characters that are in use, U+4E00 to U+9FFF."""
    return "\u4e00" <= character <= "\u9fff"


def locate(data: Path, name: str) -> Path:
    """Returns NAME.jsonl or NAME.jsonl.zst of the folder. Fails: FileNotFoundError."""
    for suffix in (".jsonl", ".jsonl.zst"):
        if (data / (name + suffix)).exists():
            return data / (name + suffix)
    raise FileNotFoundError(f"{data} holds neither {name}.jsonl nor {name}.jsonl.zst")


def has(data: Path | None, name: str) -> bool:
    """Returns whether the folder holds the named file."""
    return data is not None and any((data / (name + s)).exists() for s in (".jsonl", ".jsonl.zst"))


def read_bytes(path: Path) -> bytes:
    """Returns the file's bytes, decompressed."""
    if path.suffix != ".zst":
        return path.read_bytes()
    if not shutil.which("zstd"):
        raise FileNotFoundError("the zstd program is needed to read " + path.name)
    return subprocess.run(
        ["zstd", "-dcq", "--long=27", str(path)], check=True, stdout=subprocess.PIPE
    ).stdout


def read(path: Path) -> Iterator[Record]:
    """Yields the records of a .jsonl or .jsonl.zst file."""
    for line in read_bytes(path).split(b"\n"):
        if line.strip():
            yield json.loads(line)


def load(data: Path, *names: str) -> list[Record]:
    """Returns the records of the named files of a data folder, in order."""
    return [record for name in names for record in read(locate(data, name))]


def demo() -> list[Record]:
    """Returns the checked-in demo corpus."""
    return [record for path in sorted(DEMO.glob("*.jsonl")) for record in read(path)]


def write(path: Path, records: Iterable[Record]) -> None:
    """Writes records as JSON Lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
