"""Self-test of check_layers.py: each rule is broken once and must be reported."""

import pathlib
import subprocess
import tempfile
import unittest
import unittest.mock

import check_layers


class LayersTest(unittest.TestCase):
    def check(self, **files):
        """Checks a repository of {path: text}; the headers of a clean one are added."""
        base = {
            "include/zhiwen/result.h": "#include <string>\n#include \"tl/expected.hpp\"\n",
            "include/zhiwen/channel.h": "",
            "src/base/hash.h": "",
            "src/text/fold.h": "#include \"base/hash.h\"\n#include \"zhiwen/channel.h\"\n",
            "src/kernels/kernels.h": "#include <cstdint>\n",
        }
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            subprocess.run(["git", "init", "-q", name], check=True)
            for path, text in {**base, **files.get("files", {})}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            return check_layers.check(root)

    def assert_reports(self, path, include, words):
        problems = self.check(files={path: f"#include {include}\n"})
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(f"{path}:1", problems[0])
        self.assertIn(words, problems[0])

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.check(), [])

    def test_left_including_right_is_reported(self):
        self.assert_reports("src/base/a.cc", '"text/fold.h"', "base is to the left of text")

    def test_a_public_header_of_a_later_module_is_reported(self):
        self.assert_reports("src/base/a.cc", '"zhiwen/channel.h"', "base is to the left of text")

    def test_tests_obey_the_direction_too(self):
        self.assert_reports("src/base/a_test.cc", '"text/fold.h"', "base is to the left of text")

    def test_a_path_relative_to_the_folder_is_reported(self):
        self.assert_reports("src/base/a.cc", '"hash.h"', "by their path from src/")

    def test_a_kernel_that_includes_more_than_kernels_h_is_reported(self):
        self.assert_reports("src/kernels/fold_avx2.cc", "<algorithm>", "one instruction set")

    def test_a_public_header_that_includes_a_module_is_reported(self):
        self.assert_reports("include/zhiwen/a.h", '"base/hash.h"', "public headers")

    def test_a_public_header_that_includes_a_library_is_reported(self):
        self.assert_reports("include/zhiwen/a.h", "<fmt/format.h>", "public headers")

    def assert_rooms_report(self, path, include, words):
        with unittest.mock.patch.dict(check_layers.ROOMS, {"src/text": ["tables", ".", "words"]}):
            self.assert_reports(path, include, words)

    def test_a_room_that_includes_one_to_its_right_is_reported(self):
        words = "room tables is to the left of room ."
        self.assert_rooms_report("src/text/tables/a.cc", '"text/fold.h"', words)
        words = "room . is to the left of room words"
        self.assert_rooms_report("src/text/a.cc", '"text/words/b.h"', words)

    def test_a_folder_without_a_place_among_the_rooms_is_reported(self):
        words = "has no place among the rooms of src/text"
        self.assert_rooms_report("src/text/new/a.cc", '"text/fold.h"', words)

    def test_a_room_may_include_those_to_its_left(self):
        with unittest.mock.patch.dict(check_layers.ROOMS, {"src/text": ["tables", ".", "words"]}):
            files = {"src/text/words/a.cc": "#include \"text/fold.h\"\n"}
            self.assertEqual(self.check(files=files), [])

    def test_an_app_that_includes_a_module_is_reported(self):
        self.assert_reports("apps/zhiwen/main.cc", '"text/fold.h"', "apps include public headers")

    def test_rooms_of_an_app_are_no_libraries_and_have_an_order_too(self):
        files = {"apps/zhiwen/terminal/a.h": "", "apps/zhiwen/main.cc": '#include "terminal/a.h"\n',
                 "apps/zhiwen/views/b.cc": '#include "terminal/a.h"\n'}
        self.assertEqual(self.check(files=files), [])
        files = {"apps/zhiwen/views/a.h": "",
                 "apps/zhiwen/terminal/b.cc": '#include "views/a.h"\n'}
        problems = self.check(files=files)
        self.assertEqual(len(problems), 1, problems)
        self.assertIn("room terminal is to the left of room views", problems[0])

    def test_an_unknown_module_is_reported(self):
        self.assert_reports("src/utils/a.cc", "<string>", "is no module")

    def test_an_unknown_public_header_is_reported(self):
        self.assert_reports("include/zhiwen/z.h", "<regex.h>", "public headers")
        problems = self.check(files={
            "include/zhiwen/z.h": "", "src/base/a.cc": '#include "zhiwen/z.h"\n'})
        self.assertIn("add it to PUBLIC", problems[0])

    def test_a_library_in_two_folders_is_reported(self):
        problems = self.check(files={
            "src/base/compress/a.cc": "#include <zstd.h>\n",
            "src/pipeline/b.cc": "#include <zstd.h>\n",
        })
        self.assertEqual(len(problems), 1)
        self.assertIn("headers of zstd belong in one folder", problems[0])

    def test_fmt_xxhash_and_system_headers_may_be_anywhere(self):
        text = "#include <fmt/format.h>\n#include <xxhash.h>\n#include <sys/stat.h>\n"
        self.assertEqual(self.check(files={"src/base/a.cc": text, "src/text/b.cc": text}), [])


if __name__ == "__main__":
    unittest.main()
