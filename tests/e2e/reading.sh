#!/usr/bin/env bash
# What users' files are like: JSON arrays, texts that are HTML, other encodings than UTF-8.
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
has "$err" "extract the texts first"
equals "$(result html html_texts)" '{"looked_at": 3, "look_like_html": 2}'
has "$(<html/report.html)" "look like HTML"
expect 0 "$zhiwen" fingerprint -s simhash64 html.jsonl
has "$err" "2 of the first 3 texts look like HTML"
for i in 1 2 3 4 5 6 7 8 9; do record "$i" "$(plain_text $((i * 70)) 50)"; done >few.jsonl
record x "<b>$one</b>" >>few.jsonl
expect 0 "$zhiwen" dedup few.jsonl -o few
lacks "$err$(<few/report.json)" "html"
# References with tags match nothing: that is said of the references.
expect 0 "$zhiwen" dedup few.jsonl -o few-html --against html.jsonl --against-rule contains
has "$err" "2 of the first 3 references look like HTML"
has "$(<few-html/report.html)" "2 of the first 3 references look like HTML"
expect 0 "$zhiwen" dedup html.jsonl -o html-few --against few.jsonl
lacks "$err" "references look like HTML"

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
equals "$(<out/kept/news.json)" "$(printf '[\n  %s,\n  %s,\n  %s\n]' "$a" "$c" "$d")" \
  "kept of an array"
expect 0 "$zhiwen" dedup out/kept/news.json -o again -q
check "an array of which all is kept is the same" cmp out/kept/news.json again/kept/news.json
expect 0 "$zhiwen" dedup news.json -o marked -q --mark dup --add-cluster-size
has "$(<marked/kept/news.json)" '"dup":true,"cluster_size":2}'
has "$(<marked/kept/news.json)" "\"text\":\"$three\" ,\"dup\":false,\"cluster_size\":1}"
equals "$(elements marked/kept/news.json)" "a b c d" "a marked array"
gzip -c news.json >packed.json.gz
zstd -qc news.json >packed.json.zst
expect 0 "$zhiwen" dedup packed.json.gz packed.json.zst news.json -o packed -q
equals "$(gzip -dc packed/kept/packed.json.gz | cksum)" "$(cksum <out/kept/news.json)" \
  "kept, in gzip"
equals "$(zstd -dcq packed/kept/packed.json.zst | python3 -m json.tool --compact)" "[]" \
  "nothing is kept"
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
printf 'id;text\n1;%s\n' "$one" >fields.csv
expect 2 "$zhiwen" segment fields.csv --text-field body
has "$err" "; --field-separator C says it: ';', '|', tab or another)"
expect 0 "$zhiwen" segment fields.csv
expect 0 "$zhiwen" segment --field-separator ';' --separator / fields.csv
has "$out" "/"
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
    if i % 3 or i == 0:
        text = "".join(chr(draw.randrange(0x4E00, 0x9000)) for _ in range(60))
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

# --- encodings ---
{ record a "$one" && record b "$one。" && record c "$two" && record 丁 "$three"; } >utf8.jsonl
{ printf 'id,text\r\n' && printf '%s,"%s"\r\n' a "$one" b "$one。" c "$two" 丁 "$three"; } >utf8.csv
array "{\"id\":\"a\",\"text\":\"$one\"}" "{\"id\":\"b\",\"text\":\"$one。\"}" \
  "{\"id\":\"c\",\"text\":\"$two\"}" "{\"id\":\"丁\",\"text\":\"$three\"}" >utf8.json
