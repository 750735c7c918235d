#!/usr/bin/env bash
# Halves and concatenations of the demo texts: what lies in a larger text goes, and nothing else.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

# The demo without its own near-duplicates and containments: no whole text goes with another.
expect 0 "$zhiwen" dedup "$root/testdata/demo" -o near --quiet --threshold 0.7
expect 0 "$zhiwen" dedup near/kept -o base --quiet --mode contained --candidates exact \
  --threshold 0.5
cat base/kept/*.jsonl >base.jsonl

# halves.jsonl and joined.jsonl beside the texts they are made of; what must be found in *.wanted.
python3 - <<'END'
import json
import re


def units(text):
    return len(re.findall(r"[\u3400-\u9fff]|[A-Za-z0-9]+", text))


texts = []
for line in open("base.jsonl", encoding="utf-8"):
    record = json.loads(line)
    if units(record["text"]) >= 70:
        texts.append((record["id"], record["text"]))


def write(path, records):
    with open(path, "w", encoding="utf-8") as out:
        for name, text in records:
            out.write(json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n")


halves = []
for name, text in texts:
    parts = 2 if units(text) < 400 else 8
    size = len(text) // parts
    for part in range(parts):
        halves.append((f"{name}/{part}", text[part * size:(part + 1) * size]))
halves = [(name, text) for name, text in halves if units(text) >= 30]
write("halves.jsonl", halves + texts)
joined = [(a[0] + "+" + b[0], a[1] + "\n" + b[1]) for a, b in zip(texts[::2], texts[1::2])]
write("joined.jsonl", texts + joined)
open("halves.wanted", "w").write("".join(name + "\n" for name, _ in halves))
open("joined.wanted", "w").write("".join(p + "\n" for name, _ in joined for p in name.split("+")))
write("all.jsonl", halves + texts + joined)
END

# found CASE: of what must go at least 95 in 100 go.
found() {
  local wanted got
  sort "$1.wanted" >"$1.sorted"
  removed "$1" >"$1.removed"
  wanted=$(count <"$1.sorted")
  got=$(comm -12 "$1.sorted" "$1.removed" | count)
  ((wanted > 80)) || fails "$1: the demo gives only $wanted parts"
  ((got * 100 >= wanted * 95)) || fails "$1: $got of $wanted parts found"
}

# none_wrong CASE: every removed text is in its keeper, which is kept. A half of the keeper, or a
# part of its concatenation, is by its name; others are compared by the slow path.
none_wrong() {
  keepers "$1" >keepers
  cut -d' ' -f2 keepers | sort -u >named
  kept "$1" >kept
  equals "$(comm -23 named kept)" "" "$1: keepers that are not kept"
  python3 - "$1.jsonl" "$zhiwen" <<'END' || fails "$1: wrong removals"
import json
import subprocess
import sys

texts = {}
for line in open(sys.argv[1], encoding="utf-8"):
    record = json.loads(line)
    texts[record["id"]] = record["text"]
wrong = 0
for line in open("keepers", encoding="utf-8"):
    removed, keeper = line.split()
    if removed.split("/")[0] in keeper.split("+") or texts[removed].strip() in texts[keeper]:
        continue
    for path, name in (("a.txt", removed), ("b.txt", keeper)):
        open(path, "w", encoding="utf-8").write(texts[name])
    out = subprocess.run([sys.argv[2], "compare", "--json", "a.txt", "b.txt"],
                         capture_output=True, text=True, check=True).stdout
    if json.loads(out)["containment_of_a"] < 0.8:
        print("wrong:", removed, keeper)
        wrong += 1
sys.exit(wrong > 0)
END
}

for case in halves joined; do
  dedup "$case" --mode contained
  found "$case"
  none_wrong "$case"
done
has "$(<halves/report.json)" '"expected_recall": '
has "$(zstd -dcq halves/removed.jsonl.zst)" '"reason":"contained"'

# The exact join finds all, the samples nearly the same; threads and memory change nothing.
dedup halves --mode contained --candidates exact
equals "$(removed halves | comm -23 halves.sorted -)" "" "halves that the exact join does not find"
dedup all --mode contained -j 1
cp -r all all1
dedup all --mode contained -j 3 --memory 128M
for name in kept removed.jsonl.zst clusters.jsonl.zst; do
  check "$name is the same for other threads and memory" diff -r "all/$name" "all1/$name"
done

expect 2 "$zhiwen" dedup all.jsonl -o no --mode contained --threshold 0
expect 2 "$zhiwen" dedup all.jsonl -o no --threshold 0.4
has "$err" '--mode contained'
finish
