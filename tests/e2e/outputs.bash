# Sourced by the scripts of this folder: runs zhiwen dedup and reads what it wrote.
# shellcheck shell=bash
set -euo pipefail

zhiwen=${ZHIWEN:?path of the zhiwen program}
root=${ZW_ROOT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8
failures=0

# fails MESSAGE: counts a failure.
fails() {
  printf 'failed: %s\n' "$*"
  failures=$((failures + 1))
}

# equal WHAT GOT WANTED
equal() {
  [[ "$2" == "$3" ]] || fails "$1: got '$2', wanted '$3'"
}

# record ID TEXT: one line of JSON; TEXT has nothing to escape.
record() {
  printf '{"id":"%s","text":"%s"}\n' "$1" "$2"
}

# dedup NAME [OPTION]...: deduplicates $work/NAME.jsonl into $work/NAME.
dedup() {
  local name=$1 status=0
  shift
  "$zhiwen" dedup "$work/$name.jsonl" -o "$work/$name" --overwrite --quiet "$@" \
    >"$work/stdout" 2>"$work/stderr" || status=$?
  if ((status != 0)); then
    fails "dedup of $name ended with status $status: $(tail -n 3 "$work/stderr")"
    finish
  fi
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

# finish: ends the script with its result.
finish() {
  ((failures == 0)) || { printf '%s failed\n' "$failures"; exit 1; }
  exit 0
}
