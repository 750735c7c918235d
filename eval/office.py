"""Texts of office files beside the reference of their corpus, and files that are made to cost."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shutil
import subprocess
import time
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import corpora
from extract import f1
from program import WORK, ProgramFailed, add_forms, add_inputs
from verdicts import Verdict, at_least, figure, holds, skipped

FOLDER = WORK / "office"
FORMATS = ("docx", "xlsx", "pptx", "odt", "epub")
TARGET = 0.98
HOSTILE_SECONDS, HOSTILE_MIB = 3.0, 1024
_PARTS = re.compile(r"word/(?:document|(?:foot|end)notes|header\d*|footer\d*)\.xml")
_BLANK = re.compile(r"\s+")

Rows = list[corpora.Record]


def unpack(data: Path) -> Rows:
    """Unpacks the files, and returns the rows of those with a reference."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    packed = data / "office_files.tar.zst"
    tar = subprocess.run(["zstd", "-dcq", str(packed)], check=True, stdout=subprocess.PIPE).stdout
    subprocess.run(["tar", "-xf", "-", "-C", str(FOLDER)], check=True, input=tar)
    rows = list(corpora.load(data, "office_manifest"))
    return [r for r in rows if r["ext"] in FORMATS and r["ref_text"]]


def extract(binary: Path, rows: Rows) -> dict[str, str]:
    """Returns the texts of the files; without those that were refused. Fails: ProgramFailed."""
    paths = {str(FOLDER / r["file"]): r["id"] for r in rows}
    command = [str(binary), "extract", "--json", *paths]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        raise ProgramFailed(f"zhiwen extract: {done.stderr.decode(errors='replace')[-400:]}")
    texts = {}
    for line in done.stdout.split(b"\n")[:-1]:
        document = json.loads(line)
        if "text" in document:
            texts[paths[document["id"]]] = document["text"]
    return texts


def members(path: Path) -> dict[str, str]:
    """Returns the parts of a file that are XML."""
    with zipfile.ZipFile(path) as archive:
        return {
            name: archive.read(name).decode("utf-8", "replace")
            for name in archive.namelist()
            if name.endswith(".xml")
        }


def found_lines(reference: str, text: str) -> float:
    """Returns which share of the lines of a reference, weighed by length, is in the text, both
    without white space."""
    whole = _BLANK.sub("", text)
    lines = [_BLANK.sub("", line) for line in reference.split("\n")]
    sizes = sum(len(line) for line in lines)
    return sum(len(line) for line in lines if line in whole) / max(1, sizes)


def reasons_of_word(parts: dict[str, str], reference: str) -> Iterator[str]:
    """Yields why the text of a Word file differs from a reference that is all its w:t."""
    shown = "".join(text for name, text in parts.items() if _PARTS.fullmatch(name))
    if "<mc:Fallback" in shown and "<w:txbxContent" in shown:
        yield "the reference has text boxes twice"
    if "<w:numPr" in shown or "<w:numPr" in parts.get("word/styles.xml", ""):
        yield "the reference has no numbers of lists"
    if "<w:tab/>" in shown:
        yield "the reference has words together that tabs part"
    if "</w:" in reference:
        yield "the reference has tags of XML"
    if re.search(r"<w:(?:del|moveFrom)[ >]|<w:vanish", shown):
        yield "the reference has deleted or hidden text"
    if "word/comments.xml" in parts:
        yield "the reference has comments"
    if len([name for name in parts if re.fullmatch(r"word/(?:header|footer)\d+\.xml", name)]) > 1:
        yield "the reference has equal headers several times"
    if "w:footnoteReference" in shown or "w:endnoteReference" in shown:
        yield "the reference has notes behind the text"
    if "<w:txbxContent" in shown or "<w:headerReference" in shown:
        yield "the reference has boxes and headers in another place"


def reasons(row: corpora.Record) -> str:
    """Returns why a text may differ from its reference, by what is in the file."""
    parts = members(FOLDER / row["file"])
    found: list[str] = []
    if row["ext"] == "docx":
        found = list(reasons_of_word(parts, row["ref_text"]))
    elif row["ext"] == "xlsx":
        found = ["the reference has each string once and no numbers"]
    elif row["ext"] == "pptx":
        found = ["the reference has slides in another order, and diagrams"]
    elif row["ext"] == "odt":
        if "manifest:encryption-data" in parts.get("META-INF/manifest.xml", ""):
            found.append("the file is encrypted, the reference is noise")
        if "<office:annotation" in parts.get("content.xml", ""):
            found.append("the reference has comments")
        if "<text:s " in parts.get("content.xml", "") or "<text:tab" in parts["content.xml"]:
            found.append("the reference has words together that spaces part")
    else:
        found = ["the reference has style sheets and the table of contents"]
    return "; ".join(found) or "not known"


