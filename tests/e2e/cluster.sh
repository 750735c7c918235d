#!/usr/bin/env bash
# cluster: one pass over documents, beside the definition of the source.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

# Single-Pass, steps 1 to 6: the nearest centre within the radius, of equals the smallest code.
cat >single_pass.py <<'END'
import json, sys
radius, path = int(sys.argv[1]), sys.argv[2]
centres, members = {}, {}  # by code: the id of the centre, the ids that joined it
for line in open(path, encoding="utf-8"):
    value = json.loads(line)
    name, step = value["id"], (None, False, None)
    if value["value"] is not None:
        code = int(value["value"], 16)
        near = min((((code ^ c).bit_count(), c) for c in centres), default=(radius + 1, 0))
        if near[0] <= radius:
            members[near[1]].append(name)
            step = (centres[near[1]], False, near[0])
        else:
            centres[code], members[code] = name, []
            step = (name, True, 0)
    print(json.dumps({"id": name, "cluster": step[0], "is_new": step[1], "distance": step[2]},
                     ensure_ascii=False, separators=(",", ":")))
with open("wanted_distset", "w") as distset, open("wanted_simset", "w") as simset:
    for code in sorted(centres):
        row = {"id": centres[code], "code": f"{code:016x}"}
        for out, more in ((distset, {}), (simset, {"members": members[code]})):
            out.write(json.dumps(row | more, ensure_ascii=False, separators=(",", ":")) + "\n")
END

# Pieces of novels, some of them a little changed, and two without a feature.
python3 - <<PY
import json, random
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
        out.write(json.dumps(row, ensure_ascii=False) + "\n")
PY

scheme='simhash64(feature=shingle(3))'
"$zhiwen" fingerprint -s "$scheme" stream.jsonl >codes.jsonl
for radius in 0 3 8; do
  python3 single_pass.py $radius codes.jsonl >wanted
  expect 0 "$zhiwen" cluster stream.jsonl --radius $radius
  check "the steps at radius $radius" cmp .out wanted
  expect 0 "$zhiwen" cluster stream.jsonl -r $radius -o "out$radius" -s "$scheme" --threads 1
  has "$out" "out$radius: 1,500 documents in "
  has "$out" "; 2 without a code"
  check "clusters.jsonl" cmp "out$radius/clusters.jsonl" wanted
  check "distset.jsonl" cmp "out$radius/distset.jsonl" wanted_distset
  check "simset.jsonl" cmp "out$radius/simset.jsonl" wanted_simset
done
[[ $(grep -c '"is_new":false' out3/clusters.jsonl) -gt 100 ]] || fails "nothing joins"
[[ $(cat out8/simset.jsonl) != "$(cat out3/simset.jsonl)" ]] || fails "the radius does nothing"
expect 0 "$zhiwen" cluster - <stream.jsonl
python3 single_pass.py 3 codes.jsonl >wanted
check "standard input" cmp .out wanted

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
expect 4 "$zhiwen" cluster nowhere.jsonl
expect 4 "$zhiwen" cluster nowhere.jsonl -o never
[[ ! -e never ]] || fails "a folder is made for inputs that are not there"

finish
