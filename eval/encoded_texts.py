"""Texts in other encodings: the files of a corpus, and short texts, which are hard to tell."""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import corpora
from program import WORK, ProgramFailed, add_forms, add_inputs
from verdicts import Verdict, at_least, figure, skipped, zero

FOLDER = WORK / "encodings"
LENGTHS = (5, 10, 20, 30)
CHINESE = {10: 0.97, 30: 1.0}  # of all texts of so many characters
PIECES = 2000
HAN_SHARE = 0.7

# Names of zhiwen beside the codecs of Python; a text in UTF-16 with a mark is little-endian here.
NAMES = {
    "gbk": "gb18030",
    "big5hkscs": "big5",
    "utf-8-sig": "utf-8",
    "utf-16": "utf-16le",
    "utf-16-le": "utf-16le",
    "utf-16-be": "utf-16be",
    "cp932": "shift_jis",
    "euc_jp": "euc-jp",
    "cp949": "euc-kr",
}
JAPANESE = (
    "朝の六時になると、城壁の下の屋台から湯気が上がる。路地の奥にある小さな本屋も、もう明かりを"
    "つけている。店主は毎朝、棚のほこりを払い、新しく届いた本を窓ぎわに並べる。学校へ向かう子ども"
    "たちは、ガラスに顔を近づけて表紙をながめていく。雨の日には、近所の人がコーヒーを飲みながら"
    "雑誌を読み、古い町の話をする。コンピュータの本は売れるが、詩集はなかなか売れないという。"
)
KOREAN = (
    "아침 여섯 시가 되면 성벽 아래 노점에서 김이 오른다. 골목 안쪽에 있는 작은 책방도 벌써 불을 켰다. "
    "주인은 매일 아침 선반의 먼지를 털고 새로 들어온 책을 창가에 늘어놓는다. 학교에 가는 아이들은 "
    "유리창에 얼굴을 대고 표지를 들여다본다. 비가 오는 날에는 이웃 사람들이 커피를 마시면서 잡지를 "
    "읽고 오래된 동네 이야기를 한다. 컴퓨터 책은 잘 팔리지만 시집은 좀처럼 팔리지 않는다고 한다."
)


def encoded(text: str, codec: str) -> bytes | None:
    """Returns the text in an encoding, nothing where that lacks a character."""
    try:
        return text.encode(codec)
    except UnicodeEncodeError:
        return None


def pieces(texts: Iterable[str], length: int) -> list[str]:
    """Returns one piece of each text, most of whose characters are Chinese."""
    draw = random.Random(length)
    found = []
    for text in texts:
        begin = draw.randrange(max(1, len(text) - length + 1))
        piece = text[begin : begin + length]
        if len(piece) == length and sum(map(corpora.is_han, piece)) >= HAN_SHARE * length:
            found.append(piece)
    draw.shuffle(found)
    return found[:PIECES]


def windows(text: str, length: int) -> list[str]:
    """Returns every piece of the text of this length."""
    return [text[begin : begin + length] for begin in range(len(text) - length + 1)]


