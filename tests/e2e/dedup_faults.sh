#!/usr/bin/env bash
# Faults of a deduplication as a user meets them: signals, kill -9, full and read-only disks, a
# second run, inputs that are not there, cannot be read or change, ten thousand of them, very large
# records.
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
awk 'BEGIN { for (i = 0; i < 1200000; i++)
  printf "{\"text\":\"number %d of these is not number %d, nor is it %d\"}\n", i, i * 7, i * 3 }' \
  >"$work/wide.jsonl"

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

# --- failed records: half of a small file may fail, most of it only where somebody says so ---
printf '{"text":"%s"}\n' 一二三 甲乙丙 >"$work/bad.jsonl"
printf '{bad\n{bad\n' >>"$work/bad.jsonl"
expect 0 "$zhiwen" dedup "$work/bad.jsonl" -o "$work/bad"
printf '{bad\n' >>"$work/bad.jsonl"
refuses 3 "3 of 5 records failed, which is more than half" \
  "$zhiwen" dedup "$work/bad.jsonl" -o "$work/bad" --overwrite
refuses 3 "3 of 5 records failed, 2 are allowed" \
  "$zhiwen" dedup "$work/bad.jsonl" -o "$work/bad" --overwrite --max-failed 2
refuses 3 "more than half" "$zhiwen" fingerprint -s exact "$work/bad.jsonl"
for most in 3 100%; do
  expect 0 "$zhiwen" dedup "$work/bad.jsonl" -o "$work/bad" --overwrite --max-failed "$most"
  expect 0 "$zhiwen" fingerprint -s exact "$work/bad.jsonl" --max-failed "$most"
done
: >"$work/empty.jsonl"
expect 0 "$zhiwen" dedup "$work/empty.jsonl" -o "$work/none"
has "$err" "warning: the inputs have no records"
printf '{"text":""}\n{"text":""}\n' >"$work/emptied.jsonl"
expect 0 "$zhiwen" dedup "$work/emptied.jsonl" -o "$work/emptied"
has "$err" "warning: all 2 documents have an empty text, which matches nothing"
printf '{"text":"一"}\n' >>"$work/emptied.jsonl"
expect 0 "$zhiwen" dedup "$work/emptied.jsonl" -o "$work/emptied" --overwrite
equals "$err" ""
expect 0 "$zhiwen" fingerprint -s exact "$work/empty.jsonl"
has "$err" "warning: the inputs have no records"

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

# --- full disks: of the outputs, of the scratch; the folder takes a run when there is room ---
disk() { mount -t tmpfs -o "size=$1" tmpfs "$work/disk" 2>/dev/null; }
mkdir "$work/disk" "$work/elsewhere"
if [[ $(id -u) == 0 ]] && disk 1m; then
  mounted=$work/disk
  refuses 6 "$work/disk" "$zhiwen" dedup "$work/large.jsonl" -o "$work/disk/out"
  has "$err" "o space left"
  has "$err" "nothing was saved to resume: start again"
  lacks "$err" "--resume"
  check "a full disk leaves no report" test ! -e "$work/disk/out/report.json"
  # Standard input is copied to scratch before it is read.
  refuses 6 "$work/disk/scratch" "$zhiwen" dedup - -o "$work/elsewhere/from" \
    --scratch "$work/disk/scratch" <"$work/large.jsonl"
  check "a full scratch leaves no report" test ! -e "$work/elsewhere/from/report.json"
  umount "$work/disk"
  disk 64m
  refuses 6 "$work/disk/scratch" "$zhiwen" dedup "$work/wide.jsonl" -o "$work/elsewhere/wide" \
    --memory 128M --scratch "$work/disk/scratch"
  # What is promised is kept: with more room the run goes on, or it says that it starts again.
  if [[ $err == *"--resume continues it"* ]]; then
    check "a checkpoint to go on from" test -e "$work/elsewhere/wide/.partial/checkpoint"
  else
    has "$err" "nothing was saved to resume"
  fi
  umount "$work/disk"
  mounted=""
  expect 0 "$zhiwen" dedup "$work/small.jsonl" -o "$work/elsewhere/from" -q --overwrite
else
  echo "skipped: full disks (no right to mount a small file system)"
fi
refuses 6 "cannot write to standard output" bash -c \
  '"$1" dedup "$2" -o "$3" --json >/dev/full' - "$zhiwen" "$work/small.jsonl" "$work/printed"

# --- an output that cannot be written ---
# unwritable FOLDER: scratch and output files in it.
unwritable() {
  refuses 5 "the scratch folder \"$1/scratch/zhiwen-" \
    "$zhiwen" dedup "$work/small.jsonl" -o "$work/out" --overwrite --scratch "$1/scratch"
  has "$err" "; choose another scratch folder"
  refuses 5 "the output file \"$1/x.jsonl\" cannot be written to" \
    "$zhiwen" fingerprint -s exact "$work/small.jsonl" -o "$1/x.jsonl"
  refuses 5 "the output file \"$1/x.zwt\" cannot be written to" \
    "$zhiwen" terms build "$work/small.jsonl" -o "$1/x.zwt"
}
if [[ $(id -u) == 0 ]] && mkdir "$work/readonly" && disk 1m; then
  mounted=$work/disk
  mount -o remount,ro "$work/disk"
  refuses 5 "the output folder \"$work/disk/out\" cannot be written to" \
    "$zhiwen" dedup "$work/small.jsonl" -o "$work/disk/out"
  has "$err" "read-only file system"
  has "$err" "choose another output folder"
  unwritable "$work/disk"
  umount "$work/disk"
  mounted=""
