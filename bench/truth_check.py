"""Checks bench/truth.py against the exhaustive truth_natdup_news on the news and academic
corpora."""

from __future__ import annotations

import argparse
import json
import subprocess
from typing import Any

import corpora
import environment
import referee
from corpus import WORK
from prepared import TRUTH

THRESHOLD = 0.8
ROUNDING = 5e-5  # the truth file has four decimals


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Joins the same normalised texts. Returns the differences; status 1 when there is one."""
    environment.ensure()
    folded, out = WORK / "truth_check.jsonl", WORK / "truth_check.tsv"
    rows = corpora.load(options.data, *corpora.NEWS_CORPORA)
    corpora.say("normalising as the truth file does")
    corpora.write(folded, ({"id": r["id"], "text": referee.plain(r["text"])} for r in rows))
    subprocess.run([str(environment.PYTHON), str(TRUTH), str(folded), str(out)], check=True)
    ours = {}
    for line in out.read_text(encoding="utf-8").splitlines():
        a, b, similarity = line.split("\t")
        ours[frozenset((a, b))] = float(similarity)
    rows = corpora.load(options.data, "truth_natdup_news")
    theirs = {
        frozenset((r["id_a"], r["id_b"])): r["sim"]["j5"]
        for r in rows
        if r["sim"]["j5"] >= THRESHOLD
    }
    differing = [
        sorted(p) for p in ours.keys() & theirs.keys() if abs(ours[p] - theirs[p]) > 2 * ROUNDING
    ]
    missing = [sorted(p) for p in theirs.keys() - ours.keys() if theirs[p] > THRESHOLD + ROUNDING]
    extra = [sorted(p) for p in ours.keys() - theirs.keys() if ours[p] > THRESHOLD + ROUNDING]
    result = {
        "pairs": len(ours),
        "pairs_in_truth_file": len(theirs),
        "missing": missing,
        "extra": extra,
        "other_value": differing,
    }
    return result, 1 if missing or extra or differing else 0


def table(result: dict[str, Any]) -> str:
    """Returns the result as text."""
    return json.dumps(result, ensure_ascii=False, indent=1)
