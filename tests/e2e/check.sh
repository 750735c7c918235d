#!/usr/bin/env bash
# check as people use it: one text, many, in batches to a file, in scripts. The page in a browser is
# check_page.sh; libraries are library.sh.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

head -n 30 "$root/testdata/demo/novels.jsonl" >novels.jsonl
python3 - <<'PY'
import json
records = [json.loads(line) for line in open("novels.jsonl")]
text = records[1]["text"]
open("same.txt", "w").write(text)
open("near.txt", "w").write("转载\n" + text.replace("，", ",") + "完")
open("other.txt", "w").write("此文与书无关，全不相干。" * 5)
long = [record["text"] for record in records]
open("mixed.txt", "w").write("此文与书无关，全不相干。" * 9 + long[3][500:700] + long[5][100:400])
with open("feed.jsonl", "w") as feed:
    for name in ("same", "other", "near", "mixed", "other", "other"):
        feed.write(json.dumps({"id": name, "text": open(name + ".txt").read()}) + "\n")
ids = [record["id"] for record in records]
open("id", "w").write(ids[1])
PY
expect 0 "$zhiwen" library create lib -q
expect 0 "$zhiwen" library add lib novels.jsonl -q

# --- one text: all figures, and nothing that is unknown ---
expect 0 "$zhiwen" check lib near.txt
has "$out" "near.txt
结论 verdict"
has "$out" "近似副本 near copy"
has "$out" "of suspect"
has "$out" "范围 searched"
has "$out" "$(cat id)"
lacks "$out" "界限 bound"
expect 0 "$zhiwen" check lib other.txt
equals "$out" "other.txt
结论 verdict   未见 not known
范围 searched  30 documents · exact, folded"
expect 0 "$zhiwen" check lib mixed.txt
has "$out" "原文 originals"
expect 0 "$zhiwen" check lib other.txt --matches-only
equals "$out" ""
expect 0 "$zhiwen" check lib near.txt -q
equals "$out" ""
: >empty.txt
expect 0 "$zhiwen" check lib empty.txt
has "$out" "空文本 nothing to compare"
echo 春眠不觉晓处处闻啼鸟 >short.txt
expect 0 "$zhiwen" check lib short.txt
has "$out" "below 22 characters"
expect 0 "$zhiwen" check lib near.txt --least 1
has "$out" "低于下限 nothing of at least --least"
expect 0 "$zhiwen" check lib empty.txt other.txt same.txt
has "$out" "3 documents: 相同 same 1 · 未见 none 1 · 空 empty 1"
expect 4 "$zhiwen" check near.txt lib
has "$err" '"near.txt" is no library'

# --- many: a line or two each in their order, then the counts ---
expect 0 "$zhiwen" check lib feed.jsonl
equals "$(grep -oE '^(same|other|near|mixed):' .out | tr '\n' ' ')" \
  "same: other: near: mixed: other: other: "
has "$out" "other: 未见 not known
near: 近似副本 near copy · 可疑文"
has "$out" "  原文 original  "
has "$out" "
6 documents: 相同 same 1 · 近似 near 1 · 部分 passages 1 · 未见 none 3
范围 searched 30 documents · exact, folded"
expect 0 "$zhiwen" check lib feed.jsonl --matches-only
lacks "$out" "other:"
has "$out" "未见 none 3"
expect 0 "$zhiwen" check lib feed.jsonl --json
cp .out all.jsonl
equals "$(count <.out)" 6
expect 0 "$zhiwen" check lib feed.jsonl --json --matches-only
equals "$(count <.out) $(grep -c '"verdict":"none"' .out || true)" "3 0"
cp .out matching.jsonl

# --- to a file: the same lines, whole or not there ---
expect 0 "$zhiwen" check lib feed.jsonl -o out.jsonl
check "the lines of the file are those of --json" cmp out.jsonl all.jsonl
has "$out" "out.jsonl: 6 documents: 相同 same 1"
has "$out" "documents/s"
lacks "$out" "near:"
expect 0 "$zhiwen" check lib feed.jsonl -o out.jsonl.zst --matches-only -q
equals "$out" ""
zstd -dc out.jsonl.zst >unpacked.jsonl
check "a compressed file has the same lines" cmp unpacked.jsonl matching.jsonl
expect 5 "$zhiwen" check lib feed.jsonl -o out.jsonl
has "$err" "--overwrite replaces it"
expect 0 "$zhiwen" check lib feed.jsonl -o out.jsonl --overwrite
echo mine >mine.jsonl
expect 5 "$zhiwen" check lib feed.jsonl -o mine.jsonl --overwrite
has "$err" "it is no check file of zhiwen"
expect 2 "$zhiwen" check lib feed.jsonl -o out.txt
has "$err" "*.jsonl.zst"
printf '{"id":"a","text":"完好的一篇"}\n' | gzip | head -c -9 >broken.jsonl.gz
expect 3 "$zhiwen" check lib broken.jsonl.gz -o broken.jsonl
expect 3 "$zhiwen" check lib broken.jsonl.gz -o made/for/broken.jsonl --html made/for/broken.html
[[ ! -e made ]] || fails "a folder stays that was made for the output of a run that failed"
check "a run that fails leaves no file" test ! -e broken.jsonl -a ! -e broken.jsonl.partial

