"""Extracts the text of web pages with another library, one page after the other.

page_worker.py NAME reads lines {"html", "url", "forum"} and answers each with a line {"text",
"seconds", "error"}. The seconds are those of the processor for the extraction alone: the page is a
string in memory, and the text too. An error is the name and the words of an exception.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

Page = dict[str, Any]
Extractor = Callable[[Page], str]
# Elements that end a run of text; the others are part of a line.
_BLOCKS = frozenset(
    "address article aside blockquote body br button caption center dd details dialog dir div dl dt"
    " fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html iframe legend li main"
    " menu nav ol option p pre section select summary table tbody td tfoot th thead title tr"
    " ul".split()
)
_UNSEEN = frozenset(
    "script style template noscript noframes noembed iframe svg select textarea title head"
    " xmp".split()
)


def trafilatura() -> Extractor:
    from trafilatura import extract

    return lambda page: extract(page["html"], url=page["url"] or None) or ""


def trafilatura_without_comments() -> Extractor:
    from trafilatura import extract

    return lambda page: (
        extract(page["html"], url=page["url"] or None, include_comments=False) or ""
    )


def resiliparse() -> Extractor:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda page: extract_plain_text(page["html"], main_content=True, alt_texts=False)


def _text_of_fragment() -> Callable[[str], str]:
    """Returns what makes text of the HTML that an extractor gives."""
    from resiliparse.extract.html2text import extract_plain_text

    return lambda fragment: extract_plain_text(fragment, list_bullets=False, alt_texts=False)


def readability() -> Extractor:
    from readability import Document

    text_of = _text_of_fragment()
    return lambda page: text_of(Document(page["html"]).summary())


def magic_html() -> Extractor:
    from magic_html import GeneralExtractor

    extractor, text_of = GeneralExtractor(), _text_of_fragment()

    def extract(page: Page) -> str:
        kind = "forum" if page["forum"] else "article"
        found = extractor.extract(page["html"], base_url=page["url"] or "", html_type=kind)
        return text_of(found["html"])

    return extract


def lexbor() -> Extractor:
    """All text that a page shows, by the standard's tree; a line for each run without a block."""
    from selectolax.lexbor import LexborHTMLParser

    def extract(page: Page) -> str:
        lines: list[list[str]] = [[]]
        stack = [(LexborHTMLParser(page["html"]).root, False)]
        while stack:
            node, ends = stack.pop()
            if node is None:
                continue
            if node.tag == "-text":
                lines[-1].append(node.text_content or "")
                continue
            is_block = node.tag in _BLOCKS
            if is_block:
                lines.append([])
            if ends or node.tag in _UNSEEN and node.tag != "head":
                continue
            if is_block:
                stack.append((node, True))
            children = []
            child = node.child
            while child is not None:
                children.append((child, False))
                child = child.next
            stack += reversed(children)
        return "\n".join(filter(None, (" ".join("".join(line).split()) for line in lines)))

    return extract


EXTRACTORS = {
    made.__name__: made
    for made in (
        trafilatura, trafilatura_without_comments, resiliparse, readability, magic_html, lexbor
    )
}  # fmt: skip


def main() -> None:
    # What a library prints must not stand among the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    extract = EXTRACTORS[sys.argv[1]]()
    for line in sys.stdin.buffer:
        page = json.loads(line)
        text, error = "", ""
        begin = time.process_time()
        try:
            text = extract(page)
        except Exception as failure:  # whatever it is, it is the result of the page
            error = f"{type(failure).__name__}: {failure}"[:200]
        seconds = time.process_time() - begin
        text = text.encode("utf-8", "replace").decode()
        answers.write(json.dumps({"text": text, "seconds": seconds, "error": error}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
