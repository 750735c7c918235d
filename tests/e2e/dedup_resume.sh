#!/usr/bin/env bash
# Interrupted deduplications as a user meets them: kill -9 at any instant, signals, a truncated
# input that is replaced, two runs in one folder. Continued with --resume they write the bytes of an
# undisturbed run. ZW_LONG=1: hundreds of kills instead of twenty. (DedupKills in pipeline_test aims
# at every stage.)
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
mounted=""
before_exit() { [[ -z "$mounted" ]] || umount "$mounted" || true; }

kills=20
[[ -z "${ZW_LONG:-}" ]] || kills=400

# lines COUNT SEED: records of pseudo-random Chinese characters; every third one is much like the
# one before.
lines() {
  LC_ALL=C awk -v count="$1" -v seed="$2" 'BEGIN {
    srand(seed)
    for (i = 0; i < count; i++) {
      if (i % 3 != 2) {
        text = ""
        for (j = 0; j < 90; j++) {
          c = 19968 + int(rand() * 5000)
          text = text sprintf("%c%c%c", 224 + int(c / 4096), 128 + int(c / 64) % 64, 128 + c % 64)
        }
      } else {
        text = text sprintf("%c%c%c", 228, 184 + int(rand() * 6), 128 + int(rand() * 64))
      }
      printf "{\"id\":\"%d-%d\",\"text\":\"%s\"}\n", seed, i, text
    }
  }'
}
mkdir "$work/in"
for seed in 1 2 3; do lines 5000 "$seed" >"$work/in/$seed.jsonl"; done
lines 3000 2 | zstd -q >"$work/in/4.jsonl.zst"
echo broken >>"$work/in/3.jsonl"

# run OPTION...: deduplicates into $work/out; the status is in $got.
run() {
  got=0
  "$zhiwen" dedup "$work/in" -o "$work/out" --quiet --threads 2 --checkpoint-every 0 "$@" \
    >"$work/stdout" 2>"$work/stderr" || got=$?
}

# same WHAT [EXPECTED]: $work/out holds what an undisturbed run gives, and nothing else.
same() {
  local name expected=${2:-$work/expected}
  for name in $(files "$expected"); do
    check "$1: the same $name" cmp -s "$expected/$name" "$work/out/$name"
  done
  equals "$(files "$work/out")" "$(files "$expected")" "$1: files"
  equals "$(result "$work/out")" "$(result "$expected")" "$1"
  check "$1: no scratch is left" test ! -e "$work/out/.partial"
}
files() { (cd "$1" && find . -path ./.partial -prune -o -type f ! -name 'report.*' ! -name .lock \
    -print | sort); }
result() { sed '/^  "run"/,$d' "$1/report.json"; }

# --- undisturbed runs of every mode ---
head -n 500 "$work/in/2.jsonl" >"$work/references.jsonl"
modes=("--mode near" "--mode contained" "--mode exact" "--against $work/references.jsonl")
took=()
for mode in "${!modes[@]}"; do
  began=$(date +%s%N)
  # shellcheck disable=SC2086  # two words
  run ${modes[mode]}
  equals "$got" 0 "an undisturbed run ${modes[mode]}"
  took[mode]=$(($(date +%s%N) - began))
  mv "$work/out" "$work/expected_$mode"
done
mv "$work/expected_0" "$work/expected"
ln -s expected "$work/expected_0"

