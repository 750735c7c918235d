#!/usr/bin/env bash
# Seen in peers: short Chinese documents get no signature and are dropped, or all merged into one.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"

number=0
for text in 好 你好 早上好 床前明月光 春眠不觉晓 白日依山尽 红豆生南国 床前明月光疑是 举头望明月 离离原上草; do
  record "short-$((number += 1))" "$text"
done >"$work/short.jsonl"
dedup short
equals "$(kept short | count)" 10 "kept short texts"
equals "$(removed short | count)" 0 "removed short texts"
finish
