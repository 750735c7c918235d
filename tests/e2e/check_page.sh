#!/usr/bin/env bash
# The page of check --html in a browser: nothing is requested, no error, no accessibility finding,
# no page wider than a phone, both languages, both themes, without scripts, on paper; a passage
# leads to its counterpart. Screenshots are left in build/check_page/. Exit status 77 where no
# browser is installed, but for CI.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

need_browser

head -n 60 "$root/testdata/demo/novels.jsonl" >novels.jsonl
python3 "$root/tests/support/hostile_records.py" >records.jsonl
head -n 16 records.jsonl >hostile.jsonl # all of them sound
expect 0 "$zhiwen" library create lib -q
expect 0 "$zhiwen" library add lib novels.jsonl hostile.jsonl -q
python3 - <<'PY' # a near copy, a compilation of parts, and what is not known
import json
texts = [json.loads(line)["text"] for line in open("novels.jsonl")]
of_8 = texts[7]
near = ("转载自某处\n" + of_8[:400].replace("，", " ").replace("不", "卟") + "（此处有删改）" +
        of_8[420:900].replace("了", "") + of_8[900:])
other = "".join("此文与书无关，全不相干。第%d段。" % i for i in range(60))
mixed = other + texts[3][500:700] + other + texts[5][300:1500] + texts[5][100:180]
many = other.join(texts[5][i:i + 60] for i in range(0, 1500, 90))
records = {"near": near, "mixed": mixed, "many places": many, "other": other, "same": of_8}
open("near.txt", "w").write(near)
open("other.txt", "w").write(other)
with open("feed.jsonl", "w") as feed:
    for name, text in records.items():
        feed.write(json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n")
PY
expect 0 "$zhiwen" check lib feed.jsonl --html many.html
expect 0 "$zhiwen" check lib hostile.jsonl --html hostile.html -q
expect 0 "$zhiwen" check lib near.txt --html one.html -q
expect 0 "$zhiwen" check lib other.txt --html none.html -q
python3 - <<'PY' # what six texts say, with more of one of them, and alone
import json
phrase = "大会在雄壮的国歌声中开幕，与会代表全体起立，会场气氛庄严而又热烈。"
texts = [json.loads(line)["text"] for line in open("novels.jsonl")]
with open("said.jsonl", "w") as said:
    for i in range(6):
        text = texts[5 + i][:300] + phrase + texts[5 + i][300:350]
        said.write(json.dumps({"id": f"d{i}", "text": text}, ensure_ascii=False) + "\n")
with open("phrases.jsonl", "w") as feed:
    first = "别处的话，放在前面。" + phrase
    for name, text in (("both", first + texts[20][:300] + texts[5][100:250]), ("alone", first)):
        feed.write(json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n")
PY
expect 0 "$zhiwen" library create said -q
expect 0 "$zhiwen" library add said said.jsonl -q
expect 0 "$zhiwen" check said phrases.jsonl --html phrases.html -q
has "$(<phrases.html)" "set phrases <b>"
has "$(<phrases.html)" "with set phrases alone"

pictures=$root/build/check_page
rm -rf "$pictures"
mkdir -p "$pictures"
CHROMIUM=$(command -v chromium)
export CHROMIUM
check "the page in a browser" node "$root/tests/support/check_page.mjs" "$tools" "$pictures" \
  "$work/many.html" "$work/hostile.html" "$work/one.html" "$work/none.html" "$work/phrases.html"
check "the page on paper has pages" test -s "$pictures/print.pdf"
check "set phrases on paper have pages" test -s "$pictures/phrases.pdf"
finish
