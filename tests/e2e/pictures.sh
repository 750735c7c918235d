#!/usr/bin/env bash
# Fingerprints of pictures: values, folders, indexes, comparisons, and what cannot be read.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
mkdir photos
python3 "$root/tests/support/draw_pictures.py" photos
mv photos/bomb.png photos/white.png .

# --- values: of files, of a folder, compressed, in a file ---
name='colour_grid.v1(colours=8,columns=8,order=reduce_first,rows=4)'
expect 0 "$zhiwen" fingerprint -s 'colour_grid(8,columns=8,rows=4)' photos/a.png
has "$out" "{\"id\":\"photos/a.png\",\"scheme\":\"$name\",\"value\":\""
has "$out" '","letters":"'
letters=$(sed 's/.*"letters":"\([^"]*\)".*/\1/' .out)
equals "${#letters}" 32 "letters of 8 by 4 blocks"
expect 0 "$zhiwen" fingerprint -s phash64 -s colour_grid photos
equals "$(wc -l <.out)" 8 "two values of four pictures"
equals "$err" ""
expect 0 "$zhiwen" fingerprint -s phash64 --values photos/a.png
hash=$out
gzip -k photos/b.png
mv photos/a.png photos/a.jpg # what a file is called does not matter
expect 0 "$zhiwen" fingerprint -s phash64 --values photos/a.jpg photos/b.png.gz
equals "$(head -n 1 .out)" "$hash" "the value under another name"
mv photos/a.jpg photos/a.png && rm photos/b.png.gz
expect 0 "$zhiwen" fingerprint -s phash64 --format document --values - <photos/a.png
equals "$out" "$hash" "the value of standard input"
echo 'a text' >photos/readme.txt
expect 0 "$zhiwen" fingerprint -s phash64 --values photos
equals "$(wc -l <.out)" 4 "of a folder the pictures alone"
has "$err" 'passed over 1 other file below "photos"'
rm photos/readme.txt

# --- an index of pictures ---
expect 0 "$zhiwen" index create pictures.idx
"$zhiwen" fingerprint -s phash64 photos | "$zhiwen" index add pictures.idx - --quiet
"$zhiwen" fingerprint -s phash64 photos/gray.png >query.jsonl
expect 0 "$zhiwen" index query pictures.idx --radius 10 query.jsonl
equals "$(cut -f 4 .out | sort | tr '\n' ' ')" "photos/a-small.png photos/a.png photos/gray.png " \
  "the copies of a picture"

# --- two pictures compared ---
expect 0 "$zhiwen" compare photos/a.png photos/a-small.png
has "$out" "blocks256   colour_grid"
has "$out" "equal_bits  phash64"
has "$out" "colour_grid: as alike as copies of one picture are (at least 0.88, of 256 colours)"
has "$out" "phash64: as alike as copies of one picture are (at most 10 of 64 bits differ)"
expect 0 "$zhiwen" compare photos/a.png photos/gray.png
has "$out" "colour_grid: less alike than most copies of one picture are"
has "$out" "phash64: as alike as"
expect 0 "$zhiwen" compare photos/a.png photos/b.png
lacks "$out" "as alike as"
expect 0 "$zhiwen" compare photos/a.png white.png
has "$out" "phash64: says nothing, as one of the pictures has one colour nearly everywhere"
expect 0 "$zhiwen" compare --json -s 'colour_grid(8)' photos/a.png photos/a.png
has "$out" '"measure": "blocks8"'
has "$out" '"similarity": 1'

# --- a library of pictures and texts ---
echo '一段文本，和图片放在一起' >photos/text.txt
expect 0 "$zhiwen" library create lib -q
expect 0 "$zhiwen" library add lib photos
has "$err" 'passed over 4 other files below "photos"' # pictures are added where they are named
expect 0 "$zhiwen" library add lib photos/a.png photos/b.png white.png photos/text.txt
has "$out" "3 documents added, 1 unchanged"
lacks "$out" "empty"
expect 0 "$zhiwen" library add lib photos/a.png
has "$out" "0 documents added, 1 unchanged"
expect 0 "$zhiwen" library list lib
has "$out" "photos/a.png	version 1	live	picture"
expect 0 "$zhiwen" check lib photos/a-small.png
has "$out" "近似副本 near copy"
has "$out" "photos/a.png"
has "$out" "phash64 0.9"
has "$out" "colour_grid 0.98"
has "$out" "4 documents"
expect 1 "$zhiwen" check lib photos/gray.png photos/b.png photos/text.txt white.png \
  --exit-code --html page.html
