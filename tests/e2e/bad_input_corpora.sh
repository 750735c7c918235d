#!/usr/bin/env bash
# testdata/dedup: every small corpus gives what the table of testdata/README.md says.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"

sed -n '/^## dedup/,$p' "$root/testdata/README.md" >"$work/table"
rows=0
while IFS='|' read -r _ file wanted_kept wanted_removed wanted_failed reasons wanted_exit _; do
  [[ "$file" =~ \`(.*\.jsonl)\` ]] || continue
  name=${BASH_REMATCH[1]}
  rows=$((rows + 1)) status=0
  "$zhiwen" dedup "$root/testdata/dedup/$name" -o "$work/out" --overwrite --quiet \
    --max-failed 100% >"$work/stdout" 2>"$work/stderr" || status=$?
  equals "$status" "${wanted_exit// /}" "$name: exit status"
  [[ $status == 0 ]] || continue
  equals "$(cat "$work"/out/kept/* | tr -d '\r' | count)" "${wanted_kept// /}" "$name: kept"
  equals "$(zstd -dcq "$work/out/removed.jsonl.zst" | count)" \
    "${wanted_removed// /}" "$name: removed"
  zstd -dcq "$work/out/failed.jsonl.zst" >"$work/failed"
  equals "$(count <"$work/failed")" "${wanted_failed// /}" "$name: failed"
  found=$(sed -n 's/.*"reason": *"\([a-z0-9_]*\)".*/\1/p' "$work/failed" | sort -u | tr '\n' ' ')
  equals "${found% }" "${reasons// /}" "$name: reasons"
done <"$work/table"
((rows >= 18)) || fails "the table has only $rows rows"
finish
