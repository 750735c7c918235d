#!/usr/bin/env python3
"""zhiwen segment beside jieba: the same tokens in every mode, with and without user dictionaries,
for ordinary and for odd texts; and what the command makes of its options and inputs."""

import os
import random
import subprocess
import sys
from pathlib import Path

ROOT = Path(os.environ["ZW_ROOT"])
ZHIWEN = Path(os.environ["ZHIWEN"])
sys.path.insert(0, str(ROOT / "eval"))

import segment  # noqa: E402

SENTENCES = [
    "他来到了网易杭研大厦，小明硕士毕业于中国科学院计算所，后在日本京都大学深造。",
    "结婚的和尚未结婚的，在这里排队；工信处女干事每月经过下属科室。",
    "AT&T是C++公司1号店的T恤，打3.5%折，v2.0-beta_1 a.b ..5",
    "  \r\n \u3000a\x85b\x1c\u200b，。\U0002000b\ufffd\r",
    "䶵龥\u9fd6丂丂丂龥龥囧",
    "",
]
SIGNS = "的一是在不了有和人这中大国上个我abcXYZ019.%+-#&_，。 \r\n\u3000丂龥\u9fd6你好北京大学清华学生"
DICTIONARY = """\ufeff云计算 5
杭研大厦 nz
工信处女干事
和尚未
大学 0
小明 0 zz
Edu Trust认证 2000
γ射线
你好，北京 3
b 5
bc 5
Z 5
Z01 5
Z0 5
国人 99999999 n
  我和 7 n
5 n
Hong Kong
# 词典
手机 5G
b 7
"""


def texts():
    chosen = random.Random(11)
    odd = ["".join(chosen.choices(SIGNS, k=chosen.randint(1, 50))) for _ in range(300)]
    demo = (ROOT / "testdata").rglob("*.txt")
    return SENTENCES + odd + [p.read_text(encoding="utf-8", errors="replace") for p in demo]


def take_apart(words):
    """Lets full mode of a tokenizer cut the letters and digits that it gathers where it gives words
    meanwhile, and give all in the order of the text: the one thing that zhiwen does otherwise."""
    cut_all = words._Tokenizer__cut_all

    def tokens_of(sentence):
        """Yields jieba's tokens in its order, each as the spans that it is made of."""
        reached, gathered, is_cut = -1, [], True
        for begin, ends in words.get_DAG(sentence).items():
            is_latin = sentence[begin].isascii() and sentence[begin].isalnum()
            if gathered and not is_latin:
                yield gathered
                gathered, is_cut = [], True
            if len(ends) == 1 and begin > reached:
                reached = ends[0]
                if not is_latin:
                    yield [(begin, reached + 1)]
                elif is_cut:
                    gathered.append((begin, reached + 1))
                    is_cut = False
                else:
                    gathered[-1] = (gathered[-1][0], reached + 1)
                continue
            for end in ends:
                if end > begin:
                    reached, is_cut = end, True
                    yield [(begin, end + 1)]
        if gathered:
            yield gathered

    def in_order(sentence):
        tokens = list(tokens_of(sentence))
        glued = ["".join(sentence[begin:end] for begin, end in spans) for spans in tokens]
        assert glued == list(cut_all(sentence)), (sentence, glued)
        spans = sorted((span for spans in tokens for span in spans), key=lambda span: span[0])
        return (sentence[begin:end] for begin, end in spans)

    words._Tokenizer__cut_all = in_order


def check_tokens(dictionaries):
    jieba = segment.Jieba(dictionaries)
    if dictionaries:
        take_apart(jieba.words)
    sides = segment.Sides(ZHIWEN, dictionaries, jieba)
    for mode in segment.MODES:
        found = sides.differences(mode, texts())
        assert not found, (mode, len(found), found[0])
        found = sides.line_differences(mode, texts())
        assert not found, (mode, "lines", len(found), found[0])
        print(f"{mode or 'accurate'}: the tokens of jieba, {len(dictionaries)} dictionaries")


def run(*arguments, stdin="", status=0):
    done = subprocess.run([ZHIWEN, "segment", *arguments], input=stdin.encode(),
                          capture_output=True, check=False)
    assert done.returncode == status, (arguments, done)
    return (done.stdout if status == 0 else done.stderr).decode()


def check_command():
    text = "小明深造\r\n\n中国科学院"
    assert run("-", stdin=text) == "小明 深造\n\n中国科学院\n"
    assert run("--tags", "--separator", " / ", "-", stdin="小明深造") == "小明/nr / 深造/v\n"
    assert run("--json", "--format", "jsonl", "-", stdin='{"id":"a","text":"小明深造"}\n') == (
        '{"id":"a","tokens":[{"text":"小明","begin":0,"end":6},'
        '{"text":"深造","begin":6,"end":12}]}\n')
    assert run("--json", "--tags", "-", stdin="深造").endswith('"end":6,"tag":"v"}]}\n')
    lines = "".join(f"{i}号店在北京\n" for i in range(60000))  # several pieces of a text
    assert run("-j", "2", "-", stdin=lines).count("\n") == 60000
    # A bad byte, far behind: what stands before it is there, and the status tells.
    Path("broken.txt").write_bytes(lines.encode() + b"\xff\n" + lines.encode())
    done = subprocess.run([ZHIWEN, "segment", "broken.txt"], capture_output=True, check=False)
    assert done.returncode == 3, done.returncode
    assert done.stdout.count(b"\n") == 60000, done.stdout.count(b"\n")
    assert b"broken.txt" in done.stderr and b"UTF-8" in done.stderr, done.stderr
    assert "accurate" in run("--tags", "--mode", "full", "-", status=2)
    Path("bad.txt").write_bytes(b"\xe5\xa5\xbd\n\xff\n")
    assert "bad.txt:2: not valid UTF-8" in run("--dict", "bad.txt", "-", status=3)
    Path("bad.txt").write_text("云计算\t5\tn\n", encoding="utf-8")
    assert "bad.txt:1: a tab would be a part" in run("--dict", "bad.txt", "-", status=3)
    assert "absent.txt" in run("--dict", "absent.txt", "-", status=4)
    print("the command: lines, tags, JSON, pieces, errors")


def main():
    check_command()
    check_tokens([])
    Path("words.txt").write_text(DICTIONARY, encoding="utf-8")
    check_tokens([Path("words.txt")])


main()
