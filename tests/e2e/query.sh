#!/usr/bin/env bash
# query, and library export, import and verify, as users meet them.
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

# --- documents with the same fingerprint ---
expect 4 "${query[@]}" lib/ --scheme keywords page.txt
has "$err" "zhiwen library derive"
expect 0 "${library[@]}" derive lib/ --scheme keywords
has "$out" "lib/: has values of keywords.v1("
expect 0 "${library[@]}" derive lib/ --scheme simhash64 -q
expect 0 "${library[@]}" derive lib/ --scheme simhash64
has "$out" "already had"
expect 0 "${query[@]}" lib/ --scheme keywords novels.jsonl:1 --json
equals "$(field documents 0 document id)" "$(head -n 1 novels.jsonl | cut -d '"' -f 4)"
expect 0 "${query[@]}" lib/ --scheme keywords novels.jsonl:1 --exists
equals "$out" 1
expect 0 "${query[@]}" lib/ --scheme keywords rare.txt --exists
equals "$out" 0
expect 1 "${query[@]}" lib/ --scheme keywords novels.jsonl:1 --exists --exit-code
expect 0 "${query[@]}" lib/ --scheme keywords rare.txt --exit-code
has "$out" "no document has the value of the text"
python3 - <<'PY' # what is added later is found, too
import json
text = json.loads(open("novels.jsonl").readline())["text"]
print(json.dumps({"id": "later", "text": text + "多几个字"}), file=open("later.jsonl", "w"))
PY
expect 0 "${library[@]}" add lib/ later.jsonl -q
expect 0 "${query[@]}" lib/ --scheme simhash64 novels.jsonl:1 --radius 6
has "$out" later
expect 0 "${query[@]}" lib/ --scheme simhash64 --id later
lacks "$out" later
expect 0 "${library[@]}" remove lib/ later -q
expect 0 "${query[@]}" lib/ --scheme simhash64 novels.jsonl:1 --radius 6
lacks "$out" later
expect 2 "${query[@]}" lib/ --scheme keywords novels.jsonl:1 --radius 3
has "$err" "no distances"
expect 4 "${query[@]}" lib/ --scheme minhash novels.jsonl:1
expect 2 "${query[@]}" lib/ novels.jsonl:1 --exists
expect 2 "${library[@]}" derive lib/
expect 2 "${library[@]}" derive lib/ --scheme metadata
expect 0 "${library[@]}" stats lib/
has "$out" keywords.v1
expect 0 "${library[@]}" fsck lib/
expect 0 "${library[@]}" derive lib/ --scheme keywords --drop
expect 4 "${query[@]}" lib/ --scheme keywords novels.jsonl:1

# --- a library keeps the files that a scheme is made with ---
expect 0 "$zhiwen" phonemes train novels.jsonl --texts 0 -o p.zwp -q
sounds='simhash64(phoneme,channel=phonemes)'
expect 2 "${library[@]}" derive lib/ --scheme exact --phonemes p.zwp
has "$err" 'not made with "p.zwp"'
expect 4 "${library[@]}" derive lib/ --scheme imatch
has "$err" "--df FILE gives it"
expect 0 "${library[@]}" derive lib/ --scheme "$sounds" --phonemes p.zwp -q
cp p.zwp kept.zwp && rm p.zwp
expect 0 "${query[@]}" lib/ --scheme "$sounds" novels.jsonl:1 --radius 8
has "$out" "$(head -n 1 novels.jsonl | cut -d '"' -f 4)"
expect 0 "${library[@]}" fsck lib/
echo damage >>"$(ls lib/resources/*)"
expect 3 "${query[@]}" lib/ --scheme "$sounds" novels.jsonl:1
has "$err" "zhiwen library derive makes the copy anew"
expect 0 "${query[@]}" lib/ --scheme "simhash64(shingle)" novels.jsonl:1 --exists # has no file
equals "$out" 1
expect 3 "${library[@]}" fsck lib/
expect 0 "${library[@]}" derive lib/ --scheme "$sounds" --phonemes kept.zwp
has "$out" "already had"
expect 0 "${library[@]}" fsck lib/
expect 0 "${library[@]}" derive lib/ --scheme "$sounds" --drop -q
check "the copy is gone" test ! -e lib/resources

