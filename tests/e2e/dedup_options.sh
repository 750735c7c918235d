#!/usr/bin/env bash
# Options of dedup beside the rules: marks and sizes in every format, groups, ids, failed records,
# damaged files.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
python=$root/build/venv-arrow/bin/python
[[ -x "$python" ]] || python=python3
"$python" "$root/tests/support/make_records.py" all

# --- marks and sizes: the fields come last, everything else is as it was ---
expect 0 "$zhiwen" dedup all/records.jsonl -o plain --quiet
removed plain | sort >gone.txt
zstd -dcq plain/removed.jsonl.zst >plain.removed
for format in jsonl csv tsv; do
  expect 0 "$zhiwen" dedup "all/records.$format" -o "marked-$format" -q --mark 重复 --add-cluster-size
  zstd -dcq "marked-$format/removed.jsonl.zst" | sed "s/records\.$format/records.jsonl/g" >removed
  check "$format: removed.jsonl.zst is what it is without marks, but for the name of the file" \
    diff plain.removed removed
done
sed 's/,"重复":[a-z]*,"cluster_size":[0-9]*}$/}/' marked-jsonl/kept/records.jsonl >unmarked
check "jsonl: without its marks every line is the source's" cmp unmarked all/records.jsonl
equals "$(grep '"重复":true,"cluster_size":[2-9]' marked-jsonl/kept/records.jsonl |
  grep -o 'r[0-9]\{4\}' | sort)" "$(<gone.txt)" "marked records"
sed 's/,[a-z]*,[0-9]*\r$/\r/; 1s/,重复,cluster_size//' marked-csv/kept/records.csv >unmarked
check "csv: without its marks every line is the source's" cmp unmarked all/records.csv
equals "$(python3 -c '
import csv, sys
for row in csv.DictReader(open("marked-csv/kept/records.csv", encoding="utf-8", newline="")):
    if row["重复"] == "true": print(row["id"])' | sort)" "$(<gone.txt)" "marked rows of CSV"
equals "$(head -n 1 marked-tsv/kept/records.tsv)" $'id\ttitle\ttext\t重复\tcluster_size'
printf '{}\n{"text":"忽逢桃花林"}  \r\n{ }\n{"text":"忽逢桃花林" }' >spaces.jsonl
expect 0 "$zhiwen" dedup spaces.jsonl -o spaces --mark m -q
equals "$(<spaces/kept/spaces.jsonl)" '{"text":"忽逢桃花林","m":false}  '$'\r
{"text":"忽逢桃花林" ,"m":true}' "marks of lines with spaces"

# --- an added field of a name that is there already ---
clashes() { # PART COMMAND...
  local part=$1
  shift
  expect 2 "$@"
  has "$err" "$part"
  [[ ! -e nothing/report.json ]] || fails "a clash of names leaves a report"
}
{ head -n 200 all/records.jsonl; echo '{"id":"x","text":"忽逢桃花林","d":null}'; } >clash.jsonl
clashes '"d" to "clash.jsonl": record 201 has one' "$zhiwen" dedup clash.jsonl -o nothing --mark d
# Whichever thread meets one first, the first record of the input is named.
for _ in {1..5}; do
  clashes '"title" to "all/records.jsonl": record 1 has one' "$zhiwen" dedup all/records.jsonl \
    all/records.csv clash.jsonl -o nothing --mark title -j 4
done
clashes '"title" to "all/records.csv"' "$zhiwen" dedup all/records.csv -o nothing --mark title
clashes '"id" to "all/records.jsonl"' "$zhiwen" dedup all/records.jsonl -o nothing --mark id
printf '{"text":"忽逢桃花林","cluster_size":1}\n' >size.jsonl
clashes '"cluster_size"' "$zhiwen" dedup size.jsonl -o nothing --add-cluster-size
clashes 'both to be' "$zhiwen" dedup size.jsonl -o nothing --add-cluster-size --mark cluster_size
clashes '--mark' "$zhiwen" dedup size.jsonl -o nothing --mark ''
expect 0 "$zhiwen" dedup clash.jsonl -o fine --mark meta.d -q
has "$(head -n 1 fine/kept/clash.jsonl)" '"meta.d":false}'

