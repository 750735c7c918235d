#!/usr/bin/env bash
# compare --all: 20 essays of which some were copied with disguises, the four outputs, and what
# happens with bad files, folders in use, ids that repeat, and a run that is stopped.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

python3 - "$root" <<'PY' # essays 1 to 20; 4, 9 and 15 are copies, and 12 has a part of 11
import json, os, sys
novels = open(sys.argv[1] + "/testdata/demo/novels.jsonl")
text = "".join(json.loads(line)["text"] for line in novels)
essays = [text[20000 + 900 * i:20000 + 900 * i + 600] for i in range(20)]
essays[3] = essays[0].replace("，", " ").replace("。", "！")
essays[8] = essays[0][300:] + essays[0][:300]
essays[14] = essays[6][:200] + essays[14][:300] + essays[6][200:]
essays[11] = essays[11][:300] + essays[10][100:250] + essays[11][300:]
os.mkdir("essays")
for i, essay in enumerate(essays):
    open("essays/%02d.txt" % (i + 1), "w").write(essay + "\n")
with open("dated.jsonl", "w") as dated:
    for i, essay in enumerate(essays):
        record = {"id": "e%d" % (i + 1), "text": essay, "day": "2024-03-%02d" % (28 - i)}
        dated.write(json.dumps(record, ensure_ascii=False) + "\n")
PY

# pairs DIR: "a b" of each pair, sorted, ids without folder and ending.
pairs() {
  python3 - "$1" <<'PY'
import json, os, sys
name = lambda text: os.path.basename(text["id"]).removesuffix(".txt")
lines = [json.loads(line) for line in open(sys.argv[1] + "/pairs.jsonl")]
matched = [line["matched"]["a"] for line in lines]
assert matched == sorted(matched, reverse=True)
print(" ".join(sorted(name(line["a"]) + "-" + name(line["b"]) for line in lines)))
PY
}

expect 0 "$zhiwen" compare --all essays -o report
has "$out" "20 texts, 190 pairs"
has "$out" "3 families"
has "$out" "report/report.html: a page to open in a browser"
equals "$(pairs report)" "01-04 01-09 04-09 07-15 11-12"
equals "$(ls report)" "$(printf 'matrix.csv\npairs\npairs.jsonl\nreport.html')"
equals "$(ls report/pairs)" "$(printf '%s\n' 1-4 1-9 11-12 4-9 7-15 | sed 's/$/.html/')"
equals "$(wc -l <report/matrix.csv)" 21
equals "$(sed -n 1p report/matrix.csv | cut -d, -f2)" "essays/01.txt"
equals "$(sed -n 5p report/matrix.csv | cut -d, -f2)" 1.0000 # of 04 in 01
equals "$(sed -n 2p report/matrix.csv | cut -d, -f3)" ""     # of 01 in 02
has "$(cat report/report.html)" 'href="pairs/1-4.html"'
lacks "$(cat report/report.html)" "<script src"

# Without language data a warning says what is not looked for.
expect 0 env ZHIWEN_LANGUAGE="$work/none.zwl" "$zhiwen" compare --all essays -o folded
has "$err" "warning: passages that sound or look alike are not looked for"

# Threads change nothing; the folder is replaced only where that is asked for, and only a report.
expect 5 "$zhiwen" compare --all essays -o report
has "$err" "--overwrite replaces it"
cp -r report before
expect 0 "$zhiwen" compare --all essays -o report --overwrite --threads 4 --quiet
equals "$out" ""
for file in matrix.csv pairs.jsonl; do
  check "$file is the same for 4 threads" cmp "before/$file" "report/$file"
done
touch report/mine.txt
expect 5 "$zhiwen" compare --all essays -o report --overwrite
check "an other file stays" test -e report/mine.txt

# With dates the later text is a; the family begins with the earliest.
expect 1 "$zhiwen" compare --all dated.jsonl --date-field day -o dated --json --exit-code
equals "$(pairs dated)" "e1-e4 e1-e9 e11-e12 e4-e9 e7-e15"
equals "$(python3 -c 'import json, sys
print([[m["id"] for m in f] for f in json.load(sys.stdin)["families"]])' <<<"$out")" \
  "[['e9', 'e4', 'e1'], ['e15', 'e7'], ['e12', 'e11']]"
