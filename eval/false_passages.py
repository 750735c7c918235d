"""Texts with which a library of news and papers should have nothing in common: passages that
`zhiwen check` finds in texts that are read backwards, which are false, and in technical texts,
novels and poems, where they are quotations, set phrases or false; ten of each are shown."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import corpora
from copied_pairs import VERSIONS
from copies import SET_PHRASES, Setting, passages_of
from plagdet import Passage
from tables import markdown_table
from verdicts import Verdict, figure, holds, skipped, zero

SHARD = 10_000_000  # characters that are checked at a time
OTHERS = ("tech_docs", "classics_chapters", "short_poems")
DEFAULT_PROFILE = "news"  # of `zhiwen library create`
MOST_TECHNICAL = 5  # passages of 10,000,000 characters
SHOWN = 10


def _texts(setting: Setting) -> list[str]:
    """Returns the texts to be read backwards, in an order that the seed draws."""
    names = [n for n in corpora.TEXT_CORPORA if corpora.has(setting.options.data, n)]
    texts = [r["text"] for name in names for r in corpora.load(setting.options.data, name)]
    for name in (n for n in VERSIONS if corpora.has(setting.options.data, n)):
        texts += [r["a"]["text"] for r in corpora.load(setting.options.data, name)]
    texts = texts or [r["text"] for r in setting.texts]
    random.Random(setting.options.seed).shuffle(texts)
    return texts


def _shards(texts: Sequence[str], most: int) -> Iterator[list[corpora.Record]]:
    """Yields texts backwards, up to so many characters."""
    shard: list[corpora.Record] = []
    characters = in_shard = 0
    for number, text in enumerate(texts):
        if characters >= most:
            break
        backwards = text[::-1][: most - characters]
        characters += len(backwards)
        in_shard += len(backwards)
        shard.append({"id": str(number), "text": backwards})
        if in_shard >= SHARD:
            yield shard
            shard, in_shard = [], 0
    if shard:
        yield shard


def check_backwards(setting: Setting) -> Iterator[Verdict]:
    """Yields the verdicts of texts that are read backwards."""
    part = f"texts read backwards, seed {setting.options.seed}"
    unfiltered = passages = characters = truncated = 0
    seconds = 0.0
    examples: list[str] = []
    for shard in _shards(_texts(setting), setting.options.characters):
        answers, spent = setting.check("backwards", shard, SET_PHRASES)
        characters += sum(len(r["text"]) for r in shard)
        corpora.say(f"  {characters:,} characters backwards, {spent:.0f} s")
        seconds += spent
        found = list(passages_of(answers))
        unfiltered += len(found)
        examples += _shown(setting, found, shard, SHOWN - len(examples))
        if answers:
            answers, _ = setting.check("backwards", shard)
            passages += sum(1 for _ in passages_of(answers))
            truncated += sum(row["truncated"] for row in answers)
    yield figure(part, "characters", characters)
    yield figure(part, "texts with a match of which a bound was met", truncated)
    yield figure(part, f"passages with {SET_PHRASES}", unfiltered)
    yield zero(part, "passages", passages, str(examples[:3]))
    yield figure(part, "seconds of a processor", round(seconds), f"with {SET_PHRASES}")
    if examples:
        setting.tables.append("Passages backwards\n\n" + "\n".join(examples))


def _shown(
    setting: Setting, found: Sequence[Passage], suspects: Sequence[corpora.Record], count: int
) -> list[str]:
    """Returns passages as lines to be read: both texts and their names."""
    texts = {r["id"]: r["text"] for r in (*setting.texts, *suspects)}
    rng = random.Random(setting.options.seed)
    return [
        f"- {p.suspect} 「{_of_line(texts[p.suspect], p.begin, p.size)}」 "
        f"{p.source} 「{_of_line(texts[p.source], p.source_begin, p.source_size)}」"
        for p in rng.sample(found, min(max(0, count), len(found)))
    ]


def _of_line(text: str, begin: int, size: int) -> str:
    return " ".join(text[begin : begin + size].split())


def check_others(setting: Setting) -> Iterator[Verdict]:
    """Yields the verdicts of technical texts, novels and poems, with the default profile and with
    that of the options."""
    table = []
    for name in OTHERS:
        if not corpora.has(setting.options.data, name):
            yield skipped("other texts", name, "it is not in --data")
            continue
        records = corpora.load(setting.options.data, name)
        characters = sum(len(r["text"]) for r in records)
        for profile in dict.fromkeys((DEFAULT_PROFILE, setting.options.profile)):
            corpora.say(f"  {name}, profile {profile}")
            unfiltered, _ = setting.check("others", records, SET_PHRASES, profile=profile)
            answers, seconds = setting.check("others", records, profile=profile)
            found = list(passages_of(answers))
            rate = len(found) * 1e7 / characters
            if (name, profile) == ("tech_docs", DEFAULT_PROFILE):
                statement = f"{name}: at most {MOST_TECHNICAL} passages of 10,000,000 characters"
                part = f"other texts, profile {profile}"
                yield holds(part, statement, rate <= MOST_TECHNICAL, f"{rate:.1f}")
            of_unfiltered = sum(1 for _ in passages_of(unfiltered)) * 1e7 / characters
            truncated = sum(row["truncated"] for row in answers)
            table.append(
                [name, profile, f"{characters / 1e6:.1f} M", f"{of_unfiltered:.1f}", f"{rate:.1f}"]
                + [f"{len(answers) / len(records):.4f}", str(truncated)]
                + [f"{seconds * 1000 / characters * 2000:.2f}"]
            )
        shown = _shown(setting, found, records, SHOWN)
        title = f"{name}, profile {profile}: {len(shown)} of {len(found)} passages, to be read"
        setting.tables.append(title + "\n\n" + "\n".join(shown))
    if table:
        head = ["texts", "profile", "characters", f"passages of 10^7 with {SET_PHRASES}"]
        head += ["passages of 10^7 characters", "share of texts with a match", "truncated"]
        head += ["ms of a processor for 2,000 characters"]
        setting.tables.append("Other texts\n\n" + markdown_table(head, table, left=(0, 1)))
