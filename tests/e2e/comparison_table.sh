#!/usr/bin/env bash
# The Word files of compare --docx and check --docx: LibreOffice and zhiwen itself read them, and
# they have the figures, the chapters and the passages; what may be replaced, and hostile texts.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

python3 - "$root" <<'PY' # a chapter and a disguised copy; a novel, a pirated edition; hostile texts
import json, os, sys
texts = [json.loads(line)["text"] for line in open(sys.argv[1] + "/testdata/demo/novels.jsonl")]
long = [text for text in texts if len(text) > 1500]
original, other = long[0], long[1]
open("original.txt", "w").write(original)
part = original[:500].replace("不", "卟").replace("之", "的") + original[700:1200]
open("copy.txt", "w").write(other[:900] + part.replace("，", " ") + other[900:1500])
os.makedirs("novels/book"), os.mkdir("pirated")
chapters = [long[2][i:i + 400] for i in range(0, 1600, 400)]
for i, chapter in enumerate(chapters):
    open(f"novels/book/ch{i + 1}.txt", "w").write(chapter)
    own = long[3][i * 400:i * 400 + 400]
    copied = [chapter, chapter[:320] + own[:80], chapter[:100] + own[:300], own][i]
    open(f"pirated/p{i + 1}.txt", "w").write(copied)
hostile = "<script>]]>&amp;\"'{{body}}\u202e\x01\x1b\ufffe\u05d0\u05d1\u0627\u0644</w:t>"
open("hostile.txt", "w").write((hostile + original[:200]) * 3)
open("<b>&.txt", "w").write(original[:300] + hostile * 9)
open("none.txt", "w").write("今天的新闻播送完了，谢谢收看。")
open("long.txt", "w").write("\n".join(texts)[:200000])
PY

# --- compare ---
expect 0 "$zhiwen" compare copy.txt original.txt --docx pair.docx
has "$out" "pair.docx: a table to open in Word"
expect 0 "$zhiwen" compare '<b>&.txt' hostile.txt --docx hostile.docx -q
expect 0 "$zhiwen" compare none.txt original.txt --docx none.docx --html none.html -q
check "both are there" test -s none.html
expect 0 "$zhiwen" compare --channel folded long.txt long.txt --docx long.docx -q
expect 0 "$zhiwen" extract pair.docx
has "$out" "技术比对，不是侵权认定。 / A technical comparison, not a finding of infringement."
has "$out" "甲文 a · copy.txt"
expect 0 "$zhiwen" extract long.docx
(($(grep -o 桃 <<<"$out" | wc -l) >= 2 * $(grep -o 桃 long.txt | wc -l))) || fails "a passage is cut"
expect 0 "$zhiwen" extract none.docx
has "$out" "未发现 16 字以上相同段落"
lacks "$out" "原创"

# What may be replaced.
expect 5 "$zhiwen" compare copy.txt original.txt --docx pair.docx
has "$err" "--overwrite replaces it"
cp pair.docx before.docx
expect 0 "$zhiwen" compare copy.txt original.txt --docx pair.docx --overwrite -q
cp none.txt letter.docx
expect 5 "$zhiwen" compare copy.txt original.txt --docx letter.docx --overwrite
check "another file stays" cmp none.txt letter.docx
expect 2 "$zhiwen" compare pair.docx original.txt --docx pair.docx --overwrite
has "$err" '--docx would replace the input "pair.docx"'
# Both files, or neither.
mkdir folder.docx
expect 5 "$zhiwen" compare copy.txt original.txt --html both.html --docx folder.docx
expect 5 "$zhiwen" compare copy.txt original.txt --html letter.docx --docx both.docx --overwrite
equals "$(ls both.* ./*.partial 2>/dev/null)" "" "what is left of two files"
expect 0 "$zhiwen" compare copy.txt original.txt --html both.html --docx both.docx -q
check "the page is there" test -s both.html
check "the table is there" test -s both.docx
expect 2 "$zhiwen" compare copy.txt original.txt --docx same --html same
has "$err" "--html and --docx name the same file"
expect 2 "$zhiwen" compare copy.txt original.txt --docx -
expect 2 "$zhiwen" compare -s minhash copy.txt original.txt --docx x.docx
expect 2 "$zhiwen" compare --all copy.txt original.txt -o all --docx x.docx
equals "$(ls ./*.partial x.docx same 2>/dev/null)" "" "what is left"

# --- check ---
expect 0 "$zhiwen" library create lib --profile novel -q
expect 0 "$zhiwen" library add lib novels -q
expect 0 "$zhiwen" check lib pirated --docx chapters.docx
has "$out" "chapters.docx: a table to open in Word"
expect 0 "$zhiwen" check lib pirated/p2.txt --docx one.docx --json
equals "$(head -c 5 <<<"$out")" '{"id"'
expect 0 "$zhiwen" check lib none.txt --docx unknown.docx -q
expect 2 "$zhiwen" check lib pirated/p2.txt --docx pirated/p2.txt --overwrite
expect 2 "$zhiwen" check lib pirated --docx x --html x
expect 5 "$zhiwen" check lib pirated --docx chapters.docx
expect 0 "$zhiwen" extract unknown.docx
has "$out" "库中未见 none.txt"
expect 0 "$zhiwen" extract chapters.docx
has "$out" "合计 4 篇 total of 4"
equals "$(grep -c '^pirated/p[0-9].txt · ' <<<"$out")" 2 "the chapters from 70 % on"

# --- LibreOffice ---
if command -v soffice >/dev/null && command -v pdftotext >/dev/null; then
  check "LibreOffice" soffice "-env:UserInstallation=file://$work/office" --headless \
    --convert-to pdf --outdir pdf pair.docx hostile.docx none.docx long.docx chapters.docx \
    one.docx unknown.docx >office.log 2>&1
  for file in pair hostile none long chapters one unknown; do
    check "LibreOffice opens $file.docx" test -s "pdf/$file.pdf"
  done
  shown=$(pdftotext -layout pdf/chapters.pdf -)
  has "$shown" "total of 4"
  has "$shown" "ch1"
elif [[ -n "${CI:-}" ]]; then
  fails "no LibreOffice, or no pdftotext: run ./zw setup"
fi
finish
