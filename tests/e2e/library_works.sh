#!/usr/bin/env bash
# Works, owners and dates of a library: folders of novels, a manifest, catalogs of schema 1.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
export root
library=("$zhiwen" library)
field() { python3 -c 'import json, sys
value = json.loads(open(".out").readline())
for key in sys.argv[1:]:
    value = value[int(key) if key.isdigit() else key]
print(value)' "$@"; }

# --- two novels in folders, of which a manifest says whose they are ---
python3 - <<'PY'
import json, os
records = [json.loads(line) for line in open(os.environ["root"] + "/testdata/demo/novels.jsonl")]
def write(book, part, text):
    path = "novels/" + book + "/" + part + ".txt"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "w").write(text)
texts = [r["text"] for r in records if r["id"].startswith("sanguo-sa")]
for number, text in zip((1, 2, 3, 10), texts):
    write("三国演义", f"第{number}回", text)
others = [r["text"] for r in records if not r["id"].startswith("sanguo")]
write("另一部", "卷一/第一章", others[0])
write("另一部", "卷一/第十章", others[1])
write("另一部", "卷一/第二章", others[2])
PY
cat >works.csv <<'CSV'
work,path,title,author,owner,licence,first_publication
三国演义,,三国志通俗演义,罗贯中,甲社,独家,2024-03-01
,novels/另一部,,,乙社,,
没有这部,,,,丙社,,
CSV
expect 0 "${library[@]}" create lib/ -q
expect 0 "${library[@]}" add lib/ novels/ --manifest works.csv
has "$out" "7 documents added in "
has "$out" "; 2 works added"
has "$err" '1 record of the manifest "works.csv" is about no document of the inputs: "没有这部"'
expect 0 "${library[@]}" add lib/ novels/ --manifest works.csv
has "$out" "0 documents added, 7 unchanged in "
has "$out" "; 0 of 7 documents overlap works of other owners"
lacks "$out" "works added"
expect 0 "${library[@]}" list lib/ --works --json
equals "$(count <.out) $(field work) $(field title) $(field author) $(field owner) $(field parts)" \
  "2 三国演义 三国志通俗演义 罗贯中 甲社 4"
equals "$(field licence) $(field first_publication)" "独家 2024-03-01"
# What is listed is a manifest, also beside documents that have an owner and no work.
printf '{"id":"无作品","text":"只知道属于谁。","owner":"甲社"}\n' >owned.jsonl
expect 0 "${library[@]}" create owned -q
expect 0 "${library[@]}" add owned novels/ owned.jsonl --manifest works.csv -q
"${library[@]}" list owned --works --json >listed.jsonl
expect 0 "${library[@]}" create relisted -q
expect 0 "${library[@]}" add relisted novels/ --manifest listed.jsonl -q
"${library[@]}" list relisted --works --json >relisted.jsonl
check "the listed works are the manifest of the same" cmp listed.jsonl relisted.jsonl
expect 0 "${library[@]}" list lib/ --works --json
expect 0 "${library[@]}" list lib/ --works
has "$out" "另一部	3 parts	"
has "$out" "	甲社	《三国志通俗演义》 罗贯中"
expect 0 "${library[@]}" list lib/ --work 三国演义 --json
equals "$(python3 -c 'import json
print(*(json.loads(line)["part"] for line in open(".out")))')" "第1回 第2回 第3回 第10回"
expect 0 "${library[@]}" list lib/ --work 另一部
equals "$(cut -f 8 .out | paste -sd' ')" "卷一/第一章 卷一/第二章 卷一/第十章"
expect 0 "${library[@]}" show lib/ novels/三国演义/第2回.txt --json
equals "$(field work) $(field part) $(field owner) $(field kind) $(field decoy)" \
  "三国演义 第2回 甲社 original False"
equals "$(field work_title) $(field work_author)" "三国志通俗演义 罗贯中"
expect 0 "${library[@]}" show lib/ novels/三国演义/第2回.txt
has "$out" "	三国演义	第2回	《三国志通俗演义》 罗贯中"
expect 0 "$zhiwen" query lib/ --like novels/三国演义/第2回.txt --json
equals "$(field documents 0 document work_title)" 三国志通俗演义
expect 0 "$zhiwen" check lib/ novels/三国演义/第2回.txt --html page.html -q
check "the page has the title of the work" grep -q 三国志通俗演义 page.html
expect 0 "$zhiwen" check lib/ novels/三国演义/第2回.txt --date 2024-03-02
has "$(tr -s ' ' <.out)" "先后 first 我方 ours 2024-03-01 (作品 work) · 对方 theirs 2024-03-02"
expect 0 "$zhiwen" check lib/ novels/三国演义/第2回.txt --json
equals "$(field matches 0 document work) $(field matches 0 document part)" "三国演义 第2回"
equals "$(field matches 0 document work_title)" 三国志通俗演义
expect 0 "${library[@]}" stats lib/ --json
has "$out" '"works": 2'
has "$out" '"owners": 2'
expect 0 "${library[@]}" stats lib/
has "$out" "2, of 2 owners"

