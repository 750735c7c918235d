"""The tables of 金哲凡 et al. 2017, 基于音位的网络盗版文本查重方法, made again: how often phonemes are,
their entropies and weights, thresholds trained with noise, and what the two models find; then what
they are worth in front of an exact check: the share of unrelated texts that is excluded, and of
copies that is lost, by length.

Thresholds are trained on one newspaper and tested on another, so that no text is in both. Of the
source's table 6 and 7 no cell is left; what its text says of them is checked."""

from __future__ import annotations

import argparse
import json
import math
import operator
import random
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import corpora
from corpora import is_han
from program import add_forms, add_inputs, positive, run
from verdicts import Verdict, figure, holds, skipped

WORK = corpora.ROOT / "build" / "eval" / "phonemes"
TRAINING, TESTING = "news_cctv", "news_rmrb"
KINDS = ("initials", "finals", "tones")
SIZES = (24, 34, 5)
ENTROPIES = (4.3644, 4.5300, 2.1081)  # of the source
WEIGHTS = (0.3967, 0.4117, 0.1916)
KEYWORDS = (5, 200)  # of the reference
NOISE = (0.02, 0.05, 0.1, 0.2)  # k
TESTS = 1000  # texts
BUCKETS = ((50, 100), (100, 200), (200, 500), (500, 1000), (1000, 2000))  # Han characters
TEXTS_OF_BUCKET, LEAST_OF_BUCKET = 300, 50
COPY_NOISE = 0.05
MOST_DISTANCE = 3
Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Model:
    """The thresholds of both models."""

    each: Triple
    sum: float

    def scaled(self, factor: float) -> Model:
        """Returns all of them times a factor."""
        a, b, c = (g * factor for g in self.each)
        return Model((a, b, c), self.sum * factor)

    def first(self, cosines: Triple) -> bool:
        """Returns what model 1 says."""
        return all(c > g for c, g in zip(cosines, self.each, strict=True))

    def second(self, cosines: Triple) -> bool:
        """Returns what model 2 says, with the weights of the source."""
        return weighted(cosines) > self.sum


SOURCE = Model((0.953, 0.932, 0.964), 0.962)  # table 4


def weighted(cosines: Triple) -> float:
    """Returns the similarity of model 2."""
    return sum(w * c for w, c in zip(WEIGHTS, cosines, strict=True))


class Counts:
    """The phonemes of a text, each kind as a vector of length 1."""

    def __init__(self, value: str) -> None:
        numbers = [int(value[i : i + 16], 16) for i in range(0, len(value), 16)]
        self.characters = sum(numbers[-SIZES[2] :])
        self.kinds = []
        for size in SIZES:
            kind, numbers = numbers[:size], numbers[size:]
            length = math.sqrt(sum(n * n for n in kind))
            self.kinds.append([n / length for n in kind])

    def cosines(self, other: Counts) -> Triple:
        """Returns those of initials, finals and tones."""
        pairs = zip(self.kinds, other.kinds, strict=True)
        a, b, c = (sum(map(operator.mul, x, y)) for x, y in pairs)
        return a, b, c


def values(zhiwen: Path, name: str, texts: list[str], *more: str | Path) -> list[str]:
    """Returns the value of a scheme for each text that has one, '' for others."""
    WORK.mkdir(parents=True, exist_ok=True)
    path = WORK / "texts.jsonl"
    corpora.write(path, [{"id": str(i), "text": t} for i, t in enumerate(texts)])
    lines = run(zhiwen, "fingerprint", "-q", "-s", name, path, *more).splitlines()
    return [json.loads(line)["value"] or "" for line in lines]


def counts(zhiwen: Path, texts: list[str]) -> list[Counts]:
    """Returns the phonemes of each text; all have some."""
    return [Counts(v) for v in values(zhiwen, "phonemes(counts)", texts)]


def length(text: str) -> int:
    """Returns its Han characters."""
    return sum(map(is_han, text))


def add_noise(text: str, share: float, template: str, chance: random.Random) -> str:
    """Replaces r characters at random places, r from 0 to k · length, as the source does."""
    characters = list(text)
    places = [i for i, c in enumerate(characters) if is_han(c)]
    for _ in range(chance.randint(0, int(share * len(places)))):
        characters[chance.choice(places)] = chance.choice(template)
    return "".join(characters)


def score(found: Iterable[bool], true: Iterable[bool]) -> Triple:
    """Returns precision, recall and F1; 0 where there is nothing to divide by."""
    pairs = list(zip(found, true, strict=True))
    hits = sum(f and t for f, t in pairs)
    precision = hits / max(1, sum(f for f, _ in pairs))
    recall = hits / max(1, sum(t for _, t in pairs))
    return precision, recall, 2 * precision * recall / max(1e-12, precision + recall)


