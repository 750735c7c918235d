#!/usr/bin/env python3
"""Checks the sizes and words of STYLE.md.

  tools/check_style.py [ROOT]

src/ and include/: functions up to 90 lines, files up to 600 lines, nesting up to 4 (tests and
generated tables are exempt). All code: 100 columns. Everything:
no file or type called utils, common, helpers, misc or manager; "shingle" and no other word for it;
no registry hosts, no paths of one machine; no --option in a text of src/, which callers other than
the command line show, too; no comment or document names a file that does not exist
(tools/file_mentions.py). An exception is a line `PATH: RULE: REASON` in
tools/style_exceptions.txt, at most ten; one that is not needed any more is a violation too.
"""

import pathlib
import re
import sys

from cpp_functions import find_functions
from file_mentions import FileNames, find_dead
from source_files import ROOT, is_generated, list_files

MAX_FUNCTION_LINES = 90
MAX_FILE_LINES = 600
MAX_NESTING = 4
MAX_COLUMNS = 100
MAX_EXCEPTIONS = 10
EXCEPTIONS = "tools/style_exceptions.txt"

CODE = (".h", ".cc", ".py", ".sh", ".cmake", "CMakeLists.txt", "zw")
TEXT = CODE + (".md", ".txt", ".json", ".yml", "run")
DATA_FOLDERS = ("testdata/", "fuzz/corpus/", "eval/data/", "tests/golden/data/")
TEST = re.compile(r"_(test|test_support|benchmark)\.(cc|h)$|^tests/")

DRAWER = "(utils?|common|helpers?|misc|managers?)"
DRAWER_FILE = re.compile(rf"(^|[/_.-]){DRAWER}([/_.-]|$)")
DRAWER_TYPE = re.compile(r"\b(class|struct)\s+\w*(Utils?|Common|Helpers?|Misc|Manager)\b")
OTHER_SHINGLE = re.compile(r"\b[nk]-grams?\b", re.IGNORECASE)
OTHER_SHINGLE_NAME = re.compile(r"(?<![A-Za-z])[nN]_?[gG]ram|NGram")
HOST = re.compile(r"https?://[^\s/\"')]*(mirror|registry|artifact|proxy|pypi|npmjs|nexus)[^\s/]*")
MACHINE_PATH = re.compile(r"(?<![\w.$}~/])/(work|home|root|Users)/\w")
# In a string: "--resume", "(--memory)". The library advises by values (Advice in zhiwen/result.h),
# which the command line words as its options.
OPTION = re.compile(r"(?<![\w-])--[a-z]")
LITERAL = re.compile(r'//.*|\'(?:[^\'\\]|\\.)\'|"((?:[^"\\]|\\.)*)"')
# These name what is banned.
NAMES_THE_BANNED = {
    "STYLE.md",
    "docs/glossary.md",
    "tools/check_style.py",
    "tools/check_style_test.py",
}


def check_words(path, lines):
    """Yields (line, rule, message)."""
    if DRAWER_FILE.search(path):
        yield 1, "name", "a file is named after what it holds, not utils, common, misc"
    if path in NAMES_THE_BANNED:
        return
    in_library = path.startswith(("src/", "include/", "apps/"))
    is_source = path.startswith(("src/", "include/")) and not TEST.search(path)
    for number, line in enumerate(lines, 1):
        if DRAWER_TYPE.search(line):
            yield number, "name", "a type is named after what it is, not Utils/Helper/Manager"
        if OTHER_SHINGLE.search(line) or (in_library and OTHER_SHINGLE_NAME.search(line)):
            yield number, "word", "the word is shingle"
        if is_source and any(OPTION.search(text or "") for text in LITERAL.findall(line)):
            yield number, "option", "the library names no option: advise by a value of Advice"
        if HOST.search(line):
            yield number, "host", "names the host of a package registry"
        if MACHINE_PATH.search(line):
            yield number, "path", "names a path of one machine"


def check_sizes(path, text, lines):
    if len(lines) > MAX_FILE_LINES:
        yield 1, "file", f"{len(lines)} lines, at most {MAX_FILE_LINES}"
    for function in find_functions(text):
        if function.lines > MAX_FUNCTION_LINES:
            message = f"{function.name}: {function.lines} lines, at most {MAX_FUNCTION_LINES}"
            yield function.first_line, "function", message
        if function.nesting > MAX_NESTING:
            message = f"{function.name}: nesting {function.nesting}, at most {MAX_NESTING}"
            yield function.deepest_line, "nesting", message


def check_file(root, path, names):
    """Yields (line, rule, message) of one file; `names` are the files of the repository."""
    if not path.endswith(TEXT) or path.startswith(DATA_FOLDERS):
        return
    text = (root / path).read_text(encoding="utf-8", errors="replace")
    lines = text.splitlines()
    yield from check_words(path, lines)
    if path.endswith((*CODE, ".md")):
        for number, name in find_dead(path, text, names):
            yield number, "mention", f"names {name}, which does not exist"
    if not path.endswith(CODE) or is_generated(root / path):
        return
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_COLUMNS:
            yield number, "columns", f"{len(line)} columns, at most {MAX_COLUMNS}"
    sized = path.startswith(("src/", "include/")) and path.endswith((".h", ".cc"))
    if sized and not TEST.search(path):
        yield from check_sizes(path, text, lines)


def read_exceptions(root):
    """Returns {(path, rule)} and the problems of the list itself."""
    granted, problems = set(), []
    file = root / EXCEPTIONS
    for number, line in enumerate(file.read_text().splitlines() if file.exists() else [], 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split(":", 2)]
        if len(parts) < 3 or not parts[2]:
            problems.append(f"{EXCEPTIONS}:{number}: wants PATH: RULE: REASON")
        else:
            granted.add((parts[0], parts[1]))
    if len(granted) > MAX_EXCEPTIONS:
        problems.append(f"{EXCEPTIONS}: {len(granted)} exceptions, at most {MAX_EXCEPTIONS}")
    return granted, problems


def check(root):
    """Returns the violations, one line each."""
    granted, problems = read_exceptions(root)
    used = set()
    paths = list_files(root)
    names = FileNames(paths)
    for path in paths:
        for number, rule, message in check_file(root, path, names):
            if (path, rule) in granted:
                used.add((path, rule))
            else:
                problems.append(f"{path}:{number}: {rule}: {message}")
    for path, rule in sorted(granted - used):
        problems.append(f"{EXCEPTIONS}: {path}: {rule}: not needed any more")
    return problems


def main():
    root = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT
    problems = check(root)
    print("\n".join(problems) if problems else "style: sizes and words are fine")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
