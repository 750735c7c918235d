"""Files that are made to cost: what each makes of `zhiwen extract` and `zhiwen dedup`, with a good
page beside it in the same run. All are generated; nothing is checked in.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import shutil
import subprocess
import tarfile
import threading
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import corpora
from extract_peers import ENVIRONMENT
from program import WORK, add_forms, add_inputs
from tables import markdown_table
from verdicts import Verdict, holds, skipped

FOLDER = WORK / "hostile"
PAGE_BYTES, PAGE_SECONDS = 1000000, 0.5
# A document has at most 1 GiB, and a program that reads files for us takes at most 1 GiB.
FILE_SECONDS, FILE_MIB = 5.0, 1280
# Two runs of a program that reads files for us, within the limits of base/process/child_process.h.
CHILD_SECONDS, LIMIT_SECONDS = 20.0, 150.0
CHILD_FORMATS = ("PDF", "DOC:", "XLS:", "PPT:")
GIB = 1 << 30
GOOD = (
    "<html><head><title>一页</title></head><body><p>旁边的这一页没有任何问题，"
    "所以它的正文应当照样被提取出来，不受别的文件影响。</p></body></html>"
).encode()
GOOD_WORDS = "它的正文应当照样被提取出来"


@dataclass(frozen=True)
class Hostile:
    """A file: what it is, its name, what writes its bytes, whether it is a page of 1 MB."""

    what: str
    name: str
    make: Callable[[], bytes]
    is_page: bool = False


# --- pages ---


def _repeated(part: str) -> Callable[[], bytes]:
    return lambda: (part.encode() * (PAGE_BYTES // len(part.encode()) + 1))[:PAGE_BYTES]


def pages() -> Iterator[Hostile]:
    """Yields pages that make parsers slow: one thing, again and again."""
    parts = (
        "<div>", "<ul><li>", "<a><div>", "<form><div>", "<a><b><i><u><p>", "<b>", "<p>x", "<td>x",
        "<dt>a<dd>b", "<h1>a<h2>b", "<!-- ", '<a href="x>', "<a href='x>\"", "<title>",
        "<textarea>", "<svg>", "<template><div>", "<select>", "<", "&", "&amp", "&#1;", "<!", "</",
        "x<br>", "<table><tr><td>", "<tr>x", "<p class=nav>x", "<span hidden>x", "<!---->x",
        "2012-01-", " ", "\0", "<![CDATA[", '<a "', "<xmp></xmp", "<b><p>", "<a><table>", "</p>",
        "<script>", "<style>x</style", "<frameset>", "<math><mi>", "<button><button>",
    )  # fmt: skip
    for part in parts:
        yield Hostile(f"1 MB of {part!r}", "page.html", _repeated(part), True)
    half = PAGE_BYTES // 2
    made: dict[str, Callable[[], bytes]] = {
        "320 KB of <div>": lambda: b"<div>" * 65536,
        "<div> opened and closed": lambda: b"<div>" * (half // 5) + b"</div>" * (half // 6),
        "250,000 attributes": lambda: b"<p " + b"a=1 " * (PAGE_BYTES // 4) + b">x",
        "100,000 attributes of different names": lambda: (
            b"<p " + b"".join(b"a%d=1 " % i for i in range(100000)) + b">x"
        ),
        "a class of many words": lambda: b"<div class='" + b"navbar " * (PAGE_BYTES // 7) + b"'>x",
        "<pre> of short lines": lambda: b"<pre>" + b"x\n" * half,
        "bytes of no encoding": lambda: b"\x80" * PAGE_BYTES,
        "charsets that change endlessly": lambda: (
            b"<meta charset=gbk><meta charset=big5>\xa4\xa4\xd6\xd0<meta charset=utf-16>"
            b"\xe4\xb8\xad<meta http-equiv=Content-Type content='text/html; charset=euc-jp'>"
            * (PAGE_BYTES // 140)
        ),
        "escapes of ISO-2022 that change endlessly": lambda: (
            b"<meta charset=iso-2022-jp><p>" + b"\x1b$B0l\x1b(Ba\x1b(J" * (PAGE_BYTES // 12)
        ),
        "encodings that change in each line": lambda: (
            "中文".encode("gb18030") + b"\n" + "中文".encode("big5") + b"\n\xff\xfe\xe4\xb8\xad\n"
        )
        * (PAGE_BYTES // 17),
    }
    for what, make in made.items():
        yield Hostile(what, "page.html", make, True)
    yield Hostile(
        "1,000,000 attributes (4 MB)", "page.html", lambda: b"<p " + b"a=1 " * 1000000 + b">x"
    )


# --- archives, office files, XML ---

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


_NAMESPACE = b'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_WORD = b"<w:document " + _NAMESPACE + b">"
_END = b"</w:body></w:document>"


def _word(body: Part) -> bytes:
    return _zip({"[Content_Types].xml": b"<Types/>", "word/document.xml": body})


def _lying(packed: bytes, size: int) -> bytes:
    """Returns an archive whose directory says that the last member has this size."""
    at = packed.rindex(b"PK\x01\x02") + 24
    return packed[:at] + size.to_bytes(4, "little") + packed[at + 4 :]


def _nested_zip() -> bytes:
    nested = b"x" * 1000000
    for _ in range(40):
        nested = _zip({"a.zip": nested, "b.zip": nested})[: 1 << 24]
    return nested


def _one_entry_many_times(packed: bytes, times: int) -> bytes:
    """Returns an archive whose directory lists its last member again and again, so that the same
    bytes are unpacked many times."""
    begin, end = packed.rindex(b"PK\x01\x02"), packed.rindex(b"PK\x05\x06")
    entry = packed[begin:end]
    tail = bytearray(packed[end:])
    count = times.to_bytes(2, "little")
    tail[8:10] = tail[10:12] = count
    tail[12:16] = (len(entry) * times).to_bytes(4, "little")
    tail[16:20] = begin.to_bytes(4, "little")
    return packed[:begin] + entry * times + bytes(tail)


_SHEET = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_RELATIONS = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def _relation(kind: bytes, target: bytes) -> bytes:
    return (
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        b'<Relationship Id="r1" Type="%s/%s" Target="%s"/></Relationships>'
        % (_RELATIONS, kind, target)
    )


def _workbook(sheet: Part) -> bytes:
    return _zip(
        {
            "[Content_Types].xml": b"<Types/>",
            "_rels/.rels": _relation(b"officeDocument", b"xl/workbook.xml"),
            "xl/_rels/workbook.xml.rels": _relation(b"worksheet", b"worksheets/sheet1.xml"),
            "xl/workbook.xml": b'<workbook %s xmlns:r="%s"><sheets><sheet name="a" r:id="r1"/>'
            b"</sheets></workbook>" % (_SHEET, _RELATIONS),
            "xl/worksheets/sheet1.xml": sheet,
        }
    )


def _word_bomb() -> bytes:
    return _word((b"", b"0" * (1 << 20), 1 << 10, b""))


def _xml(declarations: bytes, content: bytes) -> bytes:
    return b'<?xml version="1.0"?><!DOCTYPE d [' + declarations + b"]><d>" + content + b"</d>"


def _entities() -> bytes:
    return b"".join(
        b'<!ENTITY a%d "%s">' % (i, b"&a%d;" % (i - 1) * 10 if i else b"a" * 10) for i in range(30)
    )


def _tar_of_links() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, target in (("a.html", "b.html"), ("b.html", "a.html"), ("c.html", "/dev/zero")):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = tarfile.SYMTYPE, target
            archive.addfile(member)
        member = tarfile.TarInfo("../../../outside.html")
        member.size = len(GOOD)
        archive.addfile(member, io.BytesIO(GOOD))
    return packed.getvalue()


def office_files() -> Iterator[Hostile]:
    """Yields office files, archives and XML."""
    word = _WORD + b"<w:body>"
    paragraphs = b"<w:p><w:r><w:t>a</w:t></w:r></w:p>" * 1000
    cells = b"<row><c t='inlineStr'><is><t>a</t></is></c></row>" * 1000
    yield Hostile("DOCX: 1 GiB of one character", "bomb.docx", _word_bomb)
    yield Hostile("DOCX: archives in archives", "nested.docx", _nested_zip)
    yield Hostile("ZIP: archives in archives", "nested.zip", _nested_zip)
    made: dict[str, tuple[str, Callable[[], bytes]]] = {
        "DOCX: 1 GiB, of which the directory says 1 kB": (
            "lying.docx", lambda: _lying(_word_bomb(), 1000)),
        "DOCX: 7,000,000 paragraphs": (
            "paragraphs.docx", lambda: _word((word, paragraphs, 7000, _END))),
        "DOCX: 100,000 elements in each other": (
            "deep.docx", lambda: _word(_WORD + b"<w:tbl>" * 100000)),
        "DOCX: 65,000 members": (
            "members.docx", lambda: _zip({str(i): b"" for i in range(65000)})),
        "DOCX: one member listed 65,000 times": (
            "overlap.docx", lambda: _one_entry_many_times(_word_bomb(), 65000)),
        "DOCX: cut": ("cut.docx", lambda: _word(word + _END)[:-30]),
        "DOCX: an entity that is another file": (
            "other.docx", lambda: _word(b'<!DOCTYPE d [<!ENTITY x SYSTEM "file:///dev/zero">]>'
                + word + b"<w:p><w:r><w:t>&x;</w:t></w:r></w:p>" + _END)),
        "DOCX: entities of entities": (
            "laughs.docx", lambda: _word(b"<!DOCTYPE d [" + _entities() + b"]>" + word
                + b"<w:p><w:r><w:t>&a29;</w:t></w:r></w:p>" + _END)),
        "XLSX: 5,000,000 rows": ("rows.xlsx", lambda: _workbook(
            (b"<worksheet " + _SHEET + b"><sheetData>", cells, 5000,
             b"</sheetData></worksheet>"))),
        "ZIP: pages, 1 GiB of one character": ("bomb.zip", lambda: _zip(
            {"bomb.html": (b"<p>", b"0" * (1 << 20), 1 << 10, b"")})),
        "ZIP: 65,000 pages": (
            "pages.zip", lambda: _zip({f"{i}.html": b"<p>x" for i in range(65000)})),
        "TAR: links to each other, to a device, and out of the folder": (
            "links.tar", _tar_of_links),
        "XML: entities of entities": ("laughs.xml", lambda: _xml(_entities(), b"&a29;")),
        "XML: an entity that is another file": (
            "other.xml", lambda: _xml(b'<!ENTITY x SYSTEM "file:///dev/zero">', b"&x;.")),
        "XML: an entity from the network": (
            "net.xml", lambda: _xml(b'<!ENTITY % x SYSTEM "http://127.0.0.1:9/x">%x;', b".")),
        "XML: 100,000 elements in each other": ("deep.xml", lambda: b"<a>" * 100000),
        "XML: 200,000 attributes": ("attributes.xml", lambda: (
            b"<a " + b"".join(b"a%d='1' " % i for i in range(200000)) + b">x</a>")),
    }  # fmt: skip
    for what, (name, make) in made.items():
        yield Hostile(what, name, make)


# --- PDF ---


def _pdf(objects: dict[int, bytes], trailer: bytes = b"") -> bytes:
    """Returns a PDF file of objects, the first being its catalogue."""
    out, places = bytearray(b"%PDF-1.5\n"), {}
    for number, content in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n"
    for number, place in places.items():
        out += b"%d 1\n%010d 00000 n \n" % (number, place)
    out += b"trailer\n<</Root 1 0 R/Size %d %s>>\n" % (max(objects) + 1, trailer)
    return bytes(out.replace(b"@XREF@", b"%d" % start)) + b"startxref\n%d\n%%%%EOF\n" % start


def _stream(content: bytes, entries: bytes = b"") -> bytes:
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (entries, len(content), content)


_CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
_PAGES = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
_FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def _page(more: bytes = b"") -> bytes:
    return (
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R"
        b"/Resources<</Font<</F 5 0 R>>%s>>>>" % more
    )


def _pdf_with(content: bytes, more: bytes = b"", extra: dict[int, bytes] | None = None) -> bytes:
    objects = {1: _CATALOG, 2: _PAGES, 3: _page(more), 4: content, 5: _FONT}
    return _pdf(objects | (extra or {}))


def _xref_stream_pdf() -> bytes:
    """Returns a PDF whose catalogue is in an object stream that is in itself."""
    inside = b"1 0 2 31 " + _CATALOG + b" <</Type/Pages/Kids[]/Count 0>>"
    out = bytearray(b"%PDF-1.5\n")
    place = len(out)
    entries = b"/Type/ObjStm/N 2/First 9/Extends 7 0 R"
    out += b"7 0 obj\n" + _stream(inside, entries) + b"\nendobj\n"
    start = len(out)
    table = bytearray()
    for number in range(9):
        if number in (1, 2, 7):  # in the object stream 7
            table += b"\x02" + (7).to_bytes(4, "big") + b"\x00"
        elif number == 8:
            table += b"\x01" + start.to_bytes(4, "big") + b"\x00"
        else:
            table += b"\x00" + place.to_bytes(4, "big") + b"\xff"
    entries = b"/Type/XRef/Size 9/W[1 4 1]/Root 1 0 R/Prev %d" % start
    out += b"8 0 obj\n" + _stream(bytes(table), entries) + b"\nendobj\n"
    return bytes(out) + b"startxref\n%d\n%%%%EOF\n" % start


def _packed_text(text: bytes, count: int) -> bytes:
    packer, out = zlib.compressobj(9), bytearray(b"")
    for _ in range(count):
        out += packer.compress(text)
    return bytes(out + packer.flush())


def pdf_files() -> Iterator[Hostile]:
    """Yields PDF files whose parts refer to themselves, or unpack to very much."""
    show = b"BT /F 12 Tf (a) Tj ET "
    own_form = (
        b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R/Y 6 0 R>>>>"
    )
    flate = b"/Filter/FlateDecode"
    ten = {
        10 + i: _stream(
            b"/X Do " * 10,
            b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>"
            % (11 + i),
        )
        for i in range(10)
    } | {20: _stream(show, b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]")}
    made: dict[str, Callable[[], bytes]] = {
        "pages that contain themselves": lambda: _pdf(
            {1: _CATALOG, 2: b"<</Type/Pages/Parent 2 0 R/Kids[2 0 R 2 0 R]/Count 2>>"}
        ),
        "a table of objects that goes on with itself": lambda: _pdf(
            {1: _CATALOG, 2: _PAGES, 3: _page(), 4: _stream(show), 5: _FONT}, b"/Prev @XREF@"
        ),
        "an object stream in itself": _xref_stream_pdf,
        "a form that draws itself": lambda: _pdf_with(
            _stream(b"/X Do"), b"/XObject<</X 6 0 R>>", {6: _stream(b"/X Do /Y Do", own_form)}
        ),
        "forms that draw ten forms, ten deep": lambda: _pdf_with(
            _stream(b"/X Do"), b"/XObject<</X 10 0 R>>", ten
        ),
        "a length that is the stream itself": lambda: _pdf_with(
            b"<</Length 4 0 R>>\nstream\n" + show + b"\nendstream"
        ),
        "1 GiB of one character in a stream": lambda: _pdf_with(
            _stream(_packed_text(b" " * (1 << 20), 1 << 10), flate)
        ),
        "20,000,000 words in a stream": lambda: _pdf_with(
            _stream(_packed_text(show * 10000, 2000), flate)
        ),
        "100,000 arrays in each other": lambda: _pdf_with(_stream(show), b"/Q " + b"[" * 100000),
        "an outline that goes in a circle": lambda: _pdf({
            1: b"<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R>>", 2: _PAGES, 3: _page(),
            4: _stream(show), 5: _FONT, 6: b"<</First 7 0 R/Last 7 0 R/Count 1>>",
            7: b"<</Title(a)/Parent 6 0 R/Next 7 0 R/First 7 0 R/Dest[3 0 R/Fit]>>",
        }),
        "cut": lambda: _pdf_with(_stream(show))[:200],
    }  # fmt: skip
    for what, make in made.items():
        yield Hostile(f"PDF: {what}", "file.pdf", make)


# --- RTF, DOC, XLS, PPT ---

_FREE, _CHAIN_END, _TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def _ole(stream: str, content: bytes, next_of_stream: int, next_of_directory: int) -> bytes:
    """Returns an OLE file with one stream; the table says what follows its first sector, and that
    of the directory."""
    header = bytearray(512)
    header[:8] = bytes.fromhex("d0cf11e0a1b11ae1")
    header[24:34] = bytes.fromhex("3e000300feff09000600")
    for place, value in ((44, 1), (48, 1), (56, 4096), (60, _CHAIN_END), (68, _CHAIN_END)):
        header[place : place + 4] = value.to_bytes(4, "little")
    header[76:512] = (0).to_bytes(4, "little") + _FREE.to_bytes(4, "little") * 108
    table = [_TABLE, next_of_directory, next_of_stream] + [_FREE] * 125

    def entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
        words = name.encode("utf-16le") + b"\0\0"
        return (
            words.ljust(64, b"\0")
            + len(words).to_bytes(2, "little")
            + bytes((kind, 1))
            + _FREE.to_bytes(4, "little") * 2
            + child.to_bytes(4, "little")
            + bytes(36)
            + start.to_bytes(4, "little")
            + size.to_bytes(8, "little")
        )

    directory = entry("Root Entry", 5, 1, _CHAIN_END, 0) + entry(stream, 2, _FREE, 2, 1 << 30)
    sectors = b"".join(value.to_bytes(4, "little") for value in table)
    return bytes(header) + sectors + directory.ljust(512, b"\0") + content.ljust(512, b"\0")


def old_files() -> Iterator[Hostile]:
    """Yields RTF files, and DOC, XLS and PPT files whose tables of sectors go in a circle."""
    streams = {
        "doc": ("WordDocument", bytes.fromhex("eca5c1004d20090400000012bf00")),
        "xls": ("Workbook", bytes.fromhex("0908100000060500d310cc0741000000060000000a000000")),
        "ppt": ("PowerPoint Document", bytes.fromhex("0f00e803ffffffff") * 60),
    }

    def chain(name: str, content: bytes, *next_sectors: int) -> Callable[[], bytes]:
        return lambda: _ole(name, content, *next_sectors)

    def cut(make: Callable[[], bytes]) -> Callable[[], bytes]:
        return lambda: make()[:1200]

    for ext, (name, content) in streams.items():
        shown = ext.upper()
        whole = chain(name, content, 2, _CHAIN_END)
        yield Hostile(f"{shown}: sectors of the stream in a circle", f"stream.{ext}", whole)
        circle = chain(name, content, 2, 1)
        yield Hostile(f"{shown}: sectors of the directory in a circle", f"folder.{ext}", circle)
        outside = chain(name, content, 0x7FFFFFF0, _CHAIN_END)
        yield Hostile(f"{shown}: a sector behind the end", f"outside.{ext}", outside)
        yield Hostile(f"{shown}: cut in the directory", f"cut.{ext}", cut(whole))
    made: dict[str, Callable[[], bytes]] = {
        "1,000,000 groups in each other": lambda: b"{\\rtf1 " + b"{" * 1000000,
        "1,000,000 groups, closed": lambda: b"{\\rtf1 " + b"{a}" * 1000000 + b"}",
        "binary data of 2 GB that is not there": lambda: b"{\\rtf1 a\\bin2000000000 b}",
        "a number of 1,000,000 digits": lambda: b"{\\rtf1 \\u" + b"9" * 1000000 + b" a}",
        "a word of 1,000,000 letters": lambda: b"{\\rtf1 \\" + b"a" * 1000000 + b" a}",
        "100,000 tables in each other": lambda: (
            b"{\\rtf1 " + b"\\trowd\\itap9\\cellx1 a\\nestcell " * 100000 + b"}"
        ),
        "cut": lambda: b"{\\rtf1\\ansi{\\fonttbl{\\f0 Ti",
    }
    for what, make in made.items():
        yield Hostile(f"RTF: {what}", "file.rtf", make)


# --- what is packed, crawl archives ---


def _gzip_of(part: bytes, count: int, begin: bytes = b"", end: bytes = b"") -> bytes:
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as out:
        out.write(begin)
        for _ in range(count):
            out.write(part)
        out.write(end)
    return packed.getvalue()


def _warc(
    payload: bytes, length: int | None = None, address: bytes = b"http://e.example/"
) -> bytes:
    size = len(payload) if length is None else length
    return (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\n"
        b"WARC-Date: 2024-01-01T00:00:00Z\r\n"
        b"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
        b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n"
        % (address, size)
    ) + payload + b"\r\n\r\n"


def _http(body: bytes, fields: bytes = b"") -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + fields + b"\r\n" + body


def _brotli_bomb() -> bytes:
    """Returns 1 GiB of one character, compressed. Fails: FileNotFoundError, without brotli."""
    if "brotli" not in ENVIRONMENT.ensure("brotli"):
        raise FileNotFoundError("the package brotli is not installed")
    code = (
        "import brotli, sys\nc = brotli.Compressor(quality=5)\nout = sys.stdout.buffer\n"
        "for _ in range(1024): out.write(c.process(b' ' * 1048576))\nout.write(c.finish())"
    )
    return subprocess.run([ENVIRONMENT.python, "-c", code], capture_output=True, check=True).stdout


def packed_files() -> Iterator[Hostile]:
    """Yields what unpacks to very much, and crawl archives with broken records."""
    good = _warc(_http(GOOD))
    chunked = b"Transfer-Encoding: chunked\r\n"
    packed = b"Content-Encoding: gzip\r\n"
    blank = b" " * (1 << 20)
    made: dict[str, tuple[str, Callable[[], bytes]]] = {
        "GZIP: a page of 1 GiB of one character": (
            "bomb.html.gz", lambda: _gzip_of(b"x" * (1 << 20), 1024, b"<p>")),
        "GZIP: a record of 1 GiB": (
            "bomb.jsonl.gz", lambda: _gzip_of(b"x" * (1 << 20), 1024, b'{"text":"', b'"}\n')),
        "GZIP: in itself a thousand times": ("deep.html.gz", lambda: _nested_gzip(1000)),
        "GZIP: cut": ("cut.html.gz", lambda: gzip.compress(GOOD)[:-20]),
        "WARC: a length that is too large": (
            "long.warc", lambda: _warc(_http(GOOD), 1 << 40) + good),
        "WARC: a length that is too small": ("short.warc", lambda: _warc(_http(GOOD), 50) + good),
        "WARC: a negative length": ("negative.warc", lambda: _warc(_http(GOOD), -1) + good),
        "WARC: clipped in a record": ("clipped.warc", lambda: good + good[:-80]),
        "WARC: clipped in the headers": ("headers.warc", lambda: good + good[:60]),
        "WARC: clipped in gzip": (
            "clipped.warc.gz", lambda: gzip.compress(good) + gzip.compress(good)[:-20]),
        "WARC: a chunk of 2^63 bytes": ("chunk.warc", lambda: _warc(
            _http(b"7fffffffffffffff\r\n" + GOOD, chunked)) + good),
        "WARC: chunks without numbers": (
            "chunks.warc", lambda: _warc(_http(b"zz\r\n" + GOOD, chunked)) + good),
        "WARC: 300,000 chunks of one byte": (
            "small.warc", lambda: _warc(_http(b"1\r\nx\r\n" * 300000, chunked)) + good),
        "WARC: gzip that is none": (
            "none.warc", lambda: _warc(_http(b"\x1f\x8b" + GOOD, packed)) + good),
        "WARC: gzip of 1 GiB": (
            "gzip.warc", lambda: _warc(_http(_gzip_of(blank, 1024), packed)) + good),
        "WARC: Brotli of 1 GiB": ("brotli.warc", lambda: _warc(
            _http(_brotli_bomb(), b"Content-Encoding: br\r\n")) + good),
        "WARC: ten encodings, one on the other": ("ten.warc", lambda: _warc(
            _http(GOOD, b"Content-Encoding: " + b"gzip, br, " * 5 + b"gzip\r\n")) + good),
        "WARC: a header of 10 MB": (
            "header.warc", lambda: _warc(_http(GOOD, b"X: " + b"x" * 10000000 + b"\r\n")) + good),
        "WARC: 100,000 header fields": ("fields.warc", lambda: _warc(
            _http(GOOD, b"X: x\r\n" * 100000)) + good),
        "WARC: an address of 1 MB": ("address.warc", lambda: _warc(
            _http(GOOD), None, b"http://e.example/" + b"a" * 1000000) + good),
        "WARC: 100,000 empty records": ("empty.warc", lambda: _warc(b"") * 100000 + good),
    }  # fmt: skip
    for what, (name, make) in made.items():
        yield Hostile(what, name, make)


def _nested_gzip(times: int) -> bytes:
    packed = GOOD
    for _ in range(times):
        packed = gzip.compress(packed, 1)
    return packed


# --- runs ---


@dataclass(frozen=True)
class Run:
    """What a run came to: its exit status, below 0 for a signal; what it said of the file; seconds
    of the processor, with those of its children; memory of the largest process."""

    status: int
    hung: bool
    said: str
    seconds: float
    mib: float
    good: bool


def _run(command: list[str], output: Path) -> tuple[int, bool, float, float, str]:
    """Runs a command with a limit of time, its output into a file."""
    errors = output.with_suffix(".err")
    with output.open("wb") as out, errors.open("wb") as err:
        child = subprocess.Popen(command, stdout=out, stderr=err)
        stopped = threading.Event()

        def stop() -> None:
            stopped.set()
            child.kill()

        timer = threading.Timer(LIMIT_SECONDS, stop)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
    said = errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    seconds, mib = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    return child.returncode, stopped.is_set(), seconds, mib, said[-1] if said else ""


def run_extract(binary: Path, path: Path, good: Path) -> Run:
    """Runs `zhiwen extract` on a file and the good page."""
    output = FOLDER / "extract.jsonl"
    command = [str(binary), "extract", "-j", "1", "--max-failed", "100%", "--json", str(path)]
    status, hung, seconds, mib, error = _run([*command, str(good)], output)
    said, lines, is_good = "", 0, False
    with output.open(encoding="utf-8") as out:
        for line in out:
            row = json.loads(line)
            if row["id"] == str(good):
                is_good = GOOD_WORDS in row.get("text", "")
                continue
            lines += 1
            if lines == 1:
                said = _said(row)
    if lines > 1:
        said += f", and {lines - 1} more documents"
    return Run(status, hung, said or error or "nothing", seconds, mib, is_good)


def _said(row: dict[str, Any]) -> str:
    if "failed" in row:
        return f"{row['failed']['reason']}: {row['failed'].get('message', '')}"
    return f"{row['kind']}, {len(row['text'])} characters"


def run_dedup(binary: Path, path: Path, good: Path) -> Run:
    """Runs `zhiwen dedup` on a file and the good page."""
    folder = FOLDER / "clean"
    shutil.rmtree(folder, ignore_errors=True)
    command = [str(binary), "dedup", str(path), str(good), "-o", str(folder), "-q", "-j", "1"]
    command += ["--max-failed", "100%", "--skip-bad-files", "--memory", "1G"]
    status, hung, seconds, mib, error = _run(command, FOLDER / "dedup.out")
    kept = [p for p in (folder / "kept").rglob("*") if p.is_file()] if folder.exists() else []
    is_good = any(p.stat().st_size == len(GOOD) and p.read_bytes() == GOOD for p in kept)
    return Run(status, hung, error or "no message", seconds, mib, is_good)


def _row(file: Hostile, size: int, runs: list[Run]) -> list[str]:
    cells = [file.what, f"{size / 1e6:.1f}"]
    for run in runs:
        status = "hangs" if run.hung else str(run.status)
        cells += [status, f"{run.seconds:.2f}", f"{run.mib:.0f}", "yes" if run.good else "NO"]
    return [cell.replace("|", "\\|") for cell in (*cells, runs[0].said[:110])]


HEAD = (
    "file", "MB", "extract: status", "s", "MiB", "good page", "dedup: status", "s", "MiB",
    "good page", "what extract says of the file",
)  # fmt: skip


def check(options: argparse.Namespace, tables: list[str]) -> Iterator[Verdict]:
    """Yields whether any file crashes a run, hangs, costs too much, or harms the page beside it,
    and adds the table of all to `tables`."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    good = FOLDER / "good.html"
    good.write_bytes(GOOD)
    rows: list[list[str]] = []
    failures: dict[str, list[str]] = {name: [] for name in _NAMES}
    for file in files(options.only):
        corpora.say(f"  {file.what}")
        path = FOLDER / file.name
        try:
            path.write_bytes(file.make())
        except FileNotFoundError as error:
            yield skipped("hostile files", file.what, str(error))
            continue
        size = path.stat().st_size
        runs = [run(options.zhiwen, path, good) for run in (run_extract, run_dedup)]
        rows.append(_row(file, size, runs))
        for word, run in zip(("extract", "dedup"), runs):
            for name in _faults(file, run):
                failures[name].append(f"{word}: {file.what} ({run.seconds:.2f} s)")
        path.unlink()
    if options.large:
        yield from check_large(options.zhiwen, good, rows)
    else:
        yield skipped("hostile files", "a page of 1 GB", "needs --large")
    tables.append(markdown_table(HEAD, rows, (0, len(HEAD) - 1)))
    for name, faulty in failures.items():
        yield holds(f"hostile files: {len(rows)}", name, not faulty, "; ".join(faulty)[:400])


