#!/usr/bin/env bash
# What does not count in check and compare, and is shown with its reason: quotations that name their
# source, references, form text, own work, licensed sources. Set phrases are in check.sh.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

python3 - "$root/testdata/demo/novels.jsonl" <<'PY'
import json, sys
plain = []  # texts that have nothing in common
for line in open(sys.argv[1]):
    text = json.loads(line)["text"]
    text = "".join(c for c in text if "\u4e00" <= c <= "\u9fff" or c in "，。")
    parts = {text[at:at + 20] for at in range(len(text))}
    if len(text) > 600 and all(parts.isdisjoint(others) for others, _ in plain):
        plain.append((parts, text))
plain = [text[at:at + 900] for _, text in plain for at in (0, 1000)][:12]
own = plain[11]                                # what the suspects say themselves
quoted, copied = plain[1][200:240], plain[2][200:300]
with open("library.jsonl", "w") as lines:
    for i in range(8):
        record = {"id": f"d{i}", "text": plain[i], "author": ["王一；李二", "赵三"][i % 2],
                  "work": f"书{i}", "date": "2020-01-01"}
        lines.write(json.dumps(record, ensure_ascii=False) + "\n")
refs = "".join(f"[{i}] 钱{i}. 论某事之第{i}端[J]. 某学报, 20{10 + i}(2): {i}-{i + 9}.\n"
               for i in range(1, 7))
with open("paper.jsonl", "w") as lines:
    lines.write(json.dumps({"id": "paper", "text": plain[8] + "\n参考文献\n" + refs}) + "\n")
with open("second.jsonl", "w") as lines:
    lines.write(json.dumps({"id": "second", "text": plain[10] + "\n参考文献\n" + refs}) + "\n")
def write(name, text):
    open(name, "w").write(text)
write("quote.txt", own[:200] + "\n他写道：“" + quoted + "”[3]。" + own[200:300])
write("dialogue.txt", own[:200] + "\n他说：“" + quoted + "”" + own[200:300])
write("both.txt", own[:200] + "“" + quoted + "”[3]。" + own[200:250] + copied + own[250:300])
write("runs_on.txt", own[:200] + "“" + quoted + "”[3]" + plain[1][240:340] + own[200:300])
write("every_other.txt", "".join("“" + plain[3][at:at + 26] + "”[1]" + plain[3][at + 26:at + 44]
                                 for at in range(0, 440, 44)))
write("refs.txt", own[:300] + "\n参考文献\n" + refs)
form = "本人郑重声明所呈交的文稿是本人独立完成的成果，除文中注明引用的内容外，不含他人已发表的内容。"
write("form.txt", form + "\n签名：\n")
write("signed.txt", own[:300] + "\n" + form + "\n签名：孙四\n")
with open("signed.jsonl", "w") as lines:
    lines.write(json.dumps({"id": "signed", "text": plain[9][:500] + form}) + "\n")
write("own.txt", own[:100] + plain[2][300:500] + own[100:200])
with open("own.jsonl", "w") as lines:
    text = own[:100] + plain[2][300:500]
    lines.write(json.dumps({"id": "mine", "author": "李二", "text": text}) + "\n")
write("quoted.txt", quoted)
PY
expect 0 "$zhiwen" library create lib -q
expect 0 "$zhiwen" library add lib library.jsonl paper.jsonl signed.jsonl -q

# json EXPRESSION: of the first line of .out, as `c`; of its first match as `m`.
json() {
  python3 -c 'import json, sys
c = json.loads(open(".out").readline()); m = c["matches"][0] if c["matches"] else {}
reasons = lambda of: [e["reason"] for e in of["excluded"]]
print(eval(sys.argv[1]))' "$1"
}

# --- quotations: off in a library of news, on when asked for ---
expect 0 "$zhiwen" check lib quote.txt --json
equals "$(json 'c["verdict"], reasons(m), c["union"]["matched"] > 30')" "('passages', [], True)"
expect 0 "$zhiwen" check lib quote.txt --exclude quotation --json
equals "$(json 'c["verdict"], m["excluded_as"], reasons(m), m["passages"], m["matched"]')" \
  "('none', 'quotation', ['quotation'], [], 0)"
