#!/usr/bin/env bash
# segment, inspect and terms with what is no text, with what cannot be written, and stopped
# half-way; sentences, and options that do nothing.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
"$zhiwen" language >/dev/null || fails "there is no language data (./zw build)"

# refuses STATUS TEXT COMMAND...: the command exits with STATUS and its stderr contains TEXT.
refuses() {
  local status=$1 text=$2
  shift 2
  expect "$status" "$zhiwen" "$@"
  has "$err" "$text"
}

# --- sentences ---
printf '他说：“走吧！”她来了.好?\r\n见a.com/?id=3.14。\n\n末' >page.txt
expect 0 "$zhiwen" segment --sentences page.txt
equals "$out" $'他说：“走吧！”\n她来了.\n好?\n见a.com/?id=3.14。\n末'
expect 0 "$zhiwen" segment --sentences --json - <<<'好！.好'
first='{"text":"好！.","begin":0,"end":7}' second='{"text":"好","begin":7,"end":10}'
equals "$out" "{\"id\":\"stdin\",\"sentences\":[$first,$second]}"
expect 0 "$zhiwen" segment --clauses --json - <<<'好，好。'
has "$out" '"clauses":[{"text":"好，","begin":0,"end":6},{"text":"好。"'
refuses 2 "--sentences does nothing with --clauses" segment --clauses --sentences page.txt
refuses 2 "does nothing with --clauses" segment --clauses --tags page.txt
printf '\xef\xbb\xbf一。二' >mark.txt # bytes are those of the file, as inspect counts them
expect 0 "$zhiwen" segment --sentences --json mark.txt
first='{"text":"一。","begin":3,"end":9}' second='{"text":"二","begin":9,"end":12}'
equals "$out" "{\"id\":\"mark.txt\",\"sentences\":[$first,$second]}"
expect 0 "$zhiwen" inspect --json --channel folded --bytes 9-12 mark.txt
has "$out" '"names": ["二"]'
printf '\xef\xbb\xbf第一行\n第二\xff行\n' >half.txt
expect 3 "$zhiwen" segment --sentences half.txt
equals "$out" 第一行 "the lines before a bad one"
has "$err" "not valid UTF-8 at byte 19;"
has "$err" "the lines before byte 13 were printed"
printf '好\xff\n' | gzip >half.txt.gz
expect 3 "$zhiwen" segment --sentences half.txt.gz
lacks "$err" "the lines before"
# A text that cannot be read is a failed record, and those behind it are cut.
mkdir texts
printf '一。\n\xff' >texts/1.txt
printf '二。' >texts/2.txt
expect 0 "$zhiwen" segment --sentences texts
equals "$out" $'一。\n二。'
has "$err" '"texts/1.txt": invalid_utf8'
has "$err" "1 of 2 records have no text to segment"
# Where no record has the field, one line says it.
for _ in 1 2 3; do echo '{"body":"x"}'; done >no-text.jsonl
expect 4 "$zhiwen" fingerprint -s simhash64 no-text.jsonl
equals "$(wc -l <"$work/.err")" 1 "lines about a field that no record has"
expect 3 "$zhiwen" segment --sentences --max-failed 0 texts
equals "$out" $'一。\n二。'
# Every whole record before damage is printed.
for ((i = 1; i <= 1500; ++i)); do printf '{"text":"%s。"}\n' "$i"; done | gzip -1 >cut.jsonl.gz
truncate -s -20 cut.jsonl.gz
expect 3 "$zhiwen" segment --sentences cut.jsonl.gz
whole=$({ zcat cut.jsonl.gz 2>/dev/null || true; } | wc -l)
equals "$(wc -l <.out)" "$whole"
check "more than a batch" [ "$whole" -gt 1024 ]
has "$err" "truncated gzip member at byte 0; "
has "$err" "${whole:0:1},${whole:1} records before that were printed"
{ yes 一二三。 || true; } | head -c 1300000 | tr -d '\n' >long.txt # a line that is printed as it is cut
expect 0 "$zhiwen" segment --sentences long.txt
equals "$(wc -l <.out)" 100000

# --- options that do nothing, and inputs of another kind ---
refuses 2 "--separator does nothing with --json" segment --json --separator , page.txt
refuses 2 "--no-hmm does nothing with --mode full" segment --mode full --no-hmm page.txt
for idle in "--mode accurate" --tags --no-hmm "--separator ," "--dict page.txt"; do
  # shellcheck disable=SC2086  # an option and its value
  refuses 2 "does nothing with --sentences" segment --sentences $idle page.txt