# Stopped or killed: the old file stays; the next run begins again.
for _ in {1..200}; do cat feed.jsonl; done >long.jsonl
stopped_writer 130 INT out.jsonl "$zhiwen" check lib long.jsonl -o out.jsonl --overwrite -q
check "an interrupted run leaves nothing" test ! -e out.jsonl.partial
stopped_writer 137 KILL out.jsonl "$zhiwen" check lib long.jsonl -o out.jsonl --overwrite -q
expect 0 "$zhiwen" check lib long.jsonl -o out.jsonl --overwrite -q --threads 1
cp out.jsonl one.jsonl
expect 0 "$zhiwen" check lib long.jsonl -o out.jsonl --overwrite -q --threads 3
check "threads change no byte" cmp out.jsonl one.jsonl
equals "$(count <out.jsonl)" 1200

# --- a page, beside any other output ---
expect 0 "$zhiwen" check lib near.txt --html near.html
has "$out" "near.html: a page to open in a browser"
has "$out" "近似副本 near copy"
expect 5 "$zhiwen" check lib near.txt --html near.html
expect 1 "$zhiwen" check lib feed.jsonl --html near.html -o page.jsonl --overwrite --exit-code -q
check "-o and --html" cmp page.jsonl all.jsonl
expect 0 "$zhiwen" check lib near.txt --html json.html --json
equals "$(count <.out)" 1
for page in near.html json.html; do
  has "$(cat $page)" '<mark class="shared"'
  lacks "$(cat $page)" 'src='
done
expect 5 "$zhiwen" check lib near.txt --html out.jsonl --overwrite
has "$err" "it is no check page file of zhiwen"

# --- passages lead to the bytes of a page, an office file, and records of pages ---
python3 - <<'PY'
import json, zipfile
text = open("same.txt").read()
lines = [f"<p>{line[:60]}<b>{line[60:]}</b></p>" for line in text.split("\n") if line]
page = "<meta charset=gbk><title>书</title><div>首页 | 登录</div>" + "\n".join(lines)
open("page.html", "wb").write(page.encode("gb18030"))
open("pages.jsonl", "w").write(json.dumps({"id": "a", "text": page}) + "\n")
words = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
runs = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in text.split("\n") if line)
with zipfile.ZipFile("a.docx", "w", zipfile.ZIP_DEFLATED) as out:
    out.writestr("[Content_Types].xml", "<Types/>")
    body = f"<w:body>{runs}</w:body>"
    out.writestr("word/document.xml", f'<w:document xmlns:w="{words}">{body}</w:document>')
PY
expect 0 "$zhiwen" check lib page.html a.docx --json
cp .out documents.jsonl
expect 0 "$zhiwen" check lib pages.jsonl --text-format html --json
cp .out records.jsonl
expect 0 "$zhiwen" compare page.html same.txt --json
check "the bytes of passages" python3 - <<'PY'
import json, re, zipfile
text = re.sub(r"\s", "", open("same.txt").read())
page = open("page.html", "rb").read()
xml = zipfile.ZipFile("a.docx").read("word/document.xml")
record = json.load(open("pages.jsonl"))["text"].encode()
sources = [(page, "gb18030"), (xml, "utf-8"), (record, "utf-8")]
answers = [json.loads(line) for name in ("documents", "records") for line in open(name + ".jsonl")]
assert [answer.get("member") for answer in answers] == [None, "word/document.xml", None]
for answer, (source, encoding) in zip(answers, sources, strict=True):
    assert answer["verdict"] == "same", answer
    for passage in answer["matches"][0]["passages"]:
        begin, end = passage["suspect"]["source"]
        found = re.sub(r"<[^>]*>|\s", "", source[begin:end].decode(encoding))
        assert found in text and len(found) > 0.9 * len(text), (found[:80], len(found))
compared = json.load(open(".out"))
begin, end = compared["runs"][0]["a"]["source"]
assert re.sub(r"<[^>]*>|\s", "", page[begin:end].decode("gb18030")) in text
assert "source" not in compared["runs"][0]["b"]
PY