elif [[ $(id -u) != 0 ]]; then
  mkdir -m 555 "$work/readonly"
  refuses 5 "readonly/out\" cannot be written to" \
    "$zhiwen" dedup "$work/small.jsonl" -o "$work/readonly/out"
  has "$err" "permission denied"
  unwritable "$work/readonly"
fi
printf 'a file' >"$work/plain_file"
for folder in plain_file plain_file/below/out; do
  refuses 5 "\"$work/plain_file\" is a file" "$zhiwen" dedup "$work/small.jsonl" -o "$work/$folder"
  expect 0 "$zhiwen" dedup --plan "$work/small.jsonl" -o "$work/$folder"
  has "$out" "the run would end with status 5"
  has "$out" "\"$work/plain_file\" is a file"
done

# --- inputs that change between the passes ---
# changing HOW: the run is stopped in its first pass, at the end of a named pipe that feeds the last
# input; then the first input changes, and the pipe ends.
changing() {
  local how=$1 victim=$work/victim.jsonl status=0 program
  rm -rf "$work/changed" "$work/pipe"
  cp "$work/small.jsonl" "$victim"
  mkfifo "$work/pipe"
  "$zhiwen" dedup "$victim" - -o "$work/changed" --quiet <"$work/pipe" 2>"$work/.err" &
  program=$!
  exec 8>"$work/pipe"
  for _ in $(seq 200); do # until the inputs were looked at
    [[ ! -e $work/changed/.partial ]] || break
    sleep 0.01
  done
  case $how in
    grown) lines 1 99 >>"$victim" ;;
    cut) truncate -s 1000 "$victim" ;;
    gone) rm "$victim" ;;
    replaced) cp "$victim" "$victim.new" && mv "$victim.new" "$victim" ;;
    edited) sleep 0.02 && printf '{"id":"z"' | dd of="$victim" conv=notrunc status=none ;;
  esac
  head -n 10 "$work/small.jsonl" >&8
  exec 8>&-
  wait "$program" || status=$?
  equals "$status" 3 "a file that is $how during the run: exit status"
  has "$(<"$work/.err")" "victim.jsonl"
  [[ ! -e $work/changed/report.json ]] || fails "a file that is $how: there is a report"
}
for how in grown cut gone replaced edited; do changing "$how"; done

# --- ten thousand files, of which 256 may be open ---
mkdir "$work/many"
(cd "$work/many" && lines 10000 5 | split -l 1 -a 4 -d --additional-suffix=.jsonl)
expect 0 bash -c 'ulimit -n 256 && exec "$@"' - "$zhiwen" dedup "$work/many" -o "$work/from_many" -q
equals "$(find "$work/from_many/kept" -type f | wc -l)" 10000 "kept files of 10,000 inputs"
lines 10000 5 >"$work/one.jsonl"
expect 0 "$zhiwen" dedup "$work/one.jsonl" -o "$work/from_one" -q
equals "$(find "$work/from_many/kept" -type f -print0 | sort -z | xargs -0 cat | cksum)" \
  "$(cksum <"$work/from_one/kept/one.jsonl")" "kept records of 10,000 inputs"

# --- a very large record: failed under a small bound of memory, read under a large one ---
megabytes=200
[[ -z "${ZW_LONG:-}" ]] || megabytes=1000
{
  printf '{"id":"big","text":"'
  head -c "${megabytes}000000" /dev/zero | tr '\0' 'a' | fold -w 9 | tr '\n' ' '
  printf '"}\n'
  cat "$work/small.jsonl"
} >"$work/big.jsonl"
expect 0 "$zhiwen" dedup "$work/big.jsonl" -o "$work/big" --quiet --memory 12G
check "a record of $megabytes MB is kept unchanged" \
  cmp -s "$work/big.jsonl" "$work/big/kept/big.jsonl"
expect 0 "$zhiwen" dedup "$work/big.jsonl" -o "$work/big" --overwrite --memory 128M
has "$err" "too_large"
check "the others are kept when one record is too large" \
  cmp -s "$work/small.jsonl" "$work/big/kept/big.jsonl"
length=$(head -n 1 "$work/big.jsonl" | wc -c)
has "$(zstd -dcq "$work/big/failed.jsonl.zst")" \
  "\"source\":{\"file\":\"$work/big.jsonl\",\"record\":1,\"offset\":0,\"length\":$length}"
lacks "$(zstd -dcq "$work/big/failed.jsonl.zst")" '"raw"'

finish
