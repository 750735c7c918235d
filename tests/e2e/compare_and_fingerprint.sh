#!/usr/bin/env bash
# compare and fingerprint as users meet them.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
printf '晋太元中，武陵人捕鱼为业。缘溪行，忘路之远近。' >a.txt
printf '他說：晉太元中，武陵人捕魚為業。緣溪行，忘路之遠近。好文！' >b.txt
printf '完全不同的另一篇文字，讲的是别的事情。' >c.txt
printf 'ab\xff' >broken.txt
: >empty.txt

# --- compare ---
expect 0 "$zhiwen" compare a.txt b.txt
has "$out" "containment  100 % of a is in b"
has "$out" "⟦晋太元中"
has "$out" "bytes 9–"
expect 1 "$zhiwen" compare --exit-code a.txt b.txt
expect 0 "$zhiwen" compare --exit-code a.txt c.txt
expect 1 "$zhiwen" compare --exit-code --quiet a.txt a.txt
equals "$out$err" ""
expect 0 "$zhiwen" compare --exit-code empty.txt empty.txt
# Short texts that are the same are one passage: no output says that they share none. A shared run
# of 8 symbols is no passage.
printf '春眠' >short.txt
cp short.txt same.txt
expect 1 "$zhiwen" compare --exit-code short.txt same.txt --html short.html
has "$out" "passages     1 passage"
has "$(<short.html)" "also in"
lacks "$(<short.html)" "未发现"
printf '他说：缘溪行，忘路之远近' >run.txt
expect 0 "$zhiwen" compare --exit-code run.txt a.txt
has "$out" "1 of 8 symbols or more"
# It is one where a lower score is asked for, as many unrelated texts share.
expect 0 "$zhiwen" compare --json --least-score 8 run.txt a.txt
equals "$(python3 -c 'import json, sys
found = json.load(sys.stdin)
p, = found["passages"]
pairs = found["a"]["symbols"] * found["b"]["symbols"]
print(p["score"], abs(p["expected"] / (pairs * 7e-10) - 1) < 0.01)' <<<"$out")" "8 True"
expect 2 "$zhiwen" compare --least-score 5 run.txt a.txt
expect 2 "$zhiwen" compare --least-score 8 -s minhash run.txt a.txt
has "$err" "--least-score does nothing with --scheme"
# JSON names the channels that were searched, and why others were not.
expect 0 "$zhiwen" compare --json a.txt b.txt
equals "$(python3 -c 'import json, sys
searched = json.load(sys.stdin)["searched"]
print([name.split(".")[0] for name in searched["channels"]],
      {one["reason"] for one in searched["not_searched"]})' <<<"$out")" "['folded'] {'not_needed'}"
expect 0 "$zhiwen" compare --json c.txt b.txt
equals "$(python3 -c 'import json, sys
searched = json.load(sys.stdin)["searched"]
print(len(searched["channels"]), searched["not_searched"])' <<<"$out")" "4 []"
expect 0 "$zhiwen" compare --channel exact a.txt b.txt
has "$out" "channel      exact.v1"
expect 0 "$zhiwen" compare --min-run 100 a.txt b.txt
has "$out" "0 of 100 symbols"
expect 0 "$zhiwen" compare --json - b.txt <a.txt
has "$out" '"containment_of_a": 1,'
has "$out" '"name": "-"'
expect 2 "$zhiwen" compare - - <a.txt
# Without language data a warning says what is not looked for; a chosen channel needs no other.
expect 0 env ZHIWEN_LANGUAGE="$work/none.zwl" "$zhiwen" compare a.txt b.txt
has "$out" "containment  100 % of a is in b"
has "$err" "warning: passages that sound or look alike are not looked for"
has "$err" "none.zwl"
expect 0 env ZHIWEN_LANGUAGE="$work/none.zwl" "$zhiwen" compare --channel folded a.txt b.txt
equals "$err" ""
# Compressed texts are compared as what they hold.
gzip -k a.txt && zstd -q b.txt
"$zhiwen" compare --json a.txt b.txt | sed 's/"name":"[^"]*"//g' | grep -v txt >plain
"$zhiwen" compare --json a.txt.gz b.txt.zst | sed 's/"name":"[^"]*"//g' | grep -v txt >packed
check "compressed texts give the figures of plain ones" cmp plain packed
expect 1 "$zhiwen" compare --exit-code -q - b.txt.zst <a.txt.gz
head -c 20 a.txt.gz >cut.txt.gz
expect 3 "$zhiwen" compare cut.txt.gz b.txt
has "$err" '"cut.txt.gz"'
expect 2 "$zhiwen" compare a.txt
expect 2 "$zhiwen" compare a.txt b.txt c.txt
expect 2 "$zhiwen" compare --min-run 0 a.txt b.txt

