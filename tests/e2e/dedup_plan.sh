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
for part in documents removed "candidate pairs" sample memory output scratch time; do
  has "$out" "$part"
done
lacks "$out" "would end"

# --- references: how many there are and were hit, and the warnings of the run ---
{ head -n 1 in/a.jsonl; record short 短; } >references.jsonl
expect 0 "$zhiwen" dedup in --against references.jsonl --against-rule contains --plan
has "$out" "2 references, 1 hit, 1 that nothing can match"
has "$err" "1 reference has fewer than 13 characters or words and matches nothing"
expect 0 "$zhiwen" dedup in --against references.jsonl --against-rule contains --plan --json
equals "$(planned references)" 2 references
equals "$(planned unmatchable)" 1 "references that nothing can match"
cat in/a.jsonl in/a.jsonl >twice.jsonl
expect 0 "$zhiwen" dedup twice.jsonl --unique-ids --plan
has "$out" "the run would end with status 3: 400 records repeat an id"

# --- an output folder that the run would refuse is left alone, and named ---
cp -r out out-before
expect 0 "$zhiwen" dedup in --plan -o out --memory 256M
has "$out" documents
has "$out" 'the run would end with status 5: the output folder "out" is not empty'
has "$out" "--overwrite replaces it"
expect 5 "$zhiwen" dedup in -o out
expect 0 "$zhiwen" dedup in --plan -o out --memory 256M --overwrite
lacks "$out" "would end"
check "the result is as it was" diff -r out out-before
mkdir held
(
  flock -n 9
  expect 0 "$zhiwen" dedup in --plan -o held --memory 256M
  has "$out" "the run would end with status 5: cannot lock"
  exit "$failures"
) 9>held/.lock || failures=$((failures + 1))
equals "$(ls -A held)" .lock "files in the folder that is in use"

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

# --- damage that the sample meets ---
head -c 3000 b.jsonl.gz >cut.jsonl.gz
expect 0 "$zhiwen" dedup in/a.jsonl cut.jsonl.gz --plan --memory 256M
has "$out" 'the run would end with status 3: cannot read "cut.jsonl.gz"'
has "$out" "the figures are those of a run on sound files"
lacks "$out" "--resume"
expect 0 "$zhiwen" dedup in/a.jsonl cut.jsonl.gz --plan --memory 256M --skip-bad-files
has "$out" 'damaged: cannot read "cut.jsonl.gz"'
lacks "$out" "would end"
python=$root/build/venv-arrow/bin/python
[[ -x "$python" ]] || python=python3
"$python" "$root/tests/support/make_records.py" all
if [[ -e all/records.parquet ]] && "$zhiwen" dedup all/records.parquet -o parquet -q; then
  head -c $(($(wc -c <all/records.parquet) / 2)) all/records.parquet >cut.parquet
  expect 0 "$zhiwen" dedup cut.parquet in/a.jsonl --plan
  has "$out" 'the run would end with status 3: cannot read "cut.parquet"'
  "$python" "$root/tests/support/flip_parquet.py" all/records.parquet 2 text >flipped.parquet
  expect 0 "$zhiwen" dedup flipped.parquet in/a.jsonl --plan
  has "$out" 'flipped.parquet'
  has "$out" "the run would end with status 3"
fi

# --- the plan keeps to --memory, also where rows are larger than texts ---
awk 'BEGIN { for (i = 0; i < 700000; i++) printf "{\"text\":\"no %d, no %d\"}\n", i, i * 3 }' \
  >short.jsonl
anonymous "$zhiwen" dedup short.jsonl --plan --memory 128M --quiet
echo "--plan with --memory 128M: $((peak >> 20)) MiB of anonymous memory"
((peak > 0)) || fails "no memory was seen"
((peak <= 128 << 20)) || fails "128 MiB of memory were passed: $peak bytes"

# --- what the run would say of failed records, and the least memory as --memory takes it ---
printf '{"text":"第%s篇文字，不长"}\n' 一 二 >most.jsonl
printf '{\n%.0s' 1 2 3 >>most.jsonl
expect 0 "$zhiwen" dedup most.jsonl --plan
has "$out" "about 3 of 5 records fail, which is more than half"
has "$out" "--memory 128M is the least"
has "$out" "40.00 %"
# Nothing is written yet: no sentence is about what a run did.
head -n 3 most.jsonl >one-failed.jsonl
expect 0 "$zhiwen" dedup one-failed.jsonl --plan
has "$err" "warning: 1 of 3 records failed (1 invalid_json; first "
expect 0 "$zhiwen" dedup one-failed.jsonl -o one-failed
has "$err" "warning: 1 of 3 records failed and is in failed.jsonl.zst (1 invalid_json; first "
: >empty.jsonl
expect 0 "$zhiwen" dedup empty.jsonl --plan
lacks "$err" "there was"
printf '{\n%.0s' $(seq 1101) >>most.jsonl
expect 0 "$zhiwen" dedup most.jsonl --plan
has "$out" "about 1,104 of 1,106 records fail"

# --- errors as of the run ---
tail -n 3 most.jsonl >bad.jsonl
expect 3 "$zhiwen" dedup bad.jsonl --plan
expect 2 "$zhiwen" dedup - --plan
has "$err" "standard input"
expect 2 "$zhiwen" dedup in --plan --resume -o out
expect 4 "$zhiwen" dedup nowhere.jsonl --plan
expect 4 "$zhiwen" dedup in --plan --text-field body
expect 2 "$zhiwen" dedup in --plan --memory 1M
finish