# --- groups ---
{
  for site in a b; do
    printf '{"id":"%s1","site":"%s","text":"%s"}\n' "$site" "$site" "$(plain_text 0 200)"
    printf '{"id":"%s2","site":"%s","text":"%s"}\n' "$site" "$site" "$(plain_text 1 199)"
  done
  printf '{"id":"none1","text":"%s"}\n{"id":"none2","text":"%s"}\n' "$(plain_text 0 200)" \
    "$(plain_text 0 200)"
} >groups.jsonl
for candidates in bands exact; do
  dedup groups --group-by site --candidates "$candidates"
  equals "$(keepers groups)" $'a2 a1\nb2 b1\nnone2 none1' "removals within groups ($candidates)"
  dedup groups --candidates "$candidates"
  equals "$(kept groups | count)" 1 "kept without groups ($candidates)"
done
dedup groups --group-by site --mode exact
equals "$(keepers groups)" "none2 none1" "equal texts within groups"

# --- keys, dates, keeping none ---
# dated ID URL DATE: a record with one text.
dated() {
  printf '{"id":"%s","url":"%s","date":"%s","text":"%s"}\n' "$1" "$2" "$3" "$(plain_text 0 50)"
}
{
  dated a https://A.cn/x/?utm_source=mail 2024-05-04
  dated b https://a.cn:443/x#top 2024-05-20
  dated c https://a.cn/y 2024-05-06
} >dated.jsonl
dedup dated --keep first
equals "$(keepers dated)" $'b a\nc a' "removals by text"
dedup dated --keep first --within date,7d
equals "$(keepers dated)" "c a" "removals within a week"
dedup dated --keep first --within date,7d --key 'url(url)' --mark dup --mark-keeper of
equals "$(keepers dated)" $'b a\nc a' "removals by key and within a week"
has "$(zstd -dcq dated/removed.jsonl.zst | head -n 1)" '"reason":"key","resemblance":null'
has "$(sed -n 2p dated/kept/dated.jsonl)" '"dup":true,"of":"a"}'
has "$(head -n 1 dated/kept/dated.jsonl)" '"dup":false,"of":null}'
expect 0 "$zhiwen" dedup dated.jsonl -o dated --overwrite --keep 'first, none'
has "$out" "exact 2 · near 0 · representative 1"
equals "$(kept dated | count)" 0 "documents of a cluster of which nothing is kept"
has "$(zstd -dcq dated/clusters.jsonl.zst | head -n 1)" '"kept_id":null'
clashes '"7d" is not a field and an age' "$zhiwen" dedup dated.jsonl -o nothing --within 7d
clashes '--mark' "$zhiwen" dedup dated.jsonl -o nothing --mark-keeper of

# --- ids ---
{ record one "$(plain_text 0 50)"; record two "$(plain_text 90 50)"; record one x; } >ids.jsonl
expect 0 "$zhiwen" dedup ids.jsonl -o ids --overwrite
has "$out" '1 record repeats an id, such as "one"'
rm -rf nothing
expect 3 "$zhiwen" dedup ids.jsonl -o nothing --unique-ids
has "$err" '"one"'
has "$err" "--unique-ids"
expect 0 "$zhiwen" dedup all/records.jsonl -o nothing --unique-ids -q
rm -rf nothing

# --- copies of one text are one example ---
for copy in $(seq 20); do record "$copy" "$(plain_text 0 50)"; done >copies.jsonl
expect 0 "$zhiwen" dedup copies.jsonl -o copies
equals "$(grep -c '^    removed' "$work/.out")" 1 "examples of twenty copies"

