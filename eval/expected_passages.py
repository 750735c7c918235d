"""How many passages of each score texts share that have nothing to do with each other, beside the
number that `zhiwen compare` states as `expected`. The program's rate was read off this table."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import corpora
from copies import FOLDER, Setting
from program import run
from tables import markdown_table
from verdicts import Verdict, figure, holds, skipped

NEWS, PAPERS, TECHNICAL, NOVELS = "news_rmrb", "acad_fudan", "tech_docs", "classics_chapters"
PAGES, ENGLISH_SOURCE = "html_en", "cleaneval"
CHANNELS = ("folded", "pinyin", "shape", "initials")
# The pairs of corpora, and the channels on which they are compared.
PAIRS: tuple[tuple[str, str, Sequence[str]], ...] = (
    (NEWS, PAPERS, CHANNELS),
    (NEWS, TECHNICAL, CHANNELS[:1]),
    (PAPERS, TECHNICAL, CHANNELS[:1]),
    (PAPERS, NOVELS, CHANNELS[:1]),
    (PAGES, PAGES, CHANNELS[:1]),
)
CHARACTERS = 3_000_000  # of each side, at most
LEAST = 8  # score
SCORES = (8, 10, 12, 16, 20, 25, 30, 40, 60)
# Passages of a greater score are quotations of one source, as a reader sees: no rule is asked of
# them.
MOST_OF_PHRASES = 25
A_FEW = 3  # as many as are expected


def _sides(setting: Setting, a: str, b: str) -> tuple[Path, Path]:
    """Writes texts that the seed draws from two corpora, or both halves of one, as two files."""
    paths = []
    for number, name in enumerate((a, b)):
        records = corpora.load(setting.options.data, name)
        if name == PAGES:
            records = [r for r in records if r["source"].startswith(ENGLISH_SOURCE)]
        texts = [r.get("gold_text", r.get("text", "")) for r in records]
        random.Random(f"{setting.options.seed}:expected:{name}").shuffle(texts)
        if a == b:
            texts = texts[number::2]
        path = FOLDER / f"expected-{number}.txt"
        path.write_bytes("\n\n".join(texts)[:CHARACTERS].encode())
        paths.append(path)
    return paths[0], paths[1]


def _most_over(passages: Sequence[dict[str, Any]]) -> float:
    """Returns the greatest number of passages of a score or more that are there, beside the number
    that is expected, or beside 1 where that is less."""
    ordered = sorted(passages, key=lambda p: p["score"], reverse=True)
    return max(
        (
            number / max(1.0, p["expected"])
            for number, p in enumerate(ordered, 1)
            if p["score"] <= MOST_OF_PHRASES
        ),
        default=0.0,
    )


def _expected_at(passages: Sequence[dict[str, Any]], score: float) -> float | None:
    """Returns what the program expects of a score, from two passages of other scores."""
    low, high = (f(passages, key=lambda p: p["score"]) for f in (min, max))
    if low["score"] == high["score"]:
        return None
    fall = math.log(low["expected"] / high["expected"]) / (high["score"] - low["score"])
    return float(low["expected"] * math.exp(fall * (low["score"] - score)))


def check(setting: Setting) -> Iterator[Verdict]:
    """Yields the verdicts of this part."""
    options = setting.options
    part = f"passages of unrelated texts, seed {options.seed}"
    table = []
    for a, b, channels in PAIRS:
        if not all(corpora.has(options.data, name) for name in (a, b)):
            yield skipped(part, f"{a}, {b}", "they are not both in --data")
            continue
        paths = _sides(setting, a, b)
        for channel in channels:
            words = ("--channel", channel, "--least-score", str(LEAST), "--encoding", "utf-8")
            found = json.loads(run(options.zhiwen, "compare", "--json", *words, *paths))
            passages = found["passages"]
            name = f"{a}, {b}, {channel}"
            corpora.say(f"  {name}: {len(passages)}")
            over = _most_over(passages)
            if a == b:  # some pages of one corpus quote the same text, and 20 passages are few
                yield figure(part, f"{name}: most over expected", over)
            else:
                statement = f"{name}: at most {A_FEW} times as many as expected"
                yield holds(part, statement, over <= A_FEW, f"{over:.2f}")
            yield figure(part, f"{name}: passages of {LEAST} or more", len(passages))
            row = [a, b, channel, f"{found['a']['symbols'] * found['b']['symbols']:.1e}"]
            for score in SCORES:
                count = sum(p["score"] >= score for p in passages)
                at = _expected_at(passages, score) if passages else None
                row.append(str(count) if at is None else f"{count} ({at:.3g})")
            table.append(row)
    if table:
        head = ["texts", "and", "channel", "pairs of symbols", *(str(s) for s in SCORES)]
        title = "Passages of this score or more (and how many are expected)"
        setting.tables.append(title + "\n\n" + markdown_table(head, table, left=(0, 1, 2)))
