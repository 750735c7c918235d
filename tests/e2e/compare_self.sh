#!/usr/bin/env bash
# compare --self: what a text repeats of itself, in the terminal, as JSON and as a page; and hostile
# texts in bounded time.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

python3 - "$root" <<'PY' # a chapter padded with its own text, a page saved again and again
import json, random, sys
texts = [json.loads(line)["text"] for line in open(sys.argv[1] + "/testdata/demo/novels.jsonl")]
long = [text for text in texts if len(text) > 1500]
chapter, other = long[0], long[1]
again = chapter[200:600]
disguised = again.replace("不", "卟").replace("是", "事").replace("，", " ")
open("once.txt", "w").write(chapter[:600])
open("padded.txt", "w").write(chapter[:1000] + other[:500] + again + other[500:900])
open("disguised.txt", "w").write(chapter[:1000] + other[:500] + disguised + other[500:900])
open("pages.txt", "w").write(other[:2000] * 300)
open("one.txt", "w").write("啊" * 3_300_000)
random.seed(1)
open("two.txt", "w").write("".join(random.choice("啊吧") for _ in range(3_300_000)))
open("letter.txt", "w").write("a" * 10_000_000)
open("letters.txt", "w").write("a " * 5_000_000)
record = {"id": "x", "text": chapter[:900] + chapter[:900]}
open("records.jsonl", "w").write(json.dumps(record, ensure_ascii=False) + "\n")
paragraphs = "</p><p>".join([chapter[:600], other[:300], chapter[:600]])
open("page.html", "w").write("<html><body><p>" + paragraphs + "</p></body></html>")
PY

# figure EXPRESSION: what Python says of the JSON in $out, as `d`.
figure() {
  python3 -c 'import json, sys
d = json.load(sys.stdin)
print(eval(sys.argv[1]))' "$1" <<<"$out"
}
# place NAME: where the first passage is, in code points.
place() { figure "[d['passages'][0]['$1'][end] for end in ('begin', 'end')]"; }

expect 0 "$zhiwen" compare --self once.txt --exit-code
has "$out" "repeats   none"
expect 1 "$zhiwen" compare --self padded.txt --exit-code
has "$out" "repeats   1 passage; the longest passage has "
has "$out" "passage 1 of 1  verbatim, "
has "$out" "again bytes "
expect 0 "$zhiwen" compare --self padded.txt --json
equals "$(figure 'len(d["passages"])')" 1
equals "$(place again)" "[1500, 1900]"
equals "$(place before)" "[200, 600]"
equals "$(figure '"period" in d["passages"][0]')" False
equals "$(figure 'd["repeated"]["symbols"] == d["repeated"]["longest_passage"]')" True
equals "$(figure 'd["repeated"]["symbols"] == d["matched"]["again"]')" True
equals "$(figure 'abs(d["repeated"]["share"] - 400 / 2300) < 0.03')" True
equals "$(figure 'd["searched"]["not_searched"]')" "[]"

expect 0 "$zhiwen" compare --self disguised.txt --json
equals "$(figure 'len(d["passages"]), d["passages"][0]["kind"]')" "(1, 'disguised')"
equals "$(figure 'd["how"]["homophone"] > 0')" True
expect 0 "$zhiwen" compare --self disguised.txt --channel exact --json
equals "$(figure 'd["searched"]["channels"]')" "['exact.v1']"
equals "$(figure '{one["reason"] for one in d["searched"]["not_searched"]}')" "{'not_asked'}"
expect 0 env ZHIWEN_LANGUAGE="$work/none.zwl" "$zhiwen" compare --self padded.txt --json
has "$err" "passages that sound or look alike are not looked for"
equals "$(figure '[one["reason"] for one in d["searched"]["not_searched"]]')" \
  "['no_language_data', 'no_language_data', 'no_language_data']"

# Records, pages and standard input are texts, too; of pages the places in the source are told.
expect 1 "$zhiwen" compare --self records.jsonl:id=x --exit-code -q
expect 1 "$zhiwen" compare --self - --exit-code -q <padded.txt
expect 0 "$zhiwen" compare --self page.html --json
equals "$(figure '["source" in d["passages"][0][place] for place in ("again", "before")]')" \
  "[True, True]"

# The page has the text twice; only a page of zhiwen is replaced.
expect 0 "$zhiwen" compare --self padded.txt --html padded.html
has "$out" "padded.html: a page to open in a browser"
has "$(<padded.html)" "stands in it before, too."
has "$(<padded.html)" "The text, twice"
expect 5 "$zhiwen" compare --self padded.txt --html padded.html
expect 0 "$zhiwen" compare --self once.txt --html padded.html --overwrite -q
has "$(<padded.html)" "The text repeats no passage."

# What comes again and again is one passage with a period, and no text takes long.
for text in pages one two letter letters; do
  begin=$SECONDS
  expect 0 timeout 120 "$zhiwen" compare --self "$text.txt" --json
  equals "$(figure 'd["matched"]["again"] <= d["text"]["symbols"]')" True
  ((SECONDS - begin < 60)) || fails "$text.txt takes $((SECONDS - begin)) seconds"
  [[ $text != pages ]] || equals "$(figure '[p["period"] for p in d["passages"]]')" "[2000]"
done
expect 0 "$zhiwen" compare --self pages.txt --html pages.html -q
has "$(<pages.html)" "again every 2,000 characters"

# Usage.
expect 2 "$zhiwen" compare --self once.txt padded.txt
has "$err" "--self compares one text with itself, and 2 are given"
expect 2 "$zhiwen" compare --self --all once.txt -o out
expect 2 "$zhiwen" compare --self once.txt --min-run 3
has "$err" "--min-run does nothing with --self"
expect 2 "$zhiwen" compare --self once.txt --docx x.docx
expect 2 "$zhiwen" compare --self once.txt --overwrite
expect 2 "$zhiwen" compare once.txt
has "$err" "--self one with itself"
expect 4 "$zhiwen" compare --self none.txt
printf '\x89PNG\r\n\x1a\n\0\0' >picture.png
expect 3 "$zhiwen" compare --self picture.png
has "$err" 'cannot read "picture.png": it is a picture, which has no text'
finish