has "$out" "photos/gray.png: 近似副本 near copy"
has "$out" "white.png: 单色 one colour: nothing to compare"
has "$out" "4 documents: 相同 same 1 · 近似 near 2 · 空 empty 1"
has "$(cat page.html)" "phash64 <b>1</b> · colour_grid <b>0.7"
expect 0 "$zhiwen" check lib photos --matches-only # of a folder, too, the texts alone
has "$out" "photos/text.txt
结论 verdict        相同文本"
expect 0 "$zhiwen" library export lib --all -o lib.jsonl
expect 0 "$zhiwen" library create copy -q
expect 0 "$zhiwen" library import copy lib.jsonl -q
for library in lib copy; do
  expect 0 "$zhiwen" check $library photos/gray.png photos/b.png --json
  check "the figures of $library" python3 - <<'PY'
import json
gray, b = (json.loads(line) for line in open(".out"))
assert gray["picture"] and gray["verdict"] == "near" and len(gray["matches"]) == 1
match = gray["matches"][0]
assert match["document"]["id"] == "photos/a.png" and match["channel"].startswith("phash64.v1(")
phash, grid = match["pictures"]
assert phash["measure"] == "equal_bits" and phash["similarity"] >= 54 / 64
assert grid["measure"] == "blocks256" and grid["similarity"] < 0.88
assert [one["similarity"] for one in b["matches"][0]["pictures"]] == [1, 1]
PY
  expect 0 "$zhiwen" library fsck $library
done
cp photos/b.png photos/changed.png
expect 0 "$zhiwen" library add copy photos/changed.png -q
cp photos/a.png photos/changed.png
expect 0 "$zhiwen" library add copy photos/changed.png
has "$out" "1 updated"
expect 0 "$zhiwen" library remove copy photos/b.png -q
expect 0 "$zhiwen" library remove copy --purge photos/a.png -q
expect 0 "$zhiwen" check copy photos/b.png
has "$out" "未见 not known"
expect 0 "$zhiwen" check copy photos/a-small.png
has "$out" "photos/changed.png"
lacks "$out" "photos/a.png"
expect 3 "$zhiwen" library add copy bomb.png
has "$err" "a picture of more than 100 million pixels is not read"
rm photos/changed.png photos/text.txt

# --- texts and pictures are no pairs, and schemes are for one of them ---
echo '一段文本' >text.txt
expect 2 "$zhiwen" compare photos/a.png text.txt
has "$err" 'cannot compare a picture with a text: "photos/a.png" is a picture, and "text.txt" is'
expect 2 "$zhiwen" compare -s phash64 text.txt photos/a.png
has "$err" 'is made of pictures, and "text.txt" is none'
expect 2 "$zhiwen" compare -s simhash64 photos/a.png photos/b.png
has "$err" 'is made of texts, and "photos/a.png" is a picture'
expect 2 "$zhiwen" compare --min-run 9 photos/a.png photos/b.png
has "$err" "--min-run"
expect 3 "$zhiwen" fingerprint -s phash64 text.txt
has "$err" "the scheme is made of pictures, and this is none"
echo '{"id":"1","text":"x","picture":"a.png"}' >records.jsonl
expect 3 "$zhiwen" fingerprint -s phash64 records.jsonl
has "$err" "the scheme is made of pictures, and this is none"
expect 3 "$zhiwen" fingerprint -s simhash64 --format document photos/a.png
has "$err" "it is a picture"
expect 2 "$zhiwen" cluster -s phash64 text.txt
has "$err" "is made of pictures"

# --- what says nothing, and what cannot be read ---
expect 0 "$zhiwen" fingerprint -s phash64 -s colour_grid white.png
equals "$(grep -c '"value":null' .out)" 2 "a picture of one colour"
has "$err" "2 values are null: pictures that have one colour nearly everywhere"
head -c 2000 photos/a.png >cut.png
head -c 20 photos/a.png >head.png
expect 0 "$zhiwen" fingerprint -s phash64 photos/a.png cut.png head.png photos/b.png --max-failed 2
equals "$(wc -l <.out)" 2 "a value of each sound picture"
has "$err" 'cannot use "cut.png": unreadable_document: the picture is cut short'
has "$err" 'cannot use "head.png": unreadable_document: '
has "$err" "2 of 4 records have no fingerprint"
expect 3 timeout 20 "$zhiwen" fingerprint -s phash64 bomb.png
has "$err" "a picture of more than 100 million pixels is not read"
expect 3 "$zhiwen" compare cut.png photos/a.png
has "$err" 'cannot read "cut.png": the picture is cut short'
expect 3 env PATH= "$zhiwen" fingerprint -s phash64 photos/a.png
has "$err" "the program vipsthumbnail is not installed (Debian: libvips-tools)"

finish
