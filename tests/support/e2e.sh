# Sourced by the scripts of tests/e2e: runs the program, looks at what it printed and wrote, and
# goes on after a failure. $zhiwen is the program, $root the repository, $work an empty folder that
# is removed at the end; `finish` ends the script with its result.
# shellcheck shell=bash
set -euo pipefail

zhiwen=${ZHIWEN:?path of the zhiwen program}
# shellcheck disable=SC2034  # read by the scripts
root=${ZW_ROOT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
export LC_ALL=C.UTF-8
failures=0
work=$(mktemp -d)
before_exit() { :; } # a script's own clean-up
trap 'before_exit; rm -rf "$work"' EXIT

# need_browser: skips the script where there is none, but for CI; $tools is what drives it.
need_browser() {
  tools=$root/build/browser
  if [[ ! -d $tools/node_modules/playwright-core ]] || ! command -v chromium node >/dev/null; then
    [[ -z "${CI:-}" ]] || { echo "no browser: run ./zw setup browser"; exit 1; }
    echo "skipped: no browser (./zw setup browser)"
    exit 77
  fi
}

# --- what is expected ---

# fails MESSAGE [LINE]...: counts a failure.
fails() {
  printf 'failed: %s\n' "$1"
  shift
  (($# == 0)) || printf '  %s\n' "$@"
  failures=$((failures + 1))
}

# expect STATUS COMMAND...: runs it; its output is in $out and $err, and in $work/.out and .err.
expect() {
  local status=$1 got=0
  shift
  "$@" >"$work/.out" 2>"$work/.err" || got=$?
  # shellcheck disable=SC2034  # read by the scripts
  out=$(tr -d '\0' <"$work/.out")
  err=$(tr -d '\0' <"$work/.err")
  [[ $got == "$status" ]] || fails "$*" "exit status $got, expected $status" "stderr: $err"
}

# check WHAT COMMAND...: the command succeeds.
check() {
  local what=$1
  shift
  "$@" || fails "$what"
}

# has TEXT PART / lacks TEXT PART: PART is somewhere in TEXT, or nowhere.
has() { [[ "$1" == *"$2"* ]] || fails "should contain: $2" "${1:0:2000}"; }
lacks() { [[ "$1" != *"$2"* ]] || fails "should not contain: $2" "${1:0:2000}"; }

# equals GOT WANTED [WHAT]
equals() { [[ "$1" == "$2" ]] || fails "${3:+$3 }should be: $2" "is: ${1:0:2000}"; }

# anonymous COMMAND...: runs it; the largest RssAnon that was seen, in bytes, is in $peak.
anonymous() {
  "$@" &
  local program=$! kilobytes
  peak=0
  while kill -0 "$program" 2>/dev/null; do
    kilobytes=$(awk '$1 == "RssAnon:" { print $2 }' "/proc/$program/status" 2>/dev/null || true)
    if [[ -n "$kilobytes" ]] && ((kilobytes * 1024 > peak)); then peak=$((kilobytes * 1024)); fi
    sleep 0.01
  done
  wait "$program" || fails "$* ended with status $?"
}

# stopped_writer STATUS SIGNAL FILE COMMAND...: the command, which replaces FILE, is sent the signal
# as soon as it has begun: it ends so, and FILE is the old one.
stopped_writer() {
  local wanted=$1 signal=$2 file=$3 status=0
  shift 3
  rm -f "$file.partial/.lock"
  cp "$file" "$work/.before"
  "$@" 2>"$work/.err" &
  local program=$!
  for _ in {1..1000}; do
    [[ -e $file.partial/.lock ]] && break
    sleep 0.01
  done
  kill -"$signal" "$program"
  wait "$program" 2>/dev/null || status=$?
  equals "$status" "$wanted" "the status after $signal"
  check "the old file is still there" cmp "$file" "$work/.before"
}

# finish: ends the script with its result.
finish() {
  ((failures == 0)) || { printf '%s failed\n' "$failures"; exit 1; }
  exit 0
}

# --- deduplication ---

# record ID TEXT: one line of JSON; TEXT has nothing to escape.
record() {
  printf '{"id":"%s","text":"%s"}\n' "$1" "$2"
}

# dedup NAME [OPTION]...: deduplicates $work/NAME.jsonl into $work/NAME. The script ends when that
# fails.
dedup() {
  local name=$1 before=$failures
  shift
  expect 0 "$zhiwen" dedup "$work/$name.jsonl" -o "$work/$name" --overwrite --quiet "$@"
  ((failures == before)) || finish
}

ids() { sed -n 's/^{"id": *"\([^"]*\)".*/\1/p' | sort; }
kept() { cat "$work/$1"/kept/* | ids; }
removed() { zstd -dcq "$work/$1/removed.jsonl.zst" | ids; }
count() { grep -c . || true; }

# keepers NAME: "removed kept" for every removal, sorted.
keepers() {
  zstd -dcq "$work/$1/removed.jsonl.zst" |
    sed -n 's/^{"id": *"\([^"]*\)".*"kept_id": *"\([^"]*\)".*/\1 \2/p' | sort
}

# plain_text FROM LENGTH: Han characters of a public-domain novel.
plain_text() {
  local text
  text=$(head -n 1 "$root/testdata/demo/novels.jsonl" | grep -oP '\p{Han}+' | tr -d '\n')
  ((${#text} >= $1 + $2)) || { echo "the novel is too short" >&2; return 1; }
  printf '%s' "${text:$1:$2}"
}
