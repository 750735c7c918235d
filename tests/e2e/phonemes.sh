#!/usr/bin/env bash
# phonemes train and show, and what uses the file, as users meet them.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
cat "$root"/testdata/demo/*.jsonl >docs.jsonl
train=("$zhiwen" phonemes train)

# --- train: the same bytes for the same seed, whatever the threads and the order ---
expect 0 "${train[@]}" docs.jsonl -o one.zwp --keywords 1000 --texts 6 -j 1
has "$out" "entropy (bits)"
has "$out" "threshold: least"
has "$out" "1st percentile"
has "$out" "top=1000"
expect 0 "${train[@]}" docs.jsonl -o two.zwp --keywords 1000 --texts 6 -j 3 -q
equals "$out" ""
check "threads change nothing" cmp one.zwp two.zwp
tac docs.jsonl | "${train[@]}" - -o three.zwp --keywords 1000 --texts 6 -q
check "the order changes nothing" cmp one.zwp three.zwp
expect 0 "${train[@]}" docs.jsonl -o four.zwp --keywords 1000 --texts 6 --seed 2 -q
check "another seed is another file" [ "$(cksum <four.zwp)" != "$(cksum <one.zwp)" ]
expect 0 "$zhiwen" terms build docs.jsonl -o df.zwt -q
expect 0 "${train[@]}" docs.jsonl -o five.zwp --keywords 1000 --texts 6 --df df.zwt --json
has "$out" '"weights": {'
has "$out" 'weight=tfidf.v1(df='
expect 0 "${train[@]}" docs.jsonl -o counts.zwp --texts 0 --json
has "$out" '"training": null'
check "nothing else is left" [ -z "$(find . -name '*.partial')" ]

# --- show, and fingerprints against the corpus ---
expect 0 "$zhiwen" phonemes show one.zwp
id=$(sed -n '1s/.* //p' <<<"$out")
has "$out" "d  "
expect 0 "$zhiwen" phonemes show one.zwp --json
has "$out" "\"id\": \"$id\""
scheme='simhash64(phoneme,channel=phonemes)'
expect 0 "$zhiwen" fingerprint -s "$scheme" --phonemes one.zwp docs.jsonl
has "$out" "reference=$id"
stored=$(sed -n '1s/.*"scheme":"\([^"]*\)".*/\1/p' "$work/.out")
cp .out of_corpus
expect 0 "$zhiwen" fingerprint -s "$stored" --phonemes one.zwp docs.jsonl -j 3
check "a stored name gives the stored values" cmp of_corpus .out
expect 4 "$zhiwen" fingerprint -s "$stored" docs.jsonl
has "$err" "--phonemes"
expect 5 "$zhiwen" fingerprint -s "$stored" --phonemes four.zwp docs.jsonl
expect 0 "$zhiwen" fingerprint -s "$scheme" docs.jsonl
has "$out" "reference=language"
expect 2 "$zhiwen" fingerprint -s exact --phonemes one.zwp docs.jsonl
has "$err" "no scheme here uses --phonemes"
expect 2 "$zhiwen" fingerprint -s 'simhash64(phoneme)' docs.jsonl
has "$err" "channel=phonemes"

# --- a run that is stopped leaves the old file, and nothing in the way of the next ---
cp one.zwp before.zwp
stop=(one.zwp "${train[@]}" docs.jsonl -o one.zwp --overwrite --texts 100000 --keywords 3 -q)
stopped_writer 137 KILL "${stop[@]}"
check "a killed run leaves its folder" [ -e one.zwp.partial ]
stopped_writer 143 TERM "${stop[@]}"
check "an interrupted run leaves nothing behind" [ ! -e one.zwp.partial ]
expect 0 "${train[@]}" docs.jsonl -o one.zwp --overwrite --keywords 1000 --texts 6 -q
check "the next run is whole" cmp one.zwp before.zwp

# --- what cannot be ---
expect 5 "${train[@]}" docs.jsonl -o one.zwp
has "$err" "--overwrite"
expect 5 "${train[@]}" docs.jsonl -o docs.jsonl --overwrite
has "$err" "no phonemes file"
expect 2 "${train[@]}" docs.jsonl
expect 2 "$zhiwen" phonemes tarin docs.jsonl -o x.zwp
has "$err" 'phonemes cannot "tarin"'
expect 2 "${train[@]}" docs.jsonl -o x.zwp --texts 0 --seed 3
has "$err" "--seed does nothing"
expect 2 "$zhiwen" phonemes show one.zwp --seed 3
expect 2 "$zhiwen" phonemes show one.zwp two.zwp
printf 'no Chinese here\n' >english.txt
expect 3 "${train[@]}" english.txt -o x.zwp
has "$err" "none has a Han character"
printf '太短\n' >short.txt
expect 3 "${train[@]}" short.txt -o x.zwp
has "$err" "of 0 texts"
head -c 300 one.zwp >cut.zwp
for file in docs.jsonl df.zwt cut.zwp; do
  expect 3 "$zhiwen" phonemes show $file
  has "$err" "\"$file\""
done
check "no half file" [ ! -e x.zwp ]
finish
