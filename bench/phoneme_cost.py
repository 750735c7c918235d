"""What it costs to say whether two texts sound alike, beside their keywords: the two models of
金哲凡 et al. 2017 (models 1 and 2), this project's own keywords, and jieba's.

The boundaries are the source's, 实验: from texts in memory to a similarity for each pair of a text
and its noisy copy; files are read before. Keywords: cut into words, TF-IDF of the 20 heaviest,
cosine; jieba 0.42.1 with jieba.analyse.extract_tags in one process of Python, zhiwen's with its own
term frequencies. What counts is processor time of the same pairs, all in one run, ways in turn; a
row has the median. The prefilter and the index (index/vectors/) are comparisons a second.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
from pathlib import Path
from typing import Any

import corpus

import corpora
import environment
import generate_corpus
import phoneme_search
from corpora import say
from phonemes import add_noise

WORK = corpus.ROOT / "build" / "bench-corpora" / "phonemes"
PAIRS = 1000
CHARACTERS = (100, 1500)  # of a text; the source's have 455 on average
NOISE = 0.1  # up to this share of the characters is replaced
SHARES = {"model1": 0.2386, "model2": 0.2451}  # of the keywords of jieba, in the source
AIM = 0.02
COMPARISONS = 50e6  # a second and core, of the prefilter and the index

# Keywords and their cosine as a program of Python takes them; prints its processor seconds.
SCRIPT = """
import math, sys, time
import jieba.analyse
with open(sys.argv[1], encoding="utf-8") as file:
    lines = file.read().split("\\n")[:-1]
jieba.analyse.extract_tags(lines[0])  # opens the dictionaries
def cosine(a, b):
    a, b = dict(a), dict(b)
    product = sum(w * b.get(t, 0) for t, w in a.items())
    lengths = [math.sqrt(sum(w * w for w in x.values())) for x in (a, b)]
    return product / (lengths[0] * lengths[1]) if product else 0
def tags(text):
    return jieba.analyse.extract_tags(text, topK=20, withWeight=True)
start = time.process_time()
for a, b in zip(lines[::2], lines[1::2]):
    cosine(tags(a), tags(b))
