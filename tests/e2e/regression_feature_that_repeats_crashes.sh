#!/usr/bin/env bash
# Seen in peers: a feature that occurs more than 255 times crashes, or the text is lost.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"

laugh() { printf '哈%.0s' $(seq "$1"); }
word() { printf 'ha %.0s' $(seq "$1"); }
{
  record laugh "$(laugh 1000)"
  record laugh_longer "$(laugh 70000)"
  record words "$(word 1000)"
  record words_longer "$(word 70000)"
  record other "$(plain_text 0 100)"
} >"$work/laugh.jsonl"
dedup laugh
equals "$(kept laugh | tr '\n' ' ')" "laugh_longer other words_longer " "kept"
finish
