"""How right `zhiwen dedup --plan` is: what it says beforehand beside what the run then needs.

Each corpus is planned and run with each bound of memory: the generated corpus as it is and over and
over with other edits (scale.py), so that copies are far apart; and, with --data, the given one, as
plain and as compressed files.

A figure is right within a quarter; one that the plan itself calls uncertain (is_close is false),
where its range holds the truth. Scratch is right where the run wrote no more than was said. The
plan must keep to --memory itself.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import corpus
import scale

from corpora import say

# How far a figure may be from what it foretells.
ALLOWED = 0.25


@dataclass
class Row:
    """One figure of one run: `low` and `high` where the plan gives a range."""

    corpus: str
    memory: str
    figure: str
    planned: float
    actual: float
    low: float | None = None
    high: float | None = None
    is_close: bool = True  # as the plan says

    @property
    def ratio(self) -> float:
        if self.actual == 0:
            return 1.0 if self.planned == 0 else float("inf")
        return self.planned / self.actual

    @property
    def is_right(self) -> bool:
        if abs(self.ratio - 1) <= ALLOWED:
            return True
        if self.is_close or self.low is None or self.high is None:
            return False
        return self.low <= self.actual <= self.high


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Plans and runs every corpus with every bound. Returns the rows and the exit status: 1 when a
    figure was not within the allowed distance."""
    rows: list[Row] = []
    for name, inputs in _corpora(options):
        for memory in options.memory:
            rows += _compare(options, name, inputs, memory)
    wrong = [row for row in rows if not row.is_right]
    say(f"  {len(rows) - len(wrong)} of {len(rows)} figures right")
    return {"rows": [{**asdict(row), "ratio": row.ratio} for row in rows]}, 1 if wrong else 0


def _corpora(options: argparse.Namespace) -> list[tuple[str, list[Path]]]:
    of = corpus.prepare(options.data, options.documents)
    found = [(of.name, [of.path])]
    packed = of.folder / "corpus.jsonl.zst"
    if not packed.exists():
        subprocess.run(["zstd", "-q", str(of.path), "-o", str(packed)], check=True)
    found.append((of.name + ", zstd", [packed]))
    for size in sorted(options.sizes):
        count = max(1, round(size * scale.GIB / scale.PART_BYTES))
        inputs = [of.folder / "scale" / "text" / f"part{part:04}.jsonl" for part in range(count)]
        inputs[0].parent.mkdir(parents=True, exist_ok=True)
        for path in inputs:
            if not path.exists():
                scale.write_part(of.path, path)
        found.append((f"{of.name}, {size:g} GiB", inputs))
    return found


def _compare(
    options: argparse.Namespace, name: str, inputs: list[Path], memory: str
) -> list[Row]:
    out = inputs[0].parent / "planned"
    words = [str(options.zhiwen), "dedup", *map(str, inputs), "-o", str(out), "--memory", memory]
    shutil.rmtree(out, ignore_errors=True)
    started = time.monotonic()
    plan, plan_peak = _run([*words, "--plan", "--json"], out)
    planning = time.monotonic() - started
    report, peak = _run([*words, "--json"], out)
    result, figures = report["result"], report["run"]

    def ranged(figure: str, estimate: dict[str, float], actual: float) -> Row:
        low, high = estimate["low"], estimate["high"]
        close = estimate["is_close"]
        return Row(name, memory, figure, estimate["estimate"], actual, low, high, close)

    rows = [
        ranged("documents", plan["documents"], result["documents"]),
        ranged("removed", plan["removed"], result["documents"] - result["kept"]),
        ranged("candidate pairs", plan["candidate_pairs"], figures["candidate_pairs"]),
        Row(name, memory, "cpu seconds", plan["time"]["cpu_seconds"], figures["cpu_seconds"]),
        Row(name, memory, "seconds", plan["time"]["wall_seconds"], figures["wall_seconds"]),
    ]
    share = plan["sample"]["share_of_documents"]
    say(f"  {name}, --memory {memory}: planned in {planning:.1f} s and {plan_peak >> 20} MiB from "
        f"{share:.1%}")
    disk = plan["disk"]
    if figures["scratch_bytes"] > (disk["scratch_bytes"]["high"] if disk["needs_scratch"] else 0):
        rows.append(Row(name, memory, "scratch", disk["scratch_bytes"]["estimate"],
                        figures["scratch_bytes"]))
    least = plan["memory"]["least_bytes"]
    if peak > max(least, scale.bytes_of(memory)):
        rows.append(Row(name, memory, "anonymous peak", least, peak))
    if plan_peak > scale.bytes_of(memory):
        rows.append(Row(name, memory, "memory of the plan", scale.bytes_of(memory), plan_peak))
    for row in rows:
        say(_line(row))
    if options.stages:
        actual = {stage["name"]: stage["cpu_seconds"] for stage in figures["stages"]}
        for stage in plan["time"]["stages"]:
            say(f"      {stage['name']:<14} {stage['cpu_seconds']:8.2f} cpu s planned, "
                f"{actual.get(stage['name'], 0):8.2f} needed")
    return rows


def _run(words: list[str], out: Path) -> tuple[dict[str, Any], int]:
    """Returns the report and the peak of anonymous memory."""
    shutil.rmtree(out, ignore_errors=True)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    peak = [0]
    watcher = threading.Thread(target=scale.watch, args=(process.pid, peak))
    watcher.start()
    assert process.stdout is not None
    text = process.stdout.read()
    _, status, _ = os.wait4(process.pid, 0)
    watcher.join()
    if status != 0:
        raise SystemExit(f"plan: {' '.join(words[:3])} … ended with status {status}")
    shutil.rmtree(out, ignore_errors=True)
    return json.loads(text), peak[0]


def _line(row: Row) -> str:
    text = f"    {row.figure:<16} planned {row.planned:16,.1f}  actual {row.actual:16,.1f}"
    text += f"  {row.ratio:6.2f}"
    if not row.is_right:
        text += "  (off)"
    elif abs(row.ratio - 1) > ALLOWED:
        text += "  (uncertain, and said so)"
    if row.low is not None and row.high is not None and row.low < row.high:
        text += f"  range {row.low:,.0f} to {row.high:,.0f}"
    return text


def table(result: dict[str, Any]) -> str:
    """The rows once more, as Markdown."""
    lines = [
        "| corpus | --memory | figure | planned | actual | ratio |",
        "|---|---|---|---|---|---|",
    ]
    for row in result["rows"]:
        lines.append(
            f"| {row['corpus']} | {row['memory']} | {row['figure']} | {row['planned']:,.1f} | "
            f"{row['actual']:,.1f} | {row['ratio']:.2f} |"
        )
    return "\n".join(lines)