def check_texts(binary: Path, data: Path) -> Iterator[Verdict]:
    """Yields mean F1 by format, what is below the target by file, and what of the references is
    in the texts."""
    rows = unpack(data)
    texts = extract(binary, rows)
    by_format: dict[str, Rows] = defaultdict(list)
    for row in rows:
        by_format[row["ext"]].append(row)
    for ext in FORMATS:
        scores = {r["id"]: f1(r["ref_text"], texts.get(r["id"], "")) for r in by_format[ext]}
        mean = sum(scores.values()) / max(1, len(scores))
        files = f"{len(scores)} files"
        yield figure("texts beside the reference", f"mean F1, {ext}", mean, files)
        found = [found_lines(r["ref_text"], texts[r["id"]]) for r in by_format[ext] if r["id"] in texts]
        share = sum(found) / max(1, len(found))
        yield at_least(
            "texts beside the reference", f"of the reference's lines found, {ext}", share, TARGET,
            files,
        )  # fmt: skip
        for row in by_format[ext]:
            if scores[row["id"]] < TARGET:
                name = f"F1, {Path(row['path']).name}"
                yield figure(f"{ext} below {TARGET}", name, scores[row["id"]], reasons(row))


def _zip(parts: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return packed.getvalue()


_WORD = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'


def _word(body: bytes) -> bytes:
    return _zip({"[Content_Types].xml": b"<Types/>", "word/document.xml": body})


def _lying(packed: bytes, size: int) -> bytes:
    """Returns an archive whose directory says that the last member has this size."""
    at = packed.rindex(b"PK\x01\x02") + 24
    return packed[:at] + size.to_bytes(4, "little") + packed[at + 4 :]


def hostile_files() -> Iterator[tuple[str, str, bytes]]:
    """Yields what a file does, its name, and its bytes."""
    bomb = _word(b"0" * (1 << 30))
    yield "1 GiB of one character", "bomb.docx", bomb
    yield "the same, and the directory says 1 kB", "lying.docx", _lying(bomb, 1000)
    nested = b"x" * 1000000
    for _ in range(40):
        nested = _zip({"a.zip": nested, "b.zip": nested})[: 1 << 24]
    yield "archives in archives", "nested.docx", nested
    paragraph = b"<w:p><w:r><w:t>a</w:t></w:r></w:p>"
    yield "7,000,000 paragraphs", "paragraphs.docx", _word(
        _WORD + b"<w:body>" + paragraph * 7000000 + b"</w:body></w:document>"
    )
    yield "100,000 elements in each other", "deep.docx", _word(_WORD + b"<w:tbl>" * 100000)
    entities = b"".join(
        b'<!ENTITY a%d "%s">' % (i, b"&a%d;" % (i - 1) * 10 if i else b"a" * 10) for i in range(30)
    )
    laughs = b'<?xml version="1.0"?><!DOCTYPE d [' + entities + b"]><d>&a29;</d>"
    yield "entities of entities", "laughs.xml", laughs
    other = b'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY x SYSTEM "file:///dev/zero">]><d>&x;.</d>'
    yield "an entity that is another file", "other.xml", other
    yield "a cut file", "cut.docx", _word(_WORD + b"</w:document>")[:-30]
    yield "65,000 members", "members.docx", _zip({str(i): b"" for i in range(65000)})


def check_hostile(binary: Path) -> Iterator[Verdict]:
    """Yields whether each hostile file has a result, with its seconds and memory."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    part = f"hostile files: at most {HOSTILE_SECONDS:.0f} s and {HOSTILE_MIB} MiB"
    for what, name, content in hostile_files():
        path = FOLDER / name
        path.write_bytes(content)
        command = [str(binary), "extract", "--threads", "1", "--json", str(path)]
        begin = time.monotonic()
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            assert child.stdout is not None
            out = child.stdout.read()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        seconds, mib = time.monotonic() - begin, usage.ru_maxrss / 1024
        line = json.loads(out) if out else {}
        said = line.get("failed", {}).get("reason", "a text") if line else "nothing"
        fits = bool(line) and seconds <= HOSTILE_SECONDS and mib <= HOSTILE_MIB
        yield holds(part, what, fits, f"{said}, {seconds:.2f} s, {mib:.0f} MiB")
        path.unlink()


def check(options: argparse.Namespace) -> Iterator[Verdict]:
    """Yields the verdicts of `eval office`."""
    if corpora.has(options.data, "office_manifest"):
        yield from check_texts(options.zhiwen, options.data)
    else:
        yield skipped("texts beside the reference", "all formats", "they need --data")
    yield from check_hostile(options.zhiwen)


def add_arguments(commands: Any) -> None:
    """Adds the word office to those of eval."""
    parser = commands.add_parser("office", help="texts of office files, hostile files")
    add_inputs(parser, "folder with office_manifest and office_files.tar.zst")
    add_forms(parser)