print(time.process_time() - start)
"""


def _texts(data: Path | None) -> list[str]:
    names = [n for n in ("news_cctv", "news_rmrb") if corpora.has(data, n)]
    if data is not None and names:
        records = (r for n in names for r in corpora.load(data, n))
    else:
        records = iter(generate_corpus.generate(4 * PAIRS))
    texts = (" ".join(r["text"].split()) for r in records)
    fit = [t for t in texts if CHARACTERS[0] <= len(t) <= CHARACTERS[1]]
    return random.Random(1).sample(fit, min(PAIRS, len(fit)))


def _write_pairs(data: Path | None) -> Path:
    WORK.mkdir(parents=True, exist_ok=True)
    texts = _texts(data)
    template = "".join(c for t in texts[:20] for c in t if corpora.is_han(c))
    draws = random.Random(2)
    path = WORK / "pairs.txt"
    with path.open("w", encoding="utf-8") as out:
        for text in texts:
            out.write(f"{text}\n{add_noise(text, NOISE, template, draws)}\n")
    return path


def _frequencies(options: argparse.Namespace, pairs: Path) -> Path:
    records = WORK / "texts.jsonl"
    lines = pairs.read_text(encoding="utf-8").splitlines()[::2]
    records.write_text("".join(json.dumps({"text": t}) + "\n" for t in lines), encoding="utf-8")
    path = WORK / "df.zwt"
    command = [str(options.zhiwen), "terms", "build", str(records), "-o", str(path)]
    subprocess.run([*command, "--overwrite", "-q"], check=True)
    return path


def _benchmark(
    options: argparse.Namespace, program: str, pattern: str, variables: dict[str, str]
) -> list[dict[str, Any]]:
    command = [str(options.bin_dir / program), "--benchmark_format=json"]
    command += [f"--benchmark_filter={pattern}", "--benchmark_min_time=0.2"]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, check=True, env=dict(os.environ) | variables
    )
    rows: list[dict[str, Any]] = json.loads(done.stdout)["benchmarks"]
    for row in rows:
        if row.get("error_occurred"):
            raise RuntimeError(f"{row['name']}: {row['error_message']}")
    return rows


def _seconds_of_jieba(python: str, pairs: Path) -> float:
    done = subprocess.run(
        [python, "-c", SCRIPT, str(pairs)], check=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    return float(done.stdout)


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Measures every way in turn. Returns the figures, and status 1 where a share or the speed of
    the prefilter is not reached."""
    if options.search:
        return phoneme_search.run(options)
    if not options.peer_python:
        environment.ensure("jieba")
        options.peer_python = str(environment.PYTHON)
    for program in ("match_benchmark", "index_benchmark"):
        if not (options.bin_dir / program).exists():
            say(f"bench: {options.bin_dir / program} is missing; build with -DZHIWEN_BENCHMARKS=ON")
            return {}, 4
    pairs = _write_pairs(options.data)
    count = len(pairs.read_text(encoding="utf-8").splitlines()) // 2
    language = options.zhiwen.resolve().parent.parent / "share" / "zhiwen" / "language.zwl"
    frequencies = _frequencies(options, pairs)
    variables = {"ZHIWEN_BENCHMARK_PAIRS": str(pairs), "ZHIWEN_DF": str(frequencies)}
    if "ZHIWEN_LANGUAGE" not in os.environ:
        variables["ZHIWEN_LANGUAGE"] = str(language)
    seconds: dict[str, list[float]] = {}
    for _ in range(options.runs):
        for row in _benchmark(options, "match_benchmark", "^sound/", variables):
            name = row["name"].removeprefix("sound/")
            seconds.setdefault(name, []).append(count / row["items_per_second"])
        jieba = _seconds_of_jieba(options.peer_python, pairs)
        seconds.setdefault("keywords of jieba", []).append(jieba)
    medians = {name: statistics.median(of) for name, of in seconds.items()}
    rows = [
        {
            "way": name,
            "seconds": value,
            "of_jieba": value / medians["keywords of jieba"],
            "of_keywords": value / medians["keywords"],
            "source": SHARES.get(name),
        }
        for name, value in medians.items()
    ]
    speeds = {
        row["name"]: row["items_per_second"]
        for row in _benchmark(options, "index_benchmark", "^phoneme_", {})
    }
    is_slow = [r["way"] for r in rows if r["source"] and r["of_jieba"] > r["source"]]
    is_slow += [n for n, speed in speeds.items() if speed < COMPARISONS and "_plain" not in n]
    for name in is_slow:
        say(f"bench: {name} is below its target")
    return {"pairs": count, "rows": rows, "comparisons_a_second": speeds}, 1 if is_slow else 0


def table(result: dict[str, Any]) -> str:
    """Returns the tables in Markdown."""
    if "search" in result:
        return phoneme_search.table(result)
    lines = [
        f"{result.get('pairs', 0)} pairs; seconds of one core",
        "",
        "| way | seconds | of jieba's keywords | of zhiwen's | in the source | aim |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for row in result.get("rows", []):
        has_target = row["source"] is not None
        cells = [
            row["way"],
            f"{row['seconds']:.4f}",
            f"{row['of_jieba']:.2%}",
            f"{row['of_keywords']:.2%}",
            f"{row['source']:.2%}" if has_target else "",
            f"{AIM:.0%}" if has_target else "",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", "| comparisons of texts with one, or several | million a second |", "|---|---:|"]
    for name, speed in result.get("comparisons_a_second", {}).items():
        lines.append(f"| {name} | {speed / 1e6:.0f} |")
    return "\n".join(lines)
