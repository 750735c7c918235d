"""zhiwen on corpora of growing size in bounded memory: is the time linear, is the bound kept, what
does the disk cost, what would ten terabytes take?

The corpus is the given one over and over, each time with other edits: a copy of a text has from
none to a third of its characters replaced, so that some are near-duplicates and some are not. With
--short-documents it is as many short texts, made of nothing (short_documents.py).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import random
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import corpora
import corpus
import plot
import scale_model
import short_documents

from corpora import say

GIB = 1 << 30
# Of the characters of a copy that are replaced, how large a share; drawn for each text.
EDIT_SHARES = (0.0, 0.004, 0.01, 0.03, 0.1, 0.3)
PART_BYTES = GIB // 4  # of text, in one file
SHORT_PARTS = 8  # files of a corpus of short documents


@dataclass
class Row:
    """One run: sizes in bytes, times in seconds."""

    text_bytes: int
    memory: str
    wall: float
    cpu: float
    anonymous_peak: int
    scratch: int
    documents: int
    kept: int
    stages: dict[str, float]


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Measures every size with every bound. Returns the rows and the exit status: 1 when a bound
    was passed."""
    of = corpus.prepare(options.data, options.documents)
    folder = of.folder / "scale"
    rows: list[Row] = []
    for inputs in _corpora(options, of.path, folder):
        for memory in options.memory:
            rows.append(_measure(options.zhiwen, inputs, folder / "out", memory, options.threads))
            say(_line(rows[-1]))
    if not options.keep:
        shutil.rmtree(folder)
    if options.plot:
        options.plot.write_text(_plot(rows), encoding="utf-8")
    passed = [row for row in rows if row.anonymous_peak > bytes_of(row.memory)]
    for row in passed:
        say(f"  above its bound: {row.memory}, {row.anonymous_peak >> 20} MiB")
    return {"rows": [asdict(row) for row in rows]}, 1 if passed else 0


def _corpora(options: argparse.Namespace, source: Path, folder: Path) -> Iterator[list[Path]]:
    """Yields the inputs of each size, the smaller ones first."""
    if options.short_documents:
        for documents in sorted(options.short_documents):
            inputs = [folder / f"short{documents}" / f"{p}.jsonl" for p in range(SHORT_PARTS)]
            with _once(inputs[0].parent) as is_new:
                if is_new:
                    short_documents.write(documents, inputs)
            yield inputs
            if not options.keep:
                shutil.rmtree(inputs[0].parent)
        return
    counts = [max(1, round(size * GIB / PART_BYTES)) for size in sorted(options.sizes)]
    parts = [folder / "text" / f"part{part:04}.jsonl" for part in range(counts[-1])]
    parts[0].parent.mkdir(parents=True, exist_ok=True)
    missing = [(source, path) for path in parts if not path.exists()]
    with multiprocessing.Pool() as pool:
        pool.starmap(write_part, missing, chunksize=1)
    os.sync()  # the first run is not to wait for the disk to take the corpus
    for count in counts:
        yield parts[:count]


@contextlib.contextmanager
def _once(folder: Path) -> Iterator[bool]:
    """Whether `folder` has to be filled; it is marked as complete afterwards."""
    done = folder / "complete"
    if done.exists():
        yield False
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    yield True
    done.touch()


def write_part(source: Path, path: Path) -> None:
    """Writes PART_BYTES of text from the records of `source`, edited."""
    texts = [record["text"] for record in corpora.read(source)]
    alphabet = sorted(set("".join(texts[:2000])))
    rng = random.Random(path.stem)
    written = number = 0
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8") as file:
        while written < PART_BYTES:
            edited = _edit(texts[number % len(texts)], rng, alphabet)
            record = {"id": f"{path.stem}-{number}", "text": edited}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            number += 1
            written += len(edited.encode())
    part.rename(path)