union='c["union"]["matched"], c["union"]["before"]["matched"] == c["excluded"]["quotation"]'
equals "$(json "$union")" \
  "(0, True)"
equals "$(json 'm["before"]["matched"] == c["excluded"]["quotation"] > 30')" True
expect 0 "$zhiwen" check lib quote.txt --exclude quotation
has "$out" "仅有排除项 excluded passages alone"
has "$out" "排除 excluded"
has "$out" "字：引文 quotations "
has "$out" "排除 excluded: 引文 quotations"
expect 0 "$zhiwen" check lib quote.txt --exclude quotation --exit-code
expect 1 "$zhiwen" check lib quote.txt --exit-code
expect 0 "$zhiwen" check lib dialogue.txt --exclude quotation --json
equals "$(json 'c["verdict"], reasons(m)')" "('passages', [])"

# What is copied beside a quotation counts; a passage that goes on behind it is cut.
expect 0 "$zhiwen" check lib both.txt --exclude quotation --json
equals "$(json '[(m["document"]["id"], m["excluded_as"]) for m in c["matches"]]')" \
  "[('d2', None), ('d1', 'quotation')]"
expect 0 "$zhiwen" check lib both.txt --exclude quotation
has "$out" "部分相同 shares passages"
has "$out" "原文 original "
expect 0 "$zhiwen" check lib both.txt --exclude quotation --html both.html --docx both.docx -q
has "$(cat both.html)" '<details class="excluded" data-reason="quotation">'
has "$(cat both.html)" "excluded: quotations"
expect 0 "$zhiwen" check lib runs_on.txt --json
whole=$(json 'c["union"]["matched"]')
expect 0 "$zhiwen" check lib runs_on.txt --exclude quotation --json
sum="c['union']['matched'] + c['excluded']['quotation'] == $whole"
equals "$(json "reasons(m), m['excluded_as'], $sum")" \
  "(['quotation'], None, True)"
python3 - <<'PY' || fails "the parts of a cut passage are not the same characters in both texts"
import json
text = open("runs_on.txt").read()
match = json.loads(open(".out").readline())["matches"][0]
originals = {r["id"]: r["text"] for r in map(json.loads, open("library.jsonl"))}
original = originals[match["document"]["id"]]
for passage in match["passages"] + [e["passage"] for e in match["excluded"]]:
    a = text[passage["suspect"]["begin"]:passage["suspect"]["end"]]
    b = original[passage["original"]["begin"]:passage["original"]["end"]]
    letters = lambda s: "".join(c for c in s if "\u4e00" <= c <= "\u9fff")
    assert letters(a) == letters(b) and len(letters(a)) == passage["matched"], (a, b, passage)
    assert {e["kind"] for e in passage["edits"]} <= {"symbols", "inserted"}  # ” and [3]
PY

# A copied page of which every other sentence is in quotation marks is no quotation.
expect 0 "$zhiwen" check lib every_other.txt --exclude quotation --json
equals "$(json 'c["verdict"] != "none", c["excluded"], c["union"]["matched"] > 300')" \
  "(True, {}, True)"

# --- references, form text ---
expect 0 "$zhiwen" check lib refs.txt --exclude references --json
equals "$(json 'c["verdict"], m["document"]["id"], m["excluded_as"]')" \
  "('none', 'paper', 'references')"
expect 0 "$zhiwen" check lib signed.txt --json
equals "$(json 'c["verdict"]')" passages
expect 0 "$zhiwen" check lib signed.txt --boilerplate form.txt --json
equals "$(json 'c["verdict"], m["excluded_as"]')" "('none', 'boilerplate')"
expect 4 "$zhiwen" check lib signed.txt --boilerplate missing.txt
has "$err" "missing.txt"

