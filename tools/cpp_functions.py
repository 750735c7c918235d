"""Finds the functions of a C++ file: their lines and how deep they nest.

A reader of braces, not a compiler: comments, literals and preprocessor lines are blanked, every
brace is classified by the words before it. What it takes for a function has a parameter list in
front of its brace at namespace or class level. Nesting counts if, for, while, switch, do, try and
lambdas inside a function; `else if` goes no deeper than its `if`.
"""

import dataclasses
import re

BLANKED = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"([^()\s\\]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'"""
    r"""|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
DIGIT_SEPARATOR = re.compile(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])")
TYPE = re.compile(r"\b(class|struct|union|enum)\b(?!.*\()", re.DOTALL)
NAMESPACE = re.compile(r"\bnamespace\b|\bextern\s*$")
CONTROL = re.compile(r"\b(else\s+if|if|else|for|while|switch|do|try|catch)\b")
LAMBDA = re.compile(r"\[[^\[\]]*\]\s*(\([^{}]*\))?\s*(mutable|noexcept|const|->[^{};]*)*\s*$")
MEMBER_INITIALISER = re.compile(r"\).*(?<!:):(?!:)(.*,)?\s*[\w:<>]+\s*$", re.DOTALL)
FUNCTION_NAME = re.compile(r"([~\w:<>]+|operator\s*\S+)\s*\(")


@dataclasses.dataclass
class Function:
    name: str
    first_line: int
    lines: int
    nesting: int
    deepest_line: int


@dataclasses.dataclass
class Block:
    kind: str  # namespace, type, function, control, initialiser, plain
    depth: int  # of nesting inside a function
    head_line: int
    head: str
    name: str = ""
    nesting: int = 0
    deepest_line: int = 0


def blank(text):
    """`text` with comments, literals and preprocessor lines as spaces; line ends stay."""
    text = DIGIT_SEPARATOR.sub(" ", text)
    return BLANKED.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def classify(head, inside_function):
    """The kind of the block whose brace follows `head`, and how much deeper it is."""
    if inside_function:
        controls = CONTROL.findall(head)
        if controls:
            return "control", len(controls)
        if LAMBDA.search(head):
            return "control", 1
        return "plain", 0
    if NAMESPACE.search(head):
        return "namespace", 0
    if TYPE.search(head):
        return "type", 0
    if MEMBER_INITIALISER.search(head):
        return "initialiser", 0
    if "(" in head and not re.search(r"[^=!<>]=\s*$|=\s*\[", head.split("(")[0] + head[-2:]):
        return "function", 0
    return "plain", 0


def find_functions(text):
    """Returns every Function of `text`, in order."""
    code = blank(text)
    functions, stack = [], []
    line, head, head_line, parentheses = 1, "", 1, 0
    for char in code:
        if char == "\n":
            line += 1
        if char == "{":
            stack.append(open_block(stack, head, head_line, line))
            head, parentheses = "", 0
        elif char == "}":
            head, head_line = close_block(stack, functions, line)
            parentheses = 0
        elif char == ";" and parentheses <= 0:
            head, parentheses = "", 0
        else:
            parentheses += (char == "(") - (char == ")")
            if not head.strip() and not char.isspace():
                head, head_line = "", line
            head += char
    return functions


def open_block(stack, head, head_line, line):
    function = next((b for b in stack if b.kind == "function"), None)
    kind, deeper = classify(head, function is not None)
    depth = (stack[-1].depth if function else 0) + deeper
    if function and depth > function.nesting:
        function.nesting, function.deepest_line = depth, line
    name = FUNCTION_NAME.search(head)
    return Block(kind, depth, head_line, head, name.group(1) if name else "?", 0, head_line)


def close_block(stack, functions, line):
    """Ends the innermost block; returns the head that goes on after it and its line."""
    if not stack:
        return "", line
    block = stack.pop()
    if block.kind == "initialiser":
        return block.head + "{}", block.head_line
    if block.kind == "function":
        lines = line - block.head_line + 1
        functions.append(
            Function(block.name, block.head_line, lines, block.nesting, block.deepest_line)
        )
    return "", line