# Passages lead to the bytes of originals, too, and still do when the library was exported.
expect 0 "$zhiwen" library create originals -q
expect 0 "$zhiwen" library add originals page.html a.docx -q
expect 0 "$zhiwen" library export originals -o originals.jsonl
expect 0 "$zhiwen" library create copied -q
expect 0 "$zhiwen" library import copied originals.jsonl -q
for library in originals copied; do
  expect 0 "$zhiwen" check $library same.txt --json
  check "the bytes of originals in $library" python3 - <<'PY'
import json, re, zipfile
text = re.sub(r"\s", "", open("same.txt").read())
page = open("page.html", "rb").read()
xml = zipfile.ZipFile("a.docx").read("word/document.xml")
sources = {"page.html": (page, "gb18030", None), "a.docx": (xml, "utf-8", "word/document.xml")}
answer = json.loads(open(".out").readline())
assert len(answer["matches"]) == 2, answer
for match in answer["matches"]:
    source, encoding, member = sources[match["document"]["id"]]
    assert match["document"].get("member") == member, match
    for passage in match["passages"]:
        assert "source" not in passage["suspect"]
        begin, end = passage["original"]["source"]
        found = re.sub(r"<[^>]*>|\s", "", source[begin:end].decode(encoding))
        assert found in text and len(found) > 0.9 * len(text), (found[:80], len(found))
PY
done
expect 0 "$zhiwen" library fsck copied

# --- statuses and what does nothing ---
expect 1 "$zhiwen" check lib near.txt --exit-code -q
expect 0 "$zhiwen" check lib other.txt --exit-code -q
expect 0 "$zhiwen" check lib mixed.txt --exit-code -q --least 0.9 # they are only counted
expect 0 "$zhiwen" check lib mixed.txt --least 0.9 --html least.html
has "$(cat least.html)" "none as large as asked for: 6 matches are not listed"
rm least.html
has "$out" "未列 not listed"
expect 0 "$zhiwen" check lib mixed.txt other.txt --least 0.9
has "$out" "6 matches below --least"
expect 2 "$zhiwen" check lib near.txt --overwrite
has "$err" "--overwrite does nothing without -o FILE, --html FILE or --docx FILE"
expect 2 "$zhiwen" check lib near.txt -o x.jsonl --json
has "$err" "--json does nothing with -o FILE, which has these lines"
expect 2 "$zhiwen" check lib near.txt --html -
expect 2 "$zhiwen" check lib near.txt -o x.jsonl --html x.jsonl

# --- set phrases: what many different documents say is excluded, or only counted ---
python3 - <<'PY'
import json
phrase = "大会在雄壮的国歌声中开幕，与会代表全体起立，会场气氛庄严而又热烈。"
novels = [json.loads(line)["text"] for line in open("novels.jsonl")]
for name, count in (("many", 6), ("few", 3)):
    with open(name + ".jsonl", "w") as said:
        for i in range(count):
            text = novels[5 + i][:300] + phrase + novels[5 + i][300:350]
            said.write(json.dumps({"id": f"d{i}", "text": text}) + "\n")
open("said.txt", "w").write("别处的话，放在前面。" + phrase + novels[20][:300] + novels[5][100:250])
open("phrase.txt", "w").write("别处的话，放在前面。" + phrase)
PY
for name in many few; do
  expect 0 "$zhiwen" library create $name -q
  expect 0 "$zhiwen" library add $name $name.jsonl -q
done
expect 0 "$zhiwen" check many said.txt
has "$out" "原文 original       d0"
has "$out" "排除 excluded       30 字：套话 set phrases 30"
has "$out" "未列 not listed     5 documents with set phrases alone (--set-phrases lists them)"
expect 0 "$zhiwen" check many said.txt --json
has "$out" '"excluded":[{"reason":"set_phrase","passage":{"suspect":{"begin":10,'
has "$out" '"of_set_phrases":5'
expect 0 "$zhiwen" check many said.txt --set-phrases
has "$out" "原文 originals  6"
lacks "$out" "excluded"
expect 0 "$zhiwen" check many said.txt --html said.html -q
has "$(cat said.html)" "with set phrases alone"
expect 0 "$zhiwen" check many phrase.txt --exit-code
has "$out" "结论 verdict     仅套话 set phrases alone"
# What few have is listed for one of them.
expect 0 "$zhiwen" check few said.txt
has "$out" "原文 original       d0"
lacks "$out" "excluded"
expect 1 "$zhiwen" check few phrase.txt --exit-code
has "$out" "原文 original       d0"

expect 0 "$zhiwen" check --help
for use in "--html page.html" "-o matches.jsonl.zst" "--exit-code" "--least" "--json"; do
  has "$out" "$use"
done
finish
