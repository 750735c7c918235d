"""Operators carry meaning, punctuation does not: texts that differ in one operator or bracket stay
two texts, and texts that differ in dashes, quotes, round brackets, widths or Markdown stay
alike."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import attacks
import corpora
import disguises
from program import WORK, Program, fingerprints
from verdicts import Verdict, at_least, figure, zero

SEED = 13
TWINS = 200
ALIKE = 0.99  # the least mean resemblance of texts that differ in punctuation
Pair = tuple[str, str]
Rewrite = Callable[[str, random.Random], str]

SUM_OPERATORS = "+-*/%"
LETTER_OPERATORS = "+*/%&|^=<>"
COMPARISONS = ("==", "!=", "<=", ">=", "&&", "||", "->", "=")
BRACKETS = ("[]", "{}", "()")
DATE_MARKS = "-/:"
ADDRESS_MARKS = "/-_?&#="
DASHES = ("-", "–", "—", " - ", " – ", " — ", "--", " -- ", "‐", "‑", "−")

PROSE = (
    "The well-known story – it was told in 1990–95 by an old man – isn't finished; \"the end\" of"
    " it (as he called it) came on pages 10-20 of a half-forgotten book — nobody reads it today.",
    "A state-of-the-art telescope was built in 2003, and the so-called 'deep field' (a small part"
    " of the sky) showed 3,000 galaxies — most of them 10-12 thousand million light years away.",
    "The nineteenth-century poet - born in 1821 - wrote: \"I walk, I don't run\" (he meant it),"
    " and his long-lost letters – some 40–45 of them – were found in a cellar in Lyon last year.",
)
HALF = str.maketrans("，。；：？！（）“”‘’、", ",.;:?!()\"\"'',")


def _sum(rng: random.Random) -> list[str]:
    space = rng.choice(("", " "))
    a, b, c = (rng.randrange(2, 99) for _ in range(3))
    first, second, last = rng.sample(SUM_OPERATORS, 3)
    text = rng.choice(
        ("Exercise {n}: compute {s} and write the result down.", "第{n}题：计算{s}，写出结果。")
    )
    number = rng.randrange(10**6)
    return [
        text.format(n=number, s=space.join((str(a), one, str(b), last, str(c))))
        for one in (first, second)
    ]


def _formula(rng: random.Random) -> list[str]:
    a, b, x = rng.sample("abcdfghkmnpquvxyz", 3)
    index = rng.randrange(1, 10**6)
    if rng.random() < 0.5:
        operators = [(op, "[]") for op in rng.sample(LETTER_OPERATORS, 2)]
    else:
        operators = [("*", pair) for pair in rng.sample(BRACKETS, 2)]
    return [
        f"设 F_{index} = {a}{op}{b}{pair[0]}{x}{pair[1]} + {index}，求它的最小值和最大值。"
        for op, pair in operators
    ]


def _code(rng: random.Random) -> list[str]:
    name, other = (f"v{rng.randrange(10**5)}" for _ in range(2))
    if rng.random() < 0.5:
        pairs = [(op, "[]") for op in rng.sample(COMPARISONS, 2)]
    else:
        pairs = [("==", brackets) for brackets in rng.sample(BRACKETS, 2)]
    return [
        f"if ({name} {op} {other}) {{ return table{b[0]}{name}{b[1]}; }}" for op, b in pairs
    ]


def _date(rng: random.Random) -> list[str]:
    parts = (rng.randrange(1900, 2100), rng.randrange(10, 13), rng.randrange(10, 29))
    room = rng.randrange(10**6)
    return [
        f"The meeting of group {room} begins on {parts[0]}-{parts[1]}{mark}{parts[2]} in the hall."
        for mark in rng.sample(DATE_MARKS, 2)
    ]


def _address(rng: random.Random) -> list[str]:
    words = rng.sample(("news", "docs", "map", "item", "user", "list", "page", "main"), 4)
    number = rng.randrange(10**6)
    return [
        f"See https://example.org/{number}/{words[0]}{mark}{words[1]}/{words[2]} for {words[3]}s."
        for mark in rng.sample(ADDRESS_MARKS, 2)
    ]


def twins() -> list[tuple[str, Pair]]:
    """Returns kind and texts of pairs that differ in one operator or one pair of brackets."""
    rng = random.Random(SEED)
    kinds = {"sum": _sum, "formula": _formula, "code": _code, "date": _date, "address": _address}
    found = []
    for _ in range(TWINS // len(kinds)):
        for kind, make in kinds.items():
            one, other = make(rng)
            found.append((kind, (one, other)))
    return found


def with_other_dashes(text: str, rng: random.Random) -> str:
    """Every hyphen and dash between words in another form, spaced or not."""
    return re.sub(r"(?<=\w) ?[-–—] ?(?=\w)", lambda _: rng.choice(DASHES), text)


def with_other_quotes(text: str, rng: random.Random) -> str:
    """Straight quotes curly and the other way round."""
    return text.translate(str.maketrans("\"'“”‘’", "”’\"\"''"))


def without_round_brackets(text: str, rng: random.Random) -> str:
    """Spaces instead of round brackets."""
    return text.translate(str.maketrans("()", "  "))


def with_markdown(text: str, rng: random.Random) -> str:
    """A heading, lists, and a word in twenty emphasised."""
    lines = [rng.choice(("- ", "* ", "")) + line for line in text.split("\n")]
    marks = ("**{}**", "*{}*", "_{}_", "__{}__")

    def emphasised(word: re.Match[str]) -> str:
        return rng.choice(marks).format(word[0]) if rng.random() < 0.05 else word[0]

    lines = [re.sub(r"(?<= )[A-Za-z]+(?= )", emphasised, line) for line in lines]
    return "# " + "\n".join(lines) + "\n\n---\n"


def with_half_width_punctuation(text: str, rng: random.Random) -> str:
    """Chinese punctuation as ASCII, dashes as hyphens."""
    return text.translate(HALF).replace("——", "--")


def check(
    program: Program, originals: list[corpora.Record], data: Path | None
) -> Iterator[Verdict]:
    """Yields the verdicts of this part."""
    yield from _twins(program)
    english = [(str(i), text) for i, text in enumerate(PROSE)]
    chinese = [(r["id"], r["text"]) for r in originals]
    if data and corpora.has(data, "html_en"):
        english += [(r["id"], r["gold_text"]) for r in corpora.load(data, "html_en")]
    of_data = bool(data and corpora.has(data, "whole_doc_attacks"))
    if data and of_data:
        chinese += [(r["id"], r["text"]) for r in disguises.dev_originals(data)]
    rewritten: list[tuple[str, list[tuple[str, str]], Rewrite]] = [
        ("English with other dashes", english, with_other_dashes),
        ("English with other quotes", english, with_other_quotes),
        ("English without round brackets", english, without_round_brackets),
        ("English with Markdown", english, with_markdown),
        ("Chinese with half-width punctuation", chinese, with_half_width_punctuation),
        ("Chinese in full width", chinese, attacks.full_width),
        ("Chinese with punctuation dropped and added", chinese, attacks.punctuation_noise),
    ]
    for name, texts, rewrite in rewritten:
        pairs = [(t, rewrite(t, random.Random(f"{SEED}:{name}:{i}"))) for i, t in texts]
        yield from _alike(program, name, [p for p in pairs if p[0] != p[1]])
    if data and of_data:
        sources = disguises.source_texts(data)
        noisy = disguises.attacked(data).get("punct_noise", [])
        pairs = [(sources[row["src_id"]]["text"], row["text"]) for row in noisy]
        yield from _alike(program, "punct_noise of the dev set", pairs)


def _twins(program: Program) -> Iterator[Verdict]:
    part = "operators"
    pairs = twins()
    records = [
        {"id": f"{kind}-{i}-{side}", "text": text}
        for i, (kind, texts) in enumerate(pairs)
        for side, text in enumerate(texts)
    ]
    corpora.say(f"  {part}: {len(pairs)} twins")
    removed = program.dedup("operator-twins", records).keeper
    yield zero(
        part,
        f"removed of {len(pairs)} twins that differ in one operator or bracket",
        len(removed),
        str(sorted(removed)[:3]),
    )
    before = program.dedup("operator-twins-v2", records, "--channel", "folded.v2").keeper
    yield figure(part, "the same on folded.v2, which sees no operators", len(before))


def _alike(program: Program, name: str, pairs: list[Pair]) -> Iterator[Verdict]:
    """Resemblance of the two texts of each pair on folded, and beside it on folded.v2."""
    part = "punctuation"
    if not pairs:
        return
    corpora.say(f"  {part}: {name}, {len(pairs)} texts")
    path = WORK / "punctuation.jsonl"
    texts = [text for pair in pairs for text in pair]
    corpora.write(path, ({"id": str(i), "text": text} for i, text in enumerate(texts)))
    schemes = ["shingles(channel=folded)", "shingles(channel=folded.v2)"]
    means = []
    for values in fingerprints(program.binary, schemes, [path]):
        resemblances = []
        for i in range(0, len(texts), 2):
            a, b = set(values.get(str(i), ())), set(values.get(str(i + 1), ()))
            if a | b:
                resemblances.append(len(a & b) / len(a | b))
        means.append(sum(resemblances) / len(resemblances))
    yield at_least(
        part, name, means[0], min(ALIKE, means[1]), f"of {len(pairs)}; folded.v2 {means[1]:.4f}"
    )
