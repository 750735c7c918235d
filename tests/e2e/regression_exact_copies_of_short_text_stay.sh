#!/usr/bin/env bash
# Seen in peers: exact copies of a text that is shorter than a shingle both stay.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"

{
  record a 你好
  record b 你好
  record c 早上好
  record d 床前明月光
  record e 床前明月光
  record f Hello
  record g Hello
} >"$work/copies.jsonl"
dedup copies
equals "$(kept copies | tr '\n' ' ')" "a c d f " "kept"
equals "$(keepers copies | tr '\n' ';')" "b a;e d;g f;" "removed for"
finish
