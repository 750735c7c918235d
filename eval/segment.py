"""The tokens of zhiwen segment beside those of jieba, of this Python: differences by mode."""

from __future__ import annotations

import argparse
import functools
import hashlib
import itertools
import json
import logging
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import corpora
import jieba_tags
from program import WORK, ProgramFailed, add_forms, add_inputs
from verdicts import Verdict, figure, skipped, zero

Tokens = list[tuple[str, str]]  # a word and its tag, or ""

# Options of zhiwen segment → what jieba is asked, with its tokenizer and that of its tags.
MODES: dict[str, Callable[[Any, Any, str], Iterable[Any]]] = {
    "": lambda words, tags, text: words.cut(text),
    "--no-hmm": lambda words, tags, text: words.cut(text, HMM=False),
    "--mode search": lambda words, tags, text: words.cut_for_search(text),
    "--mode search --no-hmm": lambda words, tags, text: words.cut_for_search(text, HMM=False),
    "--mode full": lambda words, tags, text: words.cut(text, cut_all=True),
    "--tags": lambda words, tags, text: tags.cut(text),
    "--tags --no-hmm": lambda words, tags, text: tags.cut(text, HMM=False),
}
DEBIAN_PACKAGES = "/usr/lib/python3/dist-packages"
PIECE = 20000  # characters of a text; jieba keeps much of each
BATCH = 8 << 20  # bytes of text whose tokens are held at a time


class Jieba:
    """jieba with user dictionaries, apart from other objects of its kind."""

    def __init__(self, dictionaries: Iterable[Path] = ()) -> None:
        if DEBIAN_PACKAGES not in sys.path:
            sys.path.append(DEBIAN_PACKAGES)  # for another Python than Debian's
        import jieba
        import jieba.finalseg
        import jieba.posseg

        jieba.setLogLevel(logging.CRITICAL)
        _remember_tags(jieba.posseg)
        jieba.finalseg.Force_Split_Words.clear()
        self.words = jieba.Tokenizer()
        self.words.initialize()
        for path in dictionaries:
            self.words.load_userdict(str(path))
        self.tags = jieba.posseg.POSTokenizer(self.words)

    def tokens(self, mode: str, text: str) -> Tokens:
        """Returns what it cuts the text into."""
        found = MODES[mode](self.words, self.tags, text)
        return [(t.word, t.flag) if "tags" in mode else (t, "") for t in found]


def _remember_tags(posseg: Any) -> None:
    """Lets jieba ask its model of tags once for characters that come again, as names do, and asks
    it in the faster form of jieba_tags; of every 500 answers one is compared with its own."""
    original, fast = posseg.viterbi, jieba_tags.Model(posseg).viterbi
    asked = itertools.count()

    @functools.lru_cache(maxsize=1 << 20)
    def answer(characters: str) -> Any:
        found = fast(characters)
        if next(asked) % 500 == 0:
            tables = (posseg.start_P, posseg.trans_P, posseg.emit_P)
            if found != original(characters, posseg.char_state_tab_P, *tables):
                raise AssertionError(f"jieba_tags answers otherwise than jieba: {characters!r}")
        return found

    posseg.viterbi = lambda characters, *tables: answer(characters)


def _run_zhiwen(
    binary: Path, mode: str, path: Path, dictionaries: Iterable[Path], json_option: Iterable[str]
) -> bytes:
    """Returns what zhiwen segment prints of a file. Fails: ProgramFailed."""
    command = [str(binary), "segment", *json_option, *mode.split(), str(path)]
    for dictionary in dictionaries:
        command += ["--dict", str(dictionary)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        raise ProgramFailed(f"zhiwen segment {mode}: {done.stderr.decode(errors='replace')[-400:]}")
    return done.stdout


def zhiwen_tokens(
    binary: Path, mode: str, texts: list[str], dictionaries: Iterable[Path] = ()
) -> list[Tokens]:
    """Runs zhiwen segment on the texts. Fails: ProgramFailed, also when a token is not what its
    span says."""
    WORK.mkdir(parents=True, exist_ok=True)
    corpus = WORK / "segment.jsonl"
    corpora.write(corpus, [{"id": str(i), "text": text} for i, text in enumerate(texts)])
    lines = _run_zhiwen(binary, mode, corpus, dictionaries, ["--json"]).split(b"\n")[:-1]
    if len(lines) != len(texts):
        raise ProgramFailed(f"zhiwen segment {mode}: {len(lines)} lines for {len(texts)} texts")
    result = []
    for line, text in zip(lines, texts, strict=True):
        tokens, utf8 = json.loads(line)["tokens"], text.encode()
        for token in tokens:
            if utf8[token["begin"] : token["end"]].decode() != token["text"]:
                raise ProgramFailed(f"zhiwen segment {mode}: {token} is not where it says")
        result.append([(token["text"], token.get("tag", "")) for token in tokens])
    return result


def zhiwen_lines(
    binary: Path, mode: str, lines: list[str], line_end: str, dictionaries: Iterable[Path] = ()
) -> list[str]:
    """Returns what zhiwen segment prints of a text of these lines. Fails: ProgramFailed, also when
    it prints more or fewer."""
    WORK.mkdir(parents=True, exist_ok=True)
    path = WORK / "segment.txt"
    # The first is empty: a byte order mark there is no part of the text.
    path.write_bytes("".join(line + line_end for line in ["", *lines]).encode())
    printed = _run_zhiwen(binary, mode, path, dictionaries, []).decode().split("\n")[1:-1]
    if len(printed) != len(lines):
        raise ProgramFailed(f"zhiwen segment {mode}: {len(printed)} lines for {len(lines)}")
    return printed


def first_difference(text: str, ours: Tokens, theirs: Tokens) -> str:
    """Returns where two lists part, for people."""
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), -1)
    return f"{text[:40]!r}: token {at}: {ours[at - 2:at + 5]} for {theirs[at - 2:at + 5]}"


