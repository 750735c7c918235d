#!/usr/bin/env bash
# Seen in peers: a run of Chinese without spaces is one token, so that one changed character hides
# a copy.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"

text=$(plain_text 0 200)
{
  record original "$text"
  record one_changed "${text:0:100}㐀${text:101}"
  record other_clause "$(plain_text 700 200)"
} >"$work/clause.jsonl"
dedup clause
equals "$(removed clause | count)" 1 "removed"
equals "$(kept clause | grep -c other_clause)" 1 "the unrelated clause stays"
finish
