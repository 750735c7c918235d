"""MB/s per core of every channel, by instruction set, and the ratio to a copy of the same bytes in
memory, measured in the same run; on standard error whether each reaches the target.

text_benchmark computes the symbols of documents of 4 KiB and drops them: what is measured is the
channel, without reading files, hashing and writing. A megabyte is 10^6 bytes of UTF-8, a second one
of CPU time.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import text_speed
from verdicts import Verdict, at_least, missing, skipped

LEVELS = ("scalar", "avx2", "avx512")
TARGET = 100  # MB/s, of every channel at every level on every text
WITHOUT_TARGET = ("copy", "hash_exact")  # what channels are compared with
LACKS = "the processor lacks the level"  # as channel_benchmark.cc says it


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Returns the figures and the checks, and status 1 where a channel misses the target."""
    return text_speed.run(options, "text_benchmark", "", _collect, _judge)


def _judge(result: dict[str, Any]) -> Iterator[Verdict]:
    """Yields whether each channel reaches the target; what was not measured fails, unless it is the
    processor that lacks the instruction set."""
    part = "MB/s of one core"
    for name, why in result["left_out"].items():
        yield (skipped if LACKS in why else missing)(part, name, why)
    for row in result["rows"]:
        if row["channel"] not in WITHOUT_TARGET:
            slowest = min(row["levels"], key=row["levels"].__getitem__)
            rate = row["levels"][slowest] / 1e6
            detail = f"the slowest level, {slowest}"
            yield at_least(part, f"{row['channel']} on {row['text']}", rate, TARGET, detail)


def _collect(measured: dict[str, Any]) -> dict[str, Any]:
    rates: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    left_out = {}
    for row in measured["benchmarks"]:
        channel, level, text = row["name"].split("/")
        if "bytes_per_second" in row:
            rates[channel, text][level] = row["bytes_per_second"]
        else:
            left_out[f"{channel} {level} on {text}"] = row.get("error_message", "")
    rows = []
    for (channel, text), levels in rates.items():
        best = max(levels.values())
        copy = max(rates["copy", text].values())
        rows.append(
            {"channel": channel, "text": text, "levels": levels, "best": best, "copy": best / copy}
        )
    return {"context": measured["context"], "rows": rows, "left_out": left_out}


def table(result: dict[str, Any]) -> str:
    """Returns the table in Markdown, MB/s."""
    lines = [
        "| channel | text | scalar | avx2 | avx512 | of a copy |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for row in result.get("rows", []):
        levels = row["levels"]
        if "-" in levels:
            figures = [f"{levels['-'] / 1e6:.0f}", "", ""]
        else:
            figures = [f"{levels[x] / 1e6:.0f}" if x in levels else "" for x in LEVELS]
        cells = [row["channel"], row["text"], *figures, f"{row['copy']:.3f}"]
        lines.append("| " + " | ".join(cells) + " |")
    lines += [f"left out: {name}: {why}" for name, why in result.get("left_out", {}).items()]
    return "\n".join(lines)
