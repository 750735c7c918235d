#!/usr/bin/env python3
"""Executes the examples of README.md and docs/, compares what they print, and follows their links.

  tools/run_documents.py --program build/release/bin/zhiwen [DOCUMENT...]

Only fenced blocks whose info string says so run: ```console runnable and ```sh runnable. All blocks
of one document run in order in one scratch folder, in which `zhiwen` is on the PATH and `testdata`
and `docs` link to the repository's.

  console   `$ ` starts a command, `> ` continues it; the lines up to the next command are what it
            prints (standard output and error). `...` stands for any lines, `[..]` for any text in
            a line. The command may fail: print $? to show the status.
  sh        a script; it must end with status 0.

A document without runnable blocks is fine; a runnable block without a command is not. A relative
link must lead to a file.

A translation is NAME.LANGUAGE.md beside NAME.md, or LANGUAGE/NAME.md below its folder. It has the
fenced blocks of the original, in which only comments behind commands (two spaces, `# `) may differ,
and as many headings and table rows. A folder LANGUAGE translates every page of the folder above.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from source_files import ROOT, list_files

FENCE = re.compile(r"^(```+|~~~+)\s*(\w+) runnable\s*$")
ANY_FENCE = re.compile(r"^(```+|~~~+)")
COMMENT = re.compile(r"(^|\s\s+)# .*$")
TRANSLATION = re.compile(r"\.[a-z]{2}(-[A-Z]{2})?(?=\.md$)")
LANGUAGE_FOLDER = re.compile(r"[a-z]{2}-[A-Z]{2}")
LINK = re.compile(r"\]\(([^)\s#:]+)(?:#[^)\s]*)?\)")
TIME_LIMIT_SECONDS = 120


def find_blocks(text):
    """Yields (line number, language, lines) of every runnable block."""
    lines, at = text.splitlines(), 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        at += 1
        if not fence:
            continue
        start = at
        while at < len(lines) and lines[at].strip() != fence.group(1):
            at += 1
        yield start + 1, fence.group(2), lines[start:at]


def split_fenced(text):
    """Splits `text` into its fenced blocks and the lines between them.

    Returns [(line number, lines)] of the blocks, their info strings first, comments removed; and
    the lines outside of blocks.
    """
    blocks, outside, fence = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        found = ANY_FENCE.match(line)
        if fence is None and found:
            fence = found.group(1)
            blocks.append((number, [line]))
        elif line.strip() == fence:
            fence = None
        elif fence is not None:
            blocks[-1][1].append(COMMENT.sub("", line))
        else:
            outside.append(line)
    return blocks, outside


def find_original(path):
    """Returns the page that `path` translates, or `path` itself when it is no translation."""
    if LANGUAGE_FOLDER.fullmatch(path.parent.name):
        return path.parent.parent / path.name
    return path.with_name(TRANSLATION.sub("", path.name))


def compare_translation(path, where):
    """Yields the first difference between a translation and its original."""
    original = find_original(path)
    if original == path:
        return
    if not original.exists():
        yield f"{where}:1: a translation of {original.name}, which does not exist"
        return
    ours, our_text = split_fenced(path.read_text(encoding="utf-8"))
    theirs, their_text = split_fenced(original.read_text(encoding="utf-8"))
    for (line, mine), (other_line, other) in zip(ours, theirs):
        if mine != other:
            yield f"{where}:{line}: not the block at {original.name}:{other_line}"
            return
    counts = [("blocks", len(ours), len(theirs))]
    for name, start in (("headings", "#"), ("table rows", "|")):
        counts.append((name, *(sum(line.startswith(start) for line in text)
                               for text in (our_text, their_text))))
    for name, mine, other in counts:
        if mine != other:
            yield f"{where}:1: {mine} {name}, but {original.name} has {other}"
            return


def find_missing_translations(path, where):
    """Yields a problem for each language folder beside `path` that lacks a page for it."""
    for folder in sorted(path.parent.iterdir()):
        if LANGUAGE_FOLDER.fullmatch(folder.name) and not (folder / path.name).exists():
            yield f"{where}:1: no translation {folder.name}/{path.name}"


def find_dead_links(path, text):
    """Yields (line number, target) of relative links that lead nowhere."""
    for number, line in enumerate(text.splitlines(), 1):
        for target in LINK.findall(line):
            if not (path.parent / target).exists():
                yield number, target


def split_console(first_line, lines):
    """Returns [(line number, command, expected lines)] of a console block."""
    steps = []
    for number, line in enumerate(lines, first_line):
        if line.startswith("$ "):
            steps.append((number, line[2:], []))
        elif steps and line.startswith("> ") and not steps[-1][2]:
            steps[-1] = (steps[-1][0], steps[-1][1] + "\n" + line[2:], [])
        elif steps:
            steps[-1][2].append(line)
        else:
            raise ValueError(f"line {number}: a console block starts with '$ '")
    return steps


def matches(expected, printed):
    """Whether `printed` lines are what `expected` describes."""
    pattern = ""
    for line in expected:
        if line == "...":
            pattern += r"(?:[^\n]*\n)*"
        else:
            pattern += ".*".join(re.escape(part) for part in line.split("[..]")) + r"\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def run(command, folder, environment):
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, text=True, errors="replace",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        timeout=TIME_LIMIT_SECONDS, check=False,
    )


def run_block(where, line, language, lines, folder, environment):
    """Returns the problems of one block."""
    if language == "sh":
        done = run("set -euo pipefail\n" + "\n".join(lines), folder, environment)
        return [] if done.returncode == 0 else [f"{where}:{line}: failed:\n{done.stdout}"]
    if language != "console":
        return [f"{where}:{line}: only console and sh can be runnable, not {language}"]
    steps = split_console(line, lines)
    problems = [] if steps else [f"{where}:{line}: a runnable block without a command"]
    for number, command, expected in steps:
        printed = run(command, folder, environment).stdout.splitlines()
        if not matches(expected, printed):
            shown = "\n".join(["expected:", *expected, "printed:", *printed])
            problems.append(f"{where}:{number}: {command}\n{shown}")
    return problems


def run_document(path, program, root=ROOT):
    """Returns (how many blocks ran, problems) of one document."""
    text = path.read_text(encoding="utf-8")
    where = path.relative_to(root) if path.is_relative_to(root) else path
    blocks = list(find_blocks(text))
    problems = [f"{where}:{n}: no file {target}" for n, target in find_dead_links(path, text)]
    problems += compare_translation(path, where)
    problems += find_missing_translations(path, where)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "work").mkdir()
        for link in ("testdata", "docs"):
            (folder / "work" / link).symlink_to(root / link)
        environment = {
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "HOME": name, "TMPDIR": name, "LANG": "C.UTF-8", "TERM": "dumb", "COLUMNS": "100",
        }
        for line, language, lines in blocks:
            problems += run_block(where, line, language, lines, folder / "work", environment)
    return len(blocks), problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("documents", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    program = options.program.resolve()
    if not program.exists():
        print(f"{program} is not built; ./zw build")
        return 1
    documents = options.documents or [ROOT / p for p in list_files() if p.endswith(".md")]
    blocks, problems = 0, []
    for path in documents:
        count, found = run_document(path.resolve(), program)
        blocks += count
        problems += found
    for problem in problems:
        print(problem)
    print(f"documents: {len(documents)} read, {blocks} blocks run, {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