# --- tables 1 to 4 -------------------------------------------------------------------------------


def check_counts(snapshot: dict[str, Any], rows: list[str]) -> Iterator[Verdict]:
    """Yields what is most frequent, entropies and weights; appends tables 1 to 3 to `rows`."""
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for row in snapshot["phonemes"]:
        by_kind.setdefault(row["kind"], []).append(row)
    for kind, wanted in (("initial", "d"), ("final", "i"), ("tone", "4")):
        ranked = sorted(by_kind[kind], key=lambda r: -r["share"])
        shares = " · ".join(f"{r['name']} {r['share']:.2%}" for r in ranked)
        rows += [f"**{kind}s**, {snapshot['characters']:,} characters: {shares}", ""]
        yield holds("tables 1-3", f"the most frequent {kind} is {wanted}",
                    ranked[0]["name"] == wanted, ranked[0]["name"])
    rows += ["| | initials | finals | tones |", "|---" * 4 + "|"]
    for name, of_source in (("entropies", ENTROPIES), ("weights", WEIGHTS)):
        ours = [snapshot[name][kind] for kind in KINDS]
        rows.append(f"| {name} | {' | '.join(f'{x:.4f}' for x in ours)} |")
        rows.append(f"| in the source | {' | '.join(f'{x:.4f}' for x in of_source)} |")
        near = all(abs(a - b) < 0.03 * b for a, b in zip(ours, of_source, strict=True))
        yield holds("tables 1-3", f"{name} are within 3 % of the source's", near, str(ours))
    rows.append("")


def model_of(thresholds: dict[str, float]) -> Model:
    """Returns the model of a row of thresholds."""
    a, b, c = (thresholds[kind] for kind in KINDS)
    return Model((a, b, c), thresholds["sum"])


def train(
    options: argparse.Namespace, frequencies: Path, rows: list[str]
) -> dict[int, dict[str, Any]]:
    """Trains with each number of keywords; appends table 4 to `rows`."""
    corpus = corpora.locate(options.data, TRAINING)
    found = {}
    head = (*KINDS, "weighted")
    rows += ["| keywords | pairs | replaced | row | " + " | ".join(head) + " |", "|---" * 8 + "|"]
    cells = [*(f"{g:.3f}" for g in SOURCE.each), f"{SOURCE.sum:.3f}"]
    rows.append("| in the source | 925 of 925 | | least | " + " | ".join(cells) + " |")
    for keywords in KEYWORDS:
        shown = run(options.zhiwen, "phonemes", "train", corpus, "-o", WORK / f"n{keywords}.zwp",
                    "--overwrite", "--json", "-q", "--df", frequencies, "--keywords",
                    str(keywords), "--texts", str(options.texts))
        found[keywords] = json.loads(shown)
        training = found[keywords]["training"]
        replaced = training["replacements"] / training["characters"]
        for row in ("least", "percentile", "mean", "deviation"):
            cells = [f"{training[row][kind]:.4f}" for kind in (*KINDS, "sum")]
            rows.append(f"| {keywords} | {training['pairs']} of {training['texts']} | "
                        f"{replaced:.2%} | {row} | {' | '.join(cells)} |")
    rows.append("")
    return found


# --- tables 5 to 7 -------------------------------------------------------------------------------


def simhashes(
    options: argparse.Namespace, keywords: int, frequencies: Path, texts: list[str]
) -> list[int]:
    """Returns the reference fingerprint of each text."""
    name = f"simhash64(channel=exact,feature=term(top={keywords}),weight=tfidf(tags=no))"
    found = values(options.zhiwen, name, texts, "--df", frequencies)
    return [int(v or "0", 16) for v in found]


