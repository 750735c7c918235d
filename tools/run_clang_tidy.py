#!/usr/bin/env python3
"""Runs clang-tidy on src/ and apps/, only on what changed since it last passed.

  tools/run_clang_tidy.py --clang-tidy PROGRAM --build build/release [--jobs N] [FILE...]

A file passes once for its own text, the project headers it reaches, .clang-tidy, the compile
command, the arguments of clang-tidy, and the versions of clang-tidy, Arrow and Debian's packages.
The digest of all these is kept in ~/.cache/zhiwen/clang_tidy (XDG_CACHE_HOME), so that every clone
on a machine knows it. Tests and generated tables are left out. Exit status 1 with clang-tidy's
findings, 2 where nothing is checked, or not a FILE that was named.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

from source_files import ROOT, is_generated

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
# Warnings of clang about what g++ is asked about already, or about its library.
QUIET_ARGUMENTS = [
    f"--extra-arg=-Wno-{name}" for name in ("unknown-warning-option", "deprecated-declarations")
]
# Files are checked with what they include themselves, and without the headers precompiled by g++.
PRECOMPILED = re.compile(r" -Winvalid-pch -include \S+/cmake_pch\.hxx")
# Its headers are no package of Debian.
ARROW = ROOT / "build" / "venv-arrow" / "complete"
LEFT_OUT = re.compile(r"_(test|test_support|benchmark)\.cc$")


def reached_headers(path, seen):
    """Adds to `seen` the project headers that `path` includes, directly or not."""
    for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        for folder in (ROOT / "src", ROOT / "include", path.parent):
            header = folder / name
            if header.exists() and header not in seen:
                seen.add(header)
                reached_headers(header, seen)


def versions(program, arrow=ARROW):
    """What decides the findings besides the repository: clang-tidy and the packages around it."""
    asked = [program, "--version"], ["dpkg-query", "-W"]
    said = [
        subprocess.run(command, capture_output=True, check=True, text=True).stdout
        for command in asked
    ]
    return "".join([*said, *QUIET_ARGUMENTS, arrow.read_text() if arrow.exists() else "no Arrow"])


def digest_of(path, command, version):
    headers = set()
    reached_headers(path, headers)
    state = hashlib.sha256((version + command.replace(str(ROOT), "")).encode())
    for file in [ROOT / ".clang-tidy", path, *sorted(headers)]:
        state.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes() + b"\0")
    return state.hexdigest()


def commands_of(build, checked):
    """Returns {path: compile command} of what is to be checked, which `checked` gets as well."""
    text = PRECOMPILED.sub("", (build / "compile_commands.json").read_text())
    (checked / "compile_commands.json").write_text(text)
    entries = json.loads(text)
    commands = {}
    for entry in entries:
        path = pathlib.Path(entry["file"])
        inside = path.is_relative_to(ROOT / "src") or path.is_relative_to(ROOT / "apps")
        if inside and path.exists() and not LEFT_OUT.search(path.name) and not is_generated(path):
            commands[path] = entry["command"]
    return commands


def tidy(program, path, checked):
    done = subprocess.run(
        [program, "--quiet", "-p", str(checked), *QUIET_ARGUMENTS, str(path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False,
    )
    return done.returncode == 0, done.stdout or done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--clang-tidy", default="clang-tidy", help="the program")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    build = options.build.resolve()
    checked = build / "clang_tidy"
    checked.mkdir(exist_ok=True)
    commands = commands_of(build, checked)
    unknown = [str(file) for file in options.files if file.resolve() not in commands]
    if unknown or not commands:
        print(f"clang-tidy: no compile command in {options.build} of what is checked: "
              f"{', '.join(unknown) or 'any file'}", file=sys.stderr)
        return 2
    wanted = {f.resolve() for f in options.files} or set(commands)
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    passed = cache / "zhiwen" / "clang_tidy"
    passed.mkdir(parents=True, exist_ok=True)
    version = versions(options.clang_tidy)
    digests = {path: digest_of(path, commands[path], version) for path in sorted(wanted)}
    todo = [path for path, digest in digests.items() if not (passed / digest).exists()]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda path: tidy(options.clang_tidy, path, checked), todo)
        for path, (well, output) in zip(todo, results):
            if well:
                (passed / digests[path]).touch()
            else:
                failed += 1
                print(output)
    print(f"clang-tidy: {len(digests)} files, {len(todo)} changed, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