# --- what is said of a work changes no document; another work does ---
sed -i 's/乙社/丁社/' works.csv
expect 0 "${library[@]}" add lib/ novels/ --manifest works.csv
has "$out" "0 documents added, 7 unchanged in "
has "$out" "; 0 works added, 1 updated"
mv novels/另一部 novels/改名
expect 0 "${library[@]}" add lib/ novels/改名/卷一/第一章.txt
has "$out" "1 document added in "
has "$out" "; it has the text of another document of the library"
lacks "$out" "works"
has "$err" "1 text belongs to no work"

# --- texts that belong to no work, where there are works ---
expect 0 "${library[@]}" create loose -q
cat >book.csv <<'CSV'
work,owner
三国演义,甲社
CSV
expect 0 "${library[@]}" add loose novels/三国演义/ --manifest book.csv
has "$err" "4 texts belong to no work; add the folder above the folders of works (novels/, "
has "$err" "not novels/BOOK/)"
expect 0 "${library[@]}" create loose2 -q
expect 0 "${library[@]}" add loose2 novels/改名/卷一/第一章.txt
lacks "$err" "no work"
expect 0 "${library[@]}" add loose2 novels
equals "$err" ""
expect 0 "${library[@]}" add loose2 novels/改名/卷一/第一章.txt # it keeps its work
equals "$err" ""
cp novels/改名/卷一/第一章.txt novels/改名/第四章.txt
expect 0 "${library[@]}" add loose2 novels/改名/第四章.txt --json
has "$err" "1 text belongs to no work"
has "$out" '"texts_without_work": 1'
rm novels/改名/第四章.txt

# --- a manifest in the folder of novels, and one with fields of other names ---
cat >novels/works.csv <<'CSV'
work,publisher,date,owner
三国演义,甲社,2024-03-01,
改名,乙社,2024-03-01,丙社
CSV
expect 0 "${library[@]}" create within -q
expect 0 "${library[@]}" add within "$work/novels" --manifest novels/works.csv
has "$out" "7 documents added in "
equals "$err" "zhiwen: warning: ignored fields of the manifest \"novels/works.csv\": \
\"publisher\", \"date\"; 1 of its 2 records has no owner"
expect 4 "${library[@]}" add within novels
has "$err" "passed over 7 texts below"
rm novels/works.csv
expect 0 "${library[@]}" list within --works --json
mv .out listed.jsonl
expect 0 "${library[@]}" add within novels --manifest listed.jsonl
equals "$err" ""

# --- who was first ---
python3 - <<'PY'
import json
text = open("novels/三国演义/第2回.txt").read()
with open("dated.jsonl", "w") as out:
    for name, date in (("later", "2024-03-02"), ("year", "2024"), ("same", "2024年3月1日"),
                       ("earlier", "2024/2/28"), ("undated", "")):
        record = {"id": name, "text": text, "date": date, "seen": "2020-01-01"}
        print(json.dumps(record, ensure_ascii=False), file=out)
PY
expect 0 "$zhiwen" check lib/ dated.jsonl --json
equals "$(python3 -c 'import json
print(*(json.loads(line)["precedence"] for line in open(".out")))')" \
  "ours unknown unknown theirs unknown"
equals "$(field matches 0 precedence) $(field matches 0 dates ours)" \
  "ours {'date': '2024-03-01', 'from': 'work'}"
