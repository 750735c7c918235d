#!/usr/bin/env bash
# cluster: one pass over documents, beside the definition of the source.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

# slow NAME RADIUS [OPTION]...: the lines and sets by the definition are in NAME.
slow() {
  local name=$1 radius=$2
  shift 2
  mkdir -p "$name"
  python3 "$root/tests/support/single_pass.py" stream.jsonl codes.jsonl --radius "$radius" \
    --distset "$name/distset.jsonl" --simset "$name/simset.jsonl" "$@" \
    >"$name/clusters.jsonl" 2>"$name/refused"
}
# same NAME FOLDER: the program has written what the definition gives.
same() {
  for file in clusters distset simset; do
    check "$1: $file.jsonl" cmp "$1/$file.jsonl" "$2/$file.jsonl"
  done
}

# Pieces of novels of ten days, some of them a little changed, and two without a feature. Dates are
# in no order, some are missing, one is in the future.
python3 - <<PY
import datetime, json, random
random.seed(5)
texts = [json.loads(line)["text"] for line in open("$root/testdata/demo/novels.jsonl")]
with open("stream.jsonl", "w") as out:
    pieces = []
    for i in range(1500):
        if pieces and random.random() < 0.5:
            piece = list(random.choice(pieces))
            for _ in range(random.randrange(4)):
                piece[random.randrange(len(piece))] = random.choice("天地玄黄宇宙洪荒")
            piece = "".join(piece)
        else:
            text = random.choice(texts)
            at = random.randrange(max(1, len(text) - 300))
            piece = text[at:at + 300]
            pieces.append(piece)
        row = {"id": f"文{i}", "text": piece if i not in (40, 90) else "。"}
        hour = i // 6 - (random.randrange(60) if i % 9 == 0 else 0) + (400 if i == 700 else 0)
        date = datetime.datetime(2026, 5, 1) + datetime.timedelta(hours=hour)
        if i > 20 and i % 7:
            row["date"] = date.isoformat()
        out.write(json.dumps(row, ensure_ascii=False) + "\n")
PY

scheme='simhash64(feature=shingle(3))'
"$zhiwen" fingerprint -s "$scheme" stream.jsonl >codes.jsonl 2>/dev/null
"$zhiwen" fingerprint -s shingles stream.jsonl >shingles.jsonl 2>/dev/null
for radius in 0 3 8; do
  slow wanted$radius $radius
  expect 0 "$zhiwen" cluster stream.jsonl --radius $radius
  check "the steps at radius $radius" cmp .out wanted$radius/clusters.jsonl
  expect 0 "$zhiwen" cluster stream.jsonl -r $radius -o "out$radius" -s "$scheme" --threads 1
  has "$out" "out$radius: 1,500 documents in "
  has "$out" "; 2 without a code"
  same wanted$radius out$radius
done
[[ $(grep -c '"is_new":false' out3/clusters.jsonl) -gt 100 ]] || fails "nothing joins"
[[ $(cat out8/simset.jsonl) != "$(cat out3/simset.jsonl)" ]] || fails "the radius does nothing"
expect 0 "$zhiwen" cluster - <stream.jsonl
check "standard input" cmp .out wanted3/clusters.jsonl

# --- a window, and verification ---
slow windowed 6 --window 86400
expect 0 "$zhiwen" cluster stream.jsonl -r 6 -o windowed_out --window 1d
same windowed windowed_out
has "$out" " forgotten"
has "$err" 'of 1,500 documents have no date in "date"'
expect 0 "$zhiwen" cluster stream.jsonl -r 6 --window 24h
check "the steps with a window" cmp .out windowed/clusters.jsonl
slow verified 24 --shingles shingles.jsonl --threshold 0.9
expect 0 "$zhiwen" cluster stream.jsonl -r 24 -o verified_out --verify --threshold 0.9
same verified verified_out
refused=$(sed 's/refused //' verified/refused)
has "$err" "$(printf "%'d" "$refused") documents would have joined the nearest centre"
((refused > 50)) || fails "verification refuses nothing"
slow both 24 --shingles shingles.jsonl --window 7200
expect 0 "$zhiwen" cluster stream.jsonl -r 24 -o both_out --verify --window 2h
same both both_out

