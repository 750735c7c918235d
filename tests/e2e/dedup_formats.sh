#!/usr/bin/env bash
# The same records in every format, plain and compressed: the same decisions, and kept files that
# are the source without the removed records.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

# decisions FOLDER: "removed keeper reason"; a text has no id but its name.
decisions() {
  zstd -dcq "$1/removed.jsonl.zst" | sed 's/"[^"]*\/\(r[0-9]*\)\.txt[^"]*"/"\1"/g' |
    sed -n 's/^{"id": *"\([^"]*\)".*"kept_id": *"\([^"]*\)".*"reason": *"\([a-z]*\)".*/\1 \2 \3/p' |
    sort
}

python=$root/build/venv-arrow/bin/python
[[ -x "$python" ]] || python=python3
"$python" "$root/tests/support/make_records.py" all
expect 0 "$zhiwen" dedup all/records.jsonl -o out --quiet
zstd -dcq out/removed.jsonl.zst | ids >gone.txt
wanted=$(decisions out)
check "the corpus has duplicates to find" test "$(wc -l <gone.txt)" -ge 100
"$python" "$root/tests/support/make_records.py" rest --leave-out gone.txt

# packed KIND FILE: FILE compressed in several members or frames, to standard output.
packed() {
  local program=(gzip -c) half
  [[ $1 == gz ]] || program=(zstd -qc)
  half=$(($(wc -c <"$2") / 2))
  head -c "$half" "$2" | "${program[@]}"
  tail -c +"$((half + 1))" "$2" | "${program[@]}"
}

# unpacked FILE: whatever its compression.
unpacked() {
  case $1 in
    *.gz) gzip -dc "$1" ;;
    *.zst) zstd -dcq "$1" ;;
    *) cat "$1" ;;
  esac
}

# --- every format and compression ---
for format in jsonl csv tsv; do
  for kind in "" gz zst; do
    source=records.$format${kind:+.$kind}
    if [[ -n "$kind" ]]; then packed "$kind" "all/records.$format" >"$source"; else
      cp "all/$source" .
    fi
    expect 0 "$zhiwen" dedup "$source" -o "out-$source" --quiet
    equals "$(decisions "out-$source")" "$wanted" "$source: decisions"
    unpacked "out-$source/kept/$source" >kept
    check "$source: kept records are the bytes of the source" cmp kept "rest/records.$format"
    expect 0 "$zhiwen" dedup - -o "piped-$source" --format "$format" --quiet <"$source"
    equals "$(decisions "piped-$source")" "$wanted" "$source on standard input: decisions"
    check "$source on standard input is kept as stdin.$format" \
      cmp "out-$source/kept/$source" "piped-$source/kept/stdin.$format${kind:+.$kind}"
  done
done
equals "$(head -c 13 out-records.csv/kept/records.csv)" "id,title,text" "the head of CSV"

# --- folders of texts ---
expect 0 "$zhiwen" dedup all/texts -o out-texts --quiet
equals "$(decisions out-texts)" "$wanted" "texts: decisions"
check "kept texts are the texts that were not removed" diff -r rest/texts out-texts/kept
for text in out-texts/kept/*.txt; do
  [[ "$text" -ef "all/texts/${text##*/}" ]] || fails "$text is no second name of its source"
done
for kind in gz zst; do
  mkdir "texts-$kind"
  for text in all/texts/*.txt; do packed "$kind" "$text" >"texts-$kind/${text##*/}.$kind"; done
  expect 0 "$zhiwen" dedup "texts-$kind" -o "out-texts-$kind" --quiet
  equals "$(decisions "out-texts-$kind")" "$wanted" "texts in $kind: decisions"
  equals "$(find "out-texts-$kind/kept" -type f | wc -l)" "$(find rest/texts -type f | wc -l)" \
    "texts in $kind: kept files"
done
expect 2 "$zhiwen" dedup all/texts -o nothing --mark dup
has "$err" "has no fields"

# --- Parquet ---
if [[ -e all/records.parquet ]] && "$zhiwen" dedup all/records.parquet -o out-parquet -q; then
  equals "$(decisions out-parquet)" "$wanted" "Parquet: decisions"
  check "Parquet: the kept rows are those of the source" "$python" -c '
