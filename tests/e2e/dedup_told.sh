#!/usr/bin/env bash
# What a run tells: how much of a damaged file was read, sizes, how to go on after it was stopped,
# and what it leaves behind when it failed.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

# value FOLDER NAME...: a figure of the result.
value() {
  python3 -c 'import json, sys
value = json.load(open(sys.argv[1] + "/report.json"))["result"]
for name in sys.argv[2:]: value = value[int(name) if name.isdigit() else name]
print(value)' "$@"
}

python3 - >all.jsonl <<'END'
import random
draw = random.Random(5)
for i in range(4000):
    text = "".join(chr(draw.randrange(0x4E00, 0x9000)) for _ in range(draw.randrange(20, 60)))
    print('{"id":"%d","text":"%s"}' % (i, text))
END

# --- damaged files: every record before the damage takes part ---
# damaged NAME RECORDS: a run over it and a sound file reads so many records of it, for any number
# of threads.
damaged() {
  local name=$1 records=$2 threads shown
  shown=$(sed ':a;s/\B[0-9]\{3\}\>/,&/;ta' <<<"$records")
  for threads in 1 2; do
    expect 0 "$zhiwen" dedup "$name" sound.jsonl -o "out-$threads" --overwrite --skip-bad-files \
      --threads "$threads"
    has "$(<"out-$threads/report.json")" "\"documents\": $((records + 1)),"
    has "$(<"out-$threads/report.json")" "\"records\": $records"
    has "$err" "$records of its records w"
    has "$out" "\"$name\" with $shown record"
  done
  check "$name: the same for any number of threads" cmp out-1/removed.jsonl.zst \
    out-2/removed.jsonl.zst
  has "$(<out-1/report.html)" "读入 $shown 条记录"
}
record z "两个黄鹂鸣翠柳，一行白鹭上青天。窗含西岭千秋雪，门泊东吴万里船。" >sound.jsonl
for count in 100 1200; do
  head -n "$count" all.jsonl >part.jsonl
  { gzip -c part.jsonl; echo garbage; } >behind.jsonl.gz
  damaged behind.jsonl.gz "$count"
  { zstd -qc part.jsonl; echo garbage; } >behind.jsonl.zst
  damaged behind.jsonl.zst "$count"
  gzip -c part.jsonl >whole.gz
  head -c $(($(stat -c %s whole.gz) * 9 / 10)) whole.gz >torn.jsonl.gz
  damaged torn.jsonl.gz "$({ zcat torn.jsonl.gz 2>/dev/null || true; } | wc -l)"
done
zstd -qc all.jsonl >whole.zst
head -c $(($(stat -c %s whole.zst) / 2)) whole.zst >torn.jsonl.zst
sound=$({ zstd -dc torn.jsonl.zst 2>/dev/null || true; } | wc -l)
((sound > 1000)) || fails "the torn file is too short for this test"
damaged torn.jsonl.zst "$sound"
rm -rf out-1 out-2

# --- sizes: of the files, as they are ---
gzip -c all.jsonl >packed.jsonl.gz
expect 0 "$zhiwen" dedup packed.jsonl.gz -o sizes -q
equals "$(value sizes input_bytes)" "$(stat -c %s packed.jsonl.gz)" "input_bytes"
equals "$(value sizes kept_bytes)" "$(stat -c %s sizes/kept/packed.jsonl.gz)" "kept_bytes"

# --- groups ---
printf '{"site":"%s","text":"两个黄鹂鸣翠柳，一行白鹭上青天。"}\n' a b >groups.jsonl
expect 0 "$zhiwen" dedup groups.jsonl -o groups --group-by site
has "$out" "no two kept documents of one group"
equals "$(value groups theorems no_two_kept_match_of)" "one group"
equals "$(value sizes theorems no_two_kept_match_of)" "all"

# --- documents of one id; texts ---
for _ in 1 2; do record same "两个黄鹂鸣翠柳，一行白鹭上青天。"; done >same.jsonl
expect 0 "$zhiwen" dedup same.jsonl -o same
has "$out" "same (same.jsonl:1)"
has "$out" "same (same.jsonl:2)"
mkdir texts
printf '两个黄鹂鸣翠柳，一行白鹭上青天。' | tee texts/一.txt >texts/二.txt
expect 0 "$zhiwen" dedup texts -o from-texts
has "$out" "to edit one is to edit both"
equals "$(removed from-texts | sed 's/.*\.txt/txt/')" "txt" "the id of a text"

# --- failures leave nothing behind ---
expect 3 "$zhiwen" dedup texts/一.txt -o failed --format jsonl --max-failed 100% --scratch made/here
has "$err" "no record is a document: the only one failed"
lacks "$err" "are allowed"
[[ ! -e failed ]] || fails "a run without a document leaves its folder"
[[ ! -e made/here ]] || fails "a failed run leaves the folder for scratch that it made"
expect 4 "$zhiwen" dedup all.jsonl -o failed --text-field nosuch
[[ ! -e failed ]] || fails "a misspelt field leaves a folder"
mkdir mine
expect 4 "$zhiwen" dedup all.jsonl -o mine --text-field nosuch
equals "$(ls -A mine)" "" "what a failed run leaves in a folder that was there"
mkdir scratch
expect 0 "$zhiwen" dedup same.jsonl -o fine --scratch scratch -q
[[ -e scratch ]] || fails "a folder for scratch that was there is gone"
expect 2 "$zhiwen" dedup all.jsonl -o failed --mark text
has "$err" "choose another one (--mark"
lacks "$err" "--add-cluster-size"

# --- stopped: how to go on, by which status ---
# stopped SIGNAL STATUS: the run is waiting for standard input, and has read a file before that.
stopped() {
  local signal=$1 status=$2 got=0 program
  rm -rf waiting pipe
  mkfifo pipe
  # Whoever started this may ignore the signal, as nohup does.
  env --default-signal="$signal" "$zhiwen" dedup all.jsonl - -o waiting --quiet \
    <pipe 2>"$work/.err" &
  program=$!
  exec 8>pipe
  for _ in $(seq 100); do
    [[ ! -e waiting/.partial ]] || break
    sleep 0.01
  done
  kill -s "$signal" "$program"
  wait "$program" || got=$?
  exec 8>&-
  equals "$got" "$status" "status after $signal"
  has "$(<"$work/.err")" "run the same command again to start over"
  [[ ! -e waiting ]] || fails "a run that cannot be continued leaves its folder after $signal"
}
stopped TERM 143
stopped HUP 129

# A limit of the shell is an error like a full disk.
got=0
(
  ulimit -f 8
  "$zhiwen" dedup all.jsonl -o limited --quiet 2>"$work/limited.txt"
) || got=$?
equals "$got" 6 "status at the size limit of files"
has "$(<limited.txt)" "ulimit -f"

# --- compare ---
printf '春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。' >a.txt
printf '孟浩然：春眠不覺曉，處處聞啼鳥！夜来风雨声，花落知多少。' >b.txt
expect 1 "$zhiwen" compare --exit-code --min-run 500 a.txt b.txt
has "$out" "0 of 500 symbols or more, the longest 20"
printf 'Spring NIGHT' >upper.txt
expect 0 "$zhiwen" compare upper.txt a.txt
has "$out" "6 capital letters"
: >none.txt
expect 0 "$zhiwen" compare --exit-code none.txt none.txt
has "$out" "both are empty"
echo >blank.txt # is a text that its copy matches, as dedup has it, but has no passage
expect 0 "$zhiwen" compare --exit-code blank.txt blank.txt
has "$out" "resemblance  1"

finish
