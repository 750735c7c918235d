"""Other extractors of bodies on the same pages, in the same run: F1, empty texts, speed, errors."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import corpora
from virtual_environment import VirtualEnvironment

FOLDER = Path(__file__).resolve().parent / "peers"
ENVIRONMENT = VirtualEnvironment(
    corpora.ROOT / "build" / "venv-extract", FOLDER / "requirements.txt", newest_python=True
)
# As the referee has them: one Han character, kana or hangul syllable, or one word, is a token.
WIDE = "\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af"
TOKEN = re.compile(rf"[{WIDE}]|[^\W{WIDE}]+")
PAGE_SECONDS = 30.0
START_SECONDS = 120.0


@dataclass(frozen=True)
class Peer:
    """An extractor: its name in page_worker.py, and the packages that it needs."""

    name: str
    packages: tuple[str, ...]
    note: str = ""


PEERS = (
    Peer("trafilatura", ("trafilatura",)),
    Peer("trafilatura_without_comments", ("trafilatura",)),
    Peer("resiliparse", ("resiliparse",)),
    Peer("readability", ("readability-lxml", "resiliparse")),
    Peer("magic_html", ("magic-html", "resiliparse"), "is told which pages are forums"),
)


@dataclass
class Found:
    """What an extractor found in pages: texts by id, seconds of the processor by corpus, errors by
    id."""

    texts: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)


class Worker:
    """A process that answers pages; one that takes too long for a page is ended and replaced."""

    def __init__(self, name: str) -> None:
        self._command = [str(ENVIRONMENT.python), str(FOLDER / "page_worker.py"), name]
        self._start()

    def _start(self) -> None:
        self._is_new, self._answers = True, b""
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, page: dict[str, object]) -> tuple[str, float, str]:
        """Returns the text of a page, the seconds it took, and the error, if there was one."""
        assert self._process.stdin is not None
        limit = START_SECONDS if self._is_new else PAGE_SECONDS
        self._is_new = False
        try:
            self._process.stdin.write(json.dumps(page).encode() + b"\n")
            self._process.stdin.flush()
            answer = self._answer(time.monotonic() + limit)
        except BrokenPipeError:
            answer = None
        if answer is not None:
            said = json.loads(answer)
            return said["text"], said["seconds"], said["error"]
        status = self._process.poll()
        self.close()
        self._start()
        error = f"no text after {limit:.0f} s" if status is None else f"ended with status {status}"
        return "", limit if status is None else 0.0, error

    def _answer(self, until: float) -> bytes | None:
        """Returns the next line, or None at the end of the output or of the time."""
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        while b"\n" not in self._answers:
            left = until - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                return None
            more = os.read(descriptor, 1 << 20)
            if not more:
                self._process.wait()
                return None
            self._answers += more
        line, self._answers = self._answers.split(b"\n", 1)
        return line

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()


def read_pages(name: str, rows: dict[str, Sequence[corpora.Record]]) -> Found:
    """Returns what an extractor of page_worker.py finds in the pages of corpora."""
    found = Found()
    worker = Worker(name)
    for corpus, pages in rows.items():
        found.seconds[corpus] = 0.0
        for row in pages:
            page = {
                "html": row["html"],
                "url": row.get("url"),
                "forum": str(row["source"]).endswith("/forum"),
            }
            text, seconds, error = worker.ask(page)
            found.texts[row["id"]] = text
            found.seconds[corpus] += seconds
            if error:
                found.errors[row["id"]] = error
    worker.close()
    return found