import sys, pyarrow.parquet as pq
wanted, kept = (pq.read_table(path) for path in sys.argv[1:])
sys.exit(not kept.equals(wanted))' rest/records.parquet out-parquet/kept/records.parquet
  expect 0 "$zhiwen" dedup - -o piped-parquet --format parquet --quiet <all/records.parquet
  equals "$(decisions piped-parquet)" "$wanted" "Parquet on standard input: decisions"
else
  echo "skipped: Parquet (no pyarrow, or a program without it)"
fi

# --- names ---
mkdir -p "语料 库/深 处"
cp all/records.jsonl "语料 库/深 处/记录 一.jsonl"
packed zst all/records.csv >"语料 库/b 'quoted'.csv.zst"
expect 0 "$zhiwen" dedup "语料 库" -o "结果 夹" --quiet
equals "$(cd "结果 夹/kept" && find . -type f | LC_ALL=C sort)" "./b 'quoted'.csv.zst
./深 处/记录 一.jsonl" "the paths below a folder"
equals "$(zstd -dcq "结果 夹/removed.jsonl.zst" | count)" $((300 + $(wc -l <gone.txt))) \
  "records given twice: removed"
find "语料 库" -type f | LC_ALL=C sort >list.txt
expect 0 "$zhiwen" dedup --files-from list.txt -o listed --quiet
check "a list of files gives what their folder gives" \
  cmp listed/removed.jsonl.zst "结果 夹/removed.jsonl.zst"

# --- fields ---
expect 0 "$zhiwen" dedup all/records.jsonl -o several --text-field title,text --id-field title -q
has "$(zstd -dcq several/removed.jsonl.zst | head -n 1)" '"id":"题目'
expect 0 "$zhiwen" dedup all/records.jsonl -o nested --text-field meta.author.name -q
equals "$(wc -l <nested/kept/records.jsonl)" 3 "kept by the text of a nested field"
expect 4 "$zhiwen" dedup all/records.jsonl -o nothing --text-field meta.nobody
has "$err" "meta.nobody"
expect 4 "$zhiwen" dedup records.csv -o nothing --text-field nobody
has "$err" 'the header names "id", "title", "text"'
has "$("$zhiwen" dedup all/records.jsonl -o nothing --text-field nobody 2>&1)" 'the record has "id"'
if [[ -e out-parquet ]]; then
  expect 4 "$zhiwen" dedup all/records.parquet -o nothing --text-field nobody
  has "$err" 'the file has the columns "id"'
fi

# --- separators ---
# Nobody says the separator, and the first line shows it.
expect 0 "$zhiwen" dedup all/semicolons.csv -o out-found
has "$out" "1 CSV file with ;"
equals "$(decisions out-found)" "$wanted" "semicolons that were found: decisions"
has "$(<out-found/report.json)" '"separators": {'
has "$(<out-found/report.html)" "1 CSV file with <code><bdi>;</bdi></code> between the fields"
expect 0 "$zhiwen" dedup - -o piped-found --format csv -q <all/semicolons.csv
equals "$(decisions piped-found)" "$wanted" "semicolons on standard input: decisions"
expect 0 "$zhiwen" fingerprint --scheme simhash64 --format csv - <all/semicolons.csv
equals "$(count <<<"$out")" "$(count <all/records.jsonl)" "fingerprints of standard input"
mkdir mixed
head -n 50 all/records.csv >mixed/commas.csv
cp all/semicolons.csv mixed
expect 0 "$zhiwen" dedup mixed -o out-mixed -q --mark dup
has "$(head -n 1 out-mixed/kept/commas.csv)" "id,title,text,dup"
has "$(head -n 1 out-mixed/kept/semicolons.csv)" "id;title;text;dup"
expect 0 "$zhiwen" dedup all/semicolons.csv -o out-plan --plan
lacks "$out" "the run would end"
# One that was said, and does not fit, is no damage of the file that can be skipped.
for more in "" --skip-bad-files --plan; do
  expect 2 "$zhiwen" dedup all/records.csv all/semicolons.csv -o nothing --separator , $more
  has "$err" 'no comma but 2 semicolons, so that it names no field "text"; name the field'
  has "$err" "--separator C says it: ';'"
  lacks "$err" "skip"
  lacks "$err" "resume"
  check "nothing is left" test ! -e nothing/report.json
