#!/usr/bin/env bash
# Faults of a deduplication as a user meets them: signals, kill -9, a full disk, a second run,
# inputs that are not there or cannot be read, very large records.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
mounted=""
before_exit() { [[ -z "$mounted" ]] || umount "$mounted" || true; }

# refuses STATUS TEXT COMMAND...: the command exits with STATUS and its stderr contains TEXT.
refuses() {
  local status=$1 text=$2
  shift 2
  expect "$status" "$@"
  has "$err" "$text"
}

# lines COUNT SEED: records of pseudo-random Chinese characters.
lines() {
  awk -v count="$1" -v seed="$2" 'BEGIN {
    srand(seed)
    for (i = 0; i < count; i++) {
      text = ""
      for (j = 0; j < 60; j++) {
        c = 19968 + int(rand() * 5000)
        text = text sprintf("%c%c%c", 224 + int(c / 4096), 128 + int(c / 64) % 64, 128 + c % 64)
      }
      printf "{\"id\":\"%d\",\"text\":\"%s\"}\n", i, text
    }
  }'
}
export LC_ALL=C
lines 2000 1 >"$work/small.jsonl"
for seed in $(seq 20); do lines 4000 "$seed"; done >"$work/large.jsonl"

# --- inputs ---
refuses 4 "absent.jsonl" "$zhiwen" dedup "$work/absent.jsonl" -o "$work/out"
refuses 2 "output" "$zhiwen" dedup "$work/small.jsonl"
printf '\x1f\x8b\x08\x00' >"$work/packed.jsonl"
refuses 3 "gzip" "$zhiwen" dedup "$work/packed.jsonl" -o "$work/out"
if [[ $(id -u) != 0 ]]; then
  cp "$work/small.jsonl" "$work/secret.jsonl"
  chmod 000 "$work/secret.jsonl"
  refuses 3 "secret.jsonl" "$zhiwen" dedup "$work/secret.jsonl" -o "$work/out"
fi

# --- outputs ---
expect 0 "$zhiwen" dedup "$work/small.jsonl" -o "$work/out"
refuses 5 "not empty" "$zhiwen" dedup "$work/small.jsonl" -o "$work/out"
expect 0 "$zhiwen" dedup "$work/small.jsonl" -o "$work/out" --overwrite
check "a finished folder holds no scratch" test ! -e "$work/out/.partial"
mkdir "$work/held"
(
  flock -n 9
  refuses 5 "$work/held" "$zhiwen" dedup "$work/small.jsonl" -o "$work/held"
  exit "$failures"
) 9>"$work/held/.lock" || failures=$((failures + 1))

# --- signals ---
# interrupted SIGNAL STATUS: of runs stopped after ever longer times one at least was stopped in the
# middle, with the status and without a report.
interrupted() {
  local signal=$1 status=$2 delay got
  for delay in 0.01 0.02 0.05 0.1 0.15 0.2 0.3; do
    rm -rf "$work/stopped"
    got=0
    ZHIWEN_SIMD=scalar timeout --preserve-status -s "$signal" "$delay" \
      "$zhiwen" dedup "$work/large.jsonl" -o "$work/stopped" --threads 1 --quiet \
      >"$work/stdout" 2>"$work/stderr" || got=$?
    [[ ! -e "$work/stopped/report.json" || $got == 0 ]] || return 1
    [[ $got != "$status" ]] || return 0
  done
  return 1
}
check "SIGINT stops a run with status 130 and no report" interrupted INT 130
check "SIGTERM stops a run with status 143 and no report" interrupted TERM 143

# kill -9 leaves no report, and the next run over the same folder gives what an undisturbed one
# gives.
"$zhiwen" dedup "$work/large.jsonl" -o "$work/expected" --quiet >"$work/stdout"
for delay in 0.02 0.06 0.12; do
  rm -rf "$work/killed"
  timeout -s KILL "$delay" "$zhiwen" dedup "$work/large.jsonl" -o "$work/killed" --threads 1 \
    --quiet >"$work/stdout" 2>"$work/stderr" || true
  [[ -e "$work/killed/report.json" ]] || \
    expect 0 "$zhiwen" dedup "$work/large.jsonl" -o "$work/killed" --quiet
  for name in kept/large.jsonl removed.jsonl.zst clusters.jsonl.zst failed.jsonl.zst; do
    check "the run after a kill writes the same $name" \
      cmp -s "$work/expected/$name" "$work/killed/$name"
  done
done

# --- a full disk ---
mkdir "$work/disk"
if [[ $(id -u) == 0 ]] && mount -t tmpfs -o size=1m tmpfs "$work/disk" 2>/dev/null; then
  mounted=$work/disk
  refuses 6 "$work/disk" "$zhiwen" dedup "$work/large.jsonl" -o "$work/disk/out"
  check "a full disk leaves no report" test ! -e "$work/disk/out/report.json"
else
  echo "skipped: a full disk (no right to mount a small file system)"
fi

# --- a very large record ---
{
  printf '{"id":"big","text":"'
  head -c 100000000 /dev/zero | tr '\0' 'a' | fold -w 9 | tr '\n' ' '
  printf '"}\n'
  cat "$work/small.jsonl"
} >"$work/big.jsonl"
expect 0 "$zhiwen" dedup "$work/big.jsonl" -o "$work/big" --quiet
check "a record of 100 MB is kept unchanged" cmp -s "$work/big.jsonl" "$work/big/kept/big.jsonl"

finish