# --- own work, by what is typed or by the record; licensed sources ---
expect 0 "$zhiwen" check lib own.txt --author 李二 --json
equals "$(json 'c["verdict"], m["document"]["id"], m["excluded_as"]')" "('none', 'd2', 'own_work')"
expect 0 "$zhiwen" check lib own.txt --author 赵三 --json
equals "$(json 'c["verdict"], m["excluded_as"]')" "('passages', None)"
expect 0 "$zhiwen" check lib own.jsonl --json
equals "$(json 'c["verdict"]')" "passages"
expect 0 "$zhiwen" check lib own.jsonl --exclude own_work --json
equals "$(json 'c["verdict"], m["excluded_as"]')" "('none', 'own_work')"
printf '{"work":"书2","licence":"CC BY 4.0"}\n' >terms.jsonl
expect 0 "$zhiwen" library add lib library.jsonl --manifest terms.jsonl -q
expect 0 "$zhiwen" check lib own.txt --licence 'CC BY 4.0' --json
equals "$(json 'c["verdict"], m["excluded_as"]')" "('none', 'licensed')"
expect 0 "$zhiwen" check lib own.txt --licence 'CC BY 3.0' --json
equals "$(json 'm["excluded_as"]')" None

# --- a library of essays excludes by itself; --no-exclude counts again ---
expect 0 "$zhiwen" library create essays --profile essay -q
expect 0 "$zhiwen" library add essays library.jsonl -q
expect 0 "$zhiwen" check essays quote.txt --json
equals "$(json 'm["excluded_as"]')" quotation
expect 0 "$zhiwen" check essays quote.txt --no-exclude quotation --json
equals "$(json 'c["verdict"], reasons(m)')" "('passages', [])"
expect 0 "$zhiwen" check essays quote.txt --no-exclude all --json
equals "$(json 'c["verdict"], reasons(m)')" "('passages', [])"
expect 0 "$zhiwen" check essays own.jsonl --json
equals "$(json 'm["excluded_as"]')" own_work
# What two originals have is excluded once.
expect 0 "$zhiwen" library add essays paper.jsonl second.jsonl -q
expect 0 "$zhiwen" check essays refs.txt --no-exclude set_phrase --json
excluded='c["excluded"]["references"] == c["union"]["before"]["matched"] > 0'
equals "$(json "len(c['matches']), $excluded")" "(2, True)"
expect 2 "$zhiwen" check lib quote.txt --exclude quotes
has "$err" "no reason to exclude passages; there are set_phrase, quotation, references"
expect 2 "$zhiwen" check lib quote.txt --exclude quotation --no-exclude all
has "$err" "quotation is to be excluded and to be counted"

# --- compare: the same, without a library ---
python3 - <<'PY'
import json
open("d1.txt", "w").write(json.loads(open("library.jsonl").readlines()[1])["text"])
open("d2.txt", "w").write(json.loads(open("library.jsonl").readlines()[2])["text"])
PY
expect 0 "$zhiwen" compare runs_on.txt d1.txt --json
cp .out whole.json
expect 0 "$zhiwen" compare runs_on.txt d1.txt --exclude quotation --json
cp .out cut.json
equals "$(python3 -c 'import json
whole, cut = json.load(open("whole.json")), json.load(open("cut.json"))
quoted = sum(e["passage"]["matched"] for e in cut["excluded"])
print(whole["excluded"], [e["reason"] for e in cut["excluded"]], quoted > 30,
      cut["matched"]["a"] + quoted == whole["matched"]["a"] == cut["before"]["matched"]["a"])')" \
  "[] ['quotation'] True True"
expect 0 "$zhiwen" compare runs_on.txt d1.txt --exclude quotation --html c.html --docx c.docx
has "$out" "quotations 3"
has "$(cat c.html)" '<details class="excluded" data-reason="quotation">'
has "$(unzip -p c.docx word/document.xml)" "排除：引文 Excluded: quotations"
expect 0 "$zhiwen" compare signed.txt form.txt --boilerplate form.txt --json
has "$out" '"reason": "boilerplate"'
expect 2 "$zhiwen" compare quote.txt d1.txt --exclude own_work
has "$err" "needs --all with records that name authors, or a library"
expect 2 "$zhiwen" compare quote.txt d1.txt --exclude licensed
has "$err" "needs a library"
expect 2 "$zhiwen" compare quote.txt d1.txt --exclude quotation --scheme minhash
has "$err" "--exclude"

# --- compare --all: places of a, and own work of records ---
mkdir texts
cp quote.txt d1.txt d2.txt texts/
expect 1 "$zhiwen" compare --all texts/ -o all --exit-code
has "$out" "1 with passages"
expect 0 "$zhiwen" compare --all texts/quote.txt texts/d1.txt texts/d2.txt -o all --overwrite \
  --exit-code --exclude quotation
