#!/usr/bin/env bash
# Every scheme as users meet it: schemes and fingerprint.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
printf '开业之初,比这还要多的质疑的声音环绕在北京华联决策者的周围。他们没有放弃!' >beijing.txt
printf '开业之初,比这还要多的质疑的声音环绕在华联商厦决策者的周围。他们没有放弃!' >store.txt
printf '华联商厦\t北京华联\n' >synonyms.txt
value() { sed 's/.*"value"://; s/}$//' "$work/.out"; }

# --- schemes ---
expect 0 "$zhiwen" schemes
has "$out" "winnowing"
lacks "$out" "channel="
expect 0 "$zhiwen" schemes simhash64 keywords.v1
has "$out" "weight=tf"
has "$out" "stop_words"
lacks "$out" "winnowing"
expect 2 "$zhiwen" schemes simhash65
has "$err" '"simhash65" is none of bbit_minhash, '
has "$err" "did you mean simhash64?"
expect 0 "$zhiwen" schemes 'simhash64(feature=shingle(3))' \
  'exact.v1(channel=folded.v3,hash=xxh128)'
has "$out" "exact.v1"
expect 0 "$zhiwen" schemes --json
families=$(sed -n 's/.*"family": "\([a-z0-9_]*\)\..*/\1/p' "$work/.out")

# --- every scheme, the same for any number of threads ---
cat "$root"/testdata/demo/*.jsonl >docs.jsonl
expect 0 "$zhiwen" terms build docs.jsonl -o df.zwt -q
names=()
for family in $families; do names+=(-s "$family"); done
expect 0 "$zhiwen" fingerprint "${names[@]}" --df df.zwt docs.jsonl -j 1 -q
equals "$(wc -l <"$work/.out")" "$(($(wc -l <docs.jsonl) * $(wc -w <<<"$families")))" "lines"
mv "$work/.out" one
expect 0 "$zhiwen" fingerprint "${names[@]}" --df df.zwt docs.jsonl -j 2 -q
check "threads change no value" cmp one "$work/.out"
# A stored name makes the same values again.
stored=$(sed -n '/"scheme":"imatch/{s/.*"scheme":"\([^"]*\)".*/\1/p;q}' one)
expect 0 "$zhiwen" fingerprint -s "$stored" --df df.zwt docs.jsonl -q
grep '"scheme":"imatch' one >stored
check "a stored name gives the stored values" cmp stored "$work/.out"

# --- a file of them: the printed values, as lines and as Parquet ---
head -n 40 docs.jsonl >few.jsonl
every=("${names[@]}" --df df.zwt few.jsonl -q)
expect 0 "$zhiwen" fingerprint "${every[@]}"
mv "$work/.out" few
expect 0 "$zhiwen" fingerprint "${every[@]}" -o values.jsonl.zst
zstd -dcq values.jsonl.zst >lines
check "a file of lines has the printed ones" cmp few lines
python=$root/build/venv-arrow/bin/python
[[ -x "$python" ]] || python=python3
if "$python" -c 'import pyarrow' 2>"$work/.err" &&
  "$zhiwen" fingerprint "${every[@]}" -o values.parquet; then
  check "Parquet has the printed values" "$python" - <<'END'
import json
import pyarrow.parquet as pq
SPELLED = {
    "value": lambda value: value.hex(),
    "hashes": lambda hashes: [f"{value:016x}" for value in hashes],
    "codes": lambda codes: [code.hex() for code in codes],
    "blocks": lambda blocks: [block | {"hash": f"{block['hash']:016x}"} for block in blocks],
    "terms": lambda terms: terms,
}
lines = [json.loads(line) for line in open("few")]
rows = pq.read_table("values.parquet").to_pylist()
assert len(lines) == len(rows)
seen = set()
for line, row in zip(lines, rows):
    there = [name for name in SPELLED if row[name] is not None]
    seen.update(there)
    value = SPELLED[there[0]](row[there[0]]) if there else None
    assert len(there) < 2 and list(line.values()) == [row["id"], row["scheme"], value], row