_jieba: Jieba | None = None


def _jieba_tokens(job: tuple[str, str]) -> Tokens:
    assert _jieba is not None
    return _jieba.tokens(*job)


@dataclass(frozen=True)
class Sides:
    """zhiwen, and jieba with the same dictionaries: of this process, or of those of a pool."""

    binary: Path
    dictionaries: Iterable[Path] = ()
    jieba: Jieba | None = None
    pool: Any = None

    def _cut_by_jieba(self, mode: str, texts: list[str]) -> Iterable[Tokens]:
        jobs = [(mode, text) for text in texts]
        if self.pool is not None:
            return self.pool.imap(_jieba_tokens, jobs, chunksize=max(4, min(256, len(jobs) // 64)))
        assert self.jieba is not None
        return map(self.jieba.tokens, *zip(*jobs, strict=True))

    def differences(self, mode: str, texts: list[str]) -> list[str]:
        """Returns a line for each text that both cut differently."""
        ours = zhiwen_tokens(self.binary, mode, texts, self.dictionaries)
        theirs = self._cut_by_jieba(mode, texts)
        return [
            first_difference(text, a, b)
            for text, a, b in zip(texts, ours, theirs, strict=True)
            if a != b
        ]

    def line_differences(self, mode: str, texts: list[str]) -> list[str]:
        """The same for the lines of the texts as zhiwen prints them, with one and with the other
        end of lines: it cuts the former together."""
        lines = [line.rstrip("\r") for text in texts for line in text.split("\n")]
        tokens = self._cut_by_jieba(mode, lines)
        theirs = [" ".join(f"{word}/{tag}" if tag else word for word, tag in t) for t in tokens]
        found = []
        for line_end in ("\n", "\r\n"):
            ours = zhiwen_lines(self.binary, mode, lines, line_end, self.dictionaries)
            found += [f"{a[:100]!r} for {b[:100]!r}" for a, b in zip(ours, theirs) if a != b]
        return found


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def pieces(records: Iterable[Any], seen: set[bytes]) -> Iterator[str]:
    """Yields the texts of records in pieces, each that is not in `seen` yet."""
    for record in records:
        for text in _strings(record):
            for begin in range(0, len(text), PIECE):
                piece = text[begin : begin + PIECE].encode("utf-8", "replace")
                key = hashlib.blake2b(piece, digest_size=16).digest()
                if key not in seen:
                    seen.add(key)
                    yield piece.decode()


def batches(texts: Iterable[str], size: int) -> Iterator[list[str]]:
    """Yields the texts in lists, until they have `size` bytes; 0: all."""
    batch: list[str] = []
    held = taken = 0
    for text in texts:
        batch.append(text)
        held += len(text.encode())
        if held >= BATCH or 0 < size <= taken + held:
            yield batch
            batch, taken, held = [], taken + held, 0
            if 0 < size <= taken:
                return
    if batch:
        yield batch


def _files(data: Path | None) -> list[Path]:
    if data is None:
        return sorted((corpora.ROOT / "testdata" / "demo").glob("*.jsonl"))  # free texts
    return sorted(p for p in data.iterdir() if ".jsonl" in p.name)


def _judge(
    name: str, texts: Iterable[str], options: argparse.Namespace, pool: Any
) -> Iterator[Verdict]:
    found: dict[str, list[str]] = {mode: [] for mode in options.only or MODES}
    printed: list[str] = []  # differences
    count = size = 0
    sides = Sides(options.zhiwen, options.dict, pool=pool)
    for batch in batches(texts, options.bytes):
        count += len(batch)
        size += sum(len(text.encode()) for text in batch)
        for mode, lines in found.items():
            lines += sides.differences(mode, batch)
        if "" in found:
            printed += sides.line_differences("", batch)
        totals = {mode or "accurate": len(lines) for mode, lines in found.items()}
        print(f"  {name}, {size} bytes: {totals}", file=sys.stderr, flush=True)
    yield figure(name, "bytes not seen before", size)
    for mode, lines in found.items():
        shown = f"texts that differ, {mode or 'accurate'} (of {count})"
        yield zero(name, shown, len(lines), lines[0] if lines else "")
    if "" in found:
        shown = "printed lines that differ, accurate"
        yield zero(name, shown, len(printed), printed[0] if printed else "")


def check(options: argparse.Namespace) -> Iterator[Verdict]:
    """Yields the verdicts of `eval segment`."""
    global _jieba
    try:
        _jieba = Jieba(options.dict)
    except ImportError:
        yield skipped("segment", "all modes", "this Python has no jieba: ./zw setup")
        return
    seen: set[bytes] = set()
    with multiprocessing.Pool(options.jobs or os.cpu_count()) as pool:
        for path in _files(options.data):
            name = path.name.split(".")[0]
            yield from _judge(name, pieces(corpora.read(path), seen), options, pool)


def add_arguments(commands: Any) -> None:
    """Adds the word segment to those of eval."""
    parser = commands.add_parser("segment", help="differences from jieba, by mode and corpus")
    add_inputs(parser, "folder of *.jsonl, plain or zstd (testdata)")
    parser.add_argument("--bytes", type=int, default=1 << 20, help="of each corpus (1 MiB); 0: all")
    parser.add_argument(
        "--dict", type=Path, action="append", default=[], help="a user dictionary for both"
    )
    parser.add_argument("--jobs", type=int, default=0, help="processes of jieba (all processors)")
    parser.add_argument(
        "--only", action="append", help="options of one mode: --only=--no-hmm; may be repeated"
    )
    add_forms(parser)
