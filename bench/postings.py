"""The ten documents that share the most features with a text of 2 KB: zhiwen's postings beside
SQLite's FTS5 with the same features as tokens, in one run.

Documents are made up (bench/programs/postings_speed.cc): 600 features each, as often as shingles of
Chinese news are; one document in twenty is a copy of another with a tenth changed. With --data they
are the shingles of the corpora. Every second query is in a document, or much of it.

FTS5 counts overlaps in the quickest way that gives what zhiwen gives: a table without content,
sizes and positions, merged into one tree, with the postings of each token read and counted, by SQL
or by Python, whichever is quicker on the first queries. Beside it stands what FTS5 gives when it is
asked for its ten best by bm25, from a table that has positions, without which it cannot rank.
Each query runs once before it is measured. Times are processor time of one thread.
"""

from __future__ import annotations

import argparse
import array
import collections
import itertools
import json
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import corpus

import verdicts
from corpora import read, say
from verdicts import Verdict

WORK = corpus.ROOT / "build" / "bench-corpora" / "postings"
TARGET = 20  # times as fast as FTS5
COUNT = 10  # documents of an answer
Answer = list[list[int]]  # rows of document and overlap

# How FTS5 is asked. In SQL the parameter is a list of tokens in JSON.
BY_MATCH = f"""
select t.rowid, count(*) from json_each(?) as query, t where t match query.value
group by 1 order by 2 desc, 1 limit {COUNT}"""
BY_VOCABULARY = f"""
select doc, count(*) from terms where term in (select value from json_each(?))
group by 1 order by 2 desc, 1 limit {COUNT}"""
BY_RANK = f"select rowid from t where t match ? order by rank limit {COUNT}"


class Fts5:
    """A table of tokens, whose documents are numbered as zhiwen's are."""

    def __init__(self, path: Path, settings: str) -> None:
        path.unlink(missing_ok=True)
        self.path = path
        self.db = sqlite3.connect(path, isolation_level=None)
        for pragma in ("page_size=8192", "journal_mode=off", "synchronous=off",
                       "locking_mode=exclusive", "cache_size=-4000000", "temp_store=memory"):
            self.db.execute(f"pragma {pragma}")
        self.db.execute(
            f"create virtual table t using fts5(tokens, content='', tokenize='ascii', {settings})"
        )
        self.db.execute("create virtual table terms using fts5vocab(t, instance)")
        # One merge at the end, of pieces that fit the caches: a third of the time of large ones.
        for option, value in (("hashsize", 1 << 25), ("automerge", 0), ("crisismerge", 1999)):
            self.db.execute("insert into t(t, rank) values (?, ?)", (option, value))

    def fill(self, documents: Iterator[str]) -> float:
        """Adds the documents, in one transaction, and merges all. Returns seconds."""
        start = time.process_time()
        self.db.execute("begin")
        self.db.executemany("insert into t(rowid, tokens) values (?, ?)", enumerate(documents))
        self.db.execute("insert into t(t) values ('optimize')")
        self.db.execute("commit")
        return time.process_time() - start

    def size(self) -> int:
        """The bytes of the pages in use."""
        pages, free, of_page = (self.db.execute(f"pragma {name}").fetchone()[0]
                                for name in ("page_count", "freelist_count", "page_size"))
        return int((pages - free) * of_page)

    def by_match(self, tokens: list[str]) -> Answer:
        return [list(row) for row in self.db.execute(BY_MATCH, (json.dumps(tokens),))]

    def by_vocabulary(self, tokens: list[str]) -> Answer:
        return [list(row) for row in self.db.execute(BY_VOCABULARY, (json.dumps(tokens),))]

    def by_counting(self, tokens: list[str]) -> Answer:
        counts: collections.Counter[int] = collections.Counter()
        for token in tokens:
            rows = self.db.execute("select rowid from t where t match ?", (token,)).fetchall()
            counts.update(itertools.chain.from_iterable(rows))
        if len(counts) > COUNT:
            least = sorted(counts.values())[-COUNT]
            counts = collections.Counter({d: n for d, n in counts.items() if n >= least})
        best = sorted(counts.items(), key=lambda row: (-row[1], row[0]))[:COUNT]
        return [list(row) for row in best]

    def by_rank(self, tokens: list[str]) -> Answer:
        return [list(row) for row in self.db.execute(BY_RANK, (" OR ".join(tokens),))]


