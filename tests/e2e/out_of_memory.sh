#!/usr/bin/env bash
# Memory that the system refuses ends the program with status 6 and a sentence, never in a crash.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"

# limited KIBIBYTES COMMAND...: with no more address space than that.
limited() (
  ulimit -v "$1"
  shift
  "$@"
)
# A program with a sanitizer maps terabytes.
limited 1000000 "$zhiwen" version >/dev/null 2>&1 || exit 76

record one 忽逢桃花林 >"$work/small.jsonl"
{
  printf '{"id":"big","text":"'
  head -c 30000000 /dev/zero | tr '\0' 'a'
  printf '"}\n'
} >"$work/big.jsonl"
seen=0
for kibibytes in 20000 30000 45000 60000 90000 140000; do
  for threads in 1 4; do
    status=0
    limited "$kibibytes" "$zhiwen" dedup "$work/big.jsonl" -o "$work/out" --overwrite -q \
      --threads "$threads" >"$work/.out" 2>"$work/.err" || status=$?
    case $status in
      0 | 127) ;; # enough; too little for the loader
      6) seen=$((seen + 1)) ;;
      *) fails "status $status with $kibibytes KiB, $threads threads" "$(<"$work/.err")" ;;
    esac
    [[ $status != 6 ]] || has "$(<"$work/.err")" "zhiwen: out of memory"
  done
done
((seen > 0)) || fails "no limit was low enough"
finish
