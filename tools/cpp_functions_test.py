"""Self-test of cpp_functions.py."""

import unittest

from cpp_functions import find_functions


class FindFunctionsTest(unittest.TestCase):
    def one(self, text):
        functions = find_functions(text)
        self.assertEqual(len(functions), 1, functions)
        return functions[0]

    def test_a_function_counts_from_its_head_to_its_brace(self):
        found = self.one("namespace z {\n\nint F(int a,\n      int b) {\n  return a;\n}\n}\n")
        self.assertEqual((found.name, found.first_line, found.lines, found.nesting), ("F", 3, 4, 0))

    def test_methods_and_constructors_with_initialisers_are_functions(self):
        text = "class A {\n A() : x_{1}, y_(2) { x(); }\n int G() const { return 1; }\n};\n"
        self.assertEqual([f.name for f in find_functions(text)], ["A", "G"])

    def test_the_body_after_a_braced_initialiser_is_seen(self):
        found = self.one("A::A()\n    : x_{1},\n      y_{2} {\n  if (a) { b(); }\n}\n")
        self.assertEqual((found.name, found.first_line), ("A::A", 1))
        self.assertEqual((found.lines, found.nesting), (5, 1))

    def test_control_blocks_nest_and_else_if_does_not_add(self):
        text = (
            "void F() {\n for (;;) {\n  if (a) {\n   b();\n  } else if (c) {\n"
            "   while (d) { e(); }\n  }\n }\n}\n"
        )
        found = self.one(text)
        self.assertEqual((found.nesting, found.deepest_line), (3, 6))

    def test_loops_without_braces_count(self):
        self.assertEqual(self.one("void F() { for (;;) for (;;) if (a) { b(); } }").nesting, 3)

    def test_a_lambda_is_a_level_and_a_braced_value_is_none(self):
        text = "void F() {\n Run([&](int i) {\n  auto v = A{1, {2}};\n  if (v) { g(); }\n });\n}"
        self.assertEqual(self.one(text).nesting, 2)

    def test_braces_in_comments_literals_and_macros_do_not_count(self):
        text = (
            '#define X(a) do { \\\n  a; \\\n} while (0)\nvoid F() {  // {\n f("{{", \'{\', R"({)");'
            "\n  int n = 1'000'000;\n}\n"
        )
        found = self.one(text)
        self.assertEqual((found.first_line, found.lines, found.nesting), (4, 4, 0))

    def test_tables_and_types_are_no_functions(self):
        text = "struct A { int x = 0; };\nconst int t[] = {1, 2};\nenum class E : int { kA };\n"
        self.assertEqual(find_functions(text), [])


if __name__ == "__main__":
    unittest.main()
