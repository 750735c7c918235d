#!/usr/bin/env python3
"""What the weights of terms do: how many of the eight heaviest keywords two near-duplicates share,
two texts under one headline, and two unrelated ones, under several weights
(docs/decisions/011-weights-of-terms.md).

  python eval/terms.py --zhiwen build/release/bin/zhiwen --data ../shared/data
Everything lies under build/eval/terms.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import corpora  # noqa: E402

WORK = corpora.ROOT / "build" / "eval" / "terms"
KEYWORDS = 8
PROPER, NOUN, OTHER, FUNCTION = range(4)
Keyword = dict[str, Any]
Weigh = Callable[[Keyword, int], float]
Pair = tuple[str, str]


def tag_class(tag: str) -> int:
    """Returns the class of a tag (TagWeights::Of)."""
    if tag[:2] in ("ns", "nr", "nt", "nz"):
        return PROPER
    if tag[:1] in ("n", "j") or tag == "eng":
        return NOUN
    return FUNCTION if tag and tag[0] in "cdefhkmopqruy" else OTHER


def idf(keyword: Keyword, documents: int) -> float:
    """Returns the idf of a keyword in a corpus of so many documents."""
    return 1 + math.log2((documents + 1) / (keyword["documents"] + 1))


def tagged(*weights: float) -> Weigh:
    """Returns tf·idf times the weight of the class of the tag."""
    return lambda k, n: k["count"] * idf(k, n) * weights[tag_class(k["tag"])]


VARIANTS: dict[str, Weigh] = {
    "tf": lambda k, n: k["count"],
    "tf·idf": tagged(1, 1, 1, 1),
    "tf·idf, tags 1.25/1.1/1/0.75": tagged(1.25, 1.1, 1, 0.75),
    "tf·idf, tags 2/1.5/1/0.5 (default)": tagged(2, 1.5, 1, 0.5),
    "tf·idf, tags 4/2/1/0.25": tagged(4, 2, 1, 0.25),
    "tf·idf, names and nouns only": tagged(1, 1, 0, 0),
}


def run(zhiwen: Path, *words: str | Path) -> str:
    """Returns what a command prints. Fails: CalledProcessError."""
    done = subprocess.run(
        [str(w) for w in (zhiwen, *words)], check=True, stdout=subprocess.PIPE, encoding="utf-8"
    )
    return done.stdout


def top(keywords: Iterable[Keyword], weigh: Weigh, documents: int) -> frozenset[str]:
    """Returns the heaviest keywords."""
    ranked = sorted(keywords, key=lambda k: (-weigh(k, documents), k["term"].encode()))
    return frozenset(k["term"] for k in ranked[:KEYWORDS])


def unrelated(pairs: list[Pair], taken: set[tuple[str, ...]], source: dict[str, str]) -> list[Pair]:
    """Draws as many pairs of documents of one source that no truth file names."""
    chance = random.Random(11)
    documents = sorted({d for pair in pairs for d in pair})
    drawn: set[Pair] = set()
    while len(drawn) < len(pairs):
        a, b = sorted(chance.sample(documents, 2))
        if source[a] == source[b] and (a, b) not in taken:
            drawn.add((a, b))
    return sorted(drawn)


def row(name: str, tops: dict[str, frozenset[str]], *groups: list[Pair]) -> str:
    """Formats mean agreement and share of equal sets of each group of pairs."""
    cells = [name]
    for pairs in groups:
        shared = [len(tops[a] & tops[b]) / KEYWORDS for a, b in pairs]
        equal = sum(tops[a] == tops[b] for a, b in pairs)
        cells += [f"{sum(shared) / len(pairs):.3f}", f"{equal / len(pairs):.3f}"]
    return "| " + " | ".join(cells) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--zhiwen", type=Path, default=Path("build/release/bin/zhiwen"))
    parser.add_argument("--data", type=Path, required=True)
    options = parser.parse_args()
    truth = corpora.load(options.data, "truth_natdup_news")
    pairs = [(r["id_a"], r["id_b"]) for r in truth if r["label"] in ("dup", "near")]
    taken = {tuple(sorted((r["id_a"], r["id_b"]))) for r in truth}
    negative = corpora.load(options.data, "pairs_hard_negative_news")
    headlines = [(r["id_a"], r["id_b"]) for r in negative]
    wanted = {d for pair in pairs + headlines for d in pair}
    files = [corpora.locate(options.data, name) for name in corpora.NEWS_CORPORA]
    texts = [r for file in files for r in corpora.read(file) if r["id"] in wanted]
    source = {r["id"]: r["source"] for r in texts}
    corpora.write(WORK / "documents.jsonl", texts)
    df = WORK / "df.zwt"
    run(options.zhiwen, "terms", "build", *files, "-o", df, "--overwrite", "-q")
    documents = json.loads(run(options.zhiwen, "terms", "show", df, "--json"))["documents"]
    empty = WORK / "no_stop_words.txt"
    empty.write_text("")
    others = unrelated(pairs, taken, source)
    groups = {"near-duplicates": pairs, "same headline": headlines, "unrelated": others}
    print(f"{documents} documents; pairs: {', '.join(f'{len(g)} {n}' for n, g in groups.items())}")
    print("| weights | " + " | ".join(f"{name}: shared | equal" for name in groups) + " |")
    print("|---" * (1 + 2 * len(groups)) + "|")
    for label, more in (("", []), (", no stop words", ["--stopwords", empty])):
        command = ("terms", "top", WORK / "documents.jsonl", "--df", df, "-n", "100000", *more)
        found = [json.loads(line) for line in run(options.zhiwen, *command).splitlines()]
        for name, weigh in VARIANTS.items():
            if label and "default" not in name and name != "tf":
                continue
            tops = {f["id"]: top(f["keywords"], weigh, documents) for f in found}
            print(row(name + label, tops, *groups.values()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
