"""Self-test of summarize_tests.py: a crash, a failed case and a missing level must show."""

import json
import pathlib
import tempfile
import unittest

import summarize_tests

PASS = {"name": "a", "status": "RUN", "result": "COMPLETED"}
FAIL = {**PASS, "failures": [{"failure": "x"}]}
SKIP = {"name": "a", "status": "RUN", "result": "SKIPPED"}


class SummarizeTest(unittest.TestCase):
    def summarize(self, cases_by_name, tests):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for program, cases in cases_by_name.items():
                body = {"testsuites": [{"name": "S", "testsuite": cases}]}
                (folder / f"{program}.json").write_text(json.dumps(body))
            rows = "".join(f'<testcase name="{n}">{inner}</testcase>' for n, inner in tests)
            (folder / "junit.xml").write_text(f"<testsuite>{rows}</testsuite>")
            return summarize_tests.summarize(folder)

    def test_counts_cases_not_programs(self):
        line, well = self.summarize({"a_test": [PASS, PASS, SKIP]}, [("a_test", "")])
        self.assertEqual((line, well), ("2 passed, 0 failed, 1 skipped", True))

    def test_a_failed_case_fails_the_run(self):
        line, well = self.summarize({"a_test": [PASS, FAIL]}, [("a_test", "<failure/>")])
        self.assertEqual((line, well), ("1 passed, 1 failed, 0 skipped", False))

    def test_a_crash_counts_as_a_failure(self):
        line, well = self.summarize({"b_test": [PASS]}, [("a_test", "<failure/>"), ("b_test", "")])
        self.assertIn("1 passed, 1 failed, 0 skipped", line)
        self.assertFalse(well)

    def test_a_missing_level_is_named_and_its_cases_are_skipped(self):
        line, well = self.summarize(
            {"k_test.scalar": [PASS, PASS]},
            [("k_test.scalar", ""), ("k_test.avx512", '<skipped message="SKIP_RETURN_CODE=77"/>')],
        )
        self.assertEqual(
            (line, well), ("2 passed, 0 failed, 2 skipped (avx512: not on this processor)", True)
        )

    def test_a_program_that_was_not_built_is_a_failure(self):
        missing = '<skipped message="Unable to find executable"/>'
        line, well = self.summarize({"b_test": [PASS]}, [("b_test", ""), ("a_test", missing)])
        self.assertIn("1 passed, 1 failed, 0 skipped", line)
        self.assertFalse(well)

    def test_a_run_without_any_case_is_no_success(self):
        self.assertFalse(self.summarize({}, [])[1])


if __name__ == "__main__":
    unittest.main()
