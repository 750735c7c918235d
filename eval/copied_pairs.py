"""Pairs of texts of which one was changed by people, or written from the other: which share of it
`zhiwen compare` finds in passages. Beside it is the share of 5-grams that the data states."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence

import corpora
from copies import SET_PHRASES, Setting
from tables import markdown_table
from verdicts import Verdict, at_least, figure, skipped

CLOUGH, HOMEWORK, HEADLINES = "pairs_clough_en", "pairs_se_homework_zh", "pairs_hard_negative_news"
TRUTH = "truth_natdup_news"
VERSIONS = (
    "pairs_ver_docs",
    "pairs_ver_cppzh",
    "pairs_ver_translation_xitu",
    "pairs_cntw_cpp",
)
# least area below the curve of an answer's share, beside that of answers that copy nothing
AREAS = {"cut": 0.94, "light": 0.99, "heavy": 0.97}
LEAST_FOUND = 0.97  # of partial pairs, and of those that have more in common
UNRELATED = 1000  # pairs


def shares(setting: Setting, pairs: Sequence[corpora.Record]) -> list[tuple[float, float]]:
    """Returns for each pair which shares of both texts are in passages."""
    named = []
    for row in pairs:
        pair = (f"{row['pair_id']}/a", f"{row['pair_id']}/b")
        for identity, side in zip(pair, (row["a"], row["b"])):
            setting.comparer.put(identity, side["text"])
        named.append(pair)
    setting.comparer.find(named)
    return [setting.comparer.shares[pair] for pair in named]


def mean(values: Sequence[float]) -> float:
    """Returns the mean of values, of which there is one at least."""
    return sum(values) / len(values)


def area(copies: Sequence[float], others: Sequence[float]) -> float:
    """Returns how often a copy has the greater share; equal ones count a half."""
    won = sum((a > b) + (a == b) / 2 for a in copies for b in others)
    return won / (len(copies) * len(others))


def check_clough(setting: Setting) -> Iterator[Verdict]:
    """English answers that students copied, rewrote lightly or heavily, or wrote themselves."""
    part = "English answers (Clough & Stevenson)"
    if not corpora.has(setting.options.data, CLOUGH):
        yield skipped(part, "all checks", f"{CLOUGH} is not in --data")
        return
    rows = corpora.load(setting.options.data, CLOUGH)
    of: dict[str, list[float]] = defaultdict(list)
    grams: dict[str, list[float]] = defaultdict(list)
    for row, (_, share) in zip(rows, shares(setting, rows)):
        of[row["category"]].append(share)
        grams[row["category"]].append(row["sim"]["c5_ba"])
    copied = [share for name in AREAS for share in of[name]]
    table = []
    for name in (*AREAS, "non"):
        with_passage = mean([share > 0 for share in of[name]])
        line = [name, str(len(of[name])), f"{mean(of[name]):.3f}", f"{mean(grams[name]):.3f}"]
        table.append([*line, f"{with_passage:.3f}"])
        if name in AREAS:
            value = area(of[name], of["non"])
            yield at_least(part, f"area below the curve, {name}", value, AREAS[name])
    yield figure(part, "area below the curve, all", area(copied, of["non"]))
    head = ["answers", "number", "share in passages", "share of 5-grams", "with a passage"]
    setting.tables.append(part + "\n\n" + markdown_table(head, table))


def check_versions(setting: Setting) -> Iterator[Verdict]:
    """Versions of pages, drafts and final translations, and two translations of one page."""
    part = f"versions of texts, seed {setting.options.seed}"
    table = []
    with_more: list[bool] = []
    for name in VERSIONS:
        if not corpora.has(setting.options.data, name):
            yield skipped(part, name, "it is not in --data")
            continue
        by_label: dict[str, list[corpora.Record]] = defaultdict(list)
        for row in corpora.load(setting.options.data, name):
            by_label[row["label"]].append(row)
        for label in ("dup", "near", "contained", "partial", "weak"):
            rows = by_label[label]
            if not rows:
                continue
            rng = random.Random(f"{setting.options.seed}:{name}:{label}")
            rows = rng.sample(rows, min(setting.options.pairs, len(rows)))
            found = shares(setting, rows)
            with_passage = [a > 0 for a, _ in found]
            if label != "weak":
                with_more += with_passage
            table.append(
                [name, label, str(len(rows)), f"{mean([a for a, _ in found]):.3f}"]
                + [f"{mean([row['sim']['c5_ab'] for row in rows]):.3f}"]
                + [f"{mean([b for _, b in found]):.3f}"]
                + [f"{mean([row['sim']['c5_ba'] for row in rows]):.3f}"]
                + [f"{mean(with_passage):.3f}"]
            )
    if table:
        name = "pairs with a passage, without weak ones"
        yield at_least(part, name, mean(with_more), LEAST_FOUND, f"of {len(with_more)}")
        head = ["pairs", "label", "number", "share of a in passages", "of 5-grams of a"]
        head += ["of b in passages", "of 5-grams of b", "with a passage"]
        setting.tables.append("Versions\n\n" + markdown_table(head, table, left=(0, 1)))


def check_homework(setting: Setting) -> Iterator[Verdict]:
    """One essay to which characters were added, of which they were left out, or put elsewhere."""
    part = "homework"
    if not corpora.has(setting.options.data, HOMEWORK):
        yield skipped(part, "all checks", f"{HOMEWORK} is not in --data")
        return
    rows = corpora.load(setting.options.data, HOMEWORK)
    table = [
        [row["relation"], f"{a:.3f}", f"{row['sim']['c5_ab']:.3f}", f"{b:.3f}"]
        + [f"{row['sim']['c5_ba']:.3f}"]
        for row, (a, b) in zip(rows, shares(setting, rows))
    ]
    yield figure(part, "least share of an essay in passages", min(float(r[3]) for r in table))
    head = ["essay", "share of the original in passages", "of its 5-grams"]
    head += ["share of the essay in passages", "of its 5-grams"]
    setting.tables.append("Homework\n\n" + markdown_table(head, table))


def check_headlines(setting: Setting) -> Iterator[Verdict]:
    """News of one headline whose texts differ, and texts that the truth does not pair: how often
    they share a passage."""
    options = setting.options
    part = "texts that are no copies"
    if not all(corpora.has(options.data, name) for name in (HEADLINES, TRUTH)):
        yield skipped(part, "all checks", f"{HEADLINES} and {TRUTH} are not both in --data")
        return
    by_id = {r["id"]: r for r in setting.texts}
    related = {(r["id_a"], r["id_b"]) for r in corpora.load(options.data, TRUTH)}
    rng = random.Random(f"{options.seed}:unrelated")
    twos = (rng.sample(setting.texts, 2) for _ in range(UNRELATED))
    drawn = [(a["id"], b["id"]) for a, b in twos]
    headlines = [(r["id_a"], r["id_b"]) for r in corpora.load(options.data, HEADLINES)]
    unrelated = [(a, b) for a, b in drawn if not {(a, b), (b, a)} & related]
    table = []
    for name, pairs in (("one headline", headlines), ("drawn", unrelated)):
        for identity in {i for pair in pairs for i in pair}:
            setting.comparer.put(identity, by_id[identity]["text"])
        setting.comparer.find(pairs)
        found = [setting.comparer.shares[pair][0] for pair in pairs]
        suspects = [by_id[i] for i in dict.fromkeys(a for a, _ in pairs)]
        listed = [_listed(setting, suspects, pairs, *words) for words in ((SET_PHRASES,), ())]
        values = [mean([share > 0 for share in found]), *listed, mean(found)]
        table.append([name, str(len(pairs)), *(f"{value:.3f}" for value in values)])
    yield figure(part, "pairs of one headline that check lists, share", float(table[0][4]))
    yield figure(part, "drawn pairs that check lists, share", float(table[1][4]))
    head = ["pairs", "number", "compare: with a passage", f"check {SET_PHRASES}: listed"]
    head += ["check: listed", "share of a in passages"]
    setting.tables.append("Texts that are no copies\n\n" + markdown_table(head, table))


def _listed(
    setting: Setting,
    suspects: Sequence[corpora.Record],
    pairs: Sequence[tuple[str, str]],
    *options: str,
) -> float:
    """Returns of how many pairs a check of the first text lists the second."""
    answers, _ = setting.check("headlines", suspects, *options)
    listed = {(row["id"], match["document"]["id"]) for row in answers for match in row["matches"]}
    return mean([pair in listed for pair in pairs])
