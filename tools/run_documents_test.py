"""Self-test of run_documents.py: wrong output and failing scripts must be reported."""

import pathlib
import tempfile
import unittest

import run_documents


class RunDocumentsTest(unittest.TestCase):
    def run_text(self, text):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            document = root / "a.md"
            document.write_text(text)
            return run_documents.run_document(document, root / "bin" / "zhiwen", root)

    def test_output_as_written_passes(self):
        text = "```console runnable\n$ echo a; echo b\na\nb\n$ echo c\nc\n```\n"
        self.assertEqual(self.run_text(text), (1, []))

    def test_other_output_is_reported_with_its_line(self):
        count, problems = self.run_text("# x\n```console runnable\n$ echo a\nb\n```\n")
        self.assertEqual(count, 1)
        self.assertTrue(problems[0].startswith("a.md:3: echo a"), problems)

    def test_missing_and_additional_lines_are_reported(self):
        self.assertEqual(len(self.run_text("```console runnable\n$ echo a\n```\n")[1]), 1)
        self.assertEqual(len(self.run_text("```console runnable\n$ true\na\n```\n")[1]), 1)

    def test_wildcards_match_lines_and_parts(self):
        text = "```console runnable\n$ seq 1 5; echo took 12 ms\n1\n...\ntook [..] ms\n```\n"
        self.assertEqual(self.run_text(text), (1, []))
        wrong = "```console runnable\n$ seq 1 5\n2\n...\n```\n"
        self.assertEqual(len(self.run_text(wrong)[1]), 1)

    def test_commands_go_on_over_lines_and_blocks_share_a_folder(self):
        text = (
            "```console runnable\n$ cat > f <<'END'\n> x\n> END\n```\n"
            "```sh runnable\ngrep -q x f\n```\n"
        )
        self.assertEqual(self.run_text(text), (2, []))

    def test_a_failing_script_is_reported(self):
        self.assertEqual(len(self.run_text("```sh runnable\nfalse\ntrue\n```\n")[1]), 1)

    def test_links_to_nowhere_are_reported(self):
        text = "[self](a.md#x), [web](https://a.example/b), [lost](b/c.md)\n"
        self.assertEqual(self.run_text(text), (0, ["a.md:1: no file b/c.md"]))

    def translate(self, original, translation):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "a.md").write_text(original)
            (root / "a.zh-CN.md").write_text(translation)
            program = root / "bin" / "zhiwen"
            return run_documents.run_document(root / "a.zh-CN.md", program, root)[1]

    def test_a_translation_has_the_blocks_of_its_original(self):
        original = "# Go\n```sh\nls -l  # look\n```\ntext\n```\nx\n```\n"
        same = "# 开始\n中文\n```sh\nls -l  # 看一看\n```\n```\nx\n```\n"
        self.assertEqual(self.translate(original, same), [])
        other = self.translate(original, same.replace("ls -l", "ls -a"))
        self.assertEqual(other, ["a.zh-CN.md:3: not the block at a.md:2"])
        fewer = self.translate(original, "```sh\nls -l\n```\n")
        self.assertEqual(fewer, ["a.zh-CN.md:1: 1 blocks, but a.md has 2"])
        kind = self.translate(original, same.replace("```sh", "```sh runnable"))
        self.assertEqual(kind, ["a.zh-CN.md:3: not the block at a.md:2"])

    def test_a_translation_has_the_headings_and_tables_of_its_original(self):
        original = "# Go\n\n| a |\n|---|\n| b |\n\n```\n# | no heading, no row\n```\n"
        block = "```\n# | no heading, no row\n```\n"
        self.assertEqual(self.translate(original, "# 开始\n| 甲 |\n|---|\n| 乙 |\n" + block), [])
        shorter = self.translate(original, "# 开始\n| 甲 |\n|---|\n" + block)
        self.assertEqual(shorter, ["a.zh-CN.md:1: 2 table rows, but a.md has 3"])
        more = self.translate(original, "# 开始\n## 又\n| 甲 |\n|---|\n| 乙 |\n" + block)
        self.assertEqual(more, ["a.zh-CN.md:1: 2 headings, but a.md has 1"])

    def test_a_language_folder_translates_every_page_of_the_folder_above(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "zh-CN").mkdir()
            (root / "a.md").write_text("```\nx\n```\n")
            (root / "zh-CN" / "a.md").write_text("```\ny\n```\n")
            (root / "b.md").write_text("")
            program = root / "bin" / "zhiwen"
            run = run_documents.run_document
            self.assertEqual(run(root / "a.md", program, root)[1], [])
            self.assertEqual(run(root / "zh-CN" / "a.md", program, root)[1],
                             ["zh-CN/a.md:1: not the block at a.md:1"])
            self.assertEqual(run(root / "b.md", program, root)[1],
                             ["b.md:1: no translation zh-CN/b.md"])

    def test_a_translation_of_nothing_is_reported(self):
        with tempfile.TemporaryDirectory() as name:
            document = pathlib.Path(name) / "b.zh-CN.md"
            document.write_text("")
            found = list(run_documents.compare_translation(document, "b.zh-CN.md"))
        self.assertEqual(found, ["b.zh-CN.md:1: a translation of b.md, which does not exist"])

    def test_other_blocks_do_not_run(self):
        self.assertEqual(self.run_text("```sh\nfalse\n```\n"), (0, []))


if __name__ == "__main__":
    unittest.main()
