#!/usr/bin/env bash
# Evidence packages: what they have, what other programs see in them, and that every change shows.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

head -n 25 "$root/testdata/demo/novels.jsonl" >novels.jsonl
python3 - <<'PY'
import json
records = [json.loads(line) for line in open("novels.jsonl")]
text = records[1]["text"]
# A page that hides its copy: another script, inserted symbols, a new beginning.
hidden = text[:1500].replace("来", "來").replace("说", "説").replace("的", "·的")
lines = [f"<p>{line}</p>" for line in hidden.split("\n") if line]
page = "<meta charset=gbk><title>书</title><div>首页 | 登录</div>" + "\n".join(lines)
open("page.html", "wb").write(page.encode("gb18030"))
open("copy.txt", "w").write(text[200:900])
open("other.txt", "w").write("此文与书无关，全不相干。" * 5)
open("id", "w").write(records[1]["id"])
PY
expect 0 "$zhiwen" library create lib -q
expect 0 "$zhiwen" library add lib novels.jsonl --owner 作者社 -q

# --- a package, and what it has ---
expect 0 "$zhiwen" evidence lib page.html -o case.zip
has "$out" "page.html
结论 verdict"
has "$out" "证据包 package"
hash=$(grep -oE '[0-9a-f]{64}' .out)
expect 0 "$zhiwen" evidence verify case.zip --hash "$hash"
has "$out" "一致 all"
has "$out" "the text, verdict, all passages and pages, from the packed files"
expect 0 "$zhiwen" evidence verify case.zip -q
equals "$out" ""
# Nothing but the program and the package is needed.
mkdir bare
cp case.zip bare
cd bare
expect 0 env -i "$zhiwen" evidence verify case.zip --strict --hash "$hash"
has "$out" "the text, verdict, all passages and pages, from the packed files"
cd ..
expect 0 "$zhiwen" evidence lib page.html -o json.zip --json --date 2026-01-02
check "the JSON of a package" python3 - <<'PY'
import json
told = json.loads(open(".out").readline())
assert told["package"] == "json.zip" and told["originals"] >= 1, told
assert told["check"]["matches"][0]["document"]["id"] == open("id").read(), told
PY
check "what other programs see" python3 - <<'PY'
import hashlib, json, re, zipfile
with zipfile.ZipFile("case.zip") as package:
    assert package.testzip() is None
    files = {name: package.read(name) for name in package.namelist()}
names = list(files)
assert names[:2] == ["manifest.json", "manifest.sha256"] and names[2:] == sorted(names[2:]), names
manifest = json.loads(files["manifest.json"])
assert manifest["format"] == "zhiwen evidence" and manifest["version"] == 1
assert manifest["incomplete"] == [] and "capture/capture.json" not in names, manifest
assert files["suspect/source.html"] == open("page.html", "rb").read()
text = files["suspect/text.txt"].decode()
lines = json.loads(files["suspect/places.json"])["sources"].split()
assert len(lines) == 2 * len(text.split("\n"))
for line, begin, end in zip(text.split("\n"), lines[::2], lines[1::2]):
    source = files["suspect/source.html"][int(begin):int(end)].decode("gb18030")
    assert re.sub(r"<[^>]*>", "", source).strip() == line, (source, line)
check = json.loads(files["check.json"])
assert json.loads(files["matches/1.json"]) == check["matches"][0]
original = files["originals/1/text.txt"].decode()
for passage in check["matches"][0]["passages"]:
    begin, end = passage["original"]["begin"], passage["original"]["end"]
    assert len(original[begin:end]) == end - begin
document = json.loads(files["originals/1/document.json"])
assert document["work"]["owner"] == "作者社" and document["versions"][0]["state"] == "live"
assert b'id="text-a"' in files["matches/1.html"]
PY

# --- without zhiwen ---
mkdir unpacked
check "unpacking" python3 -m zipfile -e case.zip unpacked
(
  cd unpacked
  sha256sum --quiet -c manifest.sha256
  python3 -c 'import json; print(*json.load(open("manifest.json"))["files"], sep="\n")' |
    sha256sum --quiet -c -
) || fails "sha256sum disagrees"
equals "$(cut -d ' ' -f 1 unpacked/manifest.sha256)" "$hash"

# --- every changed byte shows, and the file is named ---
python3 - <<'PY'
import zipfile
data = open("case.zip", "rb").read()
with zipfile.ZipFile("case.zip") as package, open("changed", "w") as names:
    for number, member in enumerate(package.infolist()):
        at = member.header_offset + 30 + len(member.filename) + member.file_size // 2
        changed = bytearray(data)
        changed[at] ^= 4
        open(f"changed{number}.zip", "wb").write(changed)
        names.write(f"changed{number}.zip {member.filename}\n")