assert seen == set(SPELLED), seen
END
  expect 5 "$zhiwen" fingerprint -s exact docs.jsonl -o values.parquet
  expect 0 "$zhiwen" fingerprint -s exact docs.jsonl -o values.parquet --overwrite
  equals "$out" "values.parquet: $(wc -l <docs.jsonl) documents, $(wc -l <docs.jsonl) values"
  cp docs.jsonl docs.parquet
  expect 5 "$zhiwen" fingerprint -s exact docs.jsonl -o docs.parquet --overwrite
  has "$err" "it is no fingerprint file of zhiwen"
else
  echo "skipped: Parquet (no pyarrow, or a program without it)"
fi
expect 5 "$zhiwen" fingerprint -s exact beijing.txt -o docs.jsonl --overwrite
mkdir texts
cp beijing.txt store.txt texts
expect 0 "$zhiwen" fingerprint -s exact texts --text -o texts/values.jsonl
equals "$out$err" "texts/values.jsonl: 2 documents, 2 values" "a file among its inputs"
expect 2 "$zhiwen" fingerprint -s exact docs.jsonl -o values.csv
has "$err" "*.jsonl.zst"
expect 2 "$zhiwen" fingerprint -s exact docs.jsonl --overwrite
expect 2 "$zhiwen" fingerprint -s exact docs.jsonl -o values.jsonl --json
printf '{"text":"一"}\n{bad\n' >damaged.jsonl
expect 3 "$zhiwen" fingerprint -s exact damaged.jsonl --max-failed 0 -o values.jsonl
[[ ! -e values.jsonl && ! -e values.jsonl.partial ]] || fails "a failed run leaves a file"

# --- synonyms, stop words, document frequencies ---
for scheme in keywords 'keywords(hash=lookup3ycs64)' 'simhash64(feature=term,hash=sdbm)'; do
  expect 0 "$zhiwen" fingerprint -s "$scheme" --synonyms synonyms.txt beijing.txt
  beijing=$(value)
  expect 0 "$zhiwen" fingerprint -s "$scheme" --synonyms synonyms.txt store.txt
  equals "$(value)" "$beijing" "$scheme of a synonym"
  expect 0 "$zhiwen" fingerprint -s "$scheme" beijing.txt
  [[ "$(value)" != "$beijing" ]] || fails "$scheme takes other words for synonyms"
done
expect 0 "$zhiwen" fingerprint -s 'keywords(form=list,n=2)' beijing.txt
has "$out" '"value":[{"term":"北京","weight":'
printf '北京\n华联\n' >stop.txt
expect 0 "$zhiwen" fingerprint -s 'keywords(form=list)' --stopwords stop.txt beijing.txt
lacks "$out" '"北京"'
expect 2 "$zhiwen" fingerprint -s exact --df df.zwt beijing.txt
has "$err" "no scheme here uses --df"
expect 2 "$zhiwen" fingerprint -s 'simhash64(feature=term)' --df df.zwt beijing.txt
expect 2 "$zhiwen" fingerprint -s minhash --synonyms synonyms.txt beijing.txt
expect 4 "$zhiwen" fingerprint -s imatch beijing.txt
has "$err" "--df"
expect 5 "$zhiwen" fingerprint -s keywords --df df.zwt --synonyms synonyms.txt beijing.txt
expect 5 "$zhiwen" fingerprint -s "$stored" --df df.zwt --stopwords stop.txt beijing.txt \
  -s 'keywords(stop_words=0123456789abcdef)'
has "$err" "its stop_words is 0123456789abcdef"

# --- characters in place of words ---
expect 0 "$zhiwen" terms build --unit character docs.jsonl -o characters.zwt -q
expect 0 "$zhiwen" fingerprint -s 'vector(feature=character,weight=tfidf)' \
  --df characters.zwt beijing.txt
