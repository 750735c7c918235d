"""How well each fingerprint scheme tells copies from other texts: `zhiwen eval schemes` on pairs of
every corpus, relation and disguise, as one table; and the checks of what schemes must see through.

examples:
  python eval/run.py schemes
  python eval/run.py schemes --data ../shared/data --markdown > docs/schemes-evaluated.md
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import shlex
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import corpora
import scheme_pairs
from program import ProgramFailed, add_forms, add_inputs, positive, run
from tables import markdown_table
from verdicts import Verdict, at_least, figure, holds, skipped

WORK = corpora.ROOT / "build" / "eval" / "schemes"
MINUTES = 30
SEEN, UNSEEN = 0.95, 0.6  # recall of homophones: on pinyin at least, on folded below
DISGUISED = ("disguises", "disguised poems")
HOMOPHONES = ("homophones", "homophones of one reading")
PINYIN = ("simhash64", "minhash", "shingles")
# What falls short of the target, as docs/choosing.md says: shown, and not judged.
SHORT_OF_TARGET = ("homophones", "simhash64(channel=pinyin)")
SNAPSHOT = ("news_cctv", "news_rmrb")  # what document frequencies are counted in
# Beside every family with its defaults.
VARIANTS = (
    "exact(channel=folded)",
    "exact(channel=pinyin)",
    "simhash64(channel=pinyin)",
    "simhash64(feature=shingle(3))",
    "simhash64(feature=term)",
    "simhash64(feature=term,weight=tfidf)",
    "simhash64(feature=term,hash=sdbm)",
    "simhash64(channel=phonemes,feature=phoneme)",
    "simhash64(channel=phonemes,feature=phoneme(none))",
    "simhash32(feature=shingle(2))",
    "simhash128(feature=shingle(3))",
    "minhash(channel=pinyin)",
    "shingles(channel=pinyin)",
    "shingles(feature=shingle(3))",
    "shingles(channel=loose)",
    "shingles(feature=shingle(k=3,unit=word))",
    "winnowing(scope=sentence)",
    "winnowing(channel=pinyin)",
    "winnowing(unit=word)",
    "keywords(form=list)",
    "keywords(form=list,n=20)",
    "long_sentences(scope=paragraph)",
    "phonemes(form=counts)",
    "vector(weight=tfidf)",
    "vector(feature=character)",
    "initials_dna(digits=2)",
    "initials_dna(scale=granule)",
    "bbit_minhash(bits=8)",
)
# By other measures than the schemes are meant for: those of the sources, and of passages.
MEASURES = {
    "dot_product": ("vector",),
    "correlation": ("vector",),
    "exponential": ("vector",),
    "geometric_minimum": ("vector",),
    "arithmetic_minimum": ("vector",),
    "scam": ("vector",),
    "containment": ("shingles",),
    "resemblance": ("winnowing",),
    "coverage": ("winnowing",),
    "subsequence": ("winnowing", "feature_codes"),
    "code_resemblance": ("feature_codes", "character_codes"),
    "initials": ("phonemes",),
    "finals": ("phonemes",),
    "tones": ("phonemes",),
}
Scheme = dict[str, Any]
Row = dict[str, Any]
CellOf = Callable[[Row], str]


@dataclass
class Table:
    """What the program found, and how it was asked."""

    found: dict[str, Any] = field(default_factory=dict)
    measured: list[Scheme] = field(default_factory=list)  # of MEASURES
    command: str = ""
    data: str = ""


def snapshot(zhiwen: Path, data: Path | None) -> Path:
    """Counts the terms of a corpus; returns the file."""
    names = [n for n in SNAPSHOT if corpora.has(data, n)]
    files = [corpora.locate(data, n) for n in names] if data else []
    path = WORK / "df.zwt"
    run(zhiwen, "terms", "build", *(files or [corpora.DEMO]), "-o", path, "--overwrite", "-q")
    return path


def able(zhiwen: Path, names: list[str], df: Path) -> tuple[list[str], dict[str, str]]:
    """Returns the names of which the program makes schemes, and why not of the others."""
    text = WORK / "probe.txt"
    text.write_text("今天上海天气晴朗，市民在公园散步。", encoding="utf-8")
    made, refused = [], {}
    for name in names:
        words = ["fingerprint", "-s", name, "-s", "imatch", "--df", df, text, "-q"]
        try:
            run(zhiwen, *words)
            made.append(name)
        except ProgramFailed as error:
            refused[name] = str(error).rpartition("zhiwen: ")[2]
    return made, refused


def check(options: argparse.Namespace, table: Table) -> Iterator[Verdict]:
    """Yields the verdicts of `eval schemes`; fills the table."""
    begin = time.monotonic()
    data: Path | None = options.data
    WORK.mkdir(parents=True, exist_ok=True)
    for corpus, why in scheme_pairs.absent(data).items():
        yield skipped("corpora", corpus, why)
    pairs = WORK / "pairs.jsonl"
    corpora.write(pairs, scheme_pairs.build(data, options.pairs))
    corpora.say(f"  pairs: {pairs.stat().st_size / 1e6:.1f} MB, {time.monotonic() - begin:.0f} s")
    df = snapshot(options.zhiwen, data)
    families = json.loads(run(options.zhiwen, "schemes", "--json"))
    names = [row["family"].split(".")[0] for row in families]
    made, refused = able(options.zhiwen, sorted([*names, *VARIANTS]), df)
    for name, why in refused.items():
        yield skipped("schemes", name, why)
    corpora.say(f"  schemes: {len(made)}, {time.monotonic() - begin:.0f} s")
    words = ["eval", "schemes", pairs, "--df", df, "--html", WORK / "report.html", "--overwrite"]
    words += [w for name in made for w in ("-s", name)]
    table.found = json.loads(run(options.zhiwen, *words, "--json", "-q"))
    table.measured = list(measure(options.zhiwen, pairs, set(made)))
    table.command = "./zw eval schemes " + shlex.join(
        [*(["--data", "DIR"] if data else []), "--pairs", str(options.pairs)]
    )
    seconds = time.monotonic() - begin
    yield figure("all", "pairs", table.found["pairs"])
    yield figure("all", "schemes", len(table.found["schemes"]))
    yield from check_homophones(table.found["schemes"])
    yield holds(
        "time", f"everything in {MINUTES} minutes", seconds <= 60 * MINUTES, f"{seconds:.0f} s"
    )
    yield figure("time", "seconds", round(seconds))
    corpora.say(f"  page: {WORK / 'report.html'}, {seconds:.0f} s")


def measure(zhiwen: Path, pairs: Path, made: set[str]) -> Iterator[Scheme]:
    """Yields what the schemes find by each of MEASURES."""
    for name, schemes in MEASURES.items():
        words = [w for scheme in schemes if scheme in made for w in ("-s", scheme)]
        if words:
            words += ["--measure", name, "--json", "-q"]
            yield from json.loads(run(zhiwen, "eval", "schemes", pairs, *words))["schemes"]


def row_of(scheme: Scheme, corpus: str | None, relation: str | None) -> Row | None:
    """Returns the row of a relation."""
    for row in scheme["rows"]:
        if (row["corpus"], row["relation"], row["length"]) == (corpus, relation, None):
            return row
    return None


def check_homophones(schemes: list[Scheme]) -> Iterator[Verdict]:
    """A fifth of the characters replaced by ones that sound the same: the pinyin channel finds the
    copies where folded does not, at the same threshold. The frequent reading of a character need
    not be the one that it has by itself (地 as de), so that a few differ on the channel too; those
    of one reading never do. Three of 64 bits do not forgive the few: SimHash falls short of the
    target there."""
    by_name = {s["scheme"]: s for s in schemes}
    for corpus, relation, name in itertools.product(DISGUISED, HOMOPHONES, PINYIN):
        part = f"{corpus}: {relation}, at the source's threshold"
        for variant, is_pinyin in ((f"{name}(channel=pinyin)", True), (name, False)):
            scheme = by_name.get(variant)
            row = row_of(scheme, corpus, relation) if scheme else None
            if row is None or not row["copies"]:
                yield skipped(part, variant, "the scheme or the disguise is not there")
            else:
                has_target = (relation, variant) != SHORT_OF_TARGET
                yield judge(part, variant, row, is_pinyin, has_target)


def judge(part: str, variant: str, row: Row, is_pinyin: bool, has_target: bool) -> Verdict:
    """Returns the verdict on the recall of one scheme."""
    at = row["at_source"]
    detail = f"of {row['copies']}; others mistaken: {at['false_positives']:.4f}"
    name = f"recall of {variant}"
    if not has_target:
        return figure(part, name, at["recall"], f"{detail}; short of {SEEN} where below")
    if is_pinyin:
        return at_least(part, name, at["recall"], SEEN, detail)
    recall = round(at["recall"], 4)
    return Verdict(part, name, recall, f"< {UNSEEN}", recall < UNSEEN, detail)


def _number(value: float | None, decimals: int = 3) -> str:
    return "–" if value is None else f"{value:.{decimals}f}"


def _threshold(value: float) -> str:
    """Returns what the program shows: rounded down, so that no pair of that similarity is refused;
    what a float lacks of a figure (0.12) is no digit."""
    if value < 1e-6:
        return "> 0"
    if value >= 1:
        return "1"
    return f"{min(math.floor(value * 10000 + 1e-3), 9999) / 10000:.4f}"


def _at(result: Row | None) -> list[str]:
    if result is None:
        return ["–"] * 4
    figures = (_number(result[key]) for key in ("precision", "recall", "f1"))
    return [_threshold(result["threshold"]), *figures]


def _summary(schemes: list[Scheme]) -> str:
    four = ["≥", "precision", "recall", "F1"]
    head = ["", "scheme", "area", *(f"best: {w}" for w in four), *(f"source: {w}" for w in four)]
    head += ["bytes a text", "MB/s a core", "no value"]
    rows = []
    for number, scheme in enumerate(schemes, 1):
        row = scheme["rows"][0]
        rows.append(
            [
                str(number),
                f"`{scheme['scheme']}`",
                _number(row["area"]),
                *_at(row["at_best"]),
                *_at(row["at_source"]),
                f"{row['value_bytes'] / row['texts']:,.0f}",
                f"{scheme['bytes_per_second'] / 1e6:,.1f}",
                f"{row['texts_without_value'] / row['texts']:.1%}",
            ]
        )
    return markdown_table(head, rows, left=(0, 1))


def _by_measure(schemes: list[Scheme]) -> str:
    head = ["scheme", "measure", "area", "best: ≥", "precision", "recall", "F1"]
    rows = []
    for scheme in schemes:
        row = scheme["rows"][0]
        names = [f"`{scheme['scheme']}`", f"`{scheme['measure']}`"]
        rows.append([*names, _number(row["area"]), *_at(row["at_best"])])
    return markdown_table(head, rows, left=(0, 1))


def _part(schemes: list[Scheme], is_shown: Callable[[Row], bool], cell_of: CellOf) -> str:
    head = ["corpus", "", "copies", "others", *(str(i) for i in range(1, len(schemes) + 1))]
    rows = []
    for at, row in enumerate(schemes[0]["rows"]):
        if is_shown(row):
            name = [row["corpus"] or "all", row["relation"] or row["length"] or ""]
            cells = [cell_of(s["rows"][at]) for s in schemes]
            rows.append([*name, str(row["copies"]), str(row["others"]), *cells])
    return markdown_table(head, rows, left=(0, 1))


def _percent(value: float | None) -> str:
    """Rounded down: 100 only when it is all."""
    return "–" if value is None else str(math.floor(100 * value + 1e-6))


def _decisions(which: str) -> CellOf:
    """Precision, recall and F1."""

    def cell(row: Row) -> str:
        if row[which] is None:
            return "–"
        return "/".join(_percent(row[which][what]) for what in ("precision", "recall", "f1"))

    return cell


def _mistaken(row: Row) -> str:
    return _percent((row["at_best"] or {}).get("false_positives"))


def markdown(table: Table) -> str:
    """Returns all tables."""
    schemes = table.found["schemes"]

    def is_decided(row: Row) -> bool:
        return row["corpus"] is not None and row["length"] is None and row["copies"] > 0

    def has_none(row: Row) -> bool:
        return row["corpus"] is not None and row["relation"] is not None and row["copies"] == 0

    parts = [
        f"`{table.command}`, zhiwen {table.found['version']}: {table.found['pairs']:,} pairs. "
        "Columns of the later tables are the schemes by number, figures there are per cent.",
        "## All pairs\n\n" + _summary(schemes),
        "## By other measures\n\nOf all pairs, `--measure`.\n\n" + _by_measure(table.measured),
        "## Area below precision over recall\n\n"
        + _part(schemes, lambda row: row["relation"] is None, lambda row: _percent(row["area"])),
        "## Precision/recall/F1 at the threshold that is best for the corpus\n\n"
        + _part(schemes, is_decided, _decisions("at_best")),
        "## Precision/recall/F1 at the source's threshold\n\n"
        + _part(schemes, is_decided, _decisions("at_source")),
        "## Others that are mistaken for copies, at the threshold that is best for the corpus\n\n"
        + _part(schemes, has_none, _mistaken),
    ]
    return "\n\n".join(parts)


def add_arguments(commands: Any) -> None:
    """Adds the word schemes to those of eval."""
    parser = commands.add_parser("schemes", help="how well schemes tell copies from other texts")
    add_inputs(parser)
    parser.add_argument(
        "--pairs", type=positive, default=100, help="of each relation at most (default 100)"
    )
    add_forms(
        parser, "the tables alone; checks on stderr", "one JSON object: figures and checks"
    )
