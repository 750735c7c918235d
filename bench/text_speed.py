"""What the benchmarks of texts share: texts of a few megabytes out of the corpora, a Google
Benchmark program that measures on them, and whether its figures reach their targets.

A megabyte is 10^6 bytes of UTF-8, a second one of CPU time.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import corpus

import corpora
import verdicts
from corpora import say
from verdicts import Verdict

WORK = corpus.ROOT / "build" / "bench-corpora" / "texts"
TEXT_BYTES = 4_000_000
# text → the corpus and the field that it is taken from
SOURCES = {
    "news": ("news_rmrb", "text"),
    "mixed": ("tech_docs", "text"),
    "english": ("pairs_clough_en", "a"),
}
# what of testdata stands for it
DEMO_IDS = {"news": "[a-z]+-s[ab]-", "mixed": "", "english": "own-en"}


def run(
    options: argparse.Namespace,
    name: str,
    filter_: str,
    collect: Callable[[dict[str, Any]], dict[str, Any]],
    judge: Callable[[dict[str, Any]], Iterator[Verdict]],
) -> tuple[dict[str, Any], int]:
    """Runs the benchmarks of the program `name` that match. Returns what `collect` makes of its
    output, with the checks, and status 1 where one fails or there is none."""
    program = options.bin_dir / name
    if not program.exists():
        say(f"bench: {program} does not exist; build it with -DZHIWEN_BENCHMARKS=ON")
        return {}, 4
    language = options.zhiwen.resolve().parent.parent / "share" / "zhiwen" / "language.zwl"
    texts = ":".join(f"{name}={path}" for name, path in _texts(options.data))
    environment = dict(os.environ) | {"ZHIWEN_BENCHMARK_TEXTS": texts}
    environment.setdefault("ZHIWEN_LANGUAGE", str(language))
    command = [str(program), "--benchmark_format=json", f"--benchmark_min_time={options.seconds}"]
    if filter_:
        command.append(f"--benchmark_filter={filter_}")
    done = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=False)
    if done.returncode != 0:
        say(f"bench: {program.name} ended with status {done.returncode}")
        return {}, 1
    result = collect(json.loads(done.stdout))
    checks = list(judge(result))
    say(verdicts.table(checks))
    result["checks"] = verdicts.as_json(checks)
    if all(v.passed is None for v in checks):
        say("bench: nothing was checked")
        return result, 1
    return result, 1 if any(v.passed is False for v in checks) else 0


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
