"""MB/s per core of every channel, by instruction set, and the ratio to a copy of the same bytes in
memory, measured in the same run; on standard error whether each reaches the target.

text_benchmark computes the symbols of documents of 4 KiB and drops them: what is measured is the
channel, without reading files, hashing and writing. A megabyte is 10^6 bytes of UTF-8, a second one
of CPU time.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import corpus

import corpora
import verdicts
from corpora import say
from verdicts import Verdict, at_least, missing, skipped

WORK = corpus.ROOT / "build" / "bench-corpora" / "channels"
TEXT_BYTES = 4_000_000
LEVELS = ("scalar", "avx2", "avx512")
TARGET = 100  # MB/s, of every channel at every level on every text
WITHOUT_TARGET = ("copy", "hash_exact")  # what channels are compared with
LACKS = "the processor lacks the level"  # as channel_benchmark.cc says it
# text → the corpus and the field that it is taken from
SOURCES = {
    "news": ("news_rmrb", "text"),
    "mixed": ("tech_docs", "text"),
    "english": ("pairs_clough_en", "a"),
}
# what of testdata stands for it
DEMO_IDS = {"news": "[a-z]+-s[ab]-", "mixed": "", "english": "own-en"}


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Returns the figures and the checks, and status 1 where a channel misses the target."""
    program = options.bin_dir / "text_benchmark"
    if not program.exists():
        say(f"bench: {program} does not exist; build it with -DZHIWEN_BENCHMARKS=ON")
        return {}, 4
    language = options.zhiwen.resolve().parent.parent / "share" / "zhiwen" / "language.zwl"
    texts = ":".join(f"{name}={path}" for name, path in _texts(options.data))
    environment = dict(os.environ) | {"ZHIWEN_BENCHMARK_TEXTS": texts}
    environment.setdefault("ZHIWEN_LANGUAGE", str(language))
    command = [str(program), "--benchmark_format=json", f"--benchmark_min_time={options.seconds}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=False)
    if done.returncode != 0:
        say(f"bench: {program.name} ended with status {done.returncode}")
        return {}, 1
    result = _collect(json.loads(done.stdout))
    checks = list(_judge(result))
    say(verdicts.table(checks))
    result["checks"] = verdicts.as_json(checks)
    if all(v.passed is None for v in checks):
        say("bench: nothing was checked")
        return result, 1
    return result, 1 if any(v.passed is False for v in checks) else 0


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


def _texts(data: Path | None) -> Iterator[tuple[str, Path]]:
    """Yields texts of TEXT_BYTES: of the data folder, or of the demo corpus."""
    WORK.mkdir(parents=True, exist_ok=True)
    for name, (corpus, field) in SOURCES.items():
        if corpora.has(data, corpus):
            assert data is not None
            texts = _strings(corpora.read(corpora.locate(data, corpus)), field)
            yield name, _written(name, texts)
            continue
        if data is not None:
            say(f"  {name}: {corpus} is not in --data; a text of testdata stands for it")
        demo = [r for r in corpora.demo() if re.match(DEMO_IDS[name], r["id"])]
        texts = _strings(iter(demo), "text")
        yield name, _written(name, texts)


def _written(name: str, texts: Iterator[str]) -> Path:
    path = WORK / f"{name}.txt"
    path.write_bytes(_fill(texts))
    return path


def _strings(records: Iterator[corpora.Record], field: str) -> Iterator[str]:
    for record in records:
        value = record[field]
        yield value["text"] if isinstance(value, dict) else value


def _fill(texts: Iterator[str]) -> bytes:
    """Returns TEXT_BYTES of the texts, over and over where there are fewer."""
    taken, size = [], 0
    for text in texts:
        taken.append(text.encode() + b"\n")
        size += len(taken[-1])
        if size >= TEXT_BYTES:
            break
    whole = b"".join(taken)
    whole = whole * (TEXT_BYTES // len(whole) + 1)
    return whole[:TEXT_BYTES].decode(errors="ignore").encode()


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
