#!/usr/bin/env bash
# calibrate: a radius and a threshold from a sample, beside counts that a slow script makes.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

# Pieces of novels of many lengths, a few of them with a changed copy, and some that are equal.
python3 - <<PY
import json, random
random.seed(3)
novels = [json.loads(line)["text"] for line in open("$root/testdata/demo/novels.jsonl")]
pieces = []
for i in range(500):
    text, length = random.choice(novels), random.choice((40, 80, 150, 300, 600))
    at = random.randrange(max(1, len(text) - length))
    piece = list(text[at:at + length])
    pieces.append("".join(piece))
    if i % 25 == 0:
        for _ in range(4):
            piece[random.randrange(len(piece))] = random.choice("天地玄黄宇宙洪荒")
        pieces.append("".join(piece))
pieces += pieces[:10]
with open("sample.jsonl", "w") as out:
    for i, piece in enumerate(pieces):
        out.write(json.dumps({"id": str(i), "text": piece}, ensure_ascii=False) + "\n")
PY

expect 0 "$zhiwen" calibrate sample.jsonl --json --threads 1
cp .out one.json
expect 0 "$zhiwen" calibrate sample.jsonl --json --threads 3
sed 's/"3"/"1"/' .out | cmp -s - one.json || fails "threads change the result"

# --- all pairs, counted slowly: codes by fingerprint, resemblance by shingles ---
"$zhiwen" fingerprint -s 'simhash64(feature=shingle(3))' sample.jsonl >codes.jsonl
"$zhiwen" fingerprint -s shingles sample.jsonl >sets.jsonl
python3 - <<'PY' || fails "the counts of pairs"
import json
texts = [json.loads(line)["text"] for line in open("sample.jsonl")]
codes = [json.loads(line)["value"] for line in open("codes.jsonl")]
sets = [json.loads(line)["value"] for line in open("sets.jsonl")]
rows = {}
for text, code, shingles in zip(texts, codes, sets):
    rows[text] = (int(code, 16), frozenset(shingles or ()))
rows = list(rows.values())
unrelated, related = [0] * 65, 0
for i, (code, a) in enumerate(rows):
    for other, b in rows[:i]:
        shared = len(a & b)
        if shared and shared / (len(a) + len(b) - shared) >= 0.1:
            related += 1
        else:
            unrelated[(code ^ other).bit_count()] += 1
result = json.load(open("one.json"))
assert result["schema_version"] == 1 and result["sample"]["texts"] == len(rows), len(rows)
measured = result["all"]
assert measured["unrelated"]["by_distance"] == unrelated
assert sum(map(sum, (r["by_distance"] for r in measured["related"]))) == related > 15, related
radius = next(r for r in range(65) if sum(unrelated[:r + 1]))
share = measured["unrelated"]["joined"][radius]
assert abs(share["share"] - sum(unrelated[:radius + 1]) / sum(unrelated)) < 1e-6
assert share["low"] <= share["share"] <= share["high"]
for length in result["lengths"] + [measured]:
    for changed in length["changed"]:
        assert sum(changed["by_distance"]) + changed["without_code"] == changed["copies"]
PY

# --- for people, and files ---
expect 0 "$zhiwen" calibrate sample.jsonl --false-joins 20000 -o profile.toml --html page.html
has "$out" "finds 1 %"
has "$out" "zhiwen cluster --radius "
has "$out" "zhiwen dedup --threshold "
has "$out" "verdict"
has "$out" "a radius fits"
has "$out" "too few pairs to say"
has "$out" " left out, with a resemblance of 0.1 or more"
has "$out" "  zhiwen cluster --verify compares the texts"
has "$out" "with --unrelated 0.5"
joins=$(sed -n 's/^  It joins \([0-9]*\) of the \([0-9]*\) pairs with a resem.*/\1 \2/p' .out)
expect 0 "$zhiwen" calibrate sample.jsonl --false-joins 20000 --json
equals "$(python3 -c 'import json
measured = json.load(open(".out"))["all"]
counts = [related["by_distance"] for related in measured["related"]]
print(sum(sum(row[:measured["radius"] + 1]) for row in counts), sum(map(sum, counts)))')" "$joins" \
  "the pairs that the radius joins beside unrelated ones"