# --- failed records ---
{
  head -n 100 all/records.jsonl
  printf '{"id":"no text"}\n{"text":"cut\n%.0s' 1 2 3
} >faulty.jsonl
rm -rf nothing
expect 3 "$zhiwen" dedup faulty.jsonl -o nothing --max-failed 5
has "$err" "6 of 106 records failed, 5 are allowed"
has "$err" '"faulty.jsonl" record 101'
expect 0 "$zhiwen" dedup faulty.jsonl -o faulty --max-failed 6 --overwrite
has "$err" "6 of 106 records failed"
expect 0 "$zhiwen" dedup faulty.jsonl -o faulty --max-failed 6% --overwrite
rm -rf nothing
expect 3 "$zhiwen" dedup faulty.jsonl -o nothing --max-failed 5%
zstd -dcq faulty/failed.jsonl.zst | python3 -c '
import json, sys
source = open("faulty.jsonl", "rb").read()
for line in sys.stdin:
    row = json.loads(line)
    place = row["source"]
    raw = source[place["offset"]:place["offset"] + place["length"]]
    assert raw.decode() == row["raw"], row' ||
  fails "failed records are not the bytes of their places"
printf '{"text":"\377"}\n' | cat faulty.jsonl - >bytes.jsonl
expect 0 "$zhiwen" dedup bytes.jsonl -o bytes -q
has "$(zstd -dcq bytes/failed.jsonl.zst | tail -n 1)" \
  "\"raw_base64\":\"$(tail -n 1 bytes.jsonl | base64)\""

