"""What the weights of terms do: how many of the eight heaviest keywords two near-duplicates share,
two texts under one headline, and two unrelated ones, under several weights
(docs/decisions/011-weights-of-terms.md); and whether two names of one thing are one term."""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import corpora
from program import add_forms, add_inputs, run
from verdicts import Verdict, at_least, figure, holds, skipped

WORK = corpora.ROOT / "build" / "eval" / "terms"
KEYWORDS = 8
LEAST_SHARED = 0.85  # of the keywords of near-duplicates, by the default weights
LEAST_APART = 0.95  # of the keywords of unrelated texts that only one of them has
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


DEFAULT = "tf·idf, tags 2/1.5/1/0.5 (default)"
VARIANTS: dict[str, Weigh] = {
    "tf": lambda k, n: k["count"],
    "tf·idf": tagged(1, 1, 1, 1),
    "tf·idf, tags 1.25/1.1/1/0.75": tagged(1.25, 1.1, 1, 0.75),
    DEFAULT: tagged(2, 1.5, 1, 0.5),
    "tf·idf, tags 4/2/1/0.25": tagged(4, 2, 1, 0.25),
    "tf·idf, names and nouns only": tagged(1, 1, 0, 0),
}


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


def agreement(tops: dict[str, frozenset[str]], pairs: list[Pair]) -> tuple[float, float]:
    """Returns what share of their keywords pairs have in common, and what share of pairs all."""
    shared = [len(tops[a] & tops[b]) / KEYWORDS for a, b in pairs]
    return sum(shared) / len(pairs), sum(tops[a] == tops[b] for a, b in pairs) / len(pairs)


def check_synonyms(zhiwen: Path) -> Iterator[Verdict]:
    """Yields whether a text has the same keywords under two names that synonyms call the same."""
    text = "学北京华联买卖，北京华联的店员欢迎市民。"
    pages = {name: WORK / f"{name}.txt" for name in ("other", "canonical")}
    synonyms = WORK / "synonyms.txt"
    WORK.mkdir(parents=True, exist_ok=True)
    pages["other"].write_text(text, encoding="utf-8")
    pages["canonical"].write_text(text.replace("北京华联", "华联商厦"), encoding="utf-8")
    synonyms.write_text("华联商厦\t北京华联\n", encoding="utf-8")
    found = [run(zhiwen, "terms", "top", "-q", page, "--synonyms", synonyms)
             for page in pages.values()]
    same = found[0] == found[1] and "华联商厦" in found[0]
    yield holds("synonyms", "two names are one term", same, "" if same else str(found))


def check_weights(zhiwen: Path, data: Path, rows: list[str]) -> Iterator[Verdict]:
    """Yields how well keywords agree, by weights; appends the table to `rows`."""
    truth = corpora.load(data, "truth_natdup_news")
    pairs = [(r["id_a"], r["id_b"]) for r in truth if r["label"] in ("dup", "near")]
    taken = {tuple(sorted((r["id_a"], r["id_b"]))) for r in truth}
    negative = corpora.load(data, "pairs_hard_negative_news")
    headlines = [(r["id_a"], r["id_b"]) for r in negative]
    wanted = {d for pair in pairs + headlines for d in pair}
    files = [corpora.locate(data, name) for name in corpora.NEWS_CORPORA]
    texts = [r for file in files for r in corpora.read(file) if r["id"] in wanted]
    source = {r["id"]: r["source"] for r in texts}
    corpora.write(WORK / "documents.jsonl", texts)
    df = WORK / "df.zwt"
    run(zhiwen, "terms", "build", *files, "-o", df, "--overwrite", "-q")
    documents = json.loads(run(zhiwen, "terms", "show", df, "--json"))["documents"]
    empty = WORK / "no_stop_words.txt"
    empty.write_text("")
    others = unrelated(pairs, taken, source)
    groups = {"near-duplicates": pairs, "same headline": headlines, "unrelated": others}
    yield figure("news", "documents", documents)
    for name, group in groups.items():
        yield figure("news", f"pairs, {name}", len(group))
    rows.append("| weights | " + " | ".join(f"{name}: shared | equal" for name in groups) + " |")
    rows.append("|---" * (1 + 2 * len(groups)) + "|")
    for label, more in (("", []), (", no stop words", ["--stopwords", empty])):
        command = ("terms", "top", WORK / "documents.jsonl", "--df", df, "-n", "100000", *more)
        found = [json.loads(line) for line in run(zhiwen, *command).splitlines()]
        for name, weigh in VARIANTS.items():
            if label and name not in (DEFAULT, "tf"):
                continue
            tops = {f["id"]: top(f["keywords"], weigh, documents) for f in found}
            agreed = {group: agreement(tops, pairs) for group, pairs in groups.items()}
            cells = [f"{share:.3f}" for shares in agreed.values() for share in shares]
            rows.append(f"| {name + label} | " + " | ".join(cells) + " |")
            near, apart = agreed["near-duplicates"][0], 1 - agreed["unrelated"][0]
            if name + label == DEFAULT:
                yield at_least("news", f"shared by near-duplicates, {name}", near, LEAST_SHARED)
                yield at_least("news", f"not shared by unrelated, {name}", apart, LEAST_APART)
            else:
                yield figure("news", f"shared by near-duplicates, {name + label}", near)
                yield figure("news", f"not shared by unrelated, {name + label}", apart)


def check(options: argparse.Namespace, rows: list[str]) -> Iterator[Verdict]:
    """Yields the verdicts of `eval terms`; appends the table of decision 011 to `rows`."""
    yield from check_synonyms(options.zhiwen)
    if options.data is None:
        yield skipped("news", "weights of tags", "they need --data")
    else:
        yield from check_weights(options.zhiwen, options.data, rows)


def add_arguments(commands: Any) -> None:
    """Adds the word terms to those of eval."""
    parser = commands.add_parser("terms", help="what weights of terms do to keywords")
    add_inputs(parser)
    add_forms(parser, "the table of decision 011 instead of the verdicts")
