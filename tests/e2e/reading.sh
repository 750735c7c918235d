#!/usr/bin/env bash
# What users' files are like: JSON arrays, and texts that are HTML.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

# result FOLDER NAME...: a value of report.json.
result() {
  python3 -c 'import json, sys
value = json.load(open(sys.argv[1] + "/report.json"))["result"]
for name in sys.argv[2:]: value = value[name]
print(json.dumps(value))' "$@"
}

# elements FILE: the ids of a JSON array, which must be valid.
elements() {
  python3 -c 'import json, sys
print(" ".join(str(element.get("id")) for element in json.load(open(sys.argv[1]))))' "$1"
}

one=$(plain_text 0 60) two=$(plain_text 200 60) three=$(plain_text 400 60)

# --- texts that are HTML ---
{ record a "<p>$one</p>" && record b "<div>$two</div>" && record c "$three"; } >html.jsonl
expect 0 "$zhiwen" dedup html.jsonl -o html
has "$err" "2 of the first 3 texts look like HTML"
has "$err" "extract the text first"
equals "$(result html html_texts)" '{"looked_at": 3, "look_like_html": 2}'
has "$(<html/report.html)" "look like HTML"
expect 0 "$zhiwen" fingerprint -s simhash64 html.jsonl
has "$err" "2 of the first 3 texts look like HTML"
{ for i in 1 2 3 4 5 6 7 8 9; do record "$i" "$(plain_text $((i * 70)) 50)"; done; record x "<b>$one</b>"; } \
  >few.jsonl
expect 0 "$zhiwen" dedup few.jsonl -o few
lacks "$err$(<few/report.json)" "html"

# --- JSON arrays ---
array() { printf '[\n  %s,\n  %s,\n  %s,\n  %s\n]\n' "$@"; }
a="{\"id\":\"a\",\"text\":\"$one\",\"note\":\"]},{[\\\\\\\"\"}"
b="{\"id\":\"b\", \"text\" : \"$one\"}"
c="{\"id\":\"c\",\"text\":\"$two\",\"nested\":[[{}],{\"x\":[1,2]}]}"
d="{ \"id\":\"d\",\"text\":\"$three\" }"
array "$a" "$b" "$c" "$d" >news.json
expect 0 "$zhiwen" dedup news.json -o out -q
equals "$(zstd -dcq out/removed.jsonl.zst | ids)" "b" "removed of an array"
has "$(zstd -dcq out/removed.jsonl.zst)" '"file":"news.json","record":2'
equals "$(<out/kept/news.json)" "$(printf '[\n  %s,\n  %s,\n  %s\n]' "$a" "$c" "$d")" "kept of an array"
expect 0 "$zhiwen" dedup out/kept/news.json -o again -q
check "an array of which all is kept is the same" cmp out/kept/news.json again/kept/news.json
expect 0 "$zhiwen" dedup news.json -o marked -q --mark dup --add-cluster-size
has "$(<marked/kept/news.json)" '"dup":true,"cluster_size":2}'
has "$(<marked/kept/news.json)" "\"text\":\"$three\" ,\"dup\":false,\"cluster_size\":1}"
equals "$(elements marked/kept/news.json)" "a b c d" "a marked array"
for packed in gzip zstd; do
  $packed -qc news.json >"packed.json.$packed"
  mv "packed.json.$packed" "packed.json.${packed/gzip/gz}" 2>/dev/null || true
done
mv packed.json.zstd packed.json.zst
expect 0 "$zhiwen" dedup packed.json.gz packed.json.zst news.json -o packed -q
equals "$(gzip -dc packed/kept/packed.json.gz | cksum)" "$(cksum <out/kept/news.json)" "kept, in gzip"
equals "$(zstd -dcq packed/kept/packed.json.zst | python3 -m json.tool --compact)" "[]" "nothing is kept"
equals "$(elements packed/kept/news.json)" "" "nothing is kept of the second copy"
expect 0 "$zhiwen" dedup - -o piped -q <packed.json.gz
check "an array on standard input" cmp piped/kept/stdin.json.gz packed/kept/packed.json.gz
cp news.json noname
mkdir folder && cp news.json folder/ && echo '{"a":1}' >folder/package.json
expect 0 "$zhiwen" dedup folder noname -o found
has "$err" 'passed over 1 other file below "folder", such as "folder/package.json"'
equals "$(cd found/kept && find . -type f | sort)" $'./folder/news.json\n./noname' "found"

# every command that reads documents
for input in news.json noname; do
  expect 0 "$zhiwen" fingerprint -s simhash64 "$input"
  equals "$(count <<<"$out")" 4 "fingerprints"
done
expect 0 "$zhiwen" fingerprint -s simhash64 - <news.json
equals "$(count <<<"$out")" 4 "fingerprints of an array on standard input"
expect 0 "$zhiwen" segment news.json
equals "$(count <<<"$out")" 4 "segmented"
expect 0 "$zhiwen" terms build news.json -o df.zwt
expect 0 "$zhiwen" dedup news.json -o clean -q --against out/kept/news.json
equals "$(elements clean/kept/news.json)" "" "all is in the references"
has "$("$zhiwen" formats)" "one object of a JSON array"
expect 0 "$zhiwen" dedup news.json --plan

# what is wrong with an array
printf '[%s, 7, {"id":1}, %s, %s,]' "$a" "$c" "$d" >odd.json
expect 0 "$zhiwen" dedup odd.json -o odd -q
equals "$(result odd failed)" '{"invalid_json": 1, "missing_field": 1, "not_an_object": 1}'
equals "$(elements odd/kept/odd.json)" "a c d" "failed elements are left out"
head -c -40 news.json >cut.json
expect 3 "$zhiwen" dedup cut.json -o cut -q
has "$err" "the array is never closed, the file ends inside the element that begins at byte"
expect 0 "$zhiwen" dedup cut.json -o cut -q --skip-bad-files --overwrite
equals "$(elements cut/kept/cut.json)" "a c" "the array that was kept of a cut one"
cat news.json news.json >twice.json
expect 3 "$zhiwen" dedup twice.json -o twice -q
has "$err" "something follows"
expect 0 "$zhiwen" dedup twice.json -o twice -q --skip-bad-files --overwrite
check "what follows an array is left out" cmp twice/kept/twice.json out/kept/news.json
printf '[]' >empty.json
expect 0 "$zhiwen" dedup empty.json -o empty -q
equals "$(<empty/kept/empty.json)" "[]" "an empty array"

# large ones, for any memory and threads, and after a stop
python3 - >large.json <<'END'
import json, random
draw = random.Random(3)
print("[", end="")
for i in range(20000):
    text = "".join(chr(draw.randrange(0x4E00, 0x9000)) for _ in range(60)) if i % 3 or i == 0 else text
    print(",\n"[i == 0:] + json.dumps({"id": i, "text": text}, ensure_ascii=i % 2 == 0), end="")
print("]")
END
sed 's/^\[//; s/^,//; s/,$//; s/\]$//' large.json >large.jsonl
expect 0 "$zhiwen" dedup large.json -o large -q -j 1
expect 0 "$zhiwen" dedup large.json -o large-2 -q -j 3 --memory 128M
check "any threads, any memory" cmp large/kept/large.json large-2/kept/large.json
expect 0 "$zhiwen" dedup large.jsonl -o lines -q
equals "$(elements large/kept/large.json)" \
  "$(python3 -c 'import json,sys
print(" ".join(str(json.loads(line)["id"]) for line in open("lines/kept/large.jsonl")))')" \
  "an array and its lines: kept"

finish
