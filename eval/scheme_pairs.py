"""Labelled pairs of texts for `eval schemes`: drawn from the corpora of a data folder, or from the
demo texts and generators; the same pairs for everybody.

A pair is {"corpus", "relation", "label", "a", "b"}. Other texts are drawn at random from the texts
of the corpus, but for pairs that its truth lists; relations without copies are harder ones.
"""

from __future__ import annotations

import bz2
import functools
import random
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import channel_disguises
import corpora
import demo
import disguises

SEED = 6
OTHERS = 4  # random pairs of other texts, for each pair of one relation
VERSIONS = ("pairs_ver_docs", "pairs_ver_cppzh", "pairs_ver_translation_xitu")
ADVERTS = (
    "【广告】本周下单立减三十元，详情请咨询客服热线。",
    "关注公众号，回复“资料”免费领取全套学习课程！",
    "点击下方链接，下载手机客户端，随时随地看新闻。",
    "限时特惠：满二百送五十，数量有限，先到先得。",
    "更多精彩内容，请扫描二维码加入读者交流群。",
    "广告位招租，有意者请与本站管理员联系。",
)
Pair = dict[str, Any]
Disguise = Callable[[str, random.Random], str]
_SENTENCE_END = re.compile(r"(?<=[。！？\n])")
_DIGITS = re.compile(r"[0-9]+")


def adverts(text: str, rng: random.Random) -> str:
    """An advertisement behind one sentence in eight, and one at least."""
    sentences = _SENTENCE_END.split(text)
    chosen = {i for i in range(len(sentences)) if rng.random() < 1 / 8}
    chosen.add(rng.randrange(len(sentences)))
    parts = (s + (rng.choice(ADVERTS) if i in chosen else "") for i, s in enumerate(sentences))
    return "".join(parts)


def counters(text: str, rng: random.Random) -> str:
    """Another number for every number, and a line of counters before and behind the text."""

    def number(match: re.Match[str]) -> str:
        return "".join(rng.choice("0123456789") for _ in match[0])

    head = f"发布时间：2026-{rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}"
    foot = f"浏览次数：{rng.randrange(10**5)} 评论：{rng.randrange(10**3)} 条"
    return f"{head}\n{_DIGITS.sub(number, text)}\n{foot}"