has "$(cat page.html)" "<b>${joins% *}</b> of the ${joins#* } pairs with a resemblance of 0.1"
python3 - <<'PY' || fails "profile.toml"
import tomllib
profile = tomllib.load(open("profile.toml", "rb"))
assert profile["version"] == 1 and profile["scheme"].startswith("simhash64.v1("), profile
assert profile["all"]["radius"] > 3 and 0.5 <= profile["all"]["threshold"] < 1, profile
assert profile["target"]["false_joins_one_in"] == 20000
assert [length["from"] for length in profile["length"]][:3] == [0, 50, 100], profile
PY
has "$(cat page.html)" "Calibration of a radius"
radius=$(sed -n 's/^radius = //p' profile.toml | head -1)
expect 0 "$zhiwen" cluster sample.jsonl --radius "$radius" -q -o clusters
expect 5 "$zhiwen" calibrate sample.jsonl -o profile.toml
expect 5 "$zhiwen" calibrate sample.jsonl --html profile.toml --overwrite
expect 0 "$zhiwen" calibrate sample.jsonl -o profile.toml --html page.html --overwrite -q
equals "$out" ""
expect 0 "$zhiwen" calibrate - --texts 100 --seed 7 <sample.jsonl
has "$out" "100 drawn from 530 documents"
has "$out" "Give a larger sample"
expect 0 "$zhiwen" calibrate sample.jsonl -s simhash32 --changed 5% --found 50% --unrelated 0.5
has "$out" "50.0 % of the copies with 5 % of the characters changed"

# --- texts in which one passage repeats have equal codes, unless it counts once ---
python3 - <<'PY'
import json
lines = [json.loads(line)["text"] for line in open("sample.jsonl")]
with open("tables.jsonl", "w") as out:
    for text in sorted({text[:100] for text in lines if len(text) >= 150}):
        out.write(json.dumps({"text": text + "△" * 400}, ensure_ascii=False) + "\n")
PY
expect 0 "$zhiwen" calibrate tables.jsonl --false-joins 1000
has "$out" "no radius: equal codes have "
has "$out" "That is not at most 1 in 1,000."
has "$out" "weight=distinct"
expect 0 "$zhiwen" calibrate tables.jsonl --false-joins 1000 \
  -s 'simhash64(feature=shingle(3),weight=distinct)'
has "$out" "zhiwen cluster --radius "

# --- what cannot be ---
: >empty.jsonl
expect 3 "$zhiwen" calibrate empty.jsonl
has "$err" "of 0 different texts 0 have a code"
for _ in 1 2 3; do record a 天地玄黄宇宙洪荒; done >equal.jsonl
expect 3 "$zhiwen" calibrate equal.jsonl
has "$err" "of 1 different texts 1 has a code"
record a 天 >short.jsonl
record b 地 >>short.jsonl
expect 3 "$zhiwen" calibrate short.jsonl
has "$err" "or longer texts"
expect 2 "$zhiwen" calibrate sample.jsonl -s minhash
has "$err" "is no code of 4 or 8 bytes"
expect 2 "$zhiwen" calibrate sample.jsonl --found none
expect 2 "$zhiwen" calibrate sample.jsonl --found 100%
expect 2 "$zhiwen" calibrate sample.jsonl --unrelated 0
expect 2 "$zhiwen" calibrate sample.jsonl --changed 3%
expect 2 "$zhiwen" calibrate sample.jsonl --texts 1
expect 2 "$zhiwen" calibrate sample.jsonl --overwrite
expect 2 "$zhiwen" calibrate sample.jsonl -o x --html x
expect 4 "$zhiwen" calibrate nowhere.jsonl
finish
