#!/usr/bin/env bash
# Seen in peers: of a group of copies no member survives, or a removed text names a keeper that is
# removed.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"

cat "$root"/testdata/demo/*.jsonl >"$work/demo.jsonl"
dedup demo
equals "$(($(kept demo | count) + $(removed demo | count)))" \
  "$(count <"$work/demo.jsonl")" "in = kept + removed"
(($(removed demo | count) > 100)) ||
  fails "only $(removed demo | count) removed; the demo has more copies"
keepers demo | cut -d ' ' -f 2 | sort -u >"$work/keepers"
kept demo >"$work/kept"
removed demo >"$work/removed"
lost=$(comm -23 "$work/keepers" "$work/kept")
equals "$lost" "" "keepers that were removed themselves"
both=$(comm -12 "$work/removed" "$work/kept")
equals "$both" "" "removed and kept"
finish
