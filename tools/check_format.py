#!/usr/bin/env python3
"""Fails when clang-format-16 would change a file; names it and the command that fixes it.

  tools/check_format.py FILE...

Generated tables are left out (see tools/source_files.py). `--fix` formats in place.
"""

import subprocess
import sys

from source_files import is_generated


def main():
    fix = "--fix" in sys.argv
    names = [n for n in sys.argv[1:] if n != "--fix" and not is_generated(n)]
    if strange := [n for n in names if not n.endswith((".h", ".cc"))]:
        print(f"check_format: {strange[0]} is no C++ file (*.h, *.cc)", file=sys.stderr)
        return 2
    if not names:
        return 0
    flags = ["-i"] if fix else ["--dry-run"]
    done = subprocess.run(
        ["clang-format-16", *flags, *names], stderr=subprocess.PIPE, text=True, check=True
    )
    warnings = [line for line in done.stderr.splitlines() if "[-Wclang-format" in line]
    wrong = sorted({line.split(":", 1)[0] for line in warnings})
    for name in wrong:
        print(f"{name}: not formatted; clang-format-16 -i {name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
