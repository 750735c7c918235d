#!/usr/bin/env bash
# Items of a test set inside a corpus: whole, in parts, in other clothes; under every rule.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

pick() { zstd -dcq "$1/removed.jsonl.zst" | grep '"reason":"against"' || true; }

text=$(plain_text 0 2300)
item=${text:100:30}
{
  record whole "$item"
  record page "${text:0:900}"
  record inside "${text:110:15}"
  record other "${text:1200:900}"
} >corpus.jsonl
record item "$item" >test.jsonl
printf 'id,text\nitem,"%s"\n' "$item" >test.csv

# What each rule removes.
expect_removed() {
  local rule=$1 wanted=$2
  shift 2
  expect 0 "$zhiwen" dedup corpus.jsonl -o "out-$rule" --overwrite -q --against-rule "$rule" "$@"
  equals "$(pick "out-$rule" | ids | tr '\n' ' ')" "$wanted" "$rule removes"
}
for reference in test.jsonl test.csv; do
  expect_removed near "whole " --against "$reference"
  expect_removed contained-in "inside whole " --against "$reference"
  expect_removed contains "page whole " --against "$reference"
  expect_removed overlap "page whole " --against "$reference" --run 20
done
equals "$(zstd -dcq out-contains/references.jsonl.zst)" \
  '{"id":"item","source":{"file":"test.csv","record":1},"hits":2}' "references that were hit"
has "$(<out-contains/report.json)" '"inputs_hit": 2'
has "$(pick out-overlap)" '"run":2'
equals "$(kept out-contains | tr '\n' ' ')" "inside other " "kept"

# References are never written, and count as kept: an input goes whole against a copy of itself.
cp corpus.jsonl copy.jsonl
expect 0 "$zhiwen" dedup corpus.jsonl -o all --against copy.jsonl --quiet
equals "$(kept all | count)" 0 "kept of a file against its copy"
expect 2 "$zhiwen" dedup corpus.jsonl -o no --against corpus.jsonl

# A word that most texts use, and a phrase that many share, remove nothing and are named; a
# reference that many inputs match is warned of. Marking leaves all of them.
phrase=${text:400:24}
for i in $(seq 400); do
  body=${text:i*4:60}
  ((i % 10 == 0)) && body+=$phrase
  record "d$i" "${body}我们$((i * 7919))"
done >many.jsonl
{
  record word 我们
  record phrase "$phrase"
} >phrases.jsonl
expect 0 "$zhiwen" dedup many.jsonl -o many --mode exact --against phrases.jsonl \
  --against-rule contains
has "$err" 'such as "word" (phrases.jsonl:1): 我们'
has "$err" 'such as "phrase" (phrases.jsonl:2)'
has "$out" "References too short to match: 1"
has "$out" "References with too few uncommon shingles: 1"
equals "$(kept many | count)" 400 "kept beside common phrases"
expect 0 "$zhiwen" dedup many.jsonl -o marked --mode exact --against phrases.jsonl \
  --against-rule contains --min-reference 1 --common-share none --action mark --mark leak
has "$err" '400 of 400 inputs match the reference "word"'
has "$out" "400 inputs marked, not left out"
equals "$(grep -c '"leak":true' marked/kept/many.jsonl)" 400 "marked"
has "$(<marked/report.json)" '"often_hit": 2'
record dots …… >dots.jsonl
expect 0 "$zhiwen" dedup many.jsonl -o dots --mode exact --against dots.jsonl \
  --against-rule contains --min-reference 1
has "$err" "1 reference has fewer than 1 character or word and matches nothing"
expect 2 "$zhiwen" dedup many.jsonl -o no --against phrases.jsonl --action mark
has "$err" "--mark FIELD"
expect 2 "$zhiwen" dedup many.jsonl -o no --against phrases.jsonl --min-reference 5
has "$err" "--min-reference does nothing unless"

# The demo: what is disguised is found in the poems, nothing else is.
demo=$root/testdata/demo
expect 0 "$zhiwen" dedup "$demo/disguised.jsonl" -o demo --against "$demo/poems.jsonl" \
  --against "$demo/novels.jsonl" --against "$demo/own.jsonl" --quiet -j 3
expect 0 "$zhiwen" dedup "$demo/disguised.jsonl" -o demo1 --against "$demo/poems.jsonl" \
  --against "$demo/novels.jsonl" --against "$demo/own.jsonl" --quiet -j 1
check "threads change nothing" cmp demo/removed.jsonl.zst demo1/removed.jsonl.zst
(($(pick demo | count) >= 15)) || fails "only $(pick demo | count) disguised texts found"

# Errors.
expect 4 "$zhiwen" dedup corpus.jsonl -o no --against missing.jsonl
has "$err" missing.jsonl
echo '{"body":"x"}' >body.jsonl
expect 4 "$zhiwen" dedup corpus.jsonl -o no --against body.jsonl
has "$err" 'no reference has the text field: field "text" is missing; the record has "body"'
cat test.jsonl body.jsonl >broken.jsonl
expect 3 "$zhiwen" dedup corpus.jsonl -o no --against broken.jsonl
has "$err" 'reference "broken.jsonl" record 2'
expect 2 "$zhiwen" dedup corpus.jsonl -o no --against -
expect 2 "$zhiwen" dedup corpus.jsonl -o no --against test.jsonl --against-rule overlap --run 4
expect 2 "$zhiwen" dedup corpus.jsonl -o no --against test.jsonl --against-threshold 0
finish