has "$out" '{"term":"北","weight":'
expect 5 "$zhiwen" fingerprint -s 'vector(weight=tfidf)' --df characters.zwt beijing.txt
has "$err" "give the same unit"
expect 2 "$zhiwen" terms build --unit character --synonyms synonyms.txt docs.jsonl -o c.zwt
has "$err" "--unit character"

# --- how alike two texts are by a scheme ---
of_texts=$(tr ' ' '\n' <<<"$families" | grep -vx -e colour_grid -e phash64)
all=()
for family in $of_texts; do all+=(-s "$family"); done
expect 0 "$zhiwen" compare "${all[@]}" --df df.zwt beijing.txt store.txt
equals "$(grep -c '^[^ ]' "$work/.out")" "$(($(wc -w <<<"$of_texts") + 1))" "lines of compare"
has "$out" "equal_bits"
# One without spaces between its characters, which would leave no words.
python3 - >long.txt <<'END'
import json
texts = (json.loads(line)["text"] for line in open("docs.jsonl"))
print(next(t for t in texts if len(t) > 500 and t.count(" ") * 20 < len(t)))
END
expect 0 "$zhiwen" compare "${all[@]}" --df df.zwt --json long.txt long.txt
equals "$(grep -c '"similarity": 1,\?$' "$work/.out" || true)" \
  "$(grep -c '"measure"' "$work/.out")" "similarities of a text and itself"
expect 0 "$zhiwen" compare -s keywords --synonyms synonyms.txt beijing.txt store.txt
equals "$(grep -c '^1 .*equal' "$work/.out")" 1 "equal values"
expect 0 "$zhiwen" compare -s phonemes --measure tones beijing.txt store.txt
has "$out" "tones "
expect 2 "$zhiwen" compare -s minhash --measure tones beijing.txt store.txt
has "$err" "of these there is equal, equal_bits, equal_values"
expect 2 "$zhiwen" compare --measure tones beijing.txt store.txt
expect 0 "$zhiwen" compare -q -s minhash beijing.txt store.txt
equals "$out" ""
expect 2 "$zhiwen" compare -s minhash --exit-code beijing.txt store.txt
expect 2 "$zhiwen" compare --synonyms synonyms.txt beijing.txt store.txt
has "$err" "without --scheme"

# --- characters that sound alike ---
printf '开业之初,北京的质疑声环绕。' >original.txt
printf '开业枝初,背精的制移声还绕!' >alike.txt
expect 0 "$zhiwen" compare -s 'initials_dna(8)' --json original.txt alike.txt
has "$out" '"similarity": 1'
expect 2 "$zhiwen" fingerprint -s 'initials_dna(channel=pinyin)' original.txt
has "$err" "only the channels initials and phonemes"
# Long texts that are unlike take their time; they can be interrupted within a pair.
for i in 1 2; do
  python3 -c 'import random, sys
some = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发"
print(*random.Random(sys.argv[1]).choices(some, k=600000), sep="")' $i >unlike$i.txt
done
status=0
timeout --foreground --preserve-status -s INT -k 1 1 \
  "$zhiwen" compare -s 'initials_dna(overlap=1)' unlike1.txt unlike2.txt >unlike 2>&1 || status=$?
equals "$status" 130

# --- metadata: fields of records, parts, keys ---
printf '%s\n' '{"id":"a","headline":"指紋引擎","author":["王","李"],"date":"2024年5月1日",
  "keywords":["去重","指纹"],"text":"正文。"}' | tr -d '\n' >article.jsonl
printf 'id,headline,author,date,keywords,text\na,指纹引擎！,王李,2024-05-01,指纹；去重,正文。\n' >article.csv
expect 0 "$zhiwen" fingerprint -s metadata --metadata title=headline article.jsonl
article=$(value)
expect 0 "$zhiwen" fingerprint -s metadata --metadata title=headline article.csv
equals "$(value)" "$article" "metadata of CSV"
if [[ -e values.parquet ]]; then
  "$python" -c '
