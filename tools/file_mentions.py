"""Finds the names of files that comments and documents mention, and whether such files exist.

A mention is a word that ends like a source file (hash.h, text/fold.cc, docs/*.md), or a path that
begins with a folder at the top of the repository (src/index/, tests/support). Names of other files,
such as report.json, mostly belong to users or to the program's output and are not looked at.
Looked at are comments of C++, shell and CMake, comments and docstrings of Python, and all of
Markdown.
"""

import fnmatch
import io
import re
import token
import tokenize

SUFFIXES = "h|cc|py|sh|cmake|md"
NAME = re.compile(rf"(?<![\w./:{{}}$<-])[\w.*/-]*[\w*]\.(?:{SUFFIXES})(?![\w/-]|\.\w)")
PATH = re.compile(r"(?<![\w./:{}$<-])[a-z]\w*/[\w*./-]*[\w*]/?(?![\w{<$])")
DECISION = re.compile(r"docs/decisions/\d{3}")  # a decision by its number, without its title
LINE_COMMENT = {"cc": re.compile(r"(?:^|\s)//.*"), "hash": re.compile(r"(?:^|\s)#.*")}
# A name with one of these words stands for any file: x_test.cc, NAME_fuzz.cc, NNN-short-name.md.
PLACEHOLDER = re.compile(r"(^|[/_.-])(x|[A-Z]{3,})([/_.-]|$)")
# Files of other projects that comments name.
ELSEWHERE = {
    "dedup_score.py",  # a scorer beside the evaluation's data, which is not in the repository
    "immintrin.h",  # the compiler's intrinsics
    "jieba/posseg/viterbi.py",  # the original of eval/jieba_tags.py
    "xxhash.h",  # the library whose loop src/kernels/ repeats
}


class FileNames:
    """The files and folders of the repository, found by whole paths or by their ends."""

    def __init__(self, paths):
        self.ends = set()
        self.tops = set()
        for path in paths:
            parts = path.split("/")
            if len(parts) > 1:
                self.tops.add(parts[0])
            for last in range(1, len(parts) + 1):
                self.ends.update("/".join(parts[first:last]) for first in range(last))

    def has(self, name):
        name = re.sub(r"^(\.\.?/)+", "", name).rstrip("/")
        if name in ELSEWHERE or PLACEHOLDER.search(name) or name in self.ends:
            return True
        pattern = name + "-*" if DECISION.fullmatch(name) else name
        return "*" in pattern and any(fnmatch.fnmatchcase(end, pattern) for end in self.ends)


def python_prose(text):
    """Yields (line number, text) of the comments and docstrings."""
    before = token.NEWLINE
    for found in tokenize.generate_tokens(io.StringIO(text).readline):
        is_docstring = found.type == token.STRING and before in (token.NEWLINE, token.INDENT)
        if found.type == tokenize.COMMENT or is_docstring:
            yield from enumerate(found.string.splitlines(), found.start[0])
        if found.type not in (tokenize.NL, tokenize.COMMENT, token.DEDENT):
            before = found.type


def prose(path, text):
    """Yields (line number, text) of what is written for people."""
    if path.endswith(".md"):
        yield from enumerate(text.splitlines(), 1)
    elif path.endswith(".py"):
        yield from python_prose(text)
    else:
        comment = LINE_COMMENT["cc" if path.endswith((".h", ".cc")) else "hash"]
        for number, line in enumerate(text.splitlines(), 1):
            if found := comment.search(line):
                yield number, found.group()


def find_dead(path, text, names):
    """Yields (line number, name) of each mention in `text` of a file that `names` lacks."""
    for number, line in prose(path, text):
        mentions = {found.group() for found in NAME.finditer(line)}
        for found in PATH.finditer(line):
            name = found.group().rstrip(".")
            if name.split("/")[0] in names.tops and "." not in name.rsplit("/", 1)[-1]:
                mentions.add(name)
        yield from ((number, name) for name in sorted(mentions) if not names.has(name))
