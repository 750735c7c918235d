"""Bodies of web pages beside the golds of their corpora, the speed of extraction, hostile pages."""

from __future__ import annotations

import argparse
import html
import json
import re
import resource
import shutil
import struct
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import corpora
from program import WORK, ProgramFailed, add_forms, add_inputs
from verdicts import Verdict, at_least, figure, holds, skipped, zero

FOLDER = WORK / "extract"
CORPORA = ("html_zh", "html_en", "html_modern")
TARGETS = {"DAnIEL-zh": 0.95, "all zh": 0.95, "all en": 0.915}
SPEEDS = {"html_zh": 300, "html_en": 250}
HOSTILE_BYTES, HOSTILE_SECONDS = 1000000, 0.5
FILES_AT_ONCE = 500

# As the referee has them: one Han character, kana or hangul syllable, or one word, is a token.
_WIDE = "\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af"
_TOKEN = re.compile(rf"[{_WIDE}]|[^\W{_WIDE}]+")
_MARKUP = re.compile(r"</?(?:p|div|br|span|a|h[1-6]|li|ul|table|img)\b[^>]*>", re.I)
_WINDOW = 4

Golds = list[corpora.Record]
Texts = dict[str, str]


def plain(gold: str) -> str:
    """Returns a gold that is a fragment of HTML as text."""
    if len(_MARKUP.findall(gold)) < 3:
        return gold
    gold = re.sub(r"(?is)<(script|style)\b.*?</\1>", " ", gold)
    return html.unescape(re.sub(r"<[^>]*>", " ", gold))


def shingles(text: str) -> Counter[tuple[str, ...]]:
    """Returns the shingles of four tokens with their counts; a shorter text is one."""
    tokens = _TOKEN.findall(text.lower())
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


def check_nested(options: argparse.Namespace, rows: dict[str, Golds]) -> Iterator[Verdict]:
    """Yields the figures of models that never saw the site of a page, means of all divisions."""
    part = f"cross-validated by site, {options.divisions} divisions into folds"
    python = python_with_numpy()
    if python is None or not options.page_blocks.exists():
        yield skipped(part, "all sources", "needs numpy and page_blocks: ./zw eval extract")
        return
    runs = []
    for division in range(1, options.divisions + 1):
        texts = nested_texts(python, options, division)
        runs.append(mean_f1(rows, texts))
        corpora.say(f"  division {division}: {runs[-1]}")
        empty = [r["id"] for golds in rows.values() for r in golds if not texts[r["id"]]]
        yield zero(part, f"pages without text, division {division}", len(empty), str(empty[:3]))
    for group, (pages, _) in runs[0].items():
        value = sum(run[group][1] for run in runs) / len(runs)
        name, detail = f"F1, {group}", f"{pages} pages"
        if len(runs) > 1:
            detail += ": " + " ".join(f"{run[group][1]:.3f}" for run in runs)
        if group in TARGETS:
            yield at_least(part, name, value, TARGETS[group], detail)
        else:
            yield figure(part, name, value, detail)


def check_speed(options: argparse.Namespace, rows: dict[str, Golds]) -> Iterator[Verdict]:
    """Yields megabytes of UTF-8 for a second of processor time, one thread, pages in memory."""
    part = "speed"
    if not options.page_blocks.exists():
        yield skipped(part, "MB a second", f"{options.page_blocks} does not exist")
        return
    for corpus, golds in rows.items():
        packed = FOLDER / f"{corpus}.pages"
        with packed.open("wb") as out:
            for row in golds:
                page = row["html"].encode("utf-8", "replace")
                out.write(struct.pack("<I", len(page)) + page)
        done = subprocess.run(
            [str(options.page_blocks), "speed", str(packed)], capture_output=True, check=True
        )
        speed = json.loads(done.stdout)
        whole = speed["bytes"] / 1e6 / speed["whole"]
        detail = f"parser alone {speed['bytes'] / 1e6 / speed['parse']:.0f}"
        name = f"MB a second of processor time, {corpus}"
        if corpus in SPEEDS:
            yield at_least(part, name, round(whole), SPEEDS[corpus], detail)
        else:
            yield figure(part, name, round(whole), detail)


def hostile_pages() -> dict[str, bytes]:
    """Returns pages that make parsers slow: one thing, again and again."""
    parts = (
        "<div>", "<ul><li>", "<a><div>", "<form><div>", "<a><b><i><u><p>", "<b>", "<p>x", "<td>x",
        "<dt>a<dd>b", "<h1>a<h2>b", "<!-- ", '<a href="x>', "<a href='x>\"", "<title>",
        "<textarea>", "<svg>", "<template><div>", "<select>", "<", "&", "&amp", "&#1;", "<!", "</",
        "x<br>", "<table><tr><td>", "<tr>x", "<p class=nav>x", "<span hidden>x", "<!---->x",
        "2012-01-", " ", "\0", "<![CDATA[", '<a "', "<xmp></xmp",
    )  # fmt: skip
    pages = {part: (part * HOSTILE_BYTES)[:HOSTILE_BYTES].encode() for part in parts}
    half = HOSTILE_BYTES // 2
    pages["<div> closed"] = b"<div>" * (half // 5) + b"</div>" * (half // 6)
    pages["attributes"] = b"<p " + b"a=1 " * (HOSTILE_BYTES // 4) + b">x"
    pages["a class of many words"] = b"<div class='" + b"navbar " * (HOSTILE_BYTES // 7) + b"'>x"
    pages["<pre> of short lines"] = b"<pre>" + b"x\n" * half
    pages["bytes of no encoding"] = b"\x80" * HOSTILE_BYTES
    return pages


def check_hostile(binary: Path) -> Iterator[Verdict]:
    """Yields the seconds of processor time that the slowest hostile page takes, and the memory."""
    slowest, name = 0.0, ""
    path = FOLDER / "hostile.html"
    for shown, page in hostile_pages().items():
        path.write_bytes(page)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [str(binary), "extract", "--threads", "1", "--json", str(path)],
            stdout=subprocess.DEVNULL,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            yield holds("hostile pages", f"{shown!r} has a result", False)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if took > slowest:
            slowest, name = took, shown
    shown = f"the slowest page of 1 MB takes at most {HOSTILE_SECONDS} s"
    yield holds(
        "hostile pages", shown, slowest <= HOSTILE_SECONDS, f"{slowest:.2f} s: {name!r}"
    )


def check(options: argparse.Namespace) -> Iterator[Verdict]:
    """Yields the verdicts of `eval extract`."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    yield from check_hostile(options.zhiwen)
    rows = {c: list(corpora.load(options.data, c)) for c in CORPORA if corpora.has(options.data, c)}
    if not rows:
        yield skipped("bodies", "all sources", "they need --data")
        return
    texts = extract(options.zhiwen, rows)
    part = "the model as it is, which has seen these pages"
    for group, (pages, value) in mean_f1(rows, texts).items():
        yield figure(part, f"F1, {group}", value, f"{pages} pages")
    empty = [r["id"] for golds in rows.values() for r in golds if not texts.get(r["id"])]
    yield zero(part, "pages without text", len(empty), str(empty[:3]))
    scorer = options.scorer or options.data.parent / "scorers" / "extract_f1.py"
    if scorer.exists():
        differ = referee_disagreements(scorer, rows, texts)
        yield zero(part, "groups in which the referee finds another F1", differ)
    yield from check_speed(options, rows)
    yield from check_nested(options, rows)


def add_arguments(commands: Any) -> None:
    """Adds the word extract to those of eval."""
    parser = commands.add_parser("extract", help="bodies of web pages, speed, hostile pages")
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
    add_forms(parser)
