#!/usr/bin/env bash
# `dedup --plan` says what a run needs, right for what it read whole, and writes nothing.
# shellcheck source=tests/support/e2e.sh
source "$(dirname "$0")/../support/e2e.sh"

# plan NAME: the number that follows "NAME" in $out, first of a range.
planned() {
  tr -d ' \n' <<<"$out" | grep -oP "\"$1\":(\{\"estimate\":)?\K[0-9.]+" | head -n 1
}

mkdir "$work/in"
for i in $(seq 1 400); do
  record "a$i" "$(plain_text $((i * 7)) 60)"
done >"$work/in/a.jsonl"
for i in $(seq 1 3 400); do
  record "b$i" "$(plain_text $((i * 7)) 59)。"
done >"$work/in/b.jsonl"
cp -r "$work/in" "$work/before"

# --- everything is read: the counts are those of the run ---
cd "$work"
expect 0 "$zhiwen" dedup in --plan --json --memory 256M
equals "$(planned documents)" 534 documents
equals "$(planned share_of_documents)" 1 share
candidates=$(planned candidate_pairs)
removed=$(planned removed)
has "$out" '"succeeds": true'
equals "$(ls -A "$work" | sort | tr '\n' ' ')" ".err .out before in " "files beside the inputs"
check "inputs are as they were" diff -r in before

expect 0 "$zhiwen" dedup in -o out --memory 256M --json
equals "$candidates" "$(tr -d ' \n' <<<"$out" | grep -oP '"candidate_pairs":\K[0-9]+')" pairs
equals "$removed" "$(zstd -dcq out/removed.jsonl.zst | wc -l)" removed

# --- for people ---
expect 0 "$zhiwen" dedup in --plan --memory 256M
for part in documents removed compared "candidate pairs" sample memory scratch time; do
  has "$out" "$part"
done
lacks "$out" "would end"

# --- an output folder may be there, in use, and is left alone ---
expect 0 "$zhiwen" dedup in --plan -o out --memory 256M
has "$out" documents
check "the result is still there" test -s out/report.json

# --- compressed and other formats ---
zstd -q in/a.jsonl -o a.jsonl.zst
gzip -c in/b.jsonl >b.jsonl.gz
expect 0 "$zhiwen" dedup a.jsonl.zst b.jsonl.gz --plan --json --memory 256M
equals "$(planned documents)" 534 "documents of compressed files"
equals "$(planned candidate_pairs)" "$candidates" "pairs of compressed files"

# --- what the run would end with ---
{ cat in/a.jsonl; for _ in $(seq 300); do echo '{"text":}'; done; } >broken.jsonl
expect 0 "$zhiwen" dedup broken.jsonl --plan
has "$out" "the run would end with status 3"
expect 3 "$zhiwen" dedup broken.jsonl -o broken

# --- errors as of the run ---
expect 2 "$zhiwen" dedup - --plan
has "$err" "standard input"
expect 2 "$zhiwen" dedup in --plan --resume -o out
expect 4 "$zhiwen" dedup nowhere.jsonl --plan
expect 4 "$zhiwen" dedup in --plan --text-field body
expect 2 "$zhiwen" dedup in --plan --memory 1M
finish
