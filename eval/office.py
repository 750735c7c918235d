"""Texts of office files beside the reference of their corpus.

The reference is every w:t, a:t, shared string or text:p of a file, joined: it has text boxes twice,
no number that a program shows, and words together that a tab parts. So a file below the target is
listed with the reason that is in the file, and only files without one count for the target.
"""

from __future__ import annotations

import argparse
import json
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
from verdicts import Verdict, at_least, figure, skipped

FOLDER = WORK / "office"
PACKED = ("docx", "xlsx", "pptx", "odt", "epub")
FORMATS = (*PACKED, "pdf", "rtf", "doc", "xls", "ppt")
TARGET = 0.98
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


def check(options: argparse.Namespace) -> Iterator[Verdict]:
    """Yields the verdicts of `eval office`."""
    if corpora.has(options.data, "office_manifest"):
        yield from check_texts(options.zhiwen, options.data)
    else:
        yield skipped("texts beside the reference", "all formats", "they need --data")


def add_arguments(commands: Any) -> None:
    """Adds the word office to those of eval."""
    parser = commands.add_parser("office", help="texts of office files")
    add_inputs(parser, "folder with office_manifest and office_files.tar.zst")
    add_forms(parser)
