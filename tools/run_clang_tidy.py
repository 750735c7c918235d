#!/usr/bin/env python3
"""Runs clang-tidy on src/ and apps/, only on what changed since it last passed.

  tools/run_clang_tidy.py --clang-tidy PROGRAM --build build/release [--jobs N] [FILE...]

It reads the units of the build, most of which include all files of a folder: their headers are
read once. A unit passes once for the text of its files, the project headers they reach,
.clang-tidy, the compile command, and the versions of clang-tidy, of Debian's packages and of Arrow.
The digest of all these is kept in ~/.cache/zhiwen/clang_tidy (XDG_CACHE_HOME), so that each clone
on a machine knows it. With FILEs only their units are read. Tests and generated tables are left
out. Exit status 1 with clang-tidy's findings, and when there is nothing to read.
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
UNIT = re.compile(r"/Unity/unity_\w+\.cxx$")
# Warnings of clang about what g++ is asked about already, or about its library.
QUIET_ARGUMENTS = [
    f"--extra-arg=-Wno-{name}"
    for name in ("unknown-warning-option", "deprecated-declarations", "shadow")
]
# Files are checked with what they include themselves, and without the headers precompiled by g++.
PRECOMPILED = re.compile(r" -Winvalid-pch -include \S+/cmake_pch\.hxx")
LEFT_OUT = re.compile(r"_(test|test_support|benchmark)\.cc$")


def reached_headers(path, seen):
    """Adds to `seen` the project headers that `path` includes, directly or not."""
    for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        for folder in (ROOT / "src", ROOT / "include", path.parent):
            header = folder / name
            if header.exists() and header not in seen:
                seen.add(header)
                reached_headers(header, seen)


def versions(program, build):
    """What decides the findings besides the repository: clang-tidy, what it is asked, the packages
    around it."""
    asked = [program, "--version"], ["dpkg-query", "-W"]
    arrow = build.parent / "venv-arrow"
    wheels = sorted(path.name for path in arrow.glob("lib/python3*/site-packages/*.dist-info"))
    return "".join([
        *(subprocess.run(command, capture_output=True, check=True, text=True).stdout
          for command in asked),
        *QUIET_ARGUMENTS, *wheels,
    ])


def digest_of(files, command, version):
    headers = set()
    for path in files:
        reached_headers(path, headers)
    state = hashlib.sha256((version + command.replace(str(ROOT), "")).encode())
    for file in [ROOT / ".clang-tidy", *files, *sorted(headers)]:
        state.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes() + b"\0")
    return state.hexdigest()


def is_checked(path):
    inside = path.is_relative_to(ROOT / "src") or path.is_relative_to(ROOT / "apps")
    return inside and path.exists() and not LEFT_OUT.search(path.name) and not is_generated(path)


def files_of(unit):
    """Returns the files of the repository that a unit of the build compiles."""
    if not UNIT.search(str(unit)):
        return [unit]
    return [pathlib.Path(name) for name in INCLUDE.findall(unit.read_text(encoding="utf-8"))]


def units_of(build, checked):
    """Returns {unit: (files, compile command)} of what is to be checked, which `checked` gets as
    well."""
    text = PRECOMPILED.sub("", (build / "compile_commands.json").read_text())
    (checked / "compile_commands.json").write_text(text)
    units = {}
    for entry in json.loads(text):
        unit = pathlib.Path(entry["file"])
        files = files_of(unit) if unit.exists() else []
        if any(is_checked(file) for file in files):
            units[unit] = (files, entry["command"])
    return units


def tidy(program, unit, checked):
    done = subprocess.run(
        [program, "--quiet", "-p", str(checked), *QUIET_ARGUMENTS, str(unit)],
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
    units = units_of(build, checked)
    wanted = {f.resolve() for f in options.files}
    for file in sorted(wanted - {file for files, _ in units.values() for file in files}):
        sys.exit(f"clang-tidy: {file} is in no unit of {options.build}; configure it again")
    if wanted:
        units = {unit: made for unit, made in units.items() if wanted & set(made[0])}
    if not units:
        sys.exit(f"clang-tidy: {options.build} has nothing to compile; configure it first")
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    passed = cache / "zhiwen" / "clang_tidy"
    passed.mkdir(parents=True, exist_ok=True)
    version = versions(options.clang_tidy, build)
    digests = {unit: digest_of(*made, version) for unit, made in sorted(units.items())}
    todo = [unit for unit, digest in digests.items() if not (passed / digest).exists()]
    # The largest first, so that no worker is left alone with one at the end.
    todo.sort(key=lambda unit: -sum(file.stat().st_size for file in units[unit][0]))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda unit: tidy(options.clang_tidy, unit, checked), todo)
        for unit, (well, output) in zip(todo, results):
            if well:
                (passed / digests[unit]).touch()
            else:
                failed += 1
                print(output)
    files = sum(len(made[0]) for made in units.values())
    print(f"clang-tidy: {files} files in {len(units)} units, {len(todo)} changed, "
          f"{failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