equals "$(grep -c '"first":"b"' dated/pairs.jsonl)" 5
expect 4 "$zhiwen" compare --all dated.jsonl --date-field date -o none # no record has it
check "nothing is left" test ! -e none
expect 0 "$zhiwen" compare --all dated.jsonl --most-pairs 2 -o two
has "$err" "were not compared"
equals "$(wc -l <two/pairs.jsonl)" 2

# Ids that repeat, texts without content, bad records, and files that are damaged.
{ record x 这一篇只有这么几个字而已但已经足够长了; record x 这一篇只有这么几个字而已但已经足够长了; } >same.jsonl
{ record y ''; echo '{"id":"z"'; } >>same.jsonl
expect 0 "$zhiwen" compare --all same.jsonl -o same
has "$err" 'invalid_json'
has "$err" '1 text has the id of an earlier one, the first is "x"'
has "$err" '1 text is too short to share a passage'
equals "$(sed -n 2p same/matrix.csv)" "x,,1.0000,"
mkdir mixed
cp essays/0[1-4].txt mixed
printf 'PK\003\004 no archive' >mixed/05.docx
expect 0 "$zhiwen" compare --all mixed -o mixed_report
has "$err" '05.docx'
equals "$(pairs mixed_report)" "01-04"
head -c 300 /dev/urandom | gzip | head -c 100 >cut.jsonl.gz
expect 3 "$zhiwen" compare --all dated.jsonl cut.jsonl.gz -o none
check "nothing is left of it" test ! -e none
mkdir empty
expect 4 "$zhiwen" compare --all empty -o none
expect 2 "$zhiwen" compare --all essays/01.txt -o none
has "$err" "comparing takes two or more"
check "nothing is left of one text" test ! -e none

# Pictures are said to be such; standard input is records, unless it is said to be a text.
cp mixed/01.txt mixed/02.txt .
printf '\x89PNG\r\n\x1a\n\0\0' >picture.png
expect 2 "$zhiwen" compare --all picture.png 01.txt -o none
has "$err" '"picture.png": unreadable_document: it is a picture, which has no text'
expect 2 "$zhiwen" compare --all - 01.txt -o none <<<"一篇文章"
has "$err" 'standard input is read as records, and as one text with --format text'
expect 0 "$zhiwen" compare --all - 01.txt --format text -o piped <02.txt
equals "$(sed -n 1p piped/matrix.csv)" "id,stdin,01.txt"

# The folder is none of the inputs, and has none: the next run would read it.
expect 2 "$zhiwen" compare --all essays -o essays/report
has "$err" 'the output "essays/report" lies inside the input folder "essays"'
check "nothing is written" test ! -e essays/report
expect 2 "$zhiwen" compare --all report/pairs.jsonl essays -o report --overwrite
has "$err" 'the input "report/pairs.jsonl" lies inside the output folder "report"'

# Usage.
expect 2 "$zhiwen" compare --all essays
has "$err" "--all needs -o DIR"
expect 2 "$zhiwen" compare --all essays -o none --html page.html
expect 2 "$zhiwen" compare essays/01.txt essays/02.txt -o none
expect 2 "$zhiwen" compare essays/01.txt essays/02.txt essays/03.txt
has "$err" "--all compares any number"
expect 0 "$zhiwen" compare --all essays/0*.txt dated.jsonl:1 -o named --channel exact
has "$(cat named/pairs.jsonl)" '"id":"e1"'

# A run that is killed leaves no report; the next one takes its place.
python3 - <<'PY'
import json
texts = [json.loads(line)["text"] for line in open("dated.jsonl")]
with open("many.jsonl", "w") as many:
    for i in range(400):
        many.write(json.dumps({"text": texts[i % 20] + texts[i % 19] + texts[i % 17]}) + "\n")
PY
"$zhiwen" compare --all many.jsonl -o killed --threads 1 2>/dev/null >/dev/null &
program=$!
for _ in {1..1000}; do
  [[ -e killed/.partial ]] && break
  sleep 0.01
done
kill -9 "$program"
wait "$program" 2>/dev/null || true
check "there is no report" test ! -e killed/report.html
expect 0 "$zhiwen" compare --all essays -o killed -q
check "the next run writes one" test -e killed/report.html
finish