# --- kill -9 at random instants, of first runs and of continued ones ---
RANDOM=1
resumed=0
for ((k = 0; k < kills; k++)); do
  rm -rf "$work/out"
  mode=$((k % ${#modes[@]}))
  read -ra again <<<"${modes[mode]}"
  for ((round = 0; round < 1 + k % 3; round++)); do
    "$zhiwen" dedup "$work/in" -o "$work/out" --quiet --threads 2 --checkpoint-every 0 \
      "${again[@]}" >"$work/stdout" 2>"$work/stderr" &
    delay=$((took[mode] / 1000000 * (RANDOM % 1000) / 1000))
    sleep "$(printf '%d.%03d' $((delay / 1000)) $((delay % 1000)))"
    kill -9 $! 2>"$work/stderr" || true
    wait $! 2>"$work/stderr" || true
    [[ " ${again[*]} " == *" --resume "* ]] || again+=(--resume)
    # Finished before its time; what was to be tidied is nothing to continue.
    [[ ! -e "$work/out/report.json" ]] || break
  done
  [[ ! -e "$work/out/.partial/checkpoint" ]] || resumed=$((resumed + 1))
  if [[ ! -e "$work/out/report.json" || -e "$work/out/.partial/checkpoint" ]]; then
    # A run that was killed before its first checkpoint while it moved files into place is replaced.
    # shellcheck disable=SC2086  # two words
    run ${modes[mode]} --resume
    # shellcheck disable=SC2086
    [[ $got != 5 ]] || run ${modes[mode]} --overwrite
    equals "$got" 0 "kill $k, ${modes[mode]}: $(cat "$work/stderr")"
  else
    rm -rf "$work/out/.partial"
  fi
  same "kill $k, ${modes[mode]}" "$work/expected_$mode"
done
check "some kills left a checkpoint" test "$resumed" -gt 2
echo "$resumed of $kills killed runs went on from a checkpoint"

# --- signals: the run says how to go on; nobody throws it away silently ---
# stopped SIGNAL STATUS: a run that was stopped in the middle. On a busy machine the signal often
# comes before the first checkpoint or after the end, so every delay is tried three times.
stopped() {
  local delay delays=(0.03 0.06 0.1 0.15 0.2 0.3 0.4)
  for delay in "${delays[@]}" "${delays[@]}" "${delays[@]}"; do
    rm -rf "$work/out"
    got=0
    timeout --preserve-status -s "$1" "$delay" \
      "$zhiwen" dedup "$work/in" -o "$work/out" --threads 1 --quiet \
      >"$work/stdout" 2>"$work/stderr" || got=$?
    [[ $got != "$2" || ! -e "$work/out/.partial/checkpoint" ]] || return 0
  done
  return 1
}
for signal in "INT 130" "TERM 143"; do
  # shellcheck disable=SC2086  # two words
  if ! stopped $signal; then
    fails "no run was stopped by $signal"
    continue
  fi
  has "$(cat "$work/stderr")" "--resume"
  run
  equals "$got" 5 "a run over an interrupted one"
  has "$(cat "$work/stderr")" "--resume"
  run --resume --threshold 0.9
  equals "$got" 5 "another threshold"
  has "$(cat "$work/stderr")" "with threshold 0.8"
  run --resume --memory 256M --threads 1
  equals "$got" 0 "$signal: $(cat "$work/stderr")"
  has "$(cat "$work/out/report.json")" '"resumes": 1'
  same "$signal"
done
run --resume
equals "$got" 5 "a finished run"

# --- scratch that was damaged meanwhile is made again, with a warning ---
for victim in scratch/documents scratch/band3 checkpoint; do
  for harm in flipped cut gone; do
    if ! stopped INT 130; then
      fails "no run was stopped to damage its $victim"
      continue
    fi
    lacks "$(cat "$work/stderr")" "start over"
    file=$work/out/.partial/$victim
    case $harm in
      flipped) printf '\x5a\xa5\x5a' | dd of="$file" bs=1 seek=40 conv=notrunc status=none ;;
      cut) truncate -s 30 "$file" ;;
      gone) rm "$file" ;;
    esac
    expect 0 "$zhiwen" dedup "$work/in" -o "$work/out" --threads 2 --resume
    has "$err" "warning"
    [[ "$victim $harm" == "checkpoint gone" ]] || has "$err" "$victim"
    same "$victim $harm"
  done
done

# --- a truncated input is replaced ---
rm -rf "$work/out"
cp "$work/in/4.jsonl.zst" "$work/whole.zst"
truncate -s 100000 "$work/in/4.jsonl.zst"
run
equals "$got" 3 "a truncated input"
has "$(cat "$work/stderr")" "4.jsonl.zst"
has "$(cat "$work/stderr")" "--resume"
cp "$work/whole.zst" "$work/in/4.jsonl.zst"
run --resume
equals "$got" 0 "the input replaced: $(cat "$work/stderr")"
same "the input replaced"

# --- a full disk, which is then made larger ---
rm -rf "$work/out"
mkdir "$work/out"
if [[ $(id -u) == 0 ]] && mount -t tmpfs -o size=3m tmpfs "$work/out" 2>/dev/null; then
  mounted=$work/out
  run
  equals "$got" 6 "a full disk"
  has "$(cat "$work/stderr")" "--resume"
  mount -o remount,size=64m "$work/out"
  run --resume
  equals "$got" 0 "the disk made larger: $(cat "$work/stderr")"
  same "the disk made larger"
  umount "$work/out"
  mounted=""
else
  echo "skipped: a full disk (no right to mount a small file system)"
fi

# --- two runs in one folder ---
rm -rf "$work/out"
mkdir "$work/out"
(
  flock -n 9
  run --resume
  equals "$got" 5 "a second run in a folder"
  exit "$failures"
) 9>"$work/out/.lock" || failures=$((failures + 1))

finish
