#!/usr/bin/env bash
# Seen in peers: a chain of near-duplicates becomes one group of texts that have nothing in common.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"

text=$(plain_text 0 2300)
for ((i = 0; i < 100; i++)); do
  printf -v id 'link-%03d' "$i"
  record "$id" "${text:i*20:300}"
done >"$work/chain.jsonl"
dedup chain
(($(kept chain | count) >= 33)) || fails "only $(kept chain | count) of 100 links are kept"
keepers chain >"$work/keepers"
while read -r link keeper; do
  distance=$((10#${link#link-} - 10#${keeper#link-}))
  ((distance >= -1 && distance <= 1)) || fails "$link was removed for $keeper, $distance links away"
done <"$work/keepers"
finish