def check_models(
    options: argparse.Namespace,
    texts: list[str],
    frequencies: Path,
    trained: dict[int, dict[str, Any]],
    rows: list[str],
) -> Iterator[Verdict]:
    """Yields whether what the source says of tables 6 and 7 holds; appends them to `rows`."""
    chance = random.Random(3)
    first = next(iter(corpora.read(corpora.locate(options.data, TRAINING))))
    template = "".join(filter(is_han, first["text"] + "".join(texts[:20])))[:7000]
    before = counts(options.zhiwen, texts)
    hashes = {n: simhashes(options, n, frequencies, texts) for n in KEYWORDS}
    models = {"source": SOURCE, "source − 10 %": SOURCE.scaled(0.9)}
    models |= {f"trained, {n} keywords": model_of(trained[n]["training"]["least"])
               for n in KEYWORDS}
    head = ("noise k", "truth", "true pairs", "thresholds", "model 1: P · R · F1", "model 2")
    rows += [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    scores: dict[tuple[str, str, float, int], Triple] = {}
    for share in NOISE:
        noisy = [add_noise(t, share, template, chance) for t in texts]
        after = counts(options.zhiwen, noisy)
        aligned = [a.cosines(b) for a, b in zip(before, after, strict=True)]
        crossed = [a.cosines(b) for a, b in zip(before, after[1:] + after[:1], strict=True)]
        truths: dict[str, tuple[list[Triple], list[bool]]] = {}
        for keywords in KEYWORDS:
            near = [(a ^ b).bit_count() <= MOST_DISTANCE for a, b in
                    zip(hashes[keywords], simhashes(options, keywords, frequencies, noisy),
                        strict=True)]
            truths[f"SimHash of {keywords}"] = (aligned, near)
        truths["copies and others"] = (aligned + crossed,
                                       [True] * len(aligned) + [False] * len(crossed))
        for truth, (cosines, true) in truths.items():
            for name, model in models.items():
                cells = []
                for number, says in ((1, model.first), (2, model.second)):
                    found = score(map(says, cosines), true)
                    scores[truth, name, share, number] = found
                    cells.append(" · ".join(f"{x:.3f}" for x in found))
                rows.append(f"| {share} | {truth} | {sum(true)} of {len(true)} | {name} | "
                            f"{cells[0]} | {cells[1]} |")
    rows.append("")
    yield from judge(scores)


def judge(scores: dict[tuple[str, str, float, int], Triple]) -> Iterator[Verdict]:
    """Yields what the source's text says of its tables, for the mean over all noise."""

    def mean(truth: str, name: str, number: int) -> Triple:
        of = [scores[truth, name, share, number] for share in NOISE]
        a, b, c = (sum(x) / len(of) for x in zip(*of, strict=True))
        return a, b, c

    for keywords in KEYWORDS:
        truth = f"SimHash of {keywords}"
        one, two = (mean(truth, "source", n) for n in (1, 2))
        low_one, low_two = (mean(truth, "source − 10 %", n) for n in (1, 2))
        yield figure(truth, "F1 of model 2 less that of model 1", two[2] - one[2])
        yield figure(truth, "recall of model 1", one[1])
        yield figure(truth, "recall of model 2", two[1])
        falls = low_one[0] <= one[0] and low_two[0] <= two[0]
        rises = low_one[1] >= one[1] and low_two[1] >= two[1]
        yield holds(truth, "at −10 % precision does not rise", falls)
        yield holds(truth, "at −10 % recall does not fall", rises)
    truth = "copies and others"
    one, two = (mean(truth, "source", n) for n in (1, 2))
    low = [mean(truth, "source − 10 %", n) for n in (1, 2)]
    yield holds(truth, "model 2 is a little better than model 1", one[2] < two[2] < one[2] + 0.05,
                f"F1 {one[2]:.3f} and {two[2]:.3f}")
    yield holds(truth, "at −10 % precision falls", low[0][0] < one[0] and low[1][0] < two[0],
                f"{one[0]:.3f} to {low[0][0]:.3f} and {two[0]:.3f} to {low[1][0]:.3f}")


# --- in front of an exact check ------------------------------------------------------------------


def below(ranked: list[float], threshold: float) -> float:
    """Returns the share of the values that are not above the threshold."""
    return bisect_right(ranked, threshold) / len(ranked)


def best(others: list[float], copies: list[float]) -> float:
    """Returns the threshold where the share excluded less the share lost is largest; both
    ascend."""
    return max((c - 1e-9 for c in copies), key=lambda x: below(others, x) - below(copies, x))


def reach(cosines: Triple) -> float:
    """Returns the factor of the source's thresholds up to which model 1 accepts a pair."""
    return min(c / g for c, g in zip(cosines, SOURCE.each, strict=True))


def fixed_noise(text: str, share: float, template: str, chance: random.Random) -> str:
    """Replaces exactly this share of the Han characters."""
    characters = list(text)
    places = [i for i, c in enumerate(characters) if is_han(c)]
    for place in chance.sample(places, int(share * len(places))):
        characters[place] = chance.choice(template)
    return "".join(characters)


def labelled(data: Path) -> dict[tuple[int, int], list[tuple[str, str]]]:
    """Returns pairs of near-duplicates as people and newspapers make them, by the length of the
    shorter one."""
    pairs = [(r["id_a"], r["id_b"]) for r in corpora.load(data, "truth_natdup_news")
             if r["label"] == "near"]
    wanted = {d for pair in pairs for d in pair}
    texts = {r["id"]: r["text"] for r in corpora.load(data, *corpora.NEWS_CORPORA)
             if r["id"] in wanted}
    random.Random(4).shuffle(pairs)
    by_length: dict[tuple[int, int], list[tuple[str, str]]] = {b: [] for b in BUCKETS}
    for a, b in pairs:
        shorter = min(length(texts[a]), length(texts[b]))
        for (least, most), of_bucket in by_length.items():
            if least <= shorter < most and len(of_bucket) < TEXTS_OF_BUCKET:
                of_bucket.append((texts[a], texts[b]))
    return by_length


def check_filter(
    options: argparse.Namespace,
    by_length: dict[tuple[int, int], list[str]],
    natural: dict[tuple[int, int], list[tuple[str, str]]],
    rows: list[str],
) -> Iterator[Verdict]:
    """Yields the share of unrelated texts excluded by length; appends the table to `rows`."""
    chance = random.Random(5)
    template = "".join(filter(is_han, "".join(t for ts in by_length.values() for t in ts[:10])))
    rows += [
        f"Of unrelated texts excluded · of copies ({COPY_NOISE:.0%} replaced) lost · of labelled "
        "near-duplicates lost; the best is where the first less the last is largest, as a share of "
        "the source's thresholds.",
        "",
        "| characters | texts | labelled | model | source | source − 10 % | best | at |",
        "|---" * 8 + "|",
    ]
    for (least, most), texts in by_length.items():
        if len(texts) < LEAST_OF_BUCKET:
            continue
        plain = counts(options.zhiwen, texts)
        noisy = counts(
            options.zhiwen, [fixed_noise(t, COPY_NOISE, template, chance) for t in texts]
        )
        first = counts(options.zhiwen, [a for a, _ in natural[least, most]])
        second = counts(options.zhiwen, [b for _, b in natural[least, most]])
        unrelated = [a.cosines(b) for a, b in combinations(plain, 2)]
        of_label = [a.cosines(b) for a, b in zip(first, second, strict=True)]
        copied = [a.cosines(b) for a, b in zip(plain, noisy, strict=True)]
        for name, value, of_source in (("1", reach, 1.0), ("2", weighted, SOURCE.sum)):
            others, copies, near = (
                sorted(map(value, of)) for of in (unrelated, copied, of_label or copied)
            )
            optimum = best(others, near)
            cells = [
                f"{below(others, x):.1%} · {below(copies, x):.1%} · {below(near, x):.1%}"
                for x in (of_source, 0.9 * of_source, optimum)
            ]
            rows.append(
                f"| {least}–{most} | {len(texts)} | {len(of_label)} | {name} | "
                f"{' | '.join(cells)} | "
                f"{optimum / of_source:.4f} |"
            )
            yield figure(
                "prefilter", f"model {name}, {least}-{most} characters: excluded, lost", cells[0],
                f"best {cells[2]}",
            )
    rows.append("")


def check(options: argparse.Namespace, rows: list[str]) -> Iterator[Verdict]:
    """Yields the verdicts of `eval phonemes`; appends the tables to `rows`."""
    if options.data is None:
        yield skipped("phonemes", "the tables of the source", "they need --data")
        return
    chance = random.Random(1)
    WORK.mkdir(parents=True, exist_ok=True)
    texts = sorted({r["text"] for r in corpora.read(corpora.locate(options.data, TESTING))})
    chance.shuffle(texts)
    tested = [t for t in texts if 100 <= length(t) <= 1500][:TESTS]
    by_length = {
        (least, most): [t for t in texts if least <= length(t) < most][:TEXTS_OF_BUCKET]
        for least, most in BUCKETS
    }
    frequencies = WORK / "df.zwt"
    files = [corpora.locate(options.data, name) for name in (TRAINING, TESTING)]
    run(options.zhiwen, "terms", "build", *files, "-o", frequencies, "--overwrite", "-q")
    shown = run(options.zhiwen, "phonemes", "train",
                *(corpora.locate(options.data, name) for name in corpora.NEWS_CORPORA),
                "-o", WORK / "counts.zwp", "--overwrite", "--json", "-q", "--texts", "0")
    yield from check_counts(json.loads(shown), rows)
    trained = train(options, frequencies, rows)
    yield from check_models(options, tested, frequencies, trained, rows)
    yield from check_filter(options, by_length, labelled(options.data), rows)


def add_arguments(commands: Any) -> None:
    """Adds the word phonemes to those of eval."""
    parser = commands.add_parser("phonemes", help="the tables of 金哲凡 et al. 2017")
    add_inputs(parser, "folder with the dev corpora")
    parser.add_argument(
        "--texts", type=positive, default=300, help="texts that thresholds are trained with (300)"
    )
    add_forms(parser, "the tables instead of the verdicts")