# --- what cannot be ---
expect 5 "$zhiwen" cluster stream.jsonl -o out3
expect 0 "$zhiwen" cluster stream.jsonl -o out3 --overwrite -q
cp stream.jsonl out0/clusters.jsonl
expect 5 "$zhiwen" cluster stream.jsonl -o out0 --overwrite
check "a file of another kind stays" cmp stream.jsonl out0/clusters.jsonl
expect 2 "$zhiwen" cluster stream.jsonl -s minhash
has "$err" "is no code of 4 or 8 bytes"
expect 2 "$zhiwen" cluster stream.jsonl -s simhash32 -r 32
expect 2 "$zhiwen" cluster stream.jsonl -s simhash32 -s simhash64
expect 2 "$zhiwen" cluster stream.jsonl --overwrite
expect 2 "$zhiwen" cluster stream.jsonl --threshold 0.9
expect 2 "$zhiwen" cluster stream.jsonl --verify --threshold 0
expect 2 "$zhiwen" cluster stream.jsonl --date-field when
expect 2 "$zhiwen" cluster stream.jsonl --window 7
expect 4 "$zhiwen" cluster stream.jsonl --window 7d --date-field when
has "$err" 'no record has a value in the field "when" (--date-field)'
expect 4 "$zhiwen" cluster nowhere.jsonl
expect 4 "$zhiwen" cluster nowhere.jsonl -o never
[[ ! -e never ]] || fails "a folder is made for inputs that are not there"

# --- body trees: pages of other templates, what stands elsewhere, the source of a cluster ---
mkdir site
python3 - <<'PY'
import json
parts = [("春天", "河边的柳树绿了，风也暖了。人们走出家门，在路上慢慢地走。"),
         ("夏天", "天气热起来了，孩子们都在水里。夜里有人在门口乘凉，说着话。"),
         ("秋天", "田里的稻子黄了，要收了。大家忙了整整一个月，谁也没有休息。")]
def page(tag, parts, before=""):
    blocks = "".join(f"<{tag}>{head}</{tag}><p>{text}</p>" for head, text in parts)
    return f"<html><title>四季</title><body>{before}<div class=article>{blocks}</div></body></html>"
open("site/a.html", "w").write(page("h2", parts))
open("site/b.html", "w").write(page("h3", parts, "<ul><li><a href=/>首页</a></li></ul>"))
open("site/c.html", "w").write(page("h2", [(head, text[::-1]) for head, text in parts]))
open("site/d.txt", "w").write("。\n")
with open("ranked.jsonl", "w") as out:
    for name, rank, date in (("old", 0.2, "2020-01-01"), ("high", 0.7, "2024-01-01"),
                             ("younger", 0.7, "2025-01-01"), ("none", None, None)):
        row = {"id": name, "html": page("h2", parts), "rank": rank, "date": date}
        out.write(json.dumps({k: v for k, v in row.items() if v is not None}) + "\n")
PY
expect 0 "$zhiwen" cluster site --method body-tree
equals "$out" '{"id":"site/a.html","cluster":"site/a.html","is_new":true,"similarity":1}
{"id":"site/b.html","cluster":"site/a.html","is_new":false,"similarity":1}
{"id":"site/c.html","cluster":"site/c.html","is_new":true,"similarity":1}
{"id":"site/d.txt","cluster":null,"is_new":false,"similarity":null}'
lines=$out
expect 0 "$zhiwen" cluster site --method body-tree-bloom --threads 1
equals "$out" "$lines" "the form of the source"
expect 0 "$zhiwen" cluster site --method body-tree -o trees
has "$out" "trees: 4 documents in 2 clusters, the largest of 2; 1 without a clause"
equals "$(cat trees/clusters.jsonl)" "$lines" "the lines in a file"
equals "$(head -n 1 trees/sources.jsonl)" \
  '{"id":"site/a.html","cluster":"site/a.html","members":["site/b.html"]}'
ranked=(ranked.jsonl --text-field html --text-format html --method body-tree)
expect 0 "$zhiwen" cluster "${ranked[@]}" -o ranked --rank-field rank
equals "$(cat ranked/sources.jsonl)" \
  '{"id":"high","cluster":"old","members":["old","younger","none"]}' "the highest rank"
expect 0 "$zhiwen" cluster "${ranked[@]}" -o dated
equals "$(cat dated/sources.jsonl)" \
  '{"id":"old","cluster":"old","members":["high","younger","none"]}' "the oldest"
expect 4 "$zhiwen" cluster "${ranked[@]}" -o missing --rank-field missing
has "$err" "--rank-field"
expect 2 "$zhiwen" cluster "${ranked[@]}" --rank-field id
has "$err" 'is "old" in the field "id", and no number'
expect 2 "$zhiwen" cluster site --method body-tree --radius 3
expect 2 "$zhiwen" cluster site --method body-tree --state st
expect 2 "$zhiwen" cluster site --method body-tree -s minhash
expect 2 "$zhiwen" cluster site --rank-field rank
expect 5 "$zhiwen" cluster site --method body-tree -o trees
expect 0 "$zhiwen" cluster site --method body-tree -o trees --overwrite
finish