import pyarrow.json, pyarrow.parquet
pyarrow.parquet.write_table(pyarrow.json.read_json("article.jsonl"), "article.parquet")'
  expect 0 "$zhiwen" fingerprint -s metadata --metadata title=headline article.parquet
  equals "$(value)" "$article" "metadata of Parquet"
fi
head -c 32 /dev/zero | tr '\0' k >key
expect 0 "$zhiwen" fingerprint -s metadata --key-file key --metadata title=headline article.csv
sealed=$(sed -n 's/.*"scheme":"\([^"]*\)".*/\1/p' "$work/.out")
check "the title is hashed, or sealed" python3 - "$article" "$(value)" "$sealed" <<'END'
import hashlib, hmac, sys
plain, sealed, name = (argument.strip('"') for argument in sys.argv[1:])
key, title = open("key", "rb").read(), "指纹引擎".encode()
assert len(plain) == len(sealed) == 512
assert plain[:64] == hashlib.sha256(title).hexdigest()
assert sealed[:64] == hmac.new(key, title, "sha256").hexdigest()
assert "key=" + hmac.new(key, b"zhiwen key", "sha256").hexdigest()[:16] in name
END
expect 4 "$zhiwen" fingerprint -s "$sealed" article.csv
has "$err" "--key-file"
printf 'another key of zhiwen' >other.key
expect 5 "$zhiwen" fingerprint -s "$sealed" --key-file other.key article.csv
printf 'short' >short.key
expect 3 "$zhiwen" fingerprint -s metadata --key-file short.key article.csv
expect 2 "$zhiwen" fingerprint -s exact --key-file key article.csv
expect 4 "$zhiwen" fingerprint -s metadata --metadata title=nosuch article.csv
has "$err" 'the field "nosuch" (--metadata)'
expect 2 "$zhiwen" fingerprint -s metadata --metadata titel=headline article.csv
has "$err" "did you mean title?"
expect 2 "$zhiwen" fingerprint -s metadata --metadata title article.csv
expect 2 "$zhiwen" fingerprint -s exact --metadata title=headline article.csv
expect 2 "$zhiwen" fingerprint -s metadata --metadata title=headline beijing.txt
printf '{"text":"正文。"}\n' >bare.jsonl
expect 0 "$zhiwen" fingerprint -s metadata bare.jsonl
has "$err" "no record has one of the fields title, author, published, date,"
expect 0 "$zhiwen" compare -s metadata beijing.txt store.txt
has "$out" "different      frequent words"
expect 0 "$zhiwen" compare -s metadata --json beijing.txt beijing.txt
has "$out" '"title": "missing"'
has "$out" '"edge": "equal"'

# --- winnowing says where ---
expect 0 "$zhiwen" fingerprint -s 'winnowing(g=9,k=5)' beijing.txt
check "positions are bytes of blocks" python3 - "$work/.out" beijing.txt <<'END'
import json, sys
text = open(sys.argv[2], "rb").read()
blocks = json.loads(open(sys.argv[1]).read())["value"]
assert blocks
for block in blocks:
    part = text[block["begin"] : block["end"]].decode()
    assert sum(c not in ",。!" for c in part) == 5, part
END
# So does compare: the blocks of both, and where the closest granules are.
printf '他们说:' | cat - beijing.txt >told.txt
expect 0 "$zhiwen" compare -s 'winnowing(g=9,k=5)' -s 'initials_dna(10)' --json beijing.txt told.txt
check "places are the same passages of both" python3 - "$work/.out" beijing.txt told.txt <<'END'
import json, sys
a, b = (open(path, "rb").read() for path in sys.argv[2:])
blocks, granules = json.load(open(sys.argv[1]))["similarities"]
places = [(x, y) for block in blocks["shared"] for x in block["a"] for y in block["b"]]
assert len(places) > 3
assert all(a[x["begin"] : x["end"]] == b[y["begin"] : y["end"]] for x, y in places)
assert len(granules["granules"]) > 3
assert all(row["distance"] == 0 for row in granules["granules"])
END
finish