done
expect 2 "$zhiwen" dedup all/semicolons.csv -o nothing --text-field body
has "$err" "--text-field FIELD names it"
# Commas that are part of a name, and what is no usual separator.
printf 'id;title, sub;text\n1;a;%s\n2;b;c\n' "$(plain_text 0 30)" >commas-in-names.csv
expect 2 "$zhiwen" dedup commas-in-names.csv -o nothing
has "$err" '1 comma and also 2 semicolons, so that it names no field "text"'
has "$err" "--separator C says it: ';'"
printf 'id;title, sub;body\n1;a;b\n2;b;c\n' >other-names.csv
expect 3 "$zhiwen" dedup other-names.csv -o nothing
has "$err" "say what separates the fields, which format" && has "$err" "--separator C says it: ';'"
printf 'id^text\n1^a\n' >carets.csv
expect 2 "$zhiwen" dedup carets.csv -o nothing
has "$err" "no comma but 1 ^, so" && has "$err" "--text-field FIELD names it; --separator C says it"
expect 2 "$zhiwen" compare carets.csv:1 all/semicolons.csv:1 --separator '^'
has "$err" "has no ^ but 2 semicolons"
expect 0 "$zhiwen" dedup all/semicolons.csv -o out-other --separator ';' -q
equals "$(decisions out-other)" "$wanted" "semicolons between the fields: decisions"
check "records with semicolons are the bytes of the source" \
  cmp out-other/kept/semicolons.csv rest/semicolons.csv
expect 0 "$zhiwen" dedup all/semicolons.csv -o out-other --overwrite --separator ';' --mark dup -q
equals "$(head -n 1 out-other/kept/semicolons.csv)" $'id;title;text;dup\r' "the head"
expect 0 "$zhiwen" fingerprint --scheme simhash64 all/semicolons.csv --separator ';'
equals "$(count <<<"$out")" "$(count <all/records.jsonl)" "fingerprints of fields with semicolons"
cp all/records.tsv tabs.csv
expect 2 "$zhiwen" dedup tabs.csv -o nothing --separator '|'
has "$err" "2 tabs"
expect 2 "$zhiwen" dedup tabs.csv -o nothing --separator ab
has "$err" "cannot separate fields"
expect 2 "$zhiwen" dedup all/records.jsonl -o nothing --format jsonl --separator ';'
has "$err" "--separator does nothing"
expect 0 "$zhiwen" dedup tabs.csv -o out-tabs --separator tab -q
equals "$(decisions out-tabs)" "$wanted" "tabs in a file called CSV: decisions"
has "$(cat out-tabs/report.json)" '"separator": "tab"'

# --- frames of large outputs ---
awk 'BEGIN { for (i = 0; i < 130000; i++)
  printf "{\"id\":\"%d\",\"text\":\"the record of number %d, the only one of %d\"}\n", i, i, i }' \
  >large.jsonl
{ cat large.jsonl && head -n 5 large.jsonl; } >doubled.jsonl
for kind in gz zst; do
  packed "$kind" doubled.jsonl >"doubled.jsonl.$kind"
  expect 0 "$zhiwen" dedup "doubled.jsonl.$kind" -o "frames-$kind" --mode exact --quiet -j 3
  unpacked "frames-$kind/kept/doubled.jsonl.$kind" >kept
  check "$kind: the kept records of a large file" cmp kept large.jsonl
done
frames=$(python3 -c '
import sys, zlib
data, members = open(sys.argv[1], "rb").read(), 0
while data:
    member = zlib.decompressobj(31)
    assert len(member.decompress(data)) <= (8 << 20) + 100
    data, members = member.unused_data, members + 1
print(members)' frames-gz/kept/doubled.jsonl.gz)
equals "$frames" 2 "gzip members of $(wc -c <large.jsonl) bytes"
equals "$(zstd -l frames-zst/kept/doubled.jsonl.zst | awk 'END { print $1 }')" 2 "zstd frames"
expect 0 "$zhiwen" dedup doubled.jsonl.zst -o frames-again --mode exact --quiet -j 1
check "frames are the same bytes for one thread and three" \
  cmp frames-again/kept/doubled.jsonl.zst frames-zst/kept/doubled.jsonl.zst

finish
