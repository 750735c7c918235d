#!/usr/bin/env bash
# Seen in peers: a run of Chinese without spaces is one token, so that one changed character hides
# a copy.
source "$(dirname "${BASH_SOURCE[0]}")/outputs.bash"

text=$(plain_text 0 200)
{
  record original "$text"
  record one_changed "${text:0:100}㐀${text:101}"
  record other_clause "$(plain_text 700 200)"
} >"$work/clause.jsonl"
dedup clause
equal "removed" "$(removed clause | count)" 1
equal "the unrelated clause stays" "$(kept clause | grep -c other_clause)" 1
finish
