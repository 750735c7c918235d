#!/usr/bin/env bash
# query, as users meet it.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
library=("$zhiwen" library)
query=("$zhiwen" query)
field() { python3 -c 'import json, sys
value = json.loads(open(".out").readline())
for key in sys.argv[1:]:
    value = value[int(key) if key.isdigit() else key]
print(value)' "$@"; }

# --- similar documents ---
head -n 60 "$root/testdata/demo/novels.jsonl" >novels.jsonl
expect 0 "${library[@]}" create lib/ -q
expect 0 "${query[@]}" lib/ --like novels.jsonl:1
has "$out" "no document resembles the text"
expect 0 "${library[@]}" add lib/ novels.jsonl -q
python3 - <<'PY'
import json
records = [json.loads(line) for line in open("novels.jsonl")]
open("page.txt", "w").write("转载自某处\n" + records[7]["text"] + "\n（本章完）")
open("id", "w").write(records[7]["id"])
open("rare.txt", "w").write("此文与书无关，全不相干。")
PY
id=$(cat id)
expect 0 "${query[@]}" lib/ --like page.txt --json
equals "$(field documents 0 document id) $(field documents 0 rank)" "$id 1"
[[ $(field documents 0 resemblance) == 0.9[89]* ]] || fails "the resemblance of a longer page"
expect 0 "${query[@]}" lib/ --like page.txt
has "$out" "resemblance"
has "$out" "范围 searched 60 documents"
expect 0 "${query[@]}" lib/ --id "$id" --json
lacks "$out" "\"id\":\"$id\",\"version\""
expect 0 "${query[@]}" lib/ --like - --count 1 --json <page.txt
equals "$(field documents 0 document id)" "$id"
expect 0 "${query[@]}" lib/ --like novels.jsonl:8 --least 1 --json
equals "$(field documents 0 document id) $(field documents 0 resemblance)" "$id 1"
expect 0 "${query[@]}" lib/ --like rare.txt -q
equals "$out" ""
expect 0 "${library[@]}" remove lib/ "$id" -q
expect 0 "${query[@]}" lib/ --like page.txt --json
lacks "$out" "\"id\":\"$id\""
expect 0 "${query[@]}" lib/ --id "$id" --json # its text is still there

expect 2 "${query[@]}" lib/
expect 2 "${query[@]}" lib/ --like page.txt --id "$id"
expect 2 "${query[@]}" lib/ --like page.txt --least 2
expect 2 "${query[@]}" lib/ --id "$id" --text-field text
expect 2 "${query[@]}" lib/ --like novels.jsonl
expect 4 "${query[@]}" lib/ --like nothing.txt
expect 4 "${query[@]}" lib/ --id nobody
has "$err" '"lib/" has no document "nobody"'
expect 4 "${query[@]}" nowhere/ --like page.txt
expect 0 "${library[@]}" remove lib/ "$id" --purge -q
expect 4 "${query[@]}" lib/ --id "$id"
has "$err" purged

finish
