"""Texts of office files beside the reference of their corpus, and files that are made to cost.

The reference is every w:t, a:t, shared string or text:p of a file, joined: it has text boxes twice,
no number that a program shows, and words together that a tab parts. So a file below the target is
listed with the reason that is in the file, and only files without one count for the target.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shutil
import subprocess
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
PACKED = ("docx", "xlsx", "pptx", "odt", "epub")
FORMATS = (*PACKED, "pdf", "rtf", "doc", "xls", "ppt")
TARGET = 0.98
HOSTILE_SECONDS, HOSTILE_MIB = 5.0, 1024
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


def reasons_of_workbook(parts: dict[str, str]) -> Iterator[str]:
    """Yields why rows differ from a reference that is the table of shared strings."""
    sheets = "".join(text for name, text in parts.items() if name.startswith("xl/worksheets/"))
    if re.search(r'<c(?![^>]* t="s")[^>]*><v>', sheets) or "<f" in sheets:
        yield "the reference has no numbers and results"
    shown = re.findall(r't="s"[^>]*><v>(\d+)', sheets)
    if len(shown) != len(set(shown)):
        yield "the reference has strings once that stand in several cells"
    if shown != sorted(shown, key=int):
        yield "the reference has strings in another order"
    if "<rPh" in parts.get("xl/sharedStrings.xml", ""):
        yield "the reference has readings of characters"


def reasons_of_slides(parts: dict[str, str]) -> Iterator[str]:
    """Yields why slides differ from a reference that is all a:t of the slides."""
    if any(name.startswith("ppt/notesSlides/") for name in parts):
        yield "the reference has no notes, or has them elsewhere"
    if "ppt/slides/slide2.xml" in parts:
        yield "the reference has slides in another order"
    slides = "".join(text for name, text in parts.items() if name.startswith("ppt/slides/"))
    if "<a:br" in slides or "<a:tab/" in slides:
        yield "the reference has words together that lines part"


def reasons_of_open_document(parts: dict[str, str]) -> Iterator[str]:
    """Yields why a text differs from a reference that is the text of all text:p and text:h."""
    content = parts.get("content.xml", "")
    if "manifest:encryption-data" in parts.get("META-INF/manifest.xml", ""):
        yield "the file is encrypted, the reference is noise"
    if "<office:annotation" in content:
        yield "the reference has comments"
    if "<text:tracked-changes" in content:
        yield "the reference has deleted text"
    if re.search(r"<text:(?:s|tab|line-break)\b", content):
        yield "the reference has words together that spaces part"


def reasons_of_programs(row: corpora.Record) -> Iterator[str]:
    """Yields why a text differs from a reference that a program made: catdoc of RTF, antiword of
    DOC, xls2csv of XLS."""
    content = (FOLDER / row["file"]).read_bytes()
    if row["ext"] == "rtf" and re.search(rb"\\fcharset[1-9]|\\u-?\d", content):
        yield "the reference has characters of other code pages and Unicode wrong"
    if row["ext"] == "rtf" and re.search(rb"\\(?:tab|cell|line)\b", content):
        yield "the reference has words together that tabs and lines part"
    if "[pic]" in row["ref_text"]:
        yield "the reference has marks of pictures"
    if re.search("[\x00-\x08\x0e-\x1f]", row["ref_text"]):
        yield "the reference is one of several texts: the program reads it differently each time"


def reasons(row: corpora.Record) -> str:
    """Returns why a text differs from its reference, by what is in the file; empty: not known."""
    if row["ext"] not in PACKED:
        return "; ".join(reasons_of_programs(row))
    parts = members(FOLDER / row["file"])
    found: list[str] = []
    if row["ext"] == "docx":
        found = list(reasons_of_word(parts, row["ref_text"]))
    elif row["ext"] == "xlsx":
        found = list(reasons_of_workbook(parts))
    elif row["ext"] == "pptx":
        found = list(reasons_of_slides(parts))
    elif row["ext"] == "odt":
        found = list(reasons_of_open_document(parts))
    elif row["ref_text"].startswith("/*") or "Table of Contents" in row["ref_text"]:
        found = ["the reference has style sheets and titles of pages"]
    return "; ".join(found)


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
        part = f"{ext} beside the reference"
        mean = sum(scores.values()) / max(1, len(scores))
        yield figure(part, "mean F1", mean, f"{len(scores)} files")
        differ = {r["id"]: reasons(r) for r in by_format[ext] if scores[r["id"]] < TARGET}
        alike = [score for id_, score in scores.items() if not differ.get(id_)]
        name = "mean F1 of files without a reason to differ"
        if alike:
            yield at_least(part, name, sum(alike) / len(alike), TARGET, f"{len(alike)} files")
        for row in by_format[ext]:
            if row["id"] not in differ:
                continue
            found = found_lines(row["ref_text"], texts.get(row["id"], ""))
            why = f"{differ[row['id']] or 'not known'} ({found:.0%} of the reference's lines found)"
            yield figure(part, f"F1, {Path(row['path']).name}", scores[row["id"]], why)


Part = bytes | tuple[bytes, bytes, int, bytes]


def _zip(parts: dict[str, Part]) -> bytes:
    """Returns an archive; of a part (a, b, n, c) a member with n times b between a and c, which is
    never in memory."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            begin, middle, count, end = (part, b"", 0, b"") if isinstance(part, bytes) else part
            with archive.open(name, "w") as member:
                member.write(begin)
                for _ in range(count):
                    member.write(middle)
                member.write(end)
    return packed.getvalue()


_WORD = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'


def _word(body: Part) -> bytes:
    return _zip({"[Content_Types].xml": b"<Types/>", "word/document.xml": body})


def _lying(packed: bytes, size: int) -> bytes:
    """Returns an archive whose directory says that the last member has this size."""
    at = packed.rindex(b"PK\x01\x02") + 24
    return packed[:at] + size.to_bytes(4, "little") + packed[at + 4 :]


def hostile_files() -> Iterator[tuple[str, str, bytes]]:
    """Yields what a file does, its name, and its bytes."""
    bomb = _word((b"", b"0" * (1 << 20), 1 << 10, b""))
    yield "1 GiB of one character", "bomb.docx", bomb
    yield "the same, and the directory says 1 kB", "lying.docx", _lying(bomb, 1000)
    nested = b"x" * 1000000
    for _ in range(40):
        nested = _zip({"a.zip": nested, "b.zip": nested})[: 1 << 24]
    yield "archives in archives", "nested.docx", nested
    paragraphs = b"<w:p><w:r><w:t>a</w:t></w:r></w:p>" * 1000
    end = b"</w:body></w:document>"
    many = _word((_WORD + b"<w:body>", paragraphs, 7000, end))
    yield "7,000,000 paragraphs", "paragraphs.docx", many
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
    part = f"hostile files: at most {HOSTILE_SECONDS:.0f} s of processor time and {HOSTILE_MIB} MiB"
    for what, name, content in hostile_files():
        path = FOLDER / name
        path.write_bytes(content)
        command = [str(binary), "extract", "--threads", "1", "--json", str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            assert child.stdout is not None
            out = child.stdout.read()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        seconds, mib = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
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
