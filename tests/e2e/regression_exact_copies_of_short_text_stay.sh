#!/usr/bin/env bash
# Seen in peers: exact copies of a text that is shorter than a shingle both stay.
source "$(dirname "${BASH_SOURCE[0]}")/outputs.bash"

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
equal "kept" "$(kept copies | tr '\n' ' ')" "a c d f "
equal "removed for" "$(keepers copies | tr '\n' ';')" "b a;e d;g f;"
finish