# The example of compare --help for scripts says "reused" for shared text and for nothing else.
example=$("$zhiwen" compare --help | sed -n 's/^ *\(zhiwen compare.* --exit-code .*\)/\1/p')
has "$example" "echo reused"
zhiwen() { command "$zhiwen" "$@"; }
equals "$(eval "$example")" reused "the example for copies"
equals "$(eval "${example//b.txt/c.txt}" || true)" "" "the example for other texts"
equals "$(eval "${example//b.txt/absent.txt}" 2>/dev/null || true)" "" "the example without a text"

expect 3 "$zhiwen" compare a.txt broken.txt
has "$err" '"broken.txt"'
has "$err" "byte 2"
expect 4 "$zhiwen" compare a.txt absent.txt
has "$err" "absent.txt"
printf 'x\x1b[31mred and more words that both have\n' >escape.txt
expect 0 "$zhiwen" compare --channel exact escape.txt escape.txt
lacks "$out" $'\x1b'

# --- encodings: a text is read in its own, or in the one that is named ---
for encoding in GB18030 UTF-16 BIG5; do
  iconv -t "$encoding" b.txt >encoded.txt
  expect 0 "$zhiwen" compare --json b.txt encoded.txt
  has "$out" '"containment_of_a": 1,'
  expect 1 "$zhiwen" compare --exit-code -q - a.txt <encoded.txt
  expect 0 "$zhiwen" inspect --channel exact encoded.txt
  has "$out" 晉
  expect 0 "$zhiwen" inspect --channel exact --encoding "${encoding,,}" - <encoded.txt
  has "$out" 晉
done
iconv -t UTF-16LE c.txt | tail -c +3 >tail.txt
expect 0 "$zhiwen" compare --encoding utf-16 --json tail.txt tail.txt
has "$out" '"containment_of_a": 1,'
expect 3 "$zhiwen" compare --encoding gb18030 broken.txt c.txt
has "$err" 'cannot read "broken.txt": not valid gb18030 at byte 2'
expect 3 "$zhiwen" inspect --encoding gb18030 broken.txt
has "$err" 'cannot read "broken.txt": not valid gb18030 at byte 2'

# --- a record of a file of records, by its number or its id ---
printf 'id;text\n1;%s\n' "$(<a.txt)" >fields.csv
expect 0 "$zhiwen" compare --json fields.csv:1 a.txt
has "$out" '"containment_of_a": 1,'
printf 'id^text\n1^%s\n' "$(<a.txt)" | iconv -t GB18030 >other.csv
expect 0 "$zhiwen" compare --json other.csv:id=1 other.csv:1 --separator '^' --encoding gbk
has "$out" '"containment_of_a": 1,'
expect 0 "$zhiwen" inspect other.csv:1 --separator '^' --channel exact
expect 2 "$zhiwen" compare a.txt b.txt --separator ';'
has "$err" "does nothing, as no input is CSV"
printf '[{"text":"%s"}]' "$(<a.txt)" >array.json
for command in "compare array.json a.txt" "inspect array.json"; do
  expect 2 "$zhiwen" $command
  has "$err" 'name a record as "array.json:17" by its number'
done
expect 0 "$zhiwen" compare --json array.json:1 a.txt
has "$out" '"containment_of_a": 1,'
expect 0 "$zhiwen" compare --format text array.json a.txt
{
  printf '{"id":"x","text":"%s"}\n\n{bad\n' "$(cat a.txt)"
  printf '{"id":7,"title":"好文","text":"%s"}\n' "$(cat b.txt)"
} >r.jsonl
printf 'id,body\nc:1,"%s"\n' "$(cat a.txt)" >r.csv
zstd -q r.jsonl && gzip -k r.csv
figures() { sed 's/"name":"[^"]*"//g' "$work/.out" | grep -v '"name"'; }
expect 0 "$zhiwen" compare --json a.txt b.txt
whole=$(figures)
for pair in "r.jsonl:1 r.jsonl:3" "r.jsonl.zst:id=x r.jsonl.zst:id=7" "a.txt r.jsonl:id=7"; do
  # shellcheck disable=SC2086  # two arguments
  expect 0 "$zhiwen" compare --json $pair
  equals "$(figures)" "$whole" "compare $pair"
done
for pair in "r.csv:1 b.txt" "r.csv.gz:id=c:1 b.txt"; do
  # shellcheck disable=SC2086  # two arguments
  expect 0 "$zhiwen" compare --json --text-field body $pair
  equals "$(figures)" "$whole" "compare $pair"
done
expect 0 "$zhiwen" compare --text-field title --json r.jsonl:3 c.txt
has "$out" '"name": "r.jsonl:3"'
has "$out" '"symbols": 2'
# The numbers are those that dedup writes.
cat r.jsonl r.jsonl >twice.jsonl
"$zhiwen" dedup -q twice.jsonl -o twice.out --max-failed 100%
removed=$(zstd -dcq twice.out/removed.jsonl.zst)
record=$(sed -n 's/^{"id":"7",[^}]*"record":\([0-9]*\).*/\1/p' <<<"$removed")
equals "$record" 6
expect 0 "$zhiwen" compare --json "twice.jsonl:$record" twice.jsonl:id=7
has "$out" '"resemblance": 1,'
expect 2 "$zhiwen" compare r.jsonl b.txt
has "$err" 'name a record as "r.jsonl:17" by its number, or as "r.jsonl:id=ID"'
expect 0 "$zhiwen" compare --format text r.jsonl r.jsonl
lacks "$err" "JSON"
# Lines of records are compared as one text where their name does not say it, and that is told.
cp r.jsonl r.data
expect 0 "$zhiwen" compare r.data r.data
has "$err" '"r.data" is read as a text, but its first line is JSON; if its lines are records, name'
equals "$(grep -c JSON <<<"$err")" 1 "one warning of one file"
expect 0 "$zhiwen" compare r.data:1 r.data:3
lacks "$err" "JSON"
expect 0 "$zhiwen" compare - r.data:1 <r.jsonl
has "$err" "standard input is read as a text, but its first line is JSON"
expect 0 "$zhiwen" compare --format text - r.data <r.jsonl
lacks "$err" "JSON"
expect 2 "$zhiwen" compare r.jsonl:x b.txt
has "$err" '"x" names no record of "r.jsonl"'
expect 2 "$zhiwen" compare r.jsonl:0 b.txt
expect 3 "$zhiwen" compare r.jsonl:2 b.txt
has "$err" 'cannot use record 2 of "r.jsonl": invalid_json'
expect 4 "$zhiwen" compare r.jsonl:4 b.txt
has "$err" '"r.jsonl" has no record 4: it has 3 records'
expect 4 "$zhiwen" compare r.jsonl:id=nobody b.txt
has "$err" 'no record of "r.jsonl" has the id "nobody"'
expect 4 "$zhiwen" compare --id-field key r.jsonl:id=x b.txt
has "$err" 'none has an id in the field "key"'
expect 4 "$zhiwen" compare r.csv:1 b.txt
has "$err" "--text-field"
expect 4 "$zhiwen" compare absent.jsonl:1 b.txt
has "$err" '"absent.jsonl"'
expect 2 "$zhiwen" compare a.txt:1 b.txt
has "$err" '"a.txt" is one document and has no records'
expect 2 "$zhiwen" compare --text-field title a.txt b.txt
has "$err" "--text-field does nothing"
cp a.txt r.jsonl:1 # a file is what its name says
cp a.txt a:b
expect 0 "$zhiwen" compare --json r.jsonl:1 a:b
has "$out" '"resemblance": 1,'
rm r.jsonl:1

# --- fingerprint ---
scheme=$("$zhiwen" schemes --json | sed -n 's/.*"family": "\([a-z0-9_]*\)\..*/\1/p' | head -1)
[[ -n "$scheme" ]] || fails "zhiwen schemes --json names no family"
printf '{"id":"x","text":"晋太元中，武陵人捕鱼为业。"}\n{bad\n{"text":""}\n' >docs.jsonl
expect 0 "$zhiwen" fingerprint --scheme "$scheme" docs.jsonl
equals "$(wc -l <"$work/.out")" 2
has "$out" '{"id":"x","scheme":"'
has "$out" '"id":"docs.jsonl:3"'
has "$err" 'warning: cannot use "docs.jsonl" record 2: invalid_json'
expect 3 "$zhiwen" fingerprint --scheme "$scheme" --max-failed 0 docs.jsonl
expect 0 "$zhiwen" fingerprint --scheme "$scheme" --quiet - <docs.jsonl
equals "$err" ""
has "$out" '"id":"stdin:3"'
expect 0 "$zhiwen" fingerprint -s "$scheme" -s "$scheme" a.txt
equals "$(wc -l <"$work/.out")" 2
has "$out" '"id":"a.txt"'
expect 0 "$zhiwen" fingerprint -s "$scheme" --text - <a.txt
one=$(sed 's/.*"scheme"//' "$work/.out")
expect 0 "$zhiwen" fingerprint -s "$scheme" a.txt
equals "$(sed 's/.*"scheme"//' "$work/.out")" "$one"
expect 2 "$zhiwen" fingerprint docs.jsonl
has "$err" "--scheme"
expect 2 "$zhiwen" fingerprint --scheme no_such_scheme docs.jsonl
expect 2 "$zhiwen" fingerprint -s "$scheme" - - <docs.jsonl
expect 4 "$zhiwen" fingerprint -s "$scheme" absent.jsonl
expect 0 "$zhiwen" fingerprint -s "$scheme" --quiet docs.jsonl
plain=$out
expect 0 "$zhiwen" fingerprint -s "$scheme" --quiet --json docs.jsonl
equals "$out" "$plain" "fingerprint --json"
mkdir folder folder/below
expect 4 "$zhiwen" fingerprint -s "$scheme" folder
has "$err" 'below "folder"'
cp a.txt folder/below/a.txt
expect 0 "$zhiwen" fingerprint -s "$scheme" folder
has "$out" '"id":"folder/below/a.txt"'
printf '{"text":"一"}\n' >folder/one.ndjson
expect 0 "$zhiwen" fingerprint -s "$scheme" folder - <docs.jsonl
has "$err" 'warning: passed over 1 text below "folder", such as "folder/below/a.txt"'
has "$out" '"id":"folder/one.ndjson:1"'
has "${out#*one.ndjson}" '"id":"stdin:3"'
expect 0 "$zhiwen" fingerprint -s "$scheme" --text --quiet folder
has "$out" '"id":"folder/below/a.txt"'
ln docs.jsonl same.jsonl
expect 2 "$zhiwen" fingerprint -s "$scheme" docs.jsonl same.jsonl
has "$err" '"docs.jsonl" and "same.jsonl" are the same file'
expect 4 "$zhiwen" fingerprint -s "$scheme" docs.jsonl absent.jsonl
equals "$out" ""

# The same lines for any number of threads.
for i in $(seq 3000); do
  printf '{"id":"%d","text":"第%d篇文字，讲的是第%d件事情。"}\n' "$i" "$i" "$i"
done >many.jsonl
"$zhiwen" fingerprint -s "$scheme" -j 1 many.jsonl >one.out
"$zhiwen" fingerprint -s "$scheme" -j 3 many.jsonl >three.out
cmp one.out three.out || fails "threads change the output of fingerprint"
equals "$(wc -l <one.out)" 3000

# A text without Chinese has nothing on pinyin: every command says so.
printf 'The quick brown fox jumps over it.\n' >english.txt
printf '★ + = →\n' >signs.txt
: >empty.txt
printf '我们在北京看见了狗。' >chinese.txt
texts=(english.txt signs.txt empty.txt)
expect 0 "$zhiwen" fingerprint -s minhash -s exact --channel pinyin "${texts[@]}"
equals "$(grep -c '"value":null' .out)" 6
has "$err" "6 values are null"
for text in "${texts[@]}"; do
  expect 0 "$zhiwen" compare --channel pinyin "$text" chinese.txt
  has "$out" "no symbol: it has nothing that is seen on the channel"
  lacks "$out" "nan"
done
printf '{"text":"The quick brown fox."}\n{"text":"★ + ="}\n{"text":"我们在北京看见了狗"}\n' >few.jsonl
expect 0 "$zhiwen" dedup --channel pinyin few.jsonl -o few.out
has "$out" "too short             2"
has "$(cat few.out/report.json)" '"too_short": 2,'

# A file of words is a channel of its own.
printf '# 台湾\n網路 网络\n' >words.txt
printf '甲 乙\n丙\n' >bad_words.txt
printf '我们用網路' >taiwan.txt
printf '我们用网络' >mainland.txt
expect 0 "$zhiwen" compare --json --variants words.txt taiwan.txt mainland.txt
has "$out" '"channel": "variants.v1(file='
has "$out" '"resemblance": 1'
expect 2 "$zhiwen" compare --variants words.txt --channel exact taiwan.txt mainland.txt
expect 3 "$zhiwen" compare --variants bad_words.txt taiwan.txt mainland.txt
has "$err" 'bad_words.txt:2: number of words: 1; write two'
expect 0 "$zhiwen" fingerprint -s exact --variants words.txt taiwan.txt
has "$out" 'exact.v1(channel=variants.v1(file='
expect 2 "$zhiwen" fingerprint -s 'exact(channel=folded)' --variants words.txt taiwan.txt

finish
