#!/usr/bin/env bash
# The page of compare --html in a browser: nothing is requested, no error, no accessibility finding,
# no page wider than a phone, both languages, both themes, without scripts, on paper; numbers, keys
# and filters lead through the passages, both texts scroll together, and the address has the view.
# Screenshots are left in build/compare_page/. Exit status 77 where no browser is installed, but for
# CI.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

need_browser

python3 - "$root" <<'PY' # a chapter, a copy with several disguises, and texts by someone hostile
import json, sys
root = sys.argv[1]
texts = [json.loads(line)["text"] for line in open(root + "/testdata/demo/novels.jsonl")]
long = [text for text in texts if len(text) > 1500]
original, other = long[0], long[1]
open("original.txt", "w").write(original)
second = original[700:1200].replace("人", "").replace("曰", "说道")
part = original[:500].replace("不", "卟") + second + original[500:700]
copy = other[:900] + part.replace("是", "事").replace("，", " ") + other[900:1500]
open("copy.txt", "w").write(copy)
hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;]]>--></mark></div>"
hostile += "{{glance}}\u202e"
open("<b>&x.txt", "w").write(hostile * 9 + original[:300] + hostile)
open("hostile.txt", "w").write(original[:300] + hostile * 9)
passages, hosts = [], []
for i in range(3000):  # the same 40 characters of b stand for several passages of a
    one = "".join(chr(0x4E00 + (i // 3 * 977 + j * 131) % 9000) for j in range(40))
    passages += [one + chr(0x3400 + i) * 450] if i % 3 == 0 else []
    hosts.append(one + chr(0x4000 + i % 900) * 250)
open("many_a.txt", "w").write("\n".join(hosts))
open("many_b.txt", "w").write("\n".join(passages))
open("none.txt", "w").write("今天的新闻播送完了，谢谢收看。")
PY
expect 0 "$zhiwen" compare copy.txt original.txt --html pair.html -q
expect 0 "$zhiwen" compare '<b>&x.txt' hostile.txt --html hostile.html -q
expect 0 "$zhiwen" compare --channel folded many_a.txt many_b.txt --html many.html -q
expect 0 "$zhiwen" compare none.txt original.txt --html none.html
has "$out" "none.html: a page to open in a browser"
expect 5 "$zhiwen" compare none.txt original.txt --html none.html
expect 0 "$zhiwen" compare none.txt original.txt --html none.html --overwrite -q
expect 0 "$zhiwen" compare --all copy.txt original.txt '<b>&x.txt' hostile.txt -o all -q
python3 - <<'PY' # a chapter padded with a disguised part of its own, and a sentence again and again
text = open("original.txt").read()
again = text[200:500].replace("不", "卟").replace("，", " ")
with open("padded.txt", "w") as padded:
    padded.write(text[:700] + open("copy.txt").read()[:300] + again + text[600:640] * 9)
PY
expect 0 "$zhiwen" compare --self padded.txt --html self.html -q
cp original.txt kept.txt
expect 5 "$zhiwen" compare none.txt original.txt --html kept.txt --overwrite
check "an input is not replaced" cmp original.txt kept.txt
expect 2 "$zhiwen" compare none.txt original.txt --overwrite
expect 2 "$zhiwen" compare none.txt original.txt --html -

pictures=$root/build/compare_page
rm -rf "$pictures"
mkdir -p "$pictures"
CHROMIUM=$(command -v chromium)
export CHROMIUM
check "the page in a browser" node "$root/tests/support/compare_page.mjs" "$tools" "$pictures" \
  "$work/pair.html" "$work/hostile.html" "$work/none.html" "$work/many.html" \
  "$work/all/report.html" "$work/self.html"
check "the page on paper has pages" test -s "$pictures/print.pdf"
finish