_NAMES = (
    "none ends a run with a signal",
    f"none takes {LIMIT_SECONDS:.0f} s",
    f"a page of 1 MB takes at most {PAGE_SECONDS} s of processor time",
    f"another file at most {FILE_SECONDS:.0f} s, read by a child {CHILD_SECONDS:.0f} s",
    f"at most {FILE_MIB} MiB",
    "status 0",
    "the page beside it is extracted",
)


def _faults(file: Hostile, run: Run) -> list[str]:
    by_child = file.what.startswith(CHILD_FORMATS)
    limit = PAGE_SECONDS if file.is_page else CHILD_SECONDS if by_child else FILE_SECONDS
    found = (
        run.status < 0 and not run.hung,
        run.hung,
        file.is_page and run.seconds > limit,
        not file.is_page and run.seconds > limit,
        run.mib > FILE_MIB,
        run.status != 0,
        not run.good,
    )
    return [name for name, is_so in zip(_NAMES, found) if is_so]


def files(only: str) -> Iterator[Hostile]:
    """Yields the files, or those whose description has a word of `only`."""
    words = [word for word in only.split(",") if word]
    for made in (pages, office_files, pdf_files, old_files, packed_files):
        for file in made():
            if not words or any(word in file.what for word in words):
                yield file


def check_large(binary: Path, good: Path, rows: list[list[str]]) -> Iterator[Verdict]:
    """Yields whether a page of 1 GB has a result, with the page beside it."""
    path, part = FOLDER / "large.html", b"<p>" + "很大的一页。".encode() * 100
    with path.open("wb") as out:
        for _ in range(GIB // len(part)):
            out.write(part)
    size = path.stat().st_size
    begin = time.monotonic()
    runs = [run(binary, path, good) for run in (run_extract, run_dedup)]
    rows.append(_row(Hostile("a page of 1 GB", path.name, bytes), size, runs))
    path.unlink()
    fine = all(run.status == 0 and run.good and not run.hung for run in runs)
    detail = f"{runs[0].said[:100]}, {time.monotonic() - begin:.0f} s for both commands"
    yield holds("hostile files", "a page of 1 GB has a result", fine, detail)


def add_arguments(commands: Any) -> None:
    """Adds the word hostile to those of eval."""
    parser = commands.add_parser("hostile", help="files that are made to cost, time and memory")
    add_inputs(parser, "not needed")
    parser.add_argument("--large", action="store_true", help="also a page of 1 GB")
    parser.add_argument(
        "--only", default="", help="comma-separated words: only files whose description has one"
    )
    add_forms(parser)
