#!/usr/bin/env bash
# A corpus that does not fit in --memory: the same bytes as with all memory there is, and anonymous
# memory within the bound. 160 MB; with ZW_LONG=1 1.6 GB.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
bound=$((128 << 20))
copies=8
[[ -z "${ZW_LONG:-}" ]] || copies=80

# Paragraphs of a seeded generator; every eighth record is an edited copy of an earlier one, every
# sixteenth an equal one, and half of them share one long beginning, a template.
python3 -c '
import random, sys
rng, recent = random.Random(7), []
letters = [chr(c) for c in range(0x4E00, 0x5A00)]
out = open("corpus.jsonl", "w", encoding="utf-8")
template = "".join(chr(0x4E00 + rng.randrange(3000)) for _ in range(40))
for number in range(int(sys.argv[1]) * 20000):
    if number % 8 == 5:
        text = recent[rng.randrange(len(recent))]
        if number % 16 == 5:
            at = rng.randrange(len(text))
            text = text[:at] + "改" + text[at + 1:]
    else:
        text = "".join(rng.choices(letters, k=280))
        if number % 2: text = template + text
    recent = recent[-999:] + [text]
    out.write(f"""{{"id":"{number}","text":"{text}"}}\n""")' "$copies"

anonymous "$zhiwen" dedup corpus.jsonl -o wide --memory 8G --quiet --threads 2
echo "with --memory 8G: $((peak >> 20)) MiB of anonymous memory"
mkdir scratch
anonymous "$zhiwen" dedup corpus.jsonl -o narrow --memory 128M --scratch scratch --quiet -j 2
echo "with --memory 128M: $((peak >> 20)) MiB of anonymous memory"
((peak > 0)) || fails "no memory was seen"
((peak <= bound)) || fails "128 MiB of memory were passed: $peak bytes"
equals "$(ls -A scratch)" "" "the scratch folder after the run"

for name in kept/corpus.jsonl removed.jsonl.zst clusters.jsonl.zst failed.jsonl.zst; do
  check "$name is the same for any memory" cmp "wide/$name" "narrow/$name"
done
python3 -c '
import json
wide, narrow = (json.load(open(f"{name}/report.json")) for name in ("wide", "narrow"))
assert wide["result"] == narrow["result"], "the results differ"
assert wide["result"]["removed"]["near"] > 500, wide["result"]["removed"]
assert narrow["run"]["scratch_bytes"] > 1 << 20, "nothing went to scratch"
assert narrow["run"]["memory_bytes"] == 128 << 20' || fails "the results of both runs"

# Texts just below an eighth of the memory, near copies of one another, between small ones.
mkdir texts
python3 -c '
import random
rng = random.Random(11)
letters = [chr(c) for c in range(0x4E00, 0x5A00)]
long = rng.choices(letters, k=5_550_000)
with open("large.jsonl", "w", encoding="utf-8") as out:
    for number in range(3):
        text = list(long)
        for _ in range(20000 * number): text[rng.randrange(len(text))] = "改"
        text = "".join(text)
        open(f"texts/{number}.txt", "w", encoding="utf-8").write(text)
        out.write(f"""{{"id":"{number}","text":"{text}"}}\n""")
        small = "".join(rng.choices(letters, k=300))
        for copy in range(20): out.write(f"""{{"id":"{number}.{copy}","text":"{small}{copy}"}}\n""")
    out.write("""{"id":"signs","text":"%s"}\n""" % ("+-=~" * 4_000_000))
open("above.jsonl", "w").write("""{"text":"below"}\n{"text":"%s"}\n""" % ("a" * 18_000_000))'
for input in large.jsonl texts; do
  for mode in near contained; do
    name="${input%.*}-$mode"
    "$zhiwen" dedup "$input" -o "$name-wide" --memory 8G --quiet --mode "$mode"
    anonymous "$zhiwen" dedup "$input" -o "$name" --memory 128M --quiet --mode "$mode" -j 2
    echo "$name with --memory 128M: $((peak >> 20)) MiB of anonymous memory"
    ((peak <= bound)) || fails "$name: 128 MiB of memory were passed: $peak bytes"
    for file in removed.jsonl.zst clusters.jsonl.zst; do
      check "$name: $file is the same for any memory" cmp "$name-wide/$file" "$name/$file"
    done
  done
done
# Pairs of texts that the audit compares symbol by symbol, a few at a time, on many threads: what a
# thread needed for its texts it gives back.
python3 -c '
import random
rng = random.Random(12)
letters = [chr(c) for c in range(0x4E00, 0x5A00)]
with open("pairs.jsonl", "w", encoding="utf-8") as out:
    for number in range(40):
        text = "".join(rng.choices(letters, k=261_000))
        for copy in text, text[:-5]: out.write(f"""{{"text":"{copy}"}}\n""")'
anonymous "$zhiwen" dedup pairs.jsonl -o pairs --memory 128M --quiet -j 32
echo "an audit with 32 threads and --memory 128M: $((peak >> 20)) MiB of anonymous memory"
((peak <= bound)) || fails "an audit: 128 MiB of memory were passed: $peak bytes"

# Such texts against references: items and a long stretch of the first one, and a whole one where
# the index fits it; and compared with one another without bands.
python3 -c '
import json
text = json.loads(next(open("large.jsonl", encoding="utf-8")))["text"]
with open("references.jsonl", "w", encoding="utf-8") as out:
    for number in range(300):
        at = number * 18_000
        item = text[at:at + 60] if number % 2 else text[at:at + 30] + text[at + 60:at + 90]
        out.write(f"""{{"id":"{number}","text":"{item}"}}\n""")
    out.write(f"""{{"id":"stretch","text":"{text[3_000_000:3_900_000]}"}}\n""")
open("whole.jsonl", "w", encoding="utf-8").write(f"""{{"text":"{text}"}}\n""")'
# bounded NAME OPTION...: the same bytes with all memory as with 128M, which are not passed.
bounded() {
  local name="$1" file
  shift
  "$zhiwen" dedup large.jsonl -o "$name-wide" --memory 8G --quiet "$@"
  anonymous "$zhiwen" dedup large.jsonl -o "$name" --memory 128M --quiet -j 2 "$@"
  echo "$name with --memory 128M: $((peak >> 20)) MiB of anonymous memory"
  ((peak <= bound)) || fails "$name: 128 MiB of memory were passed: $peak bytes"
  for file in "$name-wide"/*.jsonl.zst; do
    check "$name: ${file##*/} is the same for any memory" cmp "$file" "$name/${file##*/}"
  done
}
for rule in near contained-in contains overlap; do
  bounded "against-$rule" --against references.jsonl --against-rule "$rule"
done
bounded against-contains-mode-contained --against references.jsonl --mode contained
bounded against-overlap-whole --against whole.jsonl --against-rule overlap
bounded exact-near --candidates exact
bounded exact-contained --candidates exact --mode contained
expect 0 "$zhiwen" dedup above.jsonl -o above --memory 128M
has "$(zstdcat above/failed.jsonl.zst)" "it needs 138 MiB of memory or more"
expect 2 "$zhiwen" dedup corpus.jsonl -o nothing --memory 64M
has "$err" "64 MiB of memory are below the least, 128 MiB (--memory SIZE"
expect 2 "$zhiwen" dedup corpus.jsonl -o nothing --memory lots
has "$err" "--memory"

finish