has "$out" "0 with passages"
has "$out" "1 pair of which nothing counts"
has "$(cat all/pairs.jsonl)" '"excluded":[{"reason":"quotation"'
expect 0 "$zhiwen" compare --all library.jsonl own.jsonl -o all --overwrite --exclude own_work \
  --json
equals "$(python3 -c 'import json; p = json.load(open(".out"))["pairs"]
print(p["with_passages"], p["excluded"])')" "0 1"
expect 2 "$zhiwen" compare --all library.jsonl -o all --overwrite --exclude set_phrase
has "$err" "needs a library"

# --- evidence: what is excluded is packed with its reason, and computed again ---
expect 0 "$zhiwen" evidence lib both.txt -o case.zip --exclude quotation --boilerplate form.txt -q
has "$(unzip -p case.zip check.json)" '"excluded_as":"quotation"'
equals "$(unzip -p case.zip forms/1.txt)" "$(cat form.txt)"
expect 0 "$zhiwen" evidence verify case.zip --strict
expect 0 "$zhiwen" evidence essays quote.txt -o essay.zip -q
has "$(unzip -p essay.zip check.json)" '"verdict":"none"'
expect 0 "$zhiwen" evidence verify essay.zip --strict
expect 2 "$zhiwen" evidence lib both.txt -o set.zip --exclude set_phrase
has "$err" "set phrase"
expect 2 "$zhiwen" evidence verify case.zip --exclude quotation
has "$err" "with verify"

# --- decoys: unique in their library; a hit is a strong lead ---
python3 - <<'PY'
import json
own = open("own.txt").read()
with open("decoy.jsonl", "w") as lines:
    lines.write(json.dumps({"id": "trap", "text": open("refs.txt").read()[:120]}) + "\n")
with open("known.jsonl", "w") as lines:
    lines.write(json.dumps({"id": "known", "text": own}) + "\n")
PY
expect 0 "$zhiwen" library add lib decoy.jsonl --decoy -q
expect 0 "$zhiwen" library add lib decoy.jsonl --decoy -q
expect 3 "$zhiwen" library add lib known.jsonl --decoy
has "$err" "decoy_not_unique"
expect 4 "$zhiwen" library show lib known
expect 0 "$zhiwen" check lib refs.txt
has "$out" "线索 lead"
has "$out" "强线索 strong lead: 诱饵 decoy trap"
expect 0 "$zhiwen" check lib refs.txt --json --html lead.html
equals "$(json 'c["lead"], any(m["document"]["decoy"] for m in c["matches"])')" "('decoy', True)"
has "$(cat lead.html)" "<b>strong lead</b>: the decoy"
expect 0 "$zhiwen" check lib signed.txt --boilerplate form.txt --exclude references --json
equals "$(json 'c["lead"]')" decoy

# When it was published may be said later, and the end of it still later.
equals "$(json '"exposed" in c')" False
expect 2 "$zhiwen" library add lib decoy.jsonl --from 2024-03-01
has "$err" "--from does nothing without --decoy"
expect 2 "$zhiwen" library add lib decoy.jsonl --decoy --from gestern
has "$err" "\"gestern\" is no date"
expect 2 "$zhiwen" library add lib decoy.jsonl --decoy --from 2024-03-05 --until 2024-03-01
has "$err" "before it was"
expect 0 "$zhiwen" library add lib decoy.jsonl --decoy --from 2024-03-01 -q
expect 0 "$zhiwen" library add lib decoy.jsonl --decoy --until 2024-03-05 -q
expect 0 "$zhiwen" check lib refs.txt
has "$out" "发布于 published 2024-03-01 – 2024-03-05"
expect 0 "$zhiwen" check lib refs.txt --json
equals "$(json 'c["exposed"]["from"], c["exposed"]["until"]')" "('2024-03-01', '2024-03-05')"
expect 0 "$zhiwen" library export lib --all -o lib.jsonl -q
expect 0 "$zhiwen" library create new -q
expect 0 "$zhiwen" library import new lib.jsonl -q
expect 0 "$zhiwen" library export new --all -o new.jsonl -q
expect 0 cmp lib.jsonl new.jsonl

finish
