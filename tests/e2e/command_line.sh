#!/usr/bin/env bash
# The manners of the command line: help, suggestions, exit statuses, where messages go.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
printf '{"id":"1","text":"忽逢桃花林，夹岸数百步，中无杂树。"}\n' >one.jsonl
escape=$'\x1b'

# --- help and version ---
for help in --help -h help; do
  expect 0 "$zhiwen" "$help"
  has "$out" "zhiwen COMMAND"
  equals "$err" ""
done
for command in dedup compare fingerprint schemes formats version; do
  expect 0 "$zhiwen" "$command" --help
  has "$out" "Examples"
  has "$out" "--color WHEN"
  lacks "$out" "$escape"
  helped=$out
  expect 0 "$zhiwen" help "$command"
  equals "$out" "$helped"
  expect 0 "$zhiwen" "$command" --no-such-option -h
done
expect 0 "$zhiwen" --version
version=$out
expect 0 "$zhiwen" version
equals "$out" "$version"
expect 0 "$zhiwen" version --json
has "$out" '"unicode"'
expect 0 "$zhiwen" formats
has "$out" "gb18030 (also gbk, gb2312)"
has "$out" "phonemes"
has "$out" "files       .jsonl .ndjson"
has "$out" "index row  one little-endian number of 8 bytes"
expect 0 "$zhiwen" schemes --json
has "$out" '"family"'

# --- usage errors: status 2, a message on stderr, nothing on stdout ---
usage() {
  local part=$1
  shift
  expect 2 "$@"
  has "$err" "zhiwen: "
  has "$err" "$part"
  equals "$out" ""
}
usage "did you mean dedup?" "$zhiwen" dedpu
usage "did you mean --threshold?" "$zhiwen" dedup one.jsonl -o out --treshold 1
usage "did you mean --resume" "$zhiwen" dedup one.jsonl -o out --resum
usage "64 MiB of memory are below the least" "$zhiwen" dedup one.jsonl -o out --memory=64M
usage "no command \"nonsense\"" "$zhiwen" help nonsense
usage "needs a value" "$zhiwen" dedup one.jsonl -o
usage "takes no value" "$zhiwen" dedup one.jsonl -o out --json=no
usage "needs inputs" "$zhiwen" dedup -o out
usage "--output DIR" "$zhiwen" dedup one.jsonl
usage "--max-failed" "$zhiwen" dedup one.jsonl -o out --max-failed 3x
usage "--threads" "$zhiwen" dedup one.jsonl -o out --threads 0
usage "" "$zhiwen" dedup one.jsonl -o out --threshold 2
usage "--channel" "$zhiwen" dedup one.jsonl -o out --channel nonsense
usage "--color" "$zhiwen" version --color sometimes
usage "does not take" "$zhiwen" version 2
usage "ZHIWEN_SIMD" env ZHIWEN_SIMD=mmx "$zhiwen" version
expect 2 "$zhiwen"
has "$out" "Commands"
usage "is given twice" "$zhiwen" dedup - - -o out
[[ ! -e out ]] || fails "a usage error wrote an output folder"

# --- garbage of every kind ends in a usage error, never in a crash ---
for word in '' ' ' '--' '---' '-=' '--=x' '-' $'\xff\xfe' $'\x1b[2J' '--help=' '%s%n' '../..'; do
  expect 2 "$zhiwen" "$word"
  lacks "$err" "$escape"
done

# --- output ---
expect 6 bash -c '"$1" formats >/dev/full' - "$zhiwen"
has "$err" "cannot write to standard output"
expect 0 "$zhiwen" dedup one.jsonl -o out --quiet
equals "$out$err" ""
expect 5 "$zhiwen" dedup one.jsonl -o out
expect 0 "$zhiwen" dedup one.jsonl -o out --overwrite --json
has "$out" '"schema_version"'
equals "$(tail -n 1 "$work/.out")" "}" "the last line of --json"
equals "$err" ""
expect 0 bash -c 'printf "one.jsonl\n\n" | "$1" dedup --files-from - -o listed' - "$zhiwen"
has "$out" "documents"
cmp one.jsonl listed/kept/one.jsonl || fails "--files-from - did not keep the record"
expect 4 "$zhiwen" dedup --files-from absent.txt -o nothing
expect 0 "$zhiwen" dedup -o dashed --overwrite -- one.jsonl

# --- instruction sets by force ---
expect 0 env ZHIWEN_SIMD=scalar "$zhiwen" version --json
has "$out" '"selected": "scalar"'

finish