open("header.zip", "wb").write(data[:10] + b"\1" + data[11:])
open("longer.zip", "wb").write(data + b"\0")
open("cut.zip", "wb").write(data[:-1])
open("half.zip", "wb").write(data[: len(data) // 2])
with zipfile.ZipFile("case.zip") as package, zipfile.ZipFile("again.zip", "w") as again:
    for member in package.infolist():
        again.writestr(member.filename, package.read(member), zipfile.ZIP_DEFLATED)
with zipfile.ZipFile("foreign.zip", "w") as foreign:
    foreign.writestr("a.txt", "甲")
PY
while read -r package file; do
  expect 3 "$zhiwen" evidence verify "$package"
  has "$out" "$file"
  has "$out" "不一致 does not agree"
  expect 3 "$zhiwen" evidence verify "$package" --json
  has "$out" '"agrees":false'
done <changed
equals "$(count <changed)" "$(python3 -m zipfile -l case.zip | tail -n +2 | count)"
for package in header longer cut half again; do
  expect 3 "$zhiwen" evidence verify $package.zip
  has "$err" "cannot verify \"$package.zip\""
done
expect 3 "$zhiwen" evidence verify foreign.zip
has "$err" "it is no evidence package of zhiwen"
expect 3 "$zhiwen" evidence verify page.html
has "$err" "it is no evidence package of zhiwen"
expect 4 "$zhiwen" evidence verify absent.zip
expect 3 "$zhiwen" evidence verify json.zip --hash "$hash"
has "$out" "not the one that was given"

# --- an office file against originals that were extracted, too, and passages of granules ---
python3 - <<'PY'
import json, zipfile
text = open("copy.txt").read()
words = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
runs = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in text.split("\n") if line)
with zipfile.ZipFile("copy.docx", "w", zipfile.ZIP_DEFLATED) as out:
    out.writestr("[Content_Types].xml", "<Types/>")
    body = f"<w:body>{runs}</w:body>"
    out.writestr("word/document.xml", f'<w:document xmlns:w="{words}">{body}</w:document>')
PY
expect 0 "$zhiwen" library create pages --profile novel -q
expect 0 "$zhiwen" library add pages page.html -q
expect 0 "$zhiwen" library derive pages --scheme initials_dna -q
expect 0 "$zhiwen" evidence pages copy.docx -o docx.zip
expect 0 "$zhiwen" evidence verify docx.zip --json
has "$out" '"repeated":true'
check "places in both documents" python3 - <<'PY'
import json, zipfile
package = zipfile.ZipFile("docx.zip")
read = lambda name: json.loads(package.read(name))
assert read("suspect/places.json")["member"] == "word/document.xml"
assert read("originals/1/places.json")["sources"]
manifest, match = read("manifest.json"), read("matches/1.json")
assert any(name.startswith("initials.") for name in manifest["passage_channels"]), manifest
assert manifest["incomplete"] == [] and manifest["suspect"]["source"] == "suspect/source.docx"
for passage in match["passages"]:
    assert passage["suspect"]["source"] and passage["original"]["source"], passage
PY

# --- what is not known, and what is there already ---
expect 0 "$zhiwen" evidence lib other.txt -o none.zip
has "$err" 'nothing in "other.txt" is known to the library'
expect 0 "$zhiwen" evidence verify none.zip
has "$out" "none · 0 originals"
expect 5 "$zhiwen" evidence lib page.html -o case.zip
has "$err" "--overwrite"
echo mine >mine.zip
expect 5 "$zhiwen" evidence lib page.html -o mine.zip --overwrite
has "$err" "it is no evidence file of zhiwen"
equals "$(cat mine.zip)" mine
expect 2 "$zhiwen" evidence lib novels.jsonl:2 -o record.zip
has "$err" "a record of a file"
expect 2 "$zhiwen" evidence lib novels.jsonl -o record.zip
expect 2 "$zhiwen" evidence lib page.html
has "$err" "needs -o FILE"
expect 2 "$zhiwen" evidence verify case.zip -o x.zip
expect 2 "$zhiwen" evidence verify case.zip --hash abc
expect 4 "$zhiwen" evidence lib absent.html -o absent.zip
printf '\x89PNG\r\n\x1a\n\0\0' >picture.png
expect 3 "$zhiwen" evidence lib picture.png -o absent.zip # the message has the name that was typed
has "$err" 'cannot read "picture.png": it is a picture, which has no text'
expect 4 "$zhiwen" evidence page.html lib -o absent.zip
expect 2 "$zhiwen" evidence lib page.html -o case.zip --date yesterday
check "a run that fails leaves nothing" test ! -e absent.zip -a ! -e absent.zip.partial

# --- stopped half-way: the old package stays, and nothing else ---
python3 - <<'PY'
import json
with open("long.txt", "w") as out:
    for line in open("novels.jsonl"):
        out.write(json.loads(line)["text"] + "\n")
PY
stopped_writer 130 INT case.zip "$zhiwen" evidence lib long.txt -o case.zip --overwrite -q
check "an interrupted run leaves nothing" test ! -e case.zip.partial
stopped_writer 137 KILL case.zip "$zhiwen" evidence lib long.txt -o case.zip --overwrite -q
expect 0 "$zhiwen" evidence lib long.txt -o case.zip --overwrite -q
expect 0 "$zhiwen" evidence verify case.zip --json
has "$out" '"repeated":true'
has "$out" '"originals":20'

expect 0 "$zhiwen" evidence --help
for use in "-o case.zip" "verify case.zip" "--hash" "--json"; do has "$out" "$use"; done
finish
