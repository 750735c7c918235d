"""Bodies of web pages beside the golds of their corpora, other extractors, and lexbor."""

from __future__ import annotations

import argparse
import html
import json
import re
import shutil
import struct
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import corpora
import extract_peers
import lexbor
from program import WORK, ProgramFailed, add_forms, add_inputs
from tables import markdown_table
from verdicts import Verdict, at_least, figure, skipped, zero

FOLDER = WORK / "extract"
CORPORA = ("html_zh", "html_en", "html_modern")
TARGETS = {"DAnIEL-zh": 0.95, "all zh": 0.95, "all en": 0.915}
SPEEDS = {"html_zh": 300, "html_en": 250}
FILES_AT_ONCE = 500

_MARKUP = re.compile(r"</?(?:p|div|br|span|a|h[1-6]|li|ul|table|img)\b[^>]*>", re.I)
_WINDOW = 4

Golds = list[corpora.Record]
Texts = dict[str, str]
Means = dict[str, float]  # by group of pages, or by corpus


def plain(gold: str) -> str:
    """Returns a gold that is a fragment of HTML as text."""
    if len(_MARKUP.findall(gold)) < 3:
        return gold
    gold = re.sub(r"(?is)<(script|style)\b.*?</\1>", " ", gold)
    return html.unescape(re.sub(r"<[^>]*>", " ", gold))


def shingles(text: str) -> Counter[tuple[str, ...]]:
    """Returns the shingles of four tokens with their counts; a shorter text is one."""
    tokens = extract_peers.TOKEN.findall(text.lower())
    starts = range(max(1, len(tokens) - _WINDOW + 1)) if tokens else range(0)
    return Counter(tuple(tokens[i : i + _WINDOW]) for i in starts)


def f1(gold: str, text: str) -> float:
    """Returns F1 of the shingles of a text against those of its gold."""
    wanted, got = shingles(plain(gold)), shingles(text)
    if not wanted and not got:
        return 1.0
    return 2 * sum((wanted & got).values()) / (sum(wanted.values()) + sum(got.values()))


def groups_of(row: corpora.Record, corpus: str) -> list[str]:
    """Returns what a page counts for: its source, and its corpus."""
    source = str(row["source"])
    source = "GNE" if source.startswith("GNE") else source
    return [source, "all modern" if corpus == "html_modern" else f"all {row['lang']}"]


def mean_f1(rows: dict[str, Golds], texts: Texts) -> dict[str, tuple[int, float]]:
    """Returns pages and mean F1 by group."""
    found: dict[str, list[float]] = defaultdict(list)
    for corpus, golds in rows.items():
        for row in golds:
            score = f1(row["gold_text"] or "", texts.get(row["id"], ""))
            for group in groups_of(row, corpus):
                found[group].append(score)
    return {g: (len(v), sum(v) / len(v)) for g, v in sorted(found.items())}