def detect(program: Path, texts: list[bytes]) -> list[str]:
    """Returns the names of the encodings that are found. Fails: ProgramFailed."""
    lines = "".join(text.hex() + "\n" for text in texts)
    done = subprocess.run([str(program)], input=lines, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ProgramFailed(f"{program}: {done.stderr[-400:]}")
    return done.stdout.split()


def originals() -> list[corpora.Record]:
    """Returns the texts of testdata that nobody disguised."""
    files = ("novels", "poems", "own")
    return [row for name in files for row in corpora.read(corpora.DEMO / f"{name}.jsonl")]


def sources(data: Path | None) -> dict[tuple[str, str], list[str]]:
    """Returns texts by what they are and the encoding in which they are read."""
    if data is None:
        texts = [r["text"] for r in originals()]
        return {("testdata", "gb18030"): texts, ("testdata", "big5hkscs"): texts}
    news = [r["text"] for r in corpora.load(data, "news_rmrb", "news_cctv")]
    poems = [r["text"] for r in corpora.load(data, "short_poems")]
    chapters = corpora.load(data, "classics_chapters")
    traditional = [r["text"] for r in chapters if r["script"] == "trad"]
    return {
        ("news", "gb18030"): news,
        ("tech", "gb18030"): [r["text"] for r in corpora.load(data, "tech_docs")],
        ("poems", "gb18030"): poems,
        ("poems", "big5hkscs"): poems,
        ("traditional novels", "big5hkscs"): traditional,
        ("traditional novels", "gb18030"): traditional,
    }


def check_short(options: argparse.Namespace) -> Iterator[Verdict]:
    """Yields the share of short texts whose encoding is found."""
    part = "short texts"
    if not options.detector.exists():
        yield skipped(part, "all", f"{options.detector} does not exist: ninja detect_encodings")
        return
    right: Counter[int] = Counter()
    total: Counter[int] = Counter()
    drawn = {
        (source, codec, length): pieces(texts, length)
        for (source, codec), texts in sources(options.data).items()
        for length in LENGTHS
    }
    for codec, text in (("euc_jp", JAPANESE), ("cp932", JAPANESE), ("cp949", KOREAN)):
        drawn[("written for this", codec, 30)] = windows(text, 30)
    for (source, codec, length), texts in drawn.items():
        texts_in = [t for t in (encoded(text, codec) for text in texts) if t is not None]
        name = NAMES.get(codec, codec)
        good = sum(found == name for found in detect(options.detector, texts_in))
        label, detail = f"{source}, {name}, {length} characters", f"{len(texts_in)} texts"
        if source == "written for this":
            yield at_least(part, label, good / len(texts_in), 1, detail)
            continue
        yield figure(part, label, good / max(1, len(texts_in)), detail)
        right[length] += good
        total[length] += len(texts_in)
    for length in LENGTHS:
        share, label = right[length] / total[length], f"Chinese, {length} characters"
        if length in CHINESE:
            yield at_least(part, label, share, CHINESE[length], f"{total[length]} texts")
        else:
            yield figure(part, label, share, f"{total[length]} texts")


def lines_of(text: str) -> list[str]:
    """Returns the lines that extraction keeps."""
    return [line for line in (line.strip(" \t\r\v\f\ufeff") for line in text.split("\n")) if line]


def files(data: Path | None) -> Iterator[tuple[str, bytes, str, str]]:
    """Yields name, bytes, encoding and text of the files of the corpus, or of testdata."""
    if data is not None and corpora.has(data, "encodings_manifest"):
        folder = FOLDER / "files"
        packed = corpora.read_bytes(data / "encodings.tar.zst")
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / "files.tar").write_bytes(packed)
        with tarfile.open(FOLDER / "files.tar") as archive:
            archive.extractall(folder, filter="data")
        for row in corpora.load(data, "encodings_manifest"):
            yield row["file"], (folder / row["file"]).read_bytes(), row["encoding"], row["text"]
        return
    for row in originals()[::4]:
        for codec in ("gb18030", "big5hkscs", "utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"):
            content = encoded(row["text"], codec)
            if content is not None and not content.isascii():
                yield f"{row['id']}-{codec}.txt", content, codec, row["text"]


def check_files(options: argparse.Namespace) -> Iterator[Verdict]:
    """Yields how many files are read wrongly, and how many lines lead to other bytes."""
    known = {}
    folder = FOLDER / "texts"
    for number, (name, content, codec, text) in enumerate(files(options.data)):
        path = folder / f"{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        known[str(path)] = (name, content, codec, text)
    command = [str(options.zhiwen), "extract", "--format", "blocks", *known]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode not in (0, 3):
        raise ProgramFailed(f"zhiwen extract: {done.stderr.decode(errors='replace')[-400:]}")
    named, read, led = [], [], []
    for line in done.stdout.split(b"\n")[:-1]:
        found: dict[str, Any] = json.loads(line)
        name, content, codec, text = known[found["id"]]
        if "failed" in found:
            named.append(f"{name}: {found['failed']}")
            continue
        if found["encoding"]["name"] != NAMES.get(codec, codec) or found["encoding"]["errors"]:
            named.append(f"{name}: {found['encoding']}")
        wanted = "\n".join(lines_of(text.rstrip("\ufffd")))
        # A text of the corpus that was cut in a character ends with the mark of one.
        is_read = text.endswith("\ufffd") and found["text"].startswith(wanted)
        if found["text"] != wanted and not is_read:
            read.append(name)
        plain = "utf-16-le" if codec == "utf-16" else codec
        spans = [(b["source"]["begin"], b["source"]["end"]) for b in found["blocks"]]
        back = [content[begin:end].decode(plain, "replace") for begin, end in spans]
        if [line.lstrip("\ufeff") for line in back] != found["text"].split("\n"):
            led.append(name)
    part = f"{len(known)} files"
    yield zero(part, "files of which another encoding is found", len(named), str(named[:3]))
    yield zero(part, "files with another text", len(read), str(read[:3]))
    yield zero(part, "files whose lines lead to other bytes", len(led), str(led[:3]))


def check(options: argparse.Namespace) -> Iterator[Verdict]:
    """Yields every check of encodings."""
    yield from check_files(options)
    yield from check_short(options)


def add_arguments(commands: Any) -> None:
    """Adds the word encodings to those of eval."""
    parser = commands.add_parser("encodings", help="texts in other encodings, and short ones")
    add_inputs(parser, "folder with encodings, news, poems and novels")
    parser.add_argument(
        "--detector",
        type=Path,
        default=corpora.ROOT / "build" / "bench" / "bin" / "detect_encodings",
        help="the program of bench/ that names encodings",
    )
    add_forms(parser)
