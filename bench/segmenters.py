"""Segmenters side by side on the same lines: `zhiwen segment` as a process, and Python programs
that call rjieba and jieba.

All do the same from end to end: read a file of lines, cut each, write its words with spaces between
into a file, on one thread. What counts are the seconds of CPU (user and system) of the process less
those of the same process on an empty file: starting, importing and opening dictionaries is free for
all. The strings of Python that rjieba and jieba take and give are part of what they cost: there is
no other way to call them. Tools alternate; a row has the median of its runs.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import corpus  # noqa: F401  # finds eval/
import corpora
import environment
import generate_corpus
import measure

TOOLS = ("zhiwen", "rjieba", "jieba")
ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench-corpora"
DEBIAN_PACKAGES = "/usr/lib/python3/dist-packages"
JIEBA_SHARE = 8  # jieba reads one text in so many
TARGET = 4  # times the speed of rjieba, with and without the model

# Cuts every line of a file and joins the words, as a program that writes them does.
SCRIPT = """
import sys
sys.path.append(sys.argv[4])
name, path, hmm = sys.argv[1], sys.argv[2], sys.argv[3] == "hmm"
if name == "rjieba":
    import rjieba
    cut = lambda line: rjieba.cut(line, hmm)
else:
    import jieba
    jieba.initialize()
    cut = lambda line: jieba.lcut(line, HMM=hmm)
cut("")
with open(path, encoding="utf-8") as lines:
    for line in lines:
        sys.stdout.write(" ".join(cut(line)))
"""


def _write_lines(options: argparse.Namespace) -> tuple[Path, Path]:
    """Writes the lines that all read, and the share of them that jieba reads."""
    WORK.mkdir(parents=True, exist_ok=True)
    names = corpora.TEXT_CORPORA
    if options.data:
        each = options.bytes // len(names)
        texts = (t for n in names for t in _texts(corpora.load(options.data, n), each))
    else:
        texts = _texts(generate_corpus.generate(options.documents), options.bytes)
    whole, share = WORK / "segment.txt", WORK / "segment_share.txt"
    with whole.open("w", encoding="utf-8") as out, share.open("w", encoding="utf-8") as part:
        for number, text in enumerate(texts):
            lines = "".join(line + "\n" for line in text.splitlines())
            out.write(lines)
            if number % JIEBA_SHARE == 0:
                part.write(lines)
    return whole, share


def _texts(records: Iterable[corpora.Record], size: int) -> Iterator[str]:
    for record in records:
        if size <= 0:
            return
        yield record["text"]
        size -= len(record["text"].encode())


def _command(options: argparse.Namespace, tool: str, hmm: str, path: Path) -> list[str]:
    if tool == "zhiwen":
        command = [str(options.zhiwen), "segment", "-j1", "--format", "text", str(path)]
        return command if hmm == "hmm" else [*command, "--no-hmm"]
    return [str(options.peer_python), "-c", SCRIPT, tool, str(path), hmm, DEBIAN_PACKAGES]


def _megabytes_a_second(options: argparse.Namespace, tool: str, hmm: str, path: Path) -> float:
    nothing = WORK / "nothing.txt"
    nothing.write_text("")
    log, output = WORK / "segment.log", WORK / "segment.out"
    start = measure.run(_command(options, tool, hmm, nothing), log, output=output)
    cost = measure.run(_command(options, tool, hmm, path), log, output=output)
    return path.stat().st_size / 1e6 / max(cost.cpu - start.cpu, 1e-3)


def run(options: argparse.Namespace) -> tuple[list[dict[str, Any]], int]:
    """Measures every tool in turn, so many times. Returns a row a tool, and status 1 where zhiwen
    is below the target or there is nothing to compare it with."""
    if not options.peer_python:
        environment.ensure("rjieba")
        options.peer_python = environment.PYTHON
    whole, share = _write_lines(options)
    rows = []
    for hmm in ("hmm", "no-hmm"):
        speeds: dict[str, list[float]] = {tool: [] for tool in TOOLS}
        for _ in range(options.runs):
            for tool in TOOLS:
                path = share if tool == "jieba" else whole
                try:
                    speeds[tool].append(_megabytes_a_second(options, tool, hmm, path))
                except measure.RunFailed as error:
                    if tool == "zhiwen":
                        raise
                    print(f"bench: {tool} is left out: {error}", file=sys.stderr)
        medians = {t: statistics.median(s) for t, s in speeds.items() if s}
        rows += [
            {"tool": t, "mode": hmm, "mb_per_cpu_s": round(m, 2),
             "zhiwen_is": round(medians["zhiwen"] / m, 2)}
            for t, m in medians.items()
        ]
    ratios = [row["zhiwen_is"] for row in rows if row["tool"] == "rjieba"]
    if not ratios or min(ratios) < TARGET:
        print(f"bench: below {TARGET} x rjieba, or without it", file=sys.stderr)
        return rows, 1
    return rows, 0


def table(rows: list[dict[str, Any]]) -> str:
    """Returns the table in Markdown."""
    lines = ["| tool | model | MB per CPU second | zhiwen is |", "|---|---|---:|---:|"]
    for row in rows:
        figures = [f"{row['mb_per_cpu_s']:.2f}", f"{row['zhiwen_is']:.2f} x"]
        cells = [row["tool"], row["mode"], *figures]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