def extract(binary: Path, rows: dict[str, Golds]) -> Texts:
    """Returns what zhiwen extract finds in the pages. Fails: ProgramFailed."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    ids: dict[str, str] = {}
    for corpus, golds in rows.items():
        for number, row in enumerate(golds):
            path = FOLDER / f"{corpus}-{number}.html"
            path.write_bytes(row["html"].encode("utf-8", "replace"))
            ids[str(path)] = row["id"]
    texts: Texts = {}
    paths = list(ids)
    for begin in range(0, len(paths), FILES_AT_ONCE):
        command = [str(binary), "extract", "--json", *paths[begin : begin + FILES_AT_ONCE]]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode != 0:
            raise ProgramFailed(f"zhiwen extract: {done.stderr.decode(errors='replace')[-400:]}")
        for line in done.stdout.split(b"\n")[:-1]:
            page = json.loads(line)
            texts[ids[page["id"]]] = page["text"]
    return texts


def referee_disagreements(scorer: Path, rows: dict[str, Golds], texts: Texts) -> int:
    """Returns in how many groups the referee comes to another mean."""
    gold, got = FOLDER / "gold.jsonl", FOLDER / "texts.jsonl"
    corpora.write(gold, (row for golds in rows.values() for row in golds))
    corpora.write(got, ({"id": id_, "text": text} for id_, text in texts.items()))
    done = subprocess.run(
        [sys.executable, str(scorer), str(gold), str(got)], capture_output=True, check=True
    )
    ours = mean_f1(rows, texts)
    differ = 0
    for line in done.stdout.decode().splitlines():
        theirs = json.loads(line)
        if theirs["group"] in ours:
            differ += abs(theirs["mean_f1"] - ours[theirs["group"]][1]) > 0.00006
    return differ


def python_with_numpy() -> str | None:
    """Returns a Python that can train the model."""
    for python in (str(corpora.ROOT / "build" / "venv-train" / "bin" / "python"), sys.executable):
        if shutil.which(python):
            done = subprocess.run([python, "-c", "import numpy"], capture_output=True, check=False)
            if done.returncode == 0:
                return python
    return None


def nested_texts(python: str, options: argparse.Namespace, division: int) -> Texts:
    """Returns the texts that models find which never saw the site of the page."""
    out = FOLDER / f"nested-{division}.jsonl"
    command = [python, str(corpora.ROOT / "tools" / "train_body_model.py")]
    command += ["--data", str(options.data), "--page-blocks", str(options.page_blocks)]
    command += ["--nested", str(out), "--division", str(division)]
    if subprocess.run(command, check=False).returncode != 0:
        raise ProgramFailed("train_body_model.py failed; what is wrong is above")
    return {row["id"]: row["text"] for row in corpora.read(out)}


def check_nested(
    options: argparse.Namespace, rows: dict[str, Golds]
) -> Generator[Verdict, None, Column]:
    """Yields the figures of models that never saw the site of a page, means of all divisions, and
    returns them."""
    name = "zhiwen, site never seen"
    part = f"cross-validated by site, {options.divisions} divisions into folds"
    python = python_with_numpy()
    if python is None or not options.page_blocks.exists():
        yield skipped(part, "all sources", "needs numpy and page_blocks: ./zw eval extract")
        return Column(name, {})
    runs, empty_of_runs = [], []
    for division in range(1, options.divisions + 1):
        texts = nested_texts(python, options, division)
        runs.append(mean_f1(rows, texts))
        corpora.say(f"  division {division}: {runs[-1]}")
        empty = empty_pages(rows, texts)
        empty_of_runs.append(len(empty))
        yield zero(part, f"pages without text, division {division}", len(empty), str(empty[:3]))
    means = {g: sum(run[g][1] for run in runs) / len(runs) for g in runs[0]}
    for group, value in means.items():
        label, detail = f"F1, {group}", f"{runs[0][group][0]} pages"
        if len(runs) > 1:
            detail += ": " + " ".join(f"{run[group][1]:.3f}" for run in runs)
        if group in TARGETS:
            yield at_least(part, label, value, TARGETS[group], detail)
        else:
            yield figure(part, label, value, detail)
    return Column(name, means, max(empty_of_runs), 0)


def pack_pages(corpus: str, golds: Golds) -> Path:
    """Writes pages as page_blocks reads them."""
    packed = FOLDER / f"{corpus}.pages"
    with packed.open("wb") as out:
        for row in golds:
            page = row["html"].encode("utf-8", "replace")
            out.write(struct.pack("<I", len(page)) + page)
    return packed


def check_speed(
    options: argparse.Namespace, rows: dict[str, Golds]
) -> Generator[Verdict, None, Means]:
    """Yields megabytes of UTF-8 for a second of processor time, one thread, pages in memory, and
    returns them by corpus."""
    part, speeds = "speed", {}
    if not options.page_blocks.exists():
        yield skipped(part, "MB a second", f"{options.page_blocks} does not exist")
        return {}
    for corpus, golds in rows.items():
        packed = pack_pages(corpus, golds)
        done = subprocess.run(
            [str(options.page_blocks), "speed", str(packed)], capture_output=True, check=True
        )
        speed = json.loads(done.stdout)
        whole = speed["bytes"] / 1e6 / speed["whole"]
        detail = f"parser alone {speed['bytes'] / 1e6 / speed['parse']:.0f}"
        name, speeds[corpus] = f"MB a second of processor time, {corpus}", whole
        if corpus in SPEEDS:
            yield at_least(part, name, round(whole), SPEEDS[corpus], detail)
        else:
            yield figure(part, name, round(whole), detail)
    return speeds


def empty_pages(rows: dict[str, Golds], texts: Texts) -> list[str]:
    """Returns the pages of which a text has nothing."""
    return [r["id"] for golds in rows.values() for r in golds if not texts.get(r["id"], "").strip()]


@dataclass(frozen=True)
class Column:
    """What one extractor reaches: F1 by group, pages without text, errors, speed by corpus."""

    name: str
    means: Means
    empty: int | str = "-"
    errors: int | str = "-"
    speed: Means = field(default_factory=dict)


def peer_columns(rows: dict[str, Golds]) -> Iterator[Column | Verdict]:
    """Yields a column for each peer, and verdicts of what went wrong."""
    installed = extract_peers.ENVIRONMENT.ensure()
    for peer in extract_peers.PEERS:
        missing = [p for p in peer.packages if p not in installed]
        if missing:
            yield skipped("peers", peer.name, f"not installed: {', '.join(missing)}")
            continue
        corpora.say(f"  {peer.name}")
        found = extract_peers.read_pages(peer.name, rows)
        if found.errors:
            kinds = Counter(found.errors.values()).most_common(3)
            detail = "; ".join(f"{count} {error[:70]}" for error, count in kinds)
            yield figure("peers", f"errors of {peer.name}", len(found.errors), detail)
        yield Column(
            f"{peer.name} {installed[peer.packages[0]].split('==')[1]}",
            {group: value for group, (_, value) in mean_f1(rows, found.texts).items()},
            len(empty_pages(rows, found.texts)),
            len(found.errors),
            {
                corpus: megabytes(golds) / max(found.seconds[corpus], 1e-9)
                for corpus, golds in rows.items()
            },
        )


def megabytes(golds: Golds) -> float:
    """Returns the size of pages in UTF-8."""
    return sum(len(row["html"].encode("utf-8", "replace")) for row in golds) / 1e6


def peer_table(rows: dict[str, Golds], columns: list[Column]) -> str:
    """Returns F1 by source, pages without text, errors and speed, a column for each extractor."""
    pages = {group: count for group, (count, _) in mean_f1(rows, {}).items()}

    def cells(means: Means, digits: int) -> str:
        return f"{means[name]:.{digits}f}" if name in means else "-"

    lines = []
    for name, count in pages.items():
        lines.append([f"{name} ({count} pages)", *(cells(c.means, 3) for c in columns)])
    lines.append(["pages without text", *(str(c.empty) for c in columns)])
    lines.append(["errors", *(str(c.errors) for c in columns)])
    for name in rows:
        label = f"MB a second of processor time, {name}"
        lines.append([label, *(cells(c.speed, 1) for c in columns)])
    return markdown_table(["mean F1", *(c.name for c in columns)], lines)


def check_peers(
    rows: dict[str, Golds], ours: list[Column], tables: list[str]
) -> Iterator[Verdict]:
    """Yields whether models that never saw the site of a page (the first of `ours`) reach the best
    peer of this run on each kind of modern page, and adds the table of all to `tables`."""
    peers: list[Column] = []
    for found in peer_columns(rows):
        if isinstance(found, Verdict):
            yield found
        else:
            peers.append(found)
    tables.append(peer_table(rows, [*ours, *peers]))
    part = "modern pages: models that never saw the site beside the best peer"
    for group in sorted({str(row["source"]) for row in rows.get("html_modern", [])}):
        if not peers or group not in ours[0].means:
            yield skipped(part, group, "needs peers and cross-validation")
            continue
        best = max(peers, key=lambda column: column.means[group])
        yield at_least(part, group, ours[0].means[group], round(best.means[group], 4), best.name)


def check(options: argparse.Namespace, tables: list[str]) -> Iterator[Verdict]:
    """Yields the verdicts of `eval extract`, and adds the table of peers to `tables`."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = {c: list(corpora.load(options.data, c)) for c in CORPORA if corpora.has(options.data, c)}
    if not rows:
        yield skipped("bodies", "all sources", "they need --data")
        return
    texts = extract(options.zhiwen, rows)
    part = "the model as it is, which has seen these pages"
    means = mean_f1(rows, texts)
    for group, (pages, value) in means.items():
        yield figure(part, f"F1, {group}", value, f"{pages} pages")
    empty = empty_pages(rows, texts)
    yield zero(part, "pages without text", len(empty), str(empty[:3]))
    scorer = options.scorer or options.data.parent / "scorers" / "extract_f1.py"
    if scorer.exists():
        differ = referee_disagreements(scorer, rows, texts)
        yield zero(part, "groups in which the referee finds another F1", differ)
    speeds = yield from check_speed(options, rows)
    if options.lexbor and options.page_blocks.exists():
        packed = {corpus: pack_pages(corpus, golds) for corpus, golds in rows.items()}
        yield from lexbor.check(options.page_blocks, rows, packed)
    nested = yield from check_nested(options, rows)
    if options.peers:
        values = {group: value for group, (_, value) in means.items()}
        shipped = Column("zhiwen, pages seen", values, len(empty), 0, speeds)
        yield from check_peers(rows, [nested, shipped], tables)


def add_arguments(commands: Any) -> None:
    """Adds the word extract to those of eval."""
    parser = commands.add_parser("extract", help="bodies of web pages, speed, other extractors")
    add_inputs(parser, "folder with html_zh, html_en and html_modern")
    parser.add_argument(
        "--page-blocks",
        type=Path,
        default=corpora.ROOT / "build" / "bench" / "bin" / "page_blocks",
        help="the program of bench/ that computes what the model sees",
    )
    parser.add_argument("--divisions", type=int, default=1, help="divisions into folds (1)")
    parser.add_argument(
        "--scorer", type=Path, help="extract_f1.py (default: beside the data folder, if there)"
    )
    parser.add_argument(
        "--peers", action="store_true", help="other extractors on the same pages, in ten minutes"
    )
    parser.add_argument(
        "--lexbor", action="store_true", help="all text of pages beside the parser lexbor"
    )
    add_forms(parser)
