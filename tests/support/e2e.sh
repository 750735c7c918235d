# Sourced by scripts of tests/e2e: expectations that go on after a failure. $zhiwen is the program,
# $work an empty folder that is removed at the end; `finish_e2e` exits 1 when something failed.
# shellcheck shell=bash

zhiwen=${ZHIWEN:?path of the zhiwen program}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

report_failure() {
  printf 'failed: %s\n' "$1"
  shift
  (($# == 0)) || printf '  %s\n' "$@"
  failures=$((failures + 1))
}

# expect STATUS COMMAND...: runs it; its output is in $out and $err.
expect() {
  local status=$1 got=0
  shift
  "$@" >"$work/.out" 2>"$work/.err" || got=$?
  out=$(tr -d '\0' <"$work/.out")
  err=$(tr -d '\0' <"$work/.err")
  [[ $got == "$status" ]] ||
    report_failure "$*" "exit status $got, expected $status" "stderr: $err"
}

# has TEXT PART / lacks TEXT PART: PART is somewhere in TEXT, or nowhere.
has() { [[ "$1" == *"$2"* ]] || report_failure "should contain: $2" "${1:0:2000}"; }
lacks() { [[ "$1" != *"$2"* ]] || report_failure "should not contain: $2" "${1:0:2000}"; }
equals() { [[ "$1" == "$2" ]] || report_failure "should be: $2" "is: ${1:0:2000}"; }

finish_e2e() {
  ((failures == 0)) || exit 1
}