equals "$(field matches 0 dates theirs)" "{'date': '2024-03-02', 'from': 'record'}"
expect 0 "$zhiwen" check lib/ dated.jsonl
has "$(tr -s ' ' <.out)" "先后 first 我方 ours 2024-03-01 (作品 work) · 对方 theirs 2024-03-02"
has "$(tr -s ' ' <.out)" "先后 first 对方 theirs 2024/2/28 · 我方 ours 2024-03-01 (作品 work)"
has "$(tr -s ' ' <.out)" "先后 first 不明 unknown: 我方 ours 2024-03-01 (作品 work) · 对方 theirs 2024"
expect 0 "$zhiwen" check lib/ dated.jsonl --json --date-field seen
equals "$(field precedence)" theirs
expect 2 "$zhiwen" check lib/ dated.jsonl --date 昨天
has "$err" '"昨天" is no date'
echo '{"id":"x","text":"无关","date":"昨天"}' >undated.jsonl
expect 0 "$zhiwen" check lib/ undated.jsonl
has "$err" 'the dates of 1 document cannot be read, the first is "昨天"'
expect 4 "$zhiwen" check lib/ dated.jsonl --date-field day
has "$err" 'no record has a value in the field "day" (--date-field)'
expect 0 "$zhiwen" check lib/ novels/三国演义/第2回.txt --json
equals "$(field precedence) $(field matches 0 dates theirs from)" "unknown None"

# --- overlaps with works of other owners ---
python3 - <<'PY'
import json
text = open("novels/三国演义/第3回.txt").read()
other = "此文与书无关，全不相干，也没有人抄过。" * 8
with open("others.jsonl", "w") as out:
    for name, owner, body in (("copy", "戊社", text + "（完）"), ("part", "戊社", text[200:900]),
                              ("repost", "甲社", text), ("mine", "戊社", other),
                              ("yours", "己社", other), ("nobodys", "", text)):
        print(json.dumps({"id": name, "owner": owner, "text": body}, ensure_ascii=False), file=out)
