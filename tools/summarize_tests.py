#!/usr/bin/env python3
"""Counts single GoogleTest cases after a run of ctest.

  tools/summarize_tests.py build/release/test_results

Reads junit.xml (what ctest ran) and NAME.json (the cases of each program), prints one line:
"512 passed, 0 failed, 96 skipped (avx512: not on this processor)". Exit status 1 when something
failed or nothing passed.
"""

import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree


def count_cases(path):
    """Returns (passed, failed, skipped) of one GoogleTest JSON file."""
    passed = failed = skipped = 0
    for suite in json.loads(path.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            if case.get("failures"):
                failed += 1
            elif case.get("result") == "SKIPPED":
                skipped += 1
            elif case.get("status") == "RUN":
                passed += 1
    return passed, failed, skipped


def is_missing_level(skipped):
    """ctest also calls a program that was not built skipped; the message tells."""
    return skipped.get("message", "").startswith("SKIP_RETURN_CODE")


def summarize(folder):
    """Returns the line and whether all is well."""
    total = [0, 0, 0]
    missing_levels, notes = set(), []
    for test in ElementTree.parse(folder / "junit.xml").getroot().iter("testcase"):
        name, cases = test.get("name"), folder / f"{test.get('name')}.json"
        skipped_because = test.find("skipped")
        if skipped_because is not None and is_missing_level(skipped_because):
            run, _, level = name.rpartition(".")
            missing_levels.add(level)
            twin = folder / f"{run}.scalar.json"
            total[2] += sum(count_cases(twin)) if twin.exists() else 1
            continue
        counts = count_cases(cases) if cases.exists() else (0, 0, 0)
        total = [a + b for a, b in zip(total, counts)]
        bad = test.find("failure") is not None or skipped_because is not None
        if bad and counts[1] == 0:
            total[1] += 1
            notes.append(f"{name} gave no result: not built, crash, time limit or sanitizer")
    passed, failed, skipped = total
    line = f"{passed} passed, {failed} failed, {skipped} skipped"
    if missing_levels:
        line += f" ({', '.join(sorted(missing_levels))}: not on this processor)"
    return "\n".join([*notes, line]), failed == 0 and passed > 0


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    line, well = summarize(pathlib.Path(sys.argv[1]))
    print(line)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
