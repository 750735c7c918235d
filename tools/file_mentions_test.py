"""Self-test of file_mentions.py: what is a mention, and which mentions are dead."""

import unittest

from file_mentions import FileNames, find_dead

PATHS = [
    "README.md",
    "docs/decisions/007-variant-classes.md",
    "docs/how-to/README.md",
    "include/zhiwen/filter.h",
    "src/text/fold.cc",
    "src/text/fold.h",
    "tools/check.py",
]


class FileMentionsTest(unittest.TestCase):
    def dead(self, path, text):
        return [f"{line}: {name}" for line, name in find_dead(path, text, FileNames(PATHS))]

    def test_files_are_found_by_name_by_the_end_of_a_path_and_by_the_whole_path(self):
        text = "// fold.h, text/fold.h, src/text/fold.cc, zhiwen/filter.h, ../how-to/README.md\n"
        self.assertEqual(self.dead("src/a.cc", text), [])
        text = "// gone.h, index/fold.h, src/fold.cc\n"
        self.assertEqual(self.dead("src/a.cc", text),
                         ["1: gone.h", "1: index/fold.h", "1: src/fold.cc"])

    def test_folders_at_the_top_are_followed(self):
        self.assertEqual(self.dead("README.md", "`src/text/`, docs/how-to and src/text/fold.\n"),
                         ["1: src/text/fold"])
        self.assertEqual(self.dead("README.md", "See src/index/, build/release and and/or.\n"),
                         ["1: src/index/"])

    def test_a_sentence_may_end_behind_a_name(self):
        self.assertEqual(self.dead("README.md", "Read fold.h. Then src/text.\n"), [])
        self.assertEqual(self.dead("README.md", "Read gone.h. Then stop.\n"), ["1: gone.h"])

    def test_only_comments_of_code_are_looked_at(self):
        self.assertEqual(self.dead("src/a.cc", '#include "gone.h"\nOpen("gone.h");  // gone.cc\n'),
                         ["2: gone.cc"])
        self.assertEqual(self.dead("tools/a.sh", "run gone.sh # gone.py\n"), ["1: gone.py"])
        self.assertEqual(self.dead("CMakeLists.txt", "include(gone.cmake)\n# gone.cmake\n"),
                         ["2: gone.cmake"])
        python = '"""Reads\n\ngone.py.\n"""\nNAME = "gone.cc"\n\n\ndef f():\n    """gone.h"""\n'
        self.assertEqual(self.dead("tools/a.py", python + "    return 1  # gone.sh\n"),
                         ["3: gone.py", "9: gone.h", "10: gone.sh"])

    def test_patterns_need_a_file_that_matches(self):
        self.assertEqual(self.dead("README.md", "`*.cc`, `src/text/*.h`, docs/decisions/007\n"), [])
        self.assertEqual(self.dead("README.md", "`*_avx2.cc`, docs/decisions/008\n"),
                         ["1: *_avx2.cc", "1: docs/decisions/008"])

    def test_placeholders_and_files_of_other_projects_are_no_mentions(self):
        text = "x.cc, x_test.cc, NAME_fuzz.cc, docs/NNN-short-name.md, <immintrin.h>\n"
        self.assertEqual(self.dead("README.md", text), [])

    def test_names_that_belong_to_users_are_not_looked_at(self):
        text = "report.json, kept/a.jsonl, https://a.example/gone.h, $ROOT/gone.sh, page.html\n"
        self.assertEqual(self.dead("README.md", text), [])


if __name__ == "__main__":
    unittest.main()