PY
overlaps() { python3 -c 'import json
for line in open("overlaps.jsonl"):
    found = json.loads(line)
    other = found["document"]
    print(found["id"], found["owner"], found["relation"], other["id"].split("/")[-1],
          other["work"], other["owner"])'; }
wanted="copy 戊社 near 第3回.txt 三国演义 甲社
copy 戊社 near repost  甲社
part 戊社 contained 第3回.txt 三国演义 甲社
part 戊社 contained repost  甲社
repost 甲社 near copy  戊社
repost 甲社 contains part  戊社
mine 戊社 same yours  己社
yours 己社 same mine  戊社"
cp -r lib other
expect 0 "${library[@]}" add other others.jsonl --overlaps overlaps.jsonl
has "$out" "; 5 of 5 documents overlap works of other owners"
equals "$(overlaps)" "$wanted"
expect 0 "${library[@]}" add other others.jsonl --overlaps overlaps.jsonl
has "$out" "0 documents added, 6 unchanged in "
equals "$(overlaps)" "$wanted" "the overlaps of documents that are there already"
expect 0 "${library[@]}" add other others.jsonl --json
change() { python3 -c 'import json
print(json.dumps(json.load(open(".out"))["change"]))'; }
counts='{"added": 0, "updated": 0, "unchanged": 6, "removed": 0, '
counts+='"works_added": 0, "works_updated": 0, '
counts+='"equal_texts": 0, "empty": 0, "repeated_ids": 0, "first_repeated_id": "", '
counts+='"texts_without_work": 0, "contradicted_owners": 0, "first_contradicted_id": "", '
equals "$(change)" "$counts"'"overlaps": {"compared": 5, "overlapping": 5, "truncated": 0}}'
expect 0 "${library[@]}" add other others.jsonl
has "$out" "(--overlaps FILE lists them)"
expect 0 "${library[@]}" add other others.jsonl --no-overlaps
lacks "$out" "; "
expect 2 "${library[@]}" add other others.jsonl --no-overlaps --overlaps overlaps.jsonl
echo mine >mine.jsonl
expect 5 "${library[@]}" add other others.jsonl --overlaps mine.jsonl
equals "$(cat mine.jsonl)" mine

# --- records, owners and decoys ---
cat >records.jsonl <<'JSONL'
{"id":"p1","text":"书中的第一篇，写得很短，不过十几个字。","book":"短篇集","chapter":1,"rights":"戊社"}
{"id":"p2","text":"书中的第二篇，写得也很短，不过十几个字。","book":"短篇集","chapter":2,"rights":"己社"}
{"id":"p3","text":"不属于任何书的一篇文章。"}
JSONL
expect 0 "${library[@]}" add lib/ records.jsonl --work-field book --part-field chapter \
  --owner-field rights --owner 庚社 --decoy
has "$out" "2 documents added in "
has "$err" 'another_owner: its work "短篇集" belongs to "戊社", as an earlier document says, and not to'
expect 0 "${library[@]}" show lib/ p1 --json
equals "$(field work) $(field part) $(field owner) $(field kind) $(field decoy)" \
  "短篇集 1 戊社 decoy True"
expect 0 "${library[@]}" show lib/ p3 --json
equals "$(field work) $(field owner)" " 庚社"
expect 0 "${library[@]}" list lib/ --works
has "$out" "(no work)	1 part	"
# A record or an option does not change whose a work is; a manifest does.
printf '{"id":"p5","text":"书中的第三篇，写得还是很短。","work":"短篇集"%s}\n' ',"owner":"己社"' >p5.jsonl
expect 3 "${library[@]}" add lib/ p5.jsonl
has "$err" 'another_owner: its work "短篇集" belongs to "戊社" in the library, and not to "己社"'
has "$err" 'a manifest changes the owner of a work'
printf '{"id":"p5","text":"书中的第三篇，写得还是很短。","work":"短篇集"}\n' >p5.jsonl
expect 3 "${library[@]}" add lib/ p5.jsonl --owner 己社
has "$err" 'belongs to "戊社" in the library, and not to "己社"'
expect 4 "${library[@]}" show lib/ p5
expect 0 "${library[@]}" show lib/ p1 --json
equals "$(field owner)" 戊社
printf 'work,owner\n短篇集,己社\n' >sold.csv
expect 0 "${library[@]}" add lib/ p5.jsonl --manifest sold.csv
has "$out" "; 0 works added, 1 updated"
expect 0 "${library[@]}" show lib/ p1 --json
equals "$(field owner)" 己社
sed -i 's/己社/戊社/' sold.csv
expect 0 "${library[@]}" add lib/ p5.jsonl --manifest sold.csv
lacks "$err" "another owner"
# A record that names another owner than the manifest is told; its owner counts.
cat >own.jsonl <<'JSONL'
{"id":"p5","text":"书中的第三篇，写得还是很短。","work":"短篇集","owner":"戊社"}
{"id":"p6","text":"书中的第四篇，写得还是很短。","work":"短篇集","owner":"戊社"}
{"id":"p7","text":"不在清单中的书。","work":"别的书","owner":"庚社"}
JSONL
expect 0 "${library[@]}" add lib/ own.jsonl --manifest sold.csv
lacks "$err" "another owner"
sed -i 's/戊社/己社/' sold.csv
expect 0 "${library[@]}" add lib/ own.jsonl --manifest sold.csv --json
has "$err" '2 records name another owner of their work than the manifest "sold.csv", and'
has "$err" 'of "p5" it is "戊社", and by the manifest "己社", …; make both the same, or leave'
has "$out" '"contradicted_owners": 2,
    "first_contradicted_id": "p5"'
expect 0 "${library[@]}" show lib/ p5 --json
equals "$(field owner)" 戊社
expect 0 "${library[@]}" remove lib/ p5 p6 p7 --purge
expect 0 "${library[@]}" add lib/ records.jsonl --licensed
has "$out" "1 document added, 2 updated in "
expect 0 "${library[@]}" fsck lib/
expect 0 "${library[@]}" remove lib/ p3 --purge
expect 0 "${library[@]}" fsck lib/

# --- a work is removed whole ---
cp -r lib works
expect 0 "${library[@]}" remove works --work 三国演义
equals "$out" "works: 4 documents removed"
expect 4 "${library[@]}" list works --work 三国演义
expect 0 "${library[@]}" list works --all --json
equals "$(grep '"state":"removed"' .out | grep -c '"work":"三国演义"')" 4
check "the title of the work is in the files" grep -aq 三国志通俗演义 works/catalog.sqlite*
expect 4 "${library[@]}" remove works --work 三国演义
has "$err" '"works" has no work "三国演义"'
expect 0 "${library[@]}" remove works --work 三国演义 --purge
equals "$out" "works: 4 documents purged"
expect 4 "${library[@]}" show works novels/三国演义/第2回.txt
has "$err" "purged"
! grep -aq 三国志通俗演义 works/catalog.sqlite* || fails "the title of a purged work is in the files"
expect 0 "${library[@]}" fsck works
expect 2 "${library[@]}" remove works --work 短篇集 p1
for work_of in 先 后; do # m moves from one work to another
  printf '{"id":"m","text":"一章","work":"%s"}\n' $work_of >moves.jsonl
  [[ $work_of == 后 ]] || printf '{"id":"n","text":"又一章","work":"先"}\n' >>moves.jsonl
  expect 0 "${library[@]}" add works moves.jsonl -q
done
expect 0 "${library[@]}" remove works --work 先 --purge
equals "$out" "works: 1 document purged"
has "$err" 'the work "先" is not gone whole: earlier versions of 1 document are of it, and stay: "m"'
expect 4 "${library[@]}" remove works --work 先 --purge
has "$err" '"works" has no document whose newest version is of the work "先"; earlier versions of 1'
has "$err" "remove --purge with ids purges all versions, add what is to stay again"
expect 0 "${library[@]}" remove works m --purge
expect 4 "${library[@]}" remove works --work 先 --purge
has "$err" '"works" has no work "先"'
expect 0 "$zhiwen" check works novels/三国演义/第2回.txt --json
equals "$(field verdict)" none

# --- what cannot be ---
expect 2 "${library[@]}" add lib/ records.jsonl --decoy --licensed
expect 2 "${library[@]}" list lib/ --works --all
printf '{"id":"p4","text":"还没有收进来的一篇文章。"}\n' >p4.jsonl
expect 4 "${library[@]}" add lib/ records.jsonl p4.jsonl --work-field boook
has "$err" 'none of the first 4 records has the field "boook" (--work-field)'
has "$err" '; the first record has "id", "text", "book"'
expect 4 "${library[@]}" add lib/ - --id-field nummer <p4.jsonl
has "$err" 'the first record does not have a value in the id field "nummer" (--id-field)'
lacks "$err" "add the same again"
expect 4 "${library[@]}" show lib/ p4
expect 4 "${library[@]}" list lib/ --work 无此书
has "$err" '"lib/" has no work "无此书"'
expect 2 "${library[@]}" list lib/ --owner 甲社
expect 4 "${library[@]}" add lib/ novels/ --manifest none.csv
for nothing in none.jsonl none.csv; do
  printf '%s' "$([[ $nothing != *.csv ]] || echo work,owner)" >$nothing
  expect 3 "${library[@]}" add lib/ novels/ --manifest $nothing
  has "$err" "the manifest \"$nothing\" has no record"
done
printf '{"work":"甲"}\n{"owner":"乙"}\n' >bad.jsonl
expect 3 "${library[@]}" add lib/ novels/ --manifest bad.jsonl
has "$err" 'cannot use record 2 of the manifest "bad.jsonl"'
printf 'work,first_publication\n甲,昨天\n' >bad.csv
expect 3 "${library[@]}" add lib/ novels/ --manifest bad.csv
has "$err" 'record 1 of the manifest "bad.csv": first_publication is "昨天", which is no date'
printf 'work,owner\n甲,一\n甲,二\n' >twice.csv
expect 3 "${library[@]}" add lib/ novels/ --manifest twice.csv
has "$err" 'record 2 of the manifest "twice.csv": an earlier record is about the work "甲", too'

# --- a catalog of schema 1 is left as it is by readers, and brought to the newest by a writer ---
mkdir old
sqlite() { python3 -c 'import sqlite3, sys
connection = sqlite3.connect("old/catalog.sqlite")
connection.executescript(sys.stdin.read())' <<<"$1"; }
sqlite "$(cat "$root/src/store/sqlite/testdata/catalog_v1.sql")
DELETE FROM setting WHERE name LIKE 'incarnation.%';"
before=$(sha256sum <old/catalog.sqlite)
expect 3 "${library[@]}" list old
has "$err" 'it names no index "near"; zhiwen library compact old makes the index anew'
equals "$(sha256sum <old/catalog.sqlite)" "$before" "a reader wrote to the catalog"
printf '{"id":"静夜思","text":"床前明月光，疑是地上霜。举头望明月，低头思故乡。","work":"李白诗"}\n' >new.jsonl
expect 0 "${library[@]}" add old new.jsonl
has "$out" "0 documents added, 1 updated in "
expect 0 "${library[@]}" list old --works
has "$out" "李白诗"
expect 0 "${library[@]}" list old --all --json
equals "$(count <.out)" 8
expect 0 "${library[@]}" fsck old
equals "$out" "old: whole, 4 documents"
echo "床前明月光，疑是地上霜。举头望明月，低头思故乡" >page.txt
expect 0 "$zhiwen" check old page.txt --json
equals "$(grep -o '"work":"[^"]*"' .out | sort | paste -sd' ')" '"work":"" "work":"李白诗"'

finish