# --- what matches a reference is cut out and written down, in every format ---
item='一列火车每小时行驶八十公里，三个半小时一共行驶多少公里'
hidden='一列火車每小時行駛 ８０ 公里' # another number: nothing to cut
disguised='一列火車每小時行駛「八十」公里，三個半小時一共行駛多少公里'
printf '{"id":"q","text":"%s？"}\n' "$item" >items.jsonl
mkdir -p cutting
two_lines() { # PASSAGE: records of which one has it.
  printf '{"id":"a","text":"甲\\u4e59：%s。\\n丙","n":1.0}\n{"id":"b","text":"%s"}\n' "$1" "$hidden"
}
{
  two_lines "$disguised"
  printf '{"id":"c","text":"%s"}\n' "$item"
} >cutting/x.jsonl
printf 'text,id\r\n"甲,%s，""丙""",d\r\n%s!,e\r\n' "$disguised" "$hidden" >cutting/y.csv
printf '前%s后\n' "$item" >cutting/z.txt
cutting() { # OUT OPTION...
  local out=$1
  shift
  expect 0 "$zhiwen" dedup cutting cutting/z.txt -o "$out" -q --mode exact --against items.jsonl \
    --against-rule contains --action cut "$@"
}
cutting cut-all
equals "$(<cut-all/kept/x.jsonl)" "$(two_lines '')" "JSON Lines after cuts"
equals "$(<cut-all/kept/y.csv)" "$(printf 'text,id\r\n"甲,，""丙""",d\r\n%s!,e\r' "$hidden")" \
  "CSV after cuts"
equals "$(<cut-all/kept/z.txt)" "前后" "a text after cuts"
zstd -dcq cut-all/removed.jsonl.zst >gone
equals "$(grep -o '"id":"."\|"reason":"[a-z]*"' gone | tr '\n' ' ')" \
  '"id":"c" "reason":"against" ' "a text that is nothing but an item"
zstd -dcq cut-all/cuts.jsonl.zst >cut.rows
check "every cut says what stood where" python3 -c '
import csv, json
texts = [json.loads(next(open("cutting/x.jsonl", encoding="utf-8")))["text"],
         next(csv.DictReader(open("cutting/y.csv", encoding="utf-8", newline="")))["text"],
         open("cutting/z.txt", encoding="utf-8").read()]
rows = [json.loads(line) for line in open("cut.rows", encoding="utf-8")]
assert len(rows) == 3, rows
for row, text in zip(rows, texts):
    assert text.encode()[row["begin"]:row["end"]].decode() == row["text"], row
    assert [r["id"] for r in row["references"]] == ["q"], row'
has "$(<cut-all/report.json)" '"documents": 3'
has "$(<cut-all/report.json)" '"passages": 3'
has "$(<cut-all/report.json)" '"inputs_hit": 4'
has "$(<cut-all/report.json)" '"no_two_kept_match_of": "not cut"'
cutting cut-again -j 3 --memory 128M
for name in kept/x.jsonl kept/y.csv removed.jsonl.zst cuts.jsonl.zst; do
  check "$name is the same with other threads and memory" cmp "cut-all/$name" "cut-again/$name"
done
expect 0 "$zhiwen" dedup cut-all/kept -o cut-twice -q --mode exact --against items.jsonl \
  --against-rule contains
equals "$(zstd -dcq cut-twice/removed.jsonl.zst | count)" 0 "items that are left after cuts"
expect 0 "$zhiwen" dedup cutting --plan --against items.jsonl --against-rule contains --action cut
rm -rf nothing
clashes 'the rule near compares whole texts' "$zhiwen" dedup cutting -o nothing \
  --against items.jsonl --action cut
clashes 'one text field' "$zhiwen" dedup cutting -o nothing --against items.jsonl \
  --against-rule overlap --action cut --text-field id,text
clashes '--against FILE' "$zhiwen" dedup cutting -o nothing --action cut
if [[ -e all/records.parquet ]] && "$zhiwen" dedup all/records.parquet -o rows -q; then
  "$python" -c '
import pyarrow.parquet as p
text = p.read_table("all/records.parquet")["text"][7].as_py()
import json
json.dump({"id": "q", "text": text[3:-3]}, open("row.jsonl", "w"))'
  expect 0 "$zhiwen" dedup all/records.parquet -o rows --overwrite -q --mode exact \
    --against row.jsonl --against-rule contains --action cut
  check "Parquet: the row lost what was cut, and no other row changed" "$python" -c '
import json, subprocess
import pyarrow.parquet as p
rows = subprocess.run(["zstd", "-dcq", "rows/cuts.jsonl.zst"], check=True, capture_output=True)
lost = {}
for row in map(json.loads, rows.stdout.splitlines()):
    lost.setdefault(row["id"], []).append(row)
assert lost
before = {r["id"]: r for r in p.read_table("all/records.parquet").to_pylist()}
for after in p.read_table("rows/kept/records.parquet").to_pylist():
    text = before[after["id"]]["text"].encode()
    for cut in reversed(lost.pop(after["id"], [])):
        assert text[cut["begin"]:cut["end"]].decode() == cut["text"]
        text = text[:cut["begin"]] + text[cut["end"]:]
    assert after == before[after["id"]] | {"text": text.decode()}, after
assert not lost'
fi

# --- damaged files: an error that names the file and the byte, or what is sound of them ---
for copy in $(seq 40); do
  sed "s/\"id\":\"r/\"id\":\"$copy-r/; s/\"text\":\"/\"text\":\"$copy$copy /" all/records.jsonl
done >long.jsonl
gzip -c long.jsonl >whole.gz
zstd -qc --check long.jsonl >whole.zst
declare -A unpack=([gz]=gzip [zst]=zstd)
# damage KIND HOW: whole.KIND, cut or with one bit flipped in its middle, as damaged.jsonl.KIND.
damage() {
  python3 -c '
import sys
kind, how = sys.argv[1:]
data = bytearray(open(f"whole.{kind}", "rb").read())
if how == "cut": data = data[:len(data) * 2 // 3]
else: data[len(data) * 2 // 3] ^= 16
open(f"damaged.jsonl.{kind}", "wb").write(data)' "$@"
}
for kind in gz zst; do
  for how in cut flipped; do
    damage "$kind" "$how"
    rm -rf nothing
    expect 3 "$zhiwen" dedup "damaged.jsonl.$kind" all/records.jsonl -o nothing --quiet
    has "$err" "\"damaged.jsonl.$kind\""
    has "$err" "byte "
    has "$err" "--skip-bad-files"
    [[ ! -e nothing/report.json ]] || fails "a damaged file leaves a report"
    expect 0 "$zhiwen" dedup "damaged.jsonl.$kind" all/records.jsonl -o "sound-$kind-$how" \
      --skip-bad-files --mode exact --max-failed 100%
    has "$err" "the rest of the file is skipped"
    has "$(<"sound-$kind-$how/report.json")" "\"file\": \"damaged.jsonl.$kind\""
    # A flipped bit shows at the end of its gzip member only: what came before may be wrong.
    "${unpack[$kind]}" -dcq "sound-$kind-$how/kept/damaged.jsonl.$kind" >kept ||
      fails "$how $kind: what is kept of a damaged file is damaged"
    [[ $how == flipped ]] || check "$how $kind: kept records are records of the source" \
      test -s kept -a -z "$(grep -vxFf long.jsonl kept)"
  done
done
if [[ -e all/records.parquet ]] && "$zhiwen" dedup all/records.parquet -o parquet -q; then
  clashes '"title" to "all/records.parquet"' \
    "$zhiwen" dedup all/records.parquet -o nothing --mark title
  rm -rf nothing
  expect 4 "$zhiwen" dedup all/records.parquet -o nothing -q --text-field text,nosuch
  has "$err" 'no record has the text field "nosuch"'
  size=$(wc -c <all/records.parquet)
  head -c $((size / 2)) all/records.parquet >cut.parquet
  rm -rf nothing
  expect 3 "$zhiwen" dedup cut.parquet all/records.jsonl -o nothing -q
  has "$err" '"cut.parquet"'
  expect 0 "$zhiwen" dedup cut.parquet all/records.jsonl -o sound-rows --skip-bad-files -q
  has "$(<sound-rows/report.json)" '"file": "cut.parquet"'
  # A bit of the texts of the third row group.
  "$python" "$root/tests/support/flip_parquet.py" all/records.parquet 2 text >flipped.parquet
  rm -rf nothing
  expect 3 "$zhiwen" dedup flipped.parquet all/records.jsonl -o nothing -q
  has "$err" '"flipped.parquet"'
  expect 0 "$zhiwen" dedup flipped.parquet all/records.jsonl -o flipped --skip-bad-files -q
  check "flipped Parquet: the row groups before the damage are kept" "$python" -c '
import pyarrow.parquet as pq
kept = pq.read_table("flipped/kept/flipped.parquet")
assert 20 < kept.num_rows <= 128, kept.num_rows'
  # A bit of a column that only writing reads.
  "$python" "$root/tests/support/flip_parquet.py" all/records.parquet 1 "" >hidden.parquet
  rm -rf nothing
  expect 3 "$zhiwen" dedup hidden.parquet all/records.jsonl -o nothing -q
  has "$err" '"hidden.parquet" as Parquet: row group 1 '
  expect 0 "$zhiwen" dedup hidden.parquet all/records.jsonl -o hidden --skip-bad-files -q
  check "damage that nobody reads ends the file there" "$python" -c '
import json
import pyarrow.parquet as pq
first = pq.read_metadata("hidden.parquet").row_group(0).num_rows
assert 0 < pq.read_table("hidden/kept/hidden.parquet").num_rows <= first
result = json.load(open("hidden/report.json"))["result"]
assert [bad["file"] for bad in result["bad_files"]] == ["hidden.parquet"], result["bad_files"]
assert sum([result["kept"], *result["removed"].values(), *result["failed"].values()]) \
    == result["documents"]'
else
  echo "skipped: Parquet (no pyarrow, or a program without it)"
fi

finish
