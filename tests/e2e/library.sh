#!/usr/bin/env bash
# library create, add, remove, list, show, stats, fsck, compact, and check, as users meet them.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
library=("$zhiwen" library)

# --- a library of chapters ---
expect 0 "${library[@]}" create lib/
equals "$out" "lib/: a library of profile news, 0 documents"
expect 5 "${library[@]}" create lib/
has "$err" "there is one already"
head -n 60 "$root/testdata/demo/novels.jsonl" >novels.jsonl
expect 0 "${library[@]}" add lib/ novels.jsonl
has "$out" "60 documents added in "
expect 0 "${library[@]}" add lib/ novels.jsonl
has "$out" "0 documents added, 60 unchanged in "
expect 0 "${library[@]}" list lib/
equals "$(count <.out)" 60

# --- what is known, in other forms, and what is not ---
field() { python3 -c 'import json, sys
value = json.loads(open(".out").readline())
for key in sys.argv[1:]:
    value = value[int(key) if key.isdigit() else key]
print(value)' "$@"; }
python3 - <<'PY'
import json
records = [json.loads(line) for line in open("novels.jsonl")]
text, name = records[7]["text"], records[7]["id"]
open("id", "w").write(name)
open("same.txt", "w").write(text)
open("folded.txt", "w").write(text.replace("，", " ").replace("。", "．"))
open("near.txt", "w").write("转载自某处\n" + text + "\n（本章完）")
open("other.txt", "w").write("此文与书无关，全不相干。" * 5)
open("gbk.txt", "wb").write(text.encode("gb18030"))
PY
id=$(cat id)
for form in same folded near gbk; do
  expect 0 "$zhiwen" check lib/ $form.txt --json
  equals "$(field matches 0 document id)" "$id" "the match of $form.txt"
  equals "$(field truncated)" False
done
expect 0 "$zhiwen" check lib/ near.txt --json
equals "$(field verdict)" near
expect 0 "$zhiwen" check lib/ folded.txt --json
equals "$(field verdict) $(field matches 0 channel)" "same folded.v3"
expect 1 "$zhiwen" check lib/ same.txt --exit-code
has "$out" "same.txt
结论 verdict"
has "$out" "相同文本 the same text"
has "$out" "$id"
expect 0 "$zhiwen" check lib/ other.txt --exit-code
has "$out" "结论 verdict   未见 not known"
expect 0 "$zhiwen" check lib/ - --format text --json <same.txt
equals "$(field verdict)" same
expect 0 "$zhiwen" check lib/ novels.jsonl --json
equals "$(count <.out) $(grep -c '"verdict":"same"' .out)" "60 60"
expect 2 "$zhiwen" check lib/ same.txt --least 3

# --- a record that a path names is shown as a text is ---
expect 0 "$zhiwen" check lib/ novels.jsonl:8
has "$out" "结论 verdict"
has "$out" "$id"
expect 1 "$zhiwen" check lib/ "novels.jsonl:id=$id" --json --exit-code
equals "$(count <.out) $(field id) $(field verdict)" "1 $id same"
expect 0 "$zhiwen" check lib/ novels.jsonl:8 novels.jsonl:9 --json
equals "$(count <.out)" 2
expect 4 "$zhiwen" check lib/ novels.jsonl:61
has "$err" '"novels.jsonl" has no record 61: it has 60 records'

# --- parts of originals, and texts made of several ---
python3 - <<'PY'
import json
records = [json.loads(line) for line in open("novels.jsonl")]
texts = [r["text"] for r in records if len(r["text"]) > 2500]
open("part.txt", "w").write(texts[3][500:900])
other = "".join("此文与书无关，全不相干。第%d段。" % i for i in range(60))
open("mixed.txt", "w").write(other + texts[5][800:1000])
PY
expect 0 "$zhiwen" check lib/ part.txt --json
equals "$(field verdict) $(field matches 0 relation)" "contained contained"
expect 0 "$zhiwen" check lib/ mixed.txt --json
equals "$(field verdict) $(field matches 0 passages 0 kind)" "passages verbatim"
expect 0 "$zhiwen" check lib/ mixed.txt
has "$out" "部分相同 shares passages"

# --- versions, removal, labels ---
printf '{"id":"v","text":"第一版的正文，够长才好比较一二三四五。","title":"旧题","date":"2026-01-01"}\n' >v.jsonl
expect 0 "${library[@]}" add lib/ v.jsonl -q
equals "$out" ""
sed -i 's/旧题/新题/' v.jsonl
expect 0 "${library[@]}" add lib/ v.jsonl
has "$out" "0 documents added, 1 updated in "
expect 0 "${library[@]}" show lib/ v --json
equals "$(field version) $(field state) $(field title)" "2 live 新题"
expect 0 "${library[@]}" show lib/ v
has "$out" superseded
has "$out" 第一版的正文
expect 4 "${library[@]}" show lib/ nobody
has "$err" '"lib/" has no document "nobody"'
expect 4 "${library[@]}" remove lib/ v nobody
has "$out" "lib/: 1 document removed"
has "$err" '1 id is not in the library, the first is "nobody"'
printf '{"id":"secret","text":"不可外传的一段文字，天知地知，你知我知，他人不知。"}\n' >s.jsonl
expect 0 "${library[@]}" add lib/ s.jsonl -q
expect 0 "${library[@]}" remove lib/ secret --purge
equals "$out" "lib/: 1 document purged"
expect 0 "$zhiwen" check lib/ s.jsonl --json
equals "$(field verdict)" none
expect 4 "${library[@]}" show lib/ secret
has "$err" "purged"
echo "$id" >ids.txt
expect 0 "${library[@]}" remove lib/ --ids ids.txt
expect 0 "$zhiwen" check lib/ near.txt --json
lacks "$out" "\"$id\""
expect 0 "${library[@]}" list lib/ --all --json
equals "$(count <.out) $(grep -c '"state":"removed"' .out)" "63 3"
expect 0 "${library[@]}" stats lib/ --json
has "$out" '"documents": 59'
has "$out" '"superseded": 1'
expect 0 "${library[@]}" stats lib/
has "$out" "beside the texts"
expect 0 "${library[@]}" compact lib/
expect 0 "${library[@]}" fsck lib/
equals "$out" "lib/: whole, 59 documents"

# --- what a user may not have meant, and is told ---
mkdir -p pages
printf '网页上的第一篇正文，与别的不同。' >pages/1.txt
printf '网页上的第二篇正文，也与别的不同。' >pages/2.txt
printf ' 。\n' >pages/3.txt
expect 0 "${library[@]}" create told/ -q
expect 0 "${library[@]}" add told/ pages
has "$out" "; 1 of them is empty (nothing but spaces and punctuation)"
lacks "$out" "of another document"
expect 0 "${library[@]}" add told/ "$work/pages" # the same folder, typed otherwise
has "$out" "3 documents added in "
has "$out" "; 2 of them have the texts of other documents of the library; 1 of them is empty"
lacks "$err" "no work"
for text in 甲 乙; do
  printf '{"id":"a","text":"%s"}\n{"id":"b","text":"同样的"}\n{"id":"c","text":"%s"}\n' $text $text
done >twice.jsonl
expect 0 "${library[@]}" add told/ twice.jsonl
has "$err" '2 ids came more than once with different texts or labels, and the last of them'
has "$err" ' stands: "a", …'
expect 0 "${library[@]}" add told/ twice.jsonl --json
equals "$(python3 -c 'import json
added = json.load(open(".out"))["change"]
print(added["added"], added["updated"], added["unchanged"], added["equal_texts"], added["empty"],
      added["repeated_ids"], added["first_repeated_id"])')" "0 4 2 2 0 2 a"
expect 0 "${library[@]}" export told/ --all -o told.jsonl
expect 0 "${library[@]}" create told2/ -q
expect 0 "${library[@]}" import told2/ told.jsonl
equals "$err" "" # a history has many versions

# --- what cannot be ---
expect 4 "${library[@]}" add nowhere/ novels.jsonl
has "$err" '"nowhere/" is no library; zhiwen library create nowhere/ makes one'
expect 4 "$zhiwen" check nowhere/ same.txt
expect 4 "${library[@]}" add lib/ nothing.jsonl
expect 2 "${library[@]}" add lib/
expect 2 "${library[@]}" stats lib/ same.txt
expect 2 "${library[@]}" list lib/ --profile news
expect 2 "${library[@]}" create other/ --profile films
has "$err" 'there is no profile "films"; there is news'
expect 2 "${library[@]}" remove lib/

printf '{"id":"","text":"没有名字"}\n{"id":"named","text":"有名字的一篇"}\n' >empty.jsonl
expect 0 "${library[@]}" add lib/ empty.jsonl
has "$out" "1 document added"
has "$err" "empty_id"
expect 0 "${library[@]}" remove lib/ named named
equals "$out" "lib/: 1 document removed"
expect 0 "${library[@]}" fsck lib/

# --- damage is an error, never another answer ---
cp -r lib hurt
python3 - <<'PY' # a byte of the first text
data = bytearray(open("hurt/catalog.sqlite", "rb").read())
data[data.find(b"\x28\xb5\x2f\xfd") + 30] ^= 1
open("hurt/catalog.sqlite", "wb").write(data)
PY
expect 3 "${library[@]}" fsck hurt
has "$out" "is damaged: the row of text"
expect 3 "${library[@]}" fsck hurt --json
checked() { python3 -c 'import json
checked = json.load(open(".out"))
print(checked["library"], checked["documents"], checked["behind"],
      *("the row of text" in problem for problem in checked["problems"]))'; }
equals "$(checked)" "hurt 59 0 True"
cp -r lib lost
rm -r lost/index
expect 3 "${library[@]}" fsck lost
expect 0 "${library[@]}" compact lost
has "$err" "made anew from the catalog"
expect 0 "${library[@]}" fsck lost
cp -r lib late
expect 0 "${library[@]}" add late v.jsonl -q
rm -r late/index
cp -r lib/index late/index
expect 0 "${library[@]}" fsck late
has "$out" "late: whole, 60 documents
late: the indexes are behind by 1 change; the next add or compact applies it"
expect 0 "${library[@]}" fsck late --json
equals "$(checked)" "late 60 1"
expect 0 "${library[@]}" compact late
expect 0 "${library[@]}" fsck late
equals "$out" "late: whole, 60 documents"
echo "no database" >hurt/catalog.sqlite
rm -f hurt/catalog.sqlite-*
expect 3 "$zhiwen" check hurt same.txt

# --- many documents (library_kills.py kills the programs that change them) ---
python3 - <<'PY'
import random
han = [chr(c) for c in range(0x4E00, 0x9000)]
for run in range(1, 9):
    with open(f"feed{run}.jsonl", "w") as feed:
        for i in range(6000):
            name = f"k{random.randrange(4000)}" if i % 3 == 0 else f"k{run}-{i}"
            text = "".join(random.choices(han, k=40))
            feed.write('{"id":"%s","text":"%s 第%d次"}\n' % (name, text, run))
PY

# --- asked to stop: what was read stays, and is said ---
expect 0 "${library[@]}" create stopped -q
cat feed*.jsonl feed*.jsonl >long.jsonl
: >acks
"${library[@]}" add stopped long.jsonl --acknowledge -q >acks 2>.told &
program=$!
for _ in {1..500}; do
  [[ ! -s acks ]] || break
  sleep 0.01
done
kill -INT "$program"
status=0
wait "$program" || status=$?
if ((status != 0)); then
  equals "$status" 130 "the status after SIGINT"
  has "$(cat .told)" 'in "stopped", add the same again to go on'
fi
expect 0 "${library[@]}" fsck stopped
expect 0 "${library[@]}" add stopped long.jsonl -q
expect 0 "${library[@]}" fsck stopped

# --- what a pipe has given is stored while it is quiet ---
expect 0 "${library[@]}" create piped -q
mkfifo records
: >stored
"${library[@]}" add piped - --format jsonl --acknowledge -q <records >stored 2>.told &
program=$!
exec 9>records
echo '{"id":"first","text":"一句话"}' >&9
for _ in {1..1000}; do
  [[ ! -s stored ]] || break
  sleep 0.01
done
equals "$(cat stored)" 1 "acknowledged before more comes"
exec 9>&-
wait "$program" || fails "add from a pipe" "$(cat .told)"

# --- a reader asks while another program adds ---
expect 0 "${library[@]}" create busy -q
"${library[@]}" add busy feed*.jsonl -q >/dev/null 2>.told &
program=$!
looks=0
while kill -0 "$program" 2>/dev/null; do
  expect 0 "$zhiwen" check busy other.txt --json
  equals "$(field verdict)" none
  looks=$((looks + 1))
done
wait "$program" || fails "add, while others ask" "$(cat .told)"
((looks > 0)) || fails "nobody asked"
expect 0 "${library[@]}" fsck busy

finish