for format in jsonl csv json; do
  expect 0 "$zhiwen" dedup "utf8.$format" -o "utf8-$format" -q
  expect 0 "$zhiwen" dedup "utf8.$format" -o "utf8-$format-marked" -q --mark 重 --add-cluster-size
  for encoding in GB18030 GBK UTF-16 UTF-16BE; do
    name=$encoding.$format
    if [[ $encoding == UTF-16BE ]]; then
      { printf '\xfe\xff' && iconv -t UTF-16BE "utf8.$format"; } >"$name"
    else iconv -t "$encoding" "utf8.$format" >"$name"; fi
    mark=$(head -c 2 "$name" | od -An -tx1 | tr -d ' ')
    expect 0 "$zhiwen" dedup "$name" -o "out-$name" -q
    equals "$(zstd -dcq "out-$name/removed.jsonl.zst" | sed "s/$encoding/utf8/g")" \
      "$(zstd -dcq "utf8-$format/removed.jsonl.zst")" "$name: what is removed"
    from=$encoding
    [[ $encoding == UTF-16BE ]] && from=UTF-16
    equals "$(iconv -f "$from" "out-$name/kept/$name")" "$(<"utf8-$format/kept/utf8.$format")" \
      "$name: what is kept"
    equals "$(head -c 2 "out-$name/kept/$name" | od -An -tx1 | tr -d ' ')" "$mark" "its first bytes"
    expect 0 "$zhiwen" dedup "$name" -o "out-$name" -q --mark 重 --add-cluster-size --overwrite
    equals "$(iconv -f "$from" "out-$name/kept/$name")" \
      "$(<"utf8-$format-marked/kept/utf8.$format")" "$name: what is kept with added fields"
    expect 0 "$zhiwen" dedup - -o piped -q --overwrite --format "$format" <"$name"
    equals "$(iconv -f "$from" "piped/kept/stdin.$format")" "$(<"utf8-$format/kept/utf8.$format")" \
      "$name on standard input"
    expect 0 "$zhiwen" fingerprint -s simhash64 "$name"
    cp "$work/.out" listed
    expect 0 "$zhiwen" fingerprint -s simhash64 "utf8.$format"
    check "$name: fingerprints" cmp "$work/.out" listed
    expect 0 "$zhiwen" fingerprint -s simhash64 - --format "$format" <"$name"
    check "$name on standard input: fingerprints" cmp "$work/.out" listed
  done
done
equals "$(result out-GB18030.csv encodings)" '{"gb18030": 1}'
has "$(<out-GB18030.csv/report.html)" "gb18030"
lacks "$(<utf8-csv/report.json)" "encodings"

# Big5 has traditional characters alone, some of whose second bytes are backslashes and bars.
{ record 甲 "功許蓋么四吜春眠不覺曉處處聞啼鳥夜來風雨聲花落知多少白日依山盡黃河入海流" &&
  record 乙 "功許蓋么四吜春眠不覺曉，處處聞啼鳥，夜來風雨聲，花落知多少，白日依山盡黃河入海流"; } >trad.jsonl
iconv -t BIG5 trad.jsonl >big5.jsonl
expect 0 "$zhiwen" dedup big5.jsonl utf8.jsonl -o big5
has "$out" "big5"
equals "$(result big5 encodings)" '{"big5": 1, "utf-8": 1}'
equals "$(iconv -f BIG5 big5/kept/big5.jsonl)" "$(tail -n 1 trad.jsonl)" "kept in Big5"
# Japanese and Korean. In Shift_JIS second bytes are backslashes and bars, too, and a katakana of
# one byte stands before a quote.
ja='朝の六時になると、城壁の下の屋台から湯気が上がる。本棚の一覧表とソフトウェアのポスターのﾃｽﾄ'
ko='아침 여섯 시가 되면 성벽 아래 노점에서 김이 오른다. 골목 안쪽에 있는 작은 책방도 벌써 불을 켰다.'
for encoding in CP932:shift_jis:sjis EUC-JP:euc-jp:eucjp EUC-KR:euc-kr:cp949; do
  IFS=: read -r name read_as named <<<"$encoding"
  text=$ja && [[ $name == EUC-KR ]] && text=$ko
  array "{\"id\":\"a\",\"text\":\"$text\"}" "{\"id\":\"b\",\"text\":\"$text\"}" |
    iconv -t "$name" >asian.json
  expect 0 "$zhiwen" dedup asian.json -o asian --overwrite -q
  equals "$(result asian encodings) $(result asian removed exact)" "{\"$read_as\": 1} 1" "$read_as"
  has "$(iconv -f "$name" asian/kept/asian.json)" "$text"
  printf 'id,text\r\n1,"%s"\r\n2,%s\r\n' "$text" "$text" | iconv -t "$name" >asian.csv
  expect 0 "$zhiwen" compare --json asian.csv:1 asian.csv:2 --encoding "$named"
  has "$out" '"equal_bytes": true'
