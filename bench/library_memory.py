"""The memory of a program that adds to a library for long, and of one that checks beside it.

Both are one process for the whole time: `zhiwen library add LIB -` takes new documents and new
versions of documents, `zhiwen check LIB -` takes suspects; each answers what it has read before it
gets more. Memory is what the process itself holds (RssAnon); mapped files of the library are not
counted. It is flat when the last fifth of the time needs at most a tenth more than the second one,
by medians.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import corpus

import verdicts
from corpora import say

WORK = corpus.ROOT / "build" / "bench-corpora" / "library_memory"
SOURCE = corpus.ROOT / "testdata" / "demo" / "novels.jsonl"
TEXTS = 50_000  # ids; each pass over them makes new versions
ADDED = 100  # a second
CHECKED = 100
FIFTHS = 5


class Stream:
    """A process that reads records one by one from a pipe, a number of them a second."""

    def __init__(self, command: list[str | Path], records: Iterator[str], a_second: int) -> None:
        self.records, self.a_second, self.answers = records, a_second, 0
        self.errors = (WORK / f"{a_second}-{Path(command[1]).name}.log").open("wb")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors, text=True)
        self.reader = threading.Thread(target=self._count)
        self.reader.start()

    def _count(self) -> None:
        assert self.process.stdout
        for _ in self.process.stdout:
            self.answers += 1

    def feed(self) -> None:
        """Writes the records of one second."""
        assert self.process.stdin
        for _ in range(self.a_second):
            self.process.stdin.write(next(self.records))
        self.process.stdin.flush()

    def memory(self) -> int:
        """Returns the bytes that the process itself holds."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return next(int(line.split()[1]) << 10 for line in status.splitlines()
                    if line.startswith("RssAnon"))

    def close(self) -> int:
        """Returns the exit status, when all answers have come."""
        assert self.process.stdin
        self.process.stdin.close()
        status = self.process.wait()
        self.reader.join()
        self.errors.close()
        return status


def _versions(texts: Path) -> Iterator[str]:
    """Yields the texts without end; each time another line is put in front."""
    round_ = 0
    while True:
        round_ += 1
        for line in texts.open(encoding="utf-8"):
            record = json.loads(line)
            record["text"] = f"第{round_}次。" + record["text"]
            yield json.dumps(record, ensure_ascii=False) + "\n"


def _repeated(path: Path) -> Iterator[str]:
    while True:
        yield from path.open(encoding="utf-8")


def run(options: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Returns the memory every five seconds, and status 1 where it grows."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    folder, texts, suspects = WORK / "lib", WORK / "texts.jsonl", WORK / "suspects.jsonl"
    subprocess.run([options.bin_dir / "library_speed", "make", str(TEXTS), "1", SOURCE, texts,
                    suspects], check=True, stdout=subprocess.DEVNULL)
    tool = options.zhiwen
    subprocess.run([tool, "library", "create", folder], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([tool, "library", "add", folder, SOURCE], check=True, stdout=subprocess.DEVNULL)
    add = Stream([tool, "library", "add", folder, "-", "--format", "jsonl", "--acknowledge",
                  "--max-failed", "0"], _versions(texts), ADDED)
    check = Stream([tool, "check", folder, "-", "--format", "jsonl", "--json"],
                   _repeated(suspects), CHECKED)
    streams = {"library add": add, "check": check}
    memory: dict[str, list[int]] = {name: [] for name in streams}
    seconds = int(options.minutes * 60)
    begin = time.monotonic()
    for second in range(seconds):
        for name, stream in streams.items():
            stream.feed()
            if second % 5 == 4:
                memory[name].append(stream.memory())
        if second % 60 == 59:
            say(f"{second // 60 + 1} min: " + ", ".join(
                f"{name} {sizes[-1] / 1e6:.1f} MB" for name, sizes in memory.items()))
        time.sleep(max(0.0, begin + second + 1 - time.monotonic()))
    statuses = {name: stream.close() for name, stream in streams.items()}
    checks = [verdicts.holds("library", "answers to all that was asked",
                             statuses == {"library add": 0, "check": 0}
                             and check.answers >= seconds * CHECKED,
                             f"{check.answers} of {seconds * CHECKED}")]
    for name, sizes in memory.items():
        fifth = len(sizes) // FIFTHS
        early = statistics.median(sizes[fifth:2 * fifth])
        late = statistics.median(sizes[-fifth:])
        checks.append(verdicts.holds("library", f"{name}: memory is flat", late <= 1.1 * early,
                                     f"{early / 1e6:.1f} MB, then {late / 1e6:.1f} MB"))
    say(verdicts.table(checks))
    facts = json.loads(subprocess.run([tool, "library", "stats", folder, "--json"], check=True,
                                      capture_output=True, text=True).stdout)
    shutil.rmtree(WORK)
    failed = any(check.passed is False for check in checks)
    return {"minutes": options.minutes, "memory": memory, "facts": facts,
            "checks": verdicts.as_json(checks)}, int(failed)
