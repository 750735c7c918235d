#!/usr/bin/env bash
# Seen in peers: which copy stays changes from run to run.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"

cat "$root"/testdata/demo/*.jsonl >"$work/demo.jsonl"
dedup demo --threads 2
mv "$work/demo" "$work/first"
for _ in 1 2 3 4; do
  dedup demo --threads 2
  for output in kept removed.jsonl.zst clusters.jsonl.zst failed.jsonl.zst; do
    diff -rq "$work/first/$output" "$work/demo/$output" || fails "$output differs between two runs"
  done
done
finish
