"""Extracts the text of web pages with another library, one page after the other.

page_worker.py NAME reads lines {"html", "url", "forum"} and answers each with a line {"text",
"seconds", "error"}. The seconds are those of the processor for the extraction alone: the page is a
string in memory, and the text too. An error is the name and the words of an exception.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable
from typing import Any

Page = dict[str, Any]
Extractor = Callable[[Page], str]
# eval/lexbor.py compares by these: elements that end a run of text, and elements without a text.
_BLOCKS = frozenset(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt"
    " fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol p pre"
    " section summary table tbody td tfoot th thead tr ul".split()
)
_UNSEEN = frozenset(
    "script style template noscript noframes noembed iframe svg select textarea title xmp".split()
)
# Raw text where scripts run, as in browsers; lexbor would let its open elements swallow the page.
_NOSCRIPT = re.compile(r"<noscript\b.*?</noscript\s*>", re.S | re.I)
_INVISIBLE = dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF))
_HIDES = re.compile(r"display[ :]*none|visibility: ?hidden")
_HAS_SIZE_ZERO = re.compile(r"font-size[ :]*0[0.]*(?![0-9.])")


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


def _hides(attributes: dict[str, str | None], is_block: bool) -> bool:
    style = attributes.get("style") or ""
    if "hidden" in attributes or attributes.get("aria-hidden") == "true" or _HIDES.search(style):
        return True
    return not is_block and _HAS_SIZE_ZERO.search(style) is not None


def lexbor() -> Extractor:
    """All text of a page by the tree of the standard, a line for each run that no block ends;
    without inline elements that are hidden in what is shown, as our parser leaves them out."""
    from selectolax.lexbor import LexborHTMLParser

    def extract(page: Page) -> str:
        lines: list[list[str]] = [[]]
        # An item says whether an element hides text, whether its block does, whether it keeps lines
        root = LexborHTMLParser(_NOSCRIPT.sub("", page["html"])).root
        stack = [(root, False, False, False)]
        while stack:
            node, is_hidden, in_hidden, in_pre = stack.pop()
            if node is None:
                lines.append([])
            elif node.tag == "-text":
                if is_hidden and not in_hidden:
                    continue
                first, *others = (node.text_content or "").split("\n") if in_pre else [
                    node.text_content or ""
                ]
                lines[-1].append(first)
                lines += [[other] for other in others]
            elif node.tag not in _UNSEEN:
                is_block = node.tag in _BLOCKS
                is_hidden = is_hidden or _hides(node.attributes, is_block)
                if is_block:
                    lines.append([])
                    stack.append((None, False, False, False))
                states = (is_hidden, is_hidden if is_block else in_hidden)
                children = []
                child = node.child
                while child is not None:
                    children.append((child, *states, in_pre or node.tag == "pre"))
                    child = child.next
                stack += reversed(children)
        texts = ("".join(line).translate(_INVISIBLE) for line in lines)
        return "\n".join(filter(None, (" ".join(text.split()) for text in texts)))

    return extract


EXTRACTORS = {
    made.__name__: made
    for made in (
        trafilatura, trafilatura_without_comments, resiliparse, readability, magic_html, lexbor
    )
}  # fmt: skip


def main() -> None:
    # Libraries print, too, and that must not stand among the answers.
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