done
refuses 2 "--text-field does nothing with texts" segment --sentences --text-field x page.txt
refuses 2 "--id-field does nothing with texts" fingerprint -s exact --id-field x page.txt
expect 0 "$zhiwen" segment --sentences - <<<'{"id":"1","text":"好"}'
has "$err" "give --format jsonl"

# What the commands make of a file: segment and inspect, and terms build where there are words.
# all STATUS TEXT FILE
all() {
  refuses "$1" "$2" segment --sentences "$3"
  refuses "$1" "$2" segment "$3"
  refuses "$1" "$2" terms build "$3" -o out.zwt
  check "no file of $3 is left" [ ! -e out.zwt ]
  check "nor what it was made in" [ ! -e out.zwt.partial ]
}
printf '好\xff\n' >bad.txt
printf '\x7fELF\x02\x01\x01\xff\xfe\x00' >program
printf '\xff\xfea\0\0\xdc' >utf16.txt
printf '好好好\n' | gzip | head -c 15 >cut.txt.gz
printf 'a,b\n1,好\n' >columns.csv
printf 'id\ttext\n1\t好。\n2\t"好\n3\t好\n' >quote.tsv
mkdir none
all 3 "not valid UTF-8 at byte 3" bad.txt
all 3 "program" program
all 3 "not valid utf-16le at byte 4" utf16.txt
all 3 "truncated gzip member" cut.txt.gz
all 4 'field "text" is missing; the header names "a", "b"' columns.csv
all 3 "the quote on line 3 is never closed" quote.tsv
has "$err" "replace the file and run again"
all 4 'below "none"' none
all 4 "absent.txt" absent.txt
refuses 3 "not valid UTF-8 at byte 3" inspect --channel folded bad.txt
refuses 3 "if it is a text, convert it" inspect --channel folded program
refuses 3 "truncated gzip member" inspect --channel folded cut.txt.gz
refuses 3 "is a directory" inspect --channel folded none
if ((EUID != 0)); then
  cp page.txt secret.txt
  chmod 000 secret.txt
  all 3 "secret.txt" secret.txt
  refuses 3 "secret.txt" inspect --channel folded secret.txt
fi
: >empty.txt
expect 0 "$zhiwen" segment --sentences empty.txt
equals "$out" ""
refuses 3 "give --format text" terms top - <<<'好'
refuses 3 "zhiwen terms makes one" terms show page.txt
refuses 5 "is there already" terms build page.txt -o none
refuses 5 "is there already" terms build page.txt -o /dev/full
expect 0 "$zhiwen" segment empty.txt
equals "$out" ""

# --- a full disk, a reader that goes, a signal ---
commands=("segment --sentences long.txt" "segment --sentences --json long.txt"
  "inspect --json --channel folded long.txt")
commands+=("segment long.txt" "segment --json long.txt")
for command in "${commands[@]}"; do
  status=0
  # shellcheck disable=SC2086  # words of a command
  "$zhiwen" $command 2>.err >/dev/full || status=$?
  equals "$status" 6 "the status of $command on a full disk"
  has "$(cat .err)" "No space left on device"
  status=0
  # shellcheck disable=SC2086
  { "$zhiwen" $command 2>.err || echo $? >.status; } | head -c 10 >/dev/null
  equals "$(cat .status)" 141 "the status of $command without a reader"
  equals "$(cat .err)" ""
  rm .status
done

# stopped STATUS SIGNAL COMMAND...: the command, which waits for its input, ends so.
mkfifo pipe
stopped() {
  "$zhiwen" "${@:3}" <pipe >/dev/null 2>.err &
  local program=$! status=0
  exec {input}>pipe
  cat page.txt >&"$input"
  # Signals that come before the program takes them are lost, as a shell's jobs ignore SIGINT.
  for _ in {1..200}; do
    grep -qE '^SigCgt:.*[2367abef]$' "/proc/$program/status" && break
    sleep 0.05
  done
  kill -"$2" "$program"
  wait "$program" 2>/dev/null || status=$?
  exec {input}>&-
  equals "$status" "$1" "the status of $3 after $2"
}
stopped 143 TERM segment --sentences -
stopped 130 INT inspect --channel folded -
stopped 137 KILL inspect --channel folded -
stopped 130 INT segment -
stopped 143 TERM terms build --format text - -o out.zwt
check "nothing is left" [ ! -e out.zwt ] && check "nor beside it" [ ! -e out.zwt.partial ]
stopped 137 KILL terms build --format text - -o out.zwt
check "killed, no file has the name" [ ! -e out.zwt ]
expect 0 "$zhiwen" terms build --format text page.txt -o out.zwt -q
check "nothing is in the way of the next" [ ! -e out.zwt.partial ]

finish
