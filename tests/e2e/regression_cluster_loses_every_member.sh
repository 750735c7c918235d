#!/usr/bin/env bash
# Seen in peers: of a group of copies no member survives, or a removed text names a keeper that is
# removed.
source "$(dirname "${BASH_SOURCE[0]}")/outputs.bash"

cat "$root"/testdata/demo/*.jsonl >"$work/demo.jsonl"
dedup demo
equal "in = kept + removed" "$(($(kept demo | count) + $(removed demo | count)))" \
  "$(count <"$work/demo.jsonl")"
(($(removed demo | count) > 100)) ||
  fails "only $(removed demo | count) removed; the demo has more copies"
lost=$(comm -23 <(keepers demo | cut -d ' ' -f 2 | sort -u) <(kept demo))
equal "keepers that were removed themselves" "$lost" ""
both=$(comm -12 <(removed demo) <(kept demo))
equal "removed and kept" "$both" ""
finish
