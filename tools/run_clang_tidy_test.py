"""Self-test of run_clang_tidy.py: what is not checked must not pass."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import run_clang_tidy

CHECKED = run_clang_tidy.ROOT / "src" / "base" / "hash.cc"
TEST = run_clang_tidy.ROOT / "src" / "base" / "utf8" / "utf8_test.cc"


class RunClangTidyTest(unittest.TestCase):
    def run_it(self, commands, *files):
        with tempfile.TemporaryDirectory() as name:
            entries = [{"file": str(file), "command": "c++"} for file in commands]
            pathlib.Path(name, "compile_commands.json").write_text(json.dumps(entries))
            return subprocess.run(
                [sys.executable, run_clang_tidy.__file__, "--clang-tidy", "true",
                 "--build", name, *map(str, files)],
                capture_output=True, text=True, check=False,
                env={**os.environ, "XDG_CACHE_HOME": name},
            )

    def test_a_file_with_a_command_is_checked(self):
        for files in ((), (CHECKED,)):
            done = self.run_it([CHECKED], *files)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("1 files in 1 units, 1 changed, 0 with findings", done.stdout)

    def test_nothing_to_check_fails(self):
        for commands in ([], [TEST]):
            done = self.run_it(commands)
            self.assertEqual(done.returncode, 1)
            self.assertIn("nothing to compile", done.stderr)

    def test_a_named_file_without_a_command_fails(self):
        for named in (TEST, run_clang_tidy.ROOT / "src" / "no_such_file.cc"):
            done = self.run_it([CHECKED, TEST], CHECKED, named)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"{named} is in no unit", done.stderr)

    def test_the_digest_has_the_arguments_and_arrow(self):
        with tempfile.TemporaryDirectory() as name:
            packages = pathlib.Path(name, "venv-arrow", "lib", "python3.11", "site-packages")
            (packages / "pyarrow-1.dist-info").mkdir(parents=True)
            one = run_clang_tidy.versions("true", pathlib.Path(name, "release"))
            self.assertIn("pyarrow-1", one)
            for argument in run_clang_tidy.QUIET_ARGUMENTS:
                self.assertIn(argument, one)


if __name__ == "__main__":
    unittest.main()
