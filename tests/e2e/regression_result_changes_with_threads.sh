#!/usr/bin/env bash
# Seen in peers: results change with the number of threads.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"

cat "$root"/testdata/demo/*.jsonl >"$work/demo.jsonl"
dedup demo --threads 1
mv "$work/demo" "$work/first"
for threads in 2 3 8; do
  dedup demo --threads "$threads"
  for output in kept removed.jsonl.zst clusters.jsonl.zst failed.jsonl.zst; do
    diff -rq "$work/first/$output" "$work/demo/$output" ||
      fails "$output differs with $threads threads"
  done
done
finish