def _edit(text: str, rng: random.Random, alphabet: list[str]) -> str:
    count = int(len(text) * rng.choice(EDIT_SHARES))
    if count == 0:
        return text
    characters = list(text)
    for place in rng.choices(range(len(characters)), k=count):
        characters[place] = alphabet[rng.randrange(len(alphabet))]
    return "".join(characters)


def _measure(zhiwen: Path, inputs: list[Path], out: Path, memory: str, threads: int) -> Row:
    shutil.rmtree(out, ignore_errors=True)
    words = [str(zhiwen), "dedup", *map(str, inputs), "-o", str(out), "--memory", memory, "--json"]
    if threads:
        words += ["--threads", str(threads)]
    start = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    peak = [0]
    watcher = threading.Thread(target=watch, args=(process.pid, peak))
    watcher.start()
    assert process.stdout is not None
    report = json.loads(process.stdout.read())
    _, status, usage = os.wait4(process.pid, 0)
    watcher.join()
    wall = time.monotonic() - start
    if status != 0:
        raise SystemExit(f"scale: {' '.join(words[:3])} … ended with status {status}")
    shutil.rmtree(out, ignore_errors=True)
    return Row(
        text_bytes=report["result"]["text_bytes"],
        memory=memory,
        wall=wall,
        cpu=usage.ru_utime + usage.ru_stime,
        anonymous_peak=peak[0],
        scratch=report["run"]["scratch_bytes"],
        documents=report["result"]["documents"],
        kept=report["result"]["kept"],
        stages={s["name"]: s["wall_seconds"] for s in report["run"]["stages"]},
    )


def watch(pid: int, peak: list[int]) -> None:
    """Looks at the anonymous memory of the process until it ends."""
    status = Path(f"/proc/{pid}/status")
    while True:
        try:
            lines = status.read_text().splitlines()
        except OSError:
            return
        anonymous = [int(line.split()[1]) << 10 for line in lines if line.startswith("RssAnon:")]
        if not anonymous:
            return
        peak[0] = max(peak[0], anonymous[0])
        time.sleep(0.01)


def bytes_of(text: str) -> int:
    """Of what --memory is given."""
    return int(text[:-1]) << {"M": 20, "G": 30}[text[-1]]


def _line(row: Row) -> str:
    text = row.text_bytes / GIB
    return (
        f"  {text:6.2f} GiB of text, --memory {row.memory:>5}: {row.wall:7.1f} s, "
        f"{row.cpu:7.1f} s of processors, {row.text_bytes / 1e6 / row.wall:6.1f} MB/s, "
        f"{row.text_bytes / 1e6 / row.cpu:6.1f} MB/cpu-s, anonymous peak "
        f"{row.anonymous_peak >> 20:5d} MiB, scratch {row.scratch / GIB:6.2f} GiB, "
        f"{row.documents:,} documents, {row.kept:,} kept"
    )


def _plot(rows: list[Row]) -> str:
    memories = list(dict.fromkeys(row.memory for row in rows))
    return plot.lines(
        title="zhiwen dedup: time by size of text",
        x="GiB of text",
        y="seconds",
        series={
            f"--memory {memory}": [
                (row.text_bytes / GIB, row.wall) for row in rows if row.memory == memory
            ]
            for memory in memories
        },
    )


def table(result: dict[str, Any]) -> str:
    """The rows once more as Markdown, and what follows from them for ten terabytes."""
    lines = [
        "| text, GiB | documents | --memory | s | MB/s | MB/cpu-s | anonymous peak, MiB | "
        "scratch, GiB |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in result["rows"]:
        megabytes = row["text_bytes"] / 1e6
        lines.append(
            f"| {row['text_bytes'] / GIB:.3g} | {row['documents']:,} | {row['memory']} | "
            f"{row['wall']:.1f} | {megabytes / row['wall']:.1f} | {megabytes / row['cpu']:.1f} | "
            f"{row['anonymous_peak'] >> 20} | {row['scratch'] / GIB:.3g} |"
        )
    return "\n".join(lines + ["", *scale_model.describe([Row(**row) for row in result["rows"]])])
