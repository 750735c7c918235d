"""Segmenters side by side: zhiwen segment, jieba and rjieba on the same lines, in seconds of CPU
without those of a start on nothing."""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import corpus  # noqa: F401  # finds eval/
import corpora
import generate_corpus
import measure

TOOLS = ("zhiwen", "rjieba", "jieba")
ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench-corpora"
DEBIAN_PACKAGES = "/usr/lib/python3/dist-packages"
JIEBA_SHARE = 8  # jieba reads one line in so many

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
    return [options.peer_python, "-c", SCRIPT, tool, str(path), hmm, DEBIAN_PACKAGES]


def _megabytes_a_second(options: argparse.Namespace, tool: str, hmm: str, path: Path) -> float:
    nothing = WORK / "nothing.txt"
    nothing.write_text("")
    log, output = WORK / "segment.log", WORK / "segment.out"
    start = measure.run(_command(options, tool, hmm, nothing), log, output=output)
    cost = measure.run(_command(options, tool, hmm, path), log, output=output)
    return path.stat().st_size / 1e6 / max(cost.cpu - start.cpu, 1e-3)


def run(options: argparse.Namespace) -> tuple[list[dict[str, Any]], int]:
    """Measures every tool in turn, so many times. Returns a row a tool, and the exit status."""
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
    return rows, 0


def table(rows: list[dict[str, Any]]) -> str:
    """Returns the rows as text."""
    lines = [f"{'':10}{'':10}{'MB/CPU s':>10}  zhiwen is"]
    for row in rows:
        speed, times = row["mb_per_cpu_s"], row["zhiwen_is"]
        lines.append(f"{row['tool']:10}{row['mode']:10}{speed:>10}  {times}x")
    return "\n".join(lines)
