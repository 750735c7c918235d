#!/usr/bin/env bash
# testdata/dedup: every small corpus gives what the table of testdata/README.md says.
source "$(dirname "${BASH_SOURCE[0]}")/outputs.bash"

rows=0
while IFS='|' read -r _ file wanted_kept wanted_removed wanted_failed reasons wanted_exit _; do
  [[ "$file" =~ \`(.*\.jsonl)\` ]] || continue
  name=${BASH_REMATCH[1]}
  rows=$((rows + 1)) status=0
  "$zhiwen" dedup "$root/testdata/dedup/$name" -o "$work/out" --overwrite --quiet \
    >"$work/stdout" 2>"$work/stderr" || status=$?
  equal "$name: exit status" "$status" "${wanted_exit// /}"
  [[ $status == 0 ]] || continue
  equal "$name: kept" "$(cat "$work"/out/kept/* | tr -d '\r' | count)" "${wanted_kept// /}"
  equal "$name: removed" "$(zstd -dcq "$work/out/removed.jsonl.zst" | count)" \
    "${wanted_removed// /}"
  zstd -dcq "$work/out/failed.jsonl.zst" >"$work/failed"
  equal "$name: failed" "$(count <"$work/failed")" "${wanted_failed// /}"
  found=$(sed -n 's/.*"reason": *"\([a-z0-9_]*\)".*/\1/p' "$work/failed" | sort -u | tr '\n' ' ')
  equal "$name: reasons" "${found% }" "${reasons// /}"
done < <(sed -n '/^## dedup/,$p' "$root/testdata/README.md")
((rows >= 18)) || fails "the table has only $rows rows"
finish