done
expect 2 "$zhiwen" dedup big5.jsonl -o nothing --mark 汉语
has "$err" "lacks one of its characters"

# texts, by lines too; named encodings; the ASCII beginning of a file
mkdir texts && iconv -t GBK <<<"$one" >texts/a.txt
printf '%s' "$one" | iconv -t UTF-16 >texts/b.txt
printf '%s' "$two" >texts/c.txt
expect 0 "$zhiwen" dedup texts -o texts-out -q
equals "$(result texts-out encodings)" '{"gb18030": 1, "utf-16le": 1, "utf-8": 1}'
equals "$(cd texts-out/kept && echo *)" "a.txt c.txt" "kept texts"
check "a kept text is the file" cmp texts/a.txt texts-out/kept/a.txt
expect 0 "$zhiwen" segment texts/a.txt
cp "$work/.out" words
expect 0 "$zhiwen" segment - <<<"$one"
check "words of a text in GBK" cmp "$work/.out" words
iconv -f UTF-8 -t GBK utf8.jsonl >gbk.jsonl
expect 3 "$zhiwen" dedup gbk.jsonl -o nothing --encoding utf-8
expect 0 "$zhiwen" dedup gbk.jsonl -o named -q --encoding gbk
has "$(<named/report.json)" '"encoding": "gb18030"'
expect 2 "$zhiwen" dedup gbk.jsonl -o nothing --encoding koi8
has "$err" "there are auto, utf-8, gb18030, big5"

# records that cannot be decoded
{ cat gbk.jsonl && printf '{"text":"\xff\xff"}\n'; } >broken.jsonl
expect 0 "$zhiwen" dedup broken.jsonl -o broken
has "$err" "1 of 5 records failed"
equals "$(result broken failed)" '{"invalid_encoding": 1}'
has "$(zstd -dcq broken/failed.jsonl.zst)" 'not valid gb18030 at byte 9'
has "$(zstd -dcq broken/failed.jsonl.zst)" "\"raw_base64\":\"$(tail -n 1 broken.jsonl | base64)\""

# texts with some bytes that cannot be decoded are read, with many they are failed records
mkdir damaged
line=今天下午河边的柳树又绿了孩子们在桥上放风筝老人们坐在石凳上下棋
for _ in 1 2 3 4 5 6; do echo "$line"; done >damaged/whole.txt
{ cat damaged/whole.txt && printf '\xff\n'; } >damaged/some.txt
printf '%s\xff\xff' "$line" >damaged/many.txt
expect 0 "$zhiwen" dedup damaged -o mended --keep shortest
has "$err" "1 place of 1 text cannot be decoded; U+FFFD stands for it"
equals "$(result mended failed)" '{"invalid_utf8": 1}'
equals "$(ls mended/kept)" whole.txt
expect 0 "$zhiwen" dedup damaged -o mended --overwrite --keep longest -q
check "the bytes of a text that could not be decoded stay" \
  cmp mended/kept/some.txt damaged/some.txt
expect 0 "$zhiwen" library create mended-library
expect 0 "$zhiwen" library add mended-library damaged
has "$out" "2 documents added"
has "$err" "1 place of 1 text cannot be decoded"
expect 0 "$zhiwen" check mended-library damaged/some.txt
has "$err" "1 place of 1 text cannot be decoded"
expect 0 "$zhiwen" extract --json damaged/some.txt
has "$out" '"errors":1}'

finish