def _program(options: argparse.Namespace, *words: str) -> dict[str, Any]:
    command = [str(options.bin_dir / "postings_speed"), *words]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def _timed(ask: Callable[[list[str]], Answer], queries: list[list[str]]) -> dict[str, Any]:
    """Returns p50 and p99 in microseconds, and the answers."""
    times, answers = [], []
    for query in queries:
        ask(query)
        start = time.process_time_ns()
        answers.append(ask(query))
        times.append((time.process_time_ns() - start) / 1e3)
    times.sort()
    return {"p50_us": times[len(times) // 2], "p99_us": times[(len(times) - 1) * 99 // 100],
            "answers": answers}


def _quickest(table: Fts5, queries: list[list[str]]) -> tuple[str, Callable[[list[str]], Answer]]:
    ways = {"match in SQL": table.by_match, "vocabulary in SQL": table.by_vocabulary,
            "match, counted by Python": table.by_counting}
    times = {name: _timed(ask, queries[:4])["p50_us"] for name, ask in ways.items()}
    for name, us in times.items():
        say(f"  {name}: {us:.0f} us")
    name = min(times, key=times.__getitem__)
    return name, ways[name]


def _fts5(options: argparse.Namespace, words: list[str], is_ranked: bool) -> dict[str, Any]:
    """One row of a table of FTS5."""
    settings = "detail=full" if is_ranked else "detail=none, columnsize=0"
    say(f"FTS5, {settings}")
    table = Fts5(WORK / "fts5.db", settings)
    command = [str(options.bin_dir / "postings_speed"), "tokens", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        lines = iter(program.stdout)
        queries = [line.split() for line in itertools.islice(lines, int(next(lines)))]
        build_seconds = table.fill(lines)
    say(f"  built in {build_seconds:.0f} s")
    queries = queries[: options.fts5_queries]
    name, ask = ("bm25", table.by_rank) if is_ranked else _quickest(table, queries)
    row = {"name": f"FTS5, {name}", "build_seconds": build_seconds,
           "bytes": table.size(), **_timed(ask, queries)}
    table.db.close()
    table.path.unlink()
    return row


def _write_texts(options: argparse.Namespace, path: Path) -> None:
    """The symbols of the corpora, as postings_speed reads them."""
    with path.open("wb") as out:
        for record in read(corpus.prepare(options.data, 0).folded):
            symbols = record["text"].encode("utf-32-le")
            out.write(array.array("I", [len(symbols) // 4]).tobytes() + symbols)


def _measure(options: argparse.Namespace, name: str) -> dict[str, Any]:
    """All rows of a number of documents, or a file of texts."""
    path = WORK / "postings.zw"
    words = [name, "--queries", str(options.queries)]
    say(f"zhiwen, {name}")
    built = _program(options, "build", *words, "--file", str(path))
    ask = ("query", *words, "--file", str(path), "--rounds", str(options.rounds))
    zhiwen = _program(options, *ask)
    rows = []
    if not options.no_peers:
        rows.append(_fts5(options, words, is_ranked=False))
        if built["documents"] <= options.ranked_documents:
            rows.append(_fts5(options, words, is_ranked=True))
    again = _program(options, *ask)
    path.unlink()
    for figure in ("p50_us", "p99_us"):  # before and after what they are compared with
        zhiwen[figure] = (zhiwen[figure] + again[figure]) / 2
    answers = zhiwen.pop("answers")
    zhiwen |= {"name": "zhiwen", "build_seconds": built["build_seconds"]}
    checked = built["answers"]
    right = sum(ours == theirs for ours, theirs in zip(answers, checked, strict=False))
    result = {"documents": zhiwen["documents"], "postings": zhiwen["postings"],
              "rows": [zhiwen, *rows], "checked": len(checked), "right": right}
    for row in rows:
        theirs = row.pop("answers")
        # Of the documents that share the most, how many it gives.
        both = [len({d[0] for d in a} & {d[0] for d in b}) / max(1, len(a))
                for a, b in zip(answers, theirs, strict=False)]
        row["share"] = sum(both) / len(both)
        row["queries"] = len(theirs)
        row["is_equal"] = theirs == answers[: len(theirs)]
    return result


def _checks(result: dict[str, Any]) -> Iterator[Verdict]:
    part = f"{result['documents']} documents"
    detail = f"{result['right']} of {result['checked']} queries"
    is_right = result["right"] == result["checked"] > 0
    yield verdicts.holds(part, "the answers of brute force", is_right, detail)
    zhiwen, *others = result["rows"]
    for row in others[:1]:
        yield verdicts.holds(part, "the answers of FTS5", row["is_equal"])
        for figure in ("p50_us", "p99_us"):
            name = f"{row['name']} / zhiwen, {figure[:3]}"
            yield verdicts.at_least(part, name, row[figure] / zhiwen[figure], TARGET)


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Returns all figures, and status 1 where a target is not reached."""
    program = options.bin_dir / "postings_speed"
    if not program.exists():
        say(f"bench: {program} does not exist; build it with -DZHIWEN_BENCHMARKS=ON")
        return {}, 4
    WORK.mkdir(parents=True, exist_ok=True)
    names = [str(documents) for documents in options.documents]
    if options.data:
        _write_texts(options, WORK / "texts.bin")
        names = [str(WORK / "texts.bin")]
    results = [_measure(options, name) for name in names]
    checks = [check for result in results for check in _checks(result)]
    say(verdicts.table(checks))
    status = 1 if any(check.passed is False for check in checks) else 0
    return {"sizes": results, "checks": verdicts.as_json(checks)}, status


def _row(row: dict[str, Any], size: dict[str, Any]) -> str:
    zhiwen = size["rows"][0]
    ratios = (row[figure] / zhiwen[figure] for figure in ("p50_us", "p99_us"))
    cells = (f"{size['documents']}", row["name"], f"{row['p50_us']:.0f}", f"{row['p99_us']:.0f}",
             *(f"{ratio:.1f}" for ratio in ratios),
             f"{row['bytes'] / size['postings']:.2f}", f"{row['build_seconds']:.0f}",
             f"{row.get('share', 1):.3f}")
    return f"| {' | '.join(cells)} |"


def table(result: dict[str, Any]) -> str:
    """Returns the tables in Markdown."""
    if not result:
        return ""
    lines = ["| documents | | p50, us | p99, us | p50 / zhiwen | p99 / zhiwen "
             "| bytes a posting | built in s | of the best ten |",
             "|---:|---|---:|---:|---:|---:|---:|---:|---:|"]
    lines += [_row(row, size) for size in result["sizes"] for row in size["rows"]]
    for size in result["sizes"]:
        zhiwen = size["rows"][0]
        lines += [
            "",
            f"{size['documents']} documents have {size['postings']} postings of "
            f"{zhiwen['features']} features; a query has {zhiwen['asked']:.0f} of them. Asked for "
            f"the first time: p50 {zhiwen['first_p50_us']:.0f}, "
            f"p99 {zhiwen['first_p99_us']:.0f} us.",
        ]
    return "\n".join(lines)