# --- and a filter tells from the values alone ---
"${library[@]}" export lib/ | "$zhiwen" fingerprint -s keywords - --values |
  "$zhiwen" filter build - -o values.zwf -q
"$zhiwen" fingerprint -s keywords novels.jsonl --values >values.txt
equals "$("$zhiwen" filter test values.zwf values.txt --count)" "$(count <values.txt)"
expect 2 "$zhiwen" fingerprint -s keywords -s exact novels.jsonl --values

# --- a library goes into a file and comes back ---
printf '{"id":"v","title":"旧题","text":"第一版的正文。"}\n' >v.jsonl
printf '{"id":"d","text":"诱饵一章。","work":"某书","part":"第一章","owner":"某人"}\n' >d.jsonl
expect 0 "${library[@]}" add lib/ d.jsonl --decoy -q
expect 0 "${library[@]}" add lib/ v.jsonl -q
sed -i 's/旧题/新题/' v.jsonl
expect 0 "${library[@]}" add lib/ v.jsonl -q
expect 0 "${library[@]}" export lib/ -o lib.jsonl.zst
equals "$out" "lib.jsonl.zst: 61 documents"
expect 5 "${library[@]}" export lib/ -o lib.jsonl.zst
expect 0 "${library[@]}" export lib/ -o lib.jsonl.zst --overwrite -q
expect 2 "${library[@]}" export lib/ -o lib.txt
expect 0 "${library[@]}" create copy/ -q
expect 0 "${library[@]}" import copy/ lib.jsonl.zst -q
expect 0 "${library[@]}" export copy/ -o copy.jsonl.zst -q
check "a copy exports the same bytes" cmp lib.jsonl.zst copy.jsonl.zst
expect 0 "${library[@]}" remove lib/ v -q
"${library[@]}" export lib/ --all >all.jsonl
expect 0 "${library[@]}" create history/ -q
expect 0 "${library[@]}" import history/ - <all.jsonl
has "$out" "62 documents added, 1 updated, 2 removed again"
"${library[@]}" export history/ --all >again.jsonl
check "the history is the same" cmp all.jsonl again.jsonl
expect 2 "${library[@]}" import history/ all.jsonl --title-field title
expect 2 "${library[@]}" export lib/ all.jsonl

# --- which parts of a document another one has ---
printf '{"id":"p","title":"春晓","author":"孟浩然","date":"2024-05-01","text":%s}\n' \
  '"春眠不觉晓。\n处处闻啼鸟。"' >p.jsonl
printf '{"headline":"春曉","date":"2024年5月1日","text":%s}\n' \
  '"春眠不觉晓。\n到处闻啼鸟。"' >q.jsonl
head -c 32 /dev/zero >key
expect 0 "${library[@]}" add lib/ p.jsonl -q
expect 0 "${library[@]}" verify lib/ p q.jsonl:1 --metadata title=headline --json
findings() { python3 -c 'import json
print(*(part["finding"] for part in json.loads(open(".out").readline())["parts"]))'; }
equals "$(findings)" "equal only_in_library equal missing missing different equal missing"
unkeyed=$(field parts 0 stored)
expect 0 "${library[@]}" verify lib/ p q.jsonl:1 --metadata title=headline --json --key-file key
equals "$(findings)" "equal only_in_library equal missing missing different equal missing"
lacks "$out" "$unkeyed"
keyed=$(field parts 0 stored)
expect 0 "$zhiwen" fingerprint -s metadata --key-file key p.jsonl
has "$out" "\"value\":\"$keyed"
expect 0 "${library[@]}" verify lib/ p p.jsonl:1
lacks "$out" different
has "$out" title
expect 4 "${library[@]}" verify lib/ nobody p.jsonl:1
expect 2 "${library[@]}" verify lib/ p
expect 2 "${library[@]}" stats lib/ --key-file key

finish
