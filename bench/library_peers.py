"""What else answers whether a text is known, on the texts and suspects of a library: datasketch
with its buckets in Redis, and SQLite's FTS5 over triples of characters.

datasketch gives candidates for near-duplicates and nothing for a part of a text. FTS5 ranks
documents by bm25 and always has a best one, so an answer of it says nothing without a comparison:
its column of unrelated suspects counts those with an answer. Neither compares texts.
"""

from __future__ import annotations

import itertools
import json
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import environment

from corpora import read, say

PROGRAM = Path(__file__).resolve().parent / "peers" / "library_datasketch.py"
COUNT = 10  # documents of an answer of FTS5
SUSPECTS = 50  # that FTS5 is asked


@contextmanager
def _redis(folder: Path) -> Iterator[Path]:
    """Starts a server without a port, whose data stays in memory; yields its socket."""
    socket = folder / "redis.sock"
    command = ["redis-server", "--port", "0", "--unixsocket", str(socket), "--save", "",
               "--appendonly", "no", "--dir", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            for _ in range(100):
                if socket.exists():
                    break
                time.sleep(0.05)
            yield socket
        finally:
            server.send_signal(signal.SIGTERM)


def _redis_bytes(socket: Path) -> int:
    info = subprocess.run(["redis-cli", "-s", socket, "info", "memory"], check=True,
                          capture_output=True, text=True).stdout
    figures = dict(line.split(":", 1) for line in info.splitlines() if ":" in line)
    return int(figures["used_memory"])


def _datasketch(texts: Path, suspects: Path) -> dict[str, Any]:
    if not {"datasketch", "redis"} <= environment.ensure("datasketch", "redis", "orjson").keys():
        return {"failure": "not installed"}
    if shutil.which("redis-server") is None:
        return {"failure": "needs the package redis-server"}
    with tempfile.TemporaryDirectory() as folder, _redis(Path(folder)) as socket:
        done = subprocess.run([environment.PYTHON, PROGRAM, texts, suspects, socket], check=True,
                              stdout=subprocess.PIPE)
        figures: dict[str, Any] = json.loads(done.stdout)
        return figures | {"bytes": _redis_bytes(socket)}


def _triples(text: str) -> str:
    triples = {text[i : i + 3].replace('"', '""') for i in range(len(text) - 2)}
    return " OR ".join(f'"{triple}"' for triple in sorted(triples))


def _fts5(texts: Path, suspects: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fts5.db"
        database = sqlite3.connect(path)
        database.execute("create virtual table t using fts5(id unindexed, text, "
                         "tokenize='trigram')")
        start = time.monotonic()
        rows = ((record["id"], record["text"]) for record in read(texts))
        database.executemany("insert into t(id, text) values (?, ?)", rows)
        database.execute("insert into t(t) values ('optimize')")
        database.commit()
        add_seconds = time.monotonic() - start
        answers = []
        for record in itertools.islice(read(suspects), SUSPECTS):
            start = time.monotonic()
            found = database.execute(
                f"select id from t where t match ? order by rank limit {COUNT}",
                (_triples(record["text"]),),
            ).fetchall()
            answers.append({"milliseconds": (time.monotonic() - start) * 1e3,
                            "ids": [row[0] for row in found]})
        database.close()
        return {"add_seconds": add_seconds, "answers": answers, "bytes": path.stat().st_size}


def _percentile(answers: list[dict[str, Any]], share: float) -> float:
    times = sorted(answer["milliseconds"] for answer in answers)
    return float(round(times[int(share * (len(times) - 1))], 3))


def _row(name: str, figures: dict[str, Any], suspects: Path) -> dict[str, Any]:
    if "failure" in figures:
        return {"name": name, **figures}
    answers = figures.pop("answers")
    kinds: dict[str, dict[str, int]] = {}
    for record, answer in zip(read(suspects), answers, strict=False):
        row = kinds.setdefault(record["kind"], {"suspects": 0, "found": 0, "others": 0})
        row["suspects"] += 1
        row["found"] += record.get("original") in answer["ids"]
        row["others"] += any(i != record.get("original") for i in answer["ids"])
    return {"name": name, "p50_ms": _percentile(answers, 0.5),
            "p99_ms": _percentile(answers, 0.99), "kinds": kinds, **figures}


def measure(texts: Path, suspects: Path) -> list[dict[str, Any]]:
    """Returns a row for each of the others."""
    say("datasketch with Redis")
    rows = [_row("datasketch, Redis", _datasketch(texts, suspects), suspects)]
    say("SQLite FTS5")
    return [*rows, _row("SQLite FTS5", _fts5(texts, suspects), suspects)]


def table(size: dict[str, Any]) -> list[str]:
    """Returns the lines of a table in Markdown that has zhiwen first."""
    facts = size["facts"]
    zhiwen = {"name": "zhiwen", "add_seconds": size["add_seconds"], **size["alone"],
              "bytes": facts["catalog_bytes"] + facts["near_bytes"] + facts["passage_bytes"]}
    lines = [f"| of {size['documents']} documents | added a second | p50, ms | p99, ms "
             "| bytes a document | same | edited | part | unrelated with an answer |",
             "|---|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for row in [zhiwen, *size["peers"]]:
        if "failure" in row:
            lines.append(f"| {row['name']}: {row['failure']} |")
            continue
        found = (f"{row['kinds'][kind]['found'] / row['kinds'][kind]['suspects']:.3f}"
                 for kind in ("same", "edited", "part"))
        unrelated = row["kinds"]["unrelated"]
        lines.append(f"| {row['name']} | {size['documents'] / row['add_seconds']:.0f} "
                     f"| {row['p50_ms']} | {row['p99_ms']} "
                     f"| {row['bytes'] / size['documents']:.0f} | {' | '.join(found)} "
                     f"| {unrelated['others'] / unrelated['suspects']:.3f} |")
    return lines
