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