@functools.lru_cache(maxsize=1)
def _only_readings() -> dict[str, str]:
    """Returns common character → its syllable, of those that the dictionary 现代汉语词典 reads in
    one way only."""
    syllables: dict[str, set[str]] = {}
    with bz2.open(channel_disguises.READINGS, "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 3 and fields[1] == "kXHC1983":
                found = (channel_disguises.toneless(r.split(":")[1]) for r in fields[2].split())
                syllables[chr(int(fields[0][2:], 16))] = set(found)
    known = channel_disguises.readings()
    return {c: known[c] for c, found in syllables.items() if found == {known.get(c)}}


@functools.lru_cache(maxsize=1)
def _same_readings() -> dict[str, str]:
    """Returns syllable → the characters that are read so and in no other way."""
    groups: dict[str, str] = defaultdict(str)
    for character, syllable in sorted(_only_readings().items()):
        groups[syllable] += character
    return groups


def _same_reading(c: str, rng: random.Random) -> str | None:
    same = _same_readings().get(_only_readings().get(c, ""), "").replace(c, "")
    return rng.choice(same) if same else None


GENERATED: dict[str, Disguise] = {
    "embedded adverts": adverts,
    "counters and dates": counters,
    "homophones of one reading": channel_disguises.replacing(_same_reading),
}


def chosen(rows: Iterable[Any], count: int, key: Callable[[Any], str]) -> list[Any]:
    """Returns at most `count` rows, chosen by the hash of their keys."""
    return sorted(rows, key=lambda r: (zlib.crc32(key(r).encode()), key(r)))[:count]


def copies(corpus: str, relation: str, texts: Iterable[tuple[str, str]]) -> Iterator[Pair]:
    """Yields pairs that are copies."""
    for a, b in texts:
        yield {"corpus": corpus, "relation": relation, "label": True, "a": a, "b": b}


def others(
    corpus: str,
    records: list[corpora.Record],
    count: int,
    related: Callable[[corpora.Record, corpora.Record], bool],
) -> Iterator[Pair]:
    """Yields random pairs of records that are not related."""
    rng = random.Random(f"{SEED}:{corpus}")
    drawn = 0
    for _ in range(count * 20):
        a, b = rng.choice(records), rng.choice(records)
        if a["text"] == b["text"] or related(a, b):
            continue
        drawn += 1
        yield {"corpus": corpus, "relation": "", "label": False, "a": a["text"], "b": b["text"]}
        if drawn == count:
            return


def listed(truth: list[corpora.Record]) -> Callable[[corpora.Record, corpora.Record], bool]:
    """Returns whether a truth file lists a pair, in either order."""
    known = {(r["id_a"], r["id_b"]) for r in truth}
    return lambda a, b: (a["id"], b["id"]) in known or (b["id"], a["id"]) in known


def truth_pairs(
    data: Path, corpus: str, names: tuple[str, ...], truth_name: str, relation: str, count: int
) -> Iterator[Pair]:
    """Pairs that a truth file labels dup and near, and random ones that it does not list."""
    records = {r["id"]: r for r in corpora.load(data, *names)}
    truth = corpora.load(data, truth_name)
    for label in ("dup", "near"):
        rows = [r for r in truth if r["label"] == label]
        rows = chosen(rows, count, lambda r: r["id_a"] + r["id_b"])
        texts = [(records[r["id_a"]]["text"], records[r["id_b"]]["text"]) for r in rows]
        yield from copies(corpus, f"{relation}, {label}", texts)
    drawn = chosen(records.values(), 40 * count, lambda r: r["id"])
    yield from others(corpus, drawn, OTHERS * count, listed(truth))
    if corpus == "news" and corpora.has(data, "pairs_hard_negative_news"):
        hard = chosen(
            corpora.load(data, "pairs_hard_negative_news"), count, lambda r: r["pair_id"]
        )
        for row in hard:
            a, b = (records[row[side]]["text"] for side in ("id_a", "id_b"))
            yield {
                "corpus": corpus,
                "relation": "same headline",
                "label": False,
                "a": a,
                "b": b,
            }


def version_pairs(
    data: Path, corpus: str, names: tuple[str, ...], relation: str, count: int
) -> Iterator[Pair]:
    """Versions of a page that share most of their text, and pairs of two pages."""
    rows = [r for r in corpora.load(data, *names) if r["label"] in ("dup", "near")]
    for label in ("dup", "near"):
        some = chosen([r for r in rows if r["label"] == label], count, lambda r: r["pair_id"])
        yield from copies(
            corpus, f"{relation}, {label}", [(r["a"]["text"], r["b"]["text"]) for r in some]
        )
    pages = [
        {"id": r["pair_id"], "page": r.get("path", r["pair_id"]), "text": r["a"]["text"]}
        for r in chosen(rows, 10 * count, lambda r: r["pair_id"])
    ]
    yield from others(corpus, pages, OTHERS * count, lambda a, b: a["page"] == b["page"])


def attacked(data: Path, count: int) -> Iterator[Pair]:
    """The whole-document attacks of the data folder."""
    corpus = "attacks"
    sources = disguises.source_texts(data)
    by_kind = disguises.attacked(data)
    for kind, rows in by_kind.items():
        rows = chosen(rows, count, lambda r: r["id"])
        yield from copies(corpus, kind, [(sources[r["src_id"]]["text"], r["text"]) for r in rows])
    wanted = {r["src_id"] for rows in by_kind.values() for r in rows}
    originals = [sources[i] for i in sorted(wanted)]
    related = listed(corpora.load(data, "truth_natdup_news"))
    yield from others(corpus, originals, OTHERS * count, related)


def disguised(
    corpus: str, originals: list[corpora.Record], data: Path | None, count: int
) -> Iterator[Pair]:
    """Texts and what generators make of them."""
    originals = chosen(originals, len(originals), lambda r: r["id"])

    def changed(name: str, disguise: Disguise) -> Iterator[tuple[str, str]]:
        made = 0
        for original in originals:
            copy = channel_disguises.apply(disguise, name, original["id"], original["text"])
            if copy == original["text"]:
                continue
            made += 1
            yield original["text"], copy
            if made == count:
                return

    for name in (*GENERATED, *channel_disguises.DISGUISES):
        try:
            disguise = GENERATED.get(name) or channel_disguises.make(name, data)
            yield from copies(corpus, name, changed(name, disguise))
        except channel_disguises.Unavailable as lacking:
            corpora.say(f"  {corpus}: no {name}: it needs {lacking}")
    yield from others(corpus, originals, OTHERS * count, lambda a, b: a["id"] == b["id"])


def english(data: Path, count: int) -> Iterator[Pair]:
    """Answers that copy an original, and answers in own words."""
    corpus = "English answers"
    rows = corpora.load(data, "pairs_clough_en")
    for category in ("cut", "light", "heavy"):
        some = [r for r in rows if r["category"] == category]
        texts = [(r["a"]["text"], r["b"]["text"]) for r in some]
        yield from copies(corpus, f"plagiarised, {category}", texts)
    for row in rows:
        if row["category"] == "non":
            yield {
                "corpus": corpus,
                "relation": "own words",
                "label": False,
                "a": row["a"]["text"],
                "b": row["b"]["text"],
            }
    answers = [
        {"id": r["b"]["id"], "task": r["a"]["id"], "text": r["b"]["text"]} for r in rows
    ]
    yield from others(corpus, answers, OTHERS * count, lambda a, b: a["task"] == b["task"])


def demo_editions(count: int) -> Iterator[Pair]:
    """Chapters of the demo's novels in two editions."""
    corpus = "editions"
    by_title: dict[str, list[corpora.Record]] = defaultdict(list)
    for record in corpora.read(corpora.DEMO / "novels.jsonl"):
        by_title[record["title"]].append(record)
    texts = [(rs[0]["text"], other["text"]) for rs in by_title.values() for other in rs[1:]]
    yield from copies(corpus, "edition", texts[:count])
    records = [r for rs in by_title.values() for r in rs]
    yield from others(corpus, records, OTHERS * count, lambda a, b: a["title"] == b["title"])


# corpus → the files that it needs
NEEDS = {
    "news": ("news_cctv", "news_rmrb", "acad_fudan", "truth_natdup_news"),
    "versions": VERSIONS,
    "zh-CN and zh-TW": ("pairs_cntw_cpp",),
    "classics": ("classics_chapters", "truth_classics_pairs"),
    "attacks": (*corpora.NEWS_CORPORA, "whole_doc_attacks", "truth_natdup_news"),
    "poems": ("short_poems", "truth_poem_pairs"),
    "English answers": ("pairs_clough_en",),
}


def absent(data: Path | None) -> dict[str, str]:
    """Returns corpus → which of its files the folder lacks."""
    if data is None:
        return {corpus: "it needs --data" for corpus in NEEDS}
    lacking = {c: [n for n in names if not corpora.has(data, n)] for c, names in NEEDS.items()}
    return {c: f"--data lacks {', '.join(names)}" for c, names in lacking.items() if names}


def build(data: Path | None, count: int) -> Iterator[Pair]:
    """Yields the pairs: about `count` of each relation."""
    lacking = absent(data)
    if data is None:
        texts = [r for r in demo.originals() if len(r["text"]) >= 100]
        poems = [r for r in corpora.read(corpora.DEMO / "poems.jsonl") if len(r["text"]) < 100]
        yield from demo_editions(count)
        yield from disguised("disguises", texts, None, count)
        yield from disguised("disguised poems", poems, None, count)
        return
    if "news" not in lacking:
        yield from truth_pairs(
            data, "news", corpora.NEWS_CORPORA, "truth_natdup_news", "natural", count
        )
    if "versions" not in lacking:
        yield from version_pairs(data, "versions", VERSIONS, "version", count)
    if "zh-CN and zh-TW" not in lacking:
        names = NEEDS["zh-CN and zh-TW"]
        yield from version_pairs(data, "zh-CN and zh-TW", names, "translation", count)
    if "classics" not in lacking:
        yield from truth_pairs(
            data, "classics", ("classics_chapters",), "truth_classics_pairs", "edition", count
        )
    if "attacks" not in lacking:
        yield from attacked(data, count)
        originals = disguises.dev_originals(data)
        yield from disguised("disguises", originals, data, count)
    else:
        yield from disguised("disguises", demo.originals(), data, count)
    if "poems" not in lacking:
        yield from truth_pairs(
            data, "poems", ("short_poems",), "truth_poem_pairs", "edition", count
        )
        poems = chosen(corpora.load(data, "short_poems"), 10 * count, lambda r: r["id"])
        yield from disguised("disguised poems", poems, data, count)
    if "English answers" not in lacking:
        yield from english(data, count)
