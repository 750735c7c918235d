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

# anonymous COMMAND...: runs it; the largest RssAnon that was seen, in bytes, is in $peak.
anonymous() {
  "$@" &
  local program=$! kilobytes
  peak=0
  while kill -0 "$program" 2>/dev/null; do
    kilobytes=$(awk '$1 == "RssAnon:" { print $2 }' "/proc/$program/status" 2>/dev/null || true)
    if [[ -n "$kilobytes" ]] && ((kilobytes * 1024 > peak)); then peak=$((kilobytes * 1024)); fi
    sleep 0.01
  done
  wait "$program" || fails "$* ended with status $?"
}

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

expect 2 "$zhiwen" dedup corpus.jsonl -o nothing --memory 64M
has "$err" "--memory 64M is below the least, 128M"
expect 2 "$zhiwen" dedup corpus.jsonl -o nothing --memory lots
has "$err" "--memory"

finish
