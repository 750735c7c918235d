#!/usr/bin/env bash
# inspect as users meet it.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
unset COLUMNS
export ZHIWEN_LANGUAGE=$work/absent.zwl  # words are shown where there is language data
escape=$'\x1b'
printf '國語Ａ\u200b工 Ab。\n第二行\n第三行' >a.txt

# --- every channel, cells below each other, spans and counts ---
both=(--channel folded --channel exact)
expect 0 "$zhiwen" inspect "${both[@]}" a.txt
has "$out" "41 bytes in 3 lines"
has "$out" "folded  11 symbols; 1 invisible character, 1 compatibility form"
has "$out" $'text    國 語 Ａ U+200B 工'
has "$out" $'folded  国 语 a  ·      工'
has "$out" "line 3"
lacks "$out" "$escape"
equals "$err" ""
expect 0 "$zhiwen" inspect --color always "${both[@]}" a.txt
has "$out" "$escape"
expect 0 env COLUMNS=40 "$zhiwen" inspect "${both[@]}" a.txt
(($(wc -L <<<"$out") <= 40)) || fails "a line is too wide"
expect 0 "$zhiwen" inspect --quiet a.txt # the sheet is what was asked for
has "$out" $'folded  国 语 a'
equals "$err" "" "no word of what could not be shown"
expect 0 "$zhiwen" compare --quiet a.txt a.txt
equals "$out" ""
printf '國語工 5 n\n' >dict.txt
expect 4 "$zhiwen" inspect --dict dict.txt a.txt
has "$err" "absent.zwl"
expect 4 "$zhiwen" inspect --dict absent.txt a.txt
has "$err" "absent.txt"

# --- parts ---
expect 0 "$zhiwen" inspect "${both[@]}" --lines 2 a.txt
has "$out" "here bytes 22–32, from line 2"
lacks "$out" "line 3"
expect 0 "$zhiwen" inspect --json "${both[@]}" --bytes 4-5 a.txt
has "$out" '"part": [3,6]'
has "$out" '"names": ["语"]'
has "$out" '"symbols": [35486]'
expect 2 "$zhiwen" inspect --lines 4 a.txt
has "$err" "which has 3"
expect 2 "$zhiwen" inspect --bytes 41-50 a.txt
has "$err" "which has 41 bytes"
expect 2 "$zhiwen" inspect --bytes 5-5 a.txt
has "$err" '"5-5" is empty'
expect 0 "$zhiwen" inspect --json "${both[@]}" --bytes 4 a.txt
has "$out" '"part": [3,6]'
expect 2 "$zhiwen" inspect --lines 2-1 a.txt
expect 2 "$zhiwen" inspect --lines 1 --bytes 1 a.txt
seq 100000 | sed 's/.*/一二三四五六七八九十/' >many.txt
expect 0 "$zhiwen" inspect "${both[@]}" many.txt
has "$err" "shows the first 620 of 3100000 bytes"
expect 0 "$zhiwen" inspect "${both[@]}" --lines 90000 many.txt
has "$out" "line 90000"
has "$out" "bytes   2789969"
expect 0 "$zhiwen" inspect "${both[@]}" --bytes 2789999-2790003 - <many.txt
has "$out" "line 90000, continued"
expect 0 "$zhiwen" inspect --json "${both[@]}" --lines 2- many.txt
has "$err" "go on with --bytes 1048607-"
head -c 3000000 /dev/zero | tr '\0' a >long.txt
expect 0 "$zhiwen" inspect "${both[@]}" long.txt
has "$err" "shows the first"

# --- files of any size: what is far behind is not read ---
truncate -s 3G hole.txt # of zeros
printf '\xff' >>hole.txt
anonymous "$zhiwen" inspect --json "${both[@]}" --bytes 300000000-300000040 hole.txt >.out
has "$(cat .out)" '"bytes": 3221225473'
has "$(cat .out)" '"lines": null'
((peak < 32 << 20)) || fails "$peak bytes of memory"

# --- a channel of the user's own ---
printf '第三行\t第二行\n' >words.txt
expect 0 "$zhiwen" inspect "${both[@]}" --variants words.txt --lines 2-3 a.txt
has "$out" "variants  6 symbols"
expect 4 "$zhiwen" inspect --variants absent.txt a.txt

# --- inputs ---
"$zhiwen" inspect --json "${both[@]}" - <a.txt | grep -v '"name": "-"' >plain
gzip -k a.txt && zstd -q a.txt
for packed in a.txt.gz a.txt.zst; do
  "$zhiwen" inspect --json "${both[@]}" "$packed" | grep -v '"name": "a' >unpacked
  check "$packed is inspected as what it holds" cmp plain unpacked
done
printf '{"id":"x","text":"一"}\n{"id":"y","body":"%s"}\n' '國語' >r.jsonl
expect 0 "$zhiwen" inspect "${both[@]}" --text-field body r.jsonl:id=y
has "$out" "r.jsonl:id=y"
has "$out" "6 bytes in 1 line"
expect 0 "$zhiwen" inspect "${both[@]}" r.jsonl:1
has "$out" "3 bytes in 1 line"
for typed in - r.data; do
  cp r.jsonl r.data
  expect 0 "$zhiwen" inspect "${both[@]}" $typed <r.jsonl
  has "$err" "is read as a text, but its first line is JSON"
  expect 0 "$zhiwen" inspect "${both[@]}" --format text $typed <r.jsonl
  lacks "$err" "JSON"
done
expect 0 "$zhiwen" inspect "${both[@]}" r.data:1
lacks "$err" "JSON"
expect 2 "$zhiwen" inspect r.jsonl
has "$err" 'name a record as "r.jsonl:17"'
printf 'ab\xff' >broken.txt
expect 3 "$zhiwen" inspect broken.txt
has "$err" "\"broken.txt\": not valid UTF-8 at byte 2"
expect 4 "$zhiwen" inspect absent.txt
expect 0 "$zhiwen" inspect "${both[@]}" - </dev/null
has "$out" "folded  no symbol: there is no text"
expect 2 "$zhiwen" inspect --channel nonsense a.txt

# --- language data: without it the others are shown, with it all ---
expect 0 "$zhiwen" inspect a.txt
has "$out" "folded  国"
lacks "$out" "words"
has "$err" "absent.zwl"
expect 4 "$zhiwen" inspect --channel pinyin a.txt
unset ZHIWEN_LANGUAGE
expect 0 "$zhiwen" inspect --channel pinyin - <<<'北京 wo们'
has "$out" "bei jing"
has "$out" "1 spelled word"
has "$out" "北京/ns"
expect 0 "$zhiwen" inspect --channel phonemes - <<<'Latin only.'
has "$out" "phonemes  no symbol: the text has no Chinese"
expect 0 "$zhiwen" inspect --channel phonemes --lines 2 - <<<$'北京\nabc'
has "$out" "phonemes  no symbol: this part has no Chinese"
expect 0 "$zhiwen" inspect --channel shape --channel phonemes - <<<'…嗯'
has "$out" "1 character without a reading"
expect 0 "$zhiwen" inspect --channel shape - <<<'…'
has "$out" "no symbol: it drops all that is there"
printf '北京路过 5 n\n' >dict.txt
expect 0 "$zhiwen" inspect --channel pinyin --dict dict.txt - <<<'北京路过'
has "$out" "北京路过/n"
printf '好\t5\n' >tab.txt
expect 3 "$zhiwen" inspect --dict dict.txt --dict tab.txt - <<<'北京路过'
has "$err" "tab.txt:1: a tab"

# --- the same tables are the same bytes ---
tables=$root/build/language/tables
if [ -f "$tables/complete" ]; then
  expect 0 "$zhiwen" language compile "$tables" -o one.zwl
  expect 0 "$zhiwen" language compile "$tables" -o two.zwl
  check "language data compiled twice is the same" cmp one.zwl two.zwl
  built=$("$zhiwen" language --json | sed -n 's/.*"file": "\(.*\)",/\1/p')
  check "and that of the build" cmp one.zwl "$built"
fi

# --- the file of language data: what is there stays, and options that do nothing are refused ---
cp a.txt kept.txt
expect 5 "$zhiwen" language compile tables -o a.txt
has "$err" "--overwrite replaces it"
expect 5 "$zhiwen" language compile tables -o a.txt --overwrite
has "$err" "no language file"
expect 4 "$zhiwen" language compile tables -o new.zwl
has "$err" "tables/packages.tsv"
check "nothing is left behind" [ ! -e new.zwl.partial ]
cp a.txt new.zwl.partial
expect 5 "$zhiwen" language compile tables -o new.zwl
check "nobody's file is a working folder" cmp a.txt new.zwl.partial
check "the text is as it was" cmp a.txt kept.txt
expect 2 "$zhiwen" language compile tables
expect 2 "$zhiwen" language -o new.zwl
has "$err" "--output does nothing without compile"
expect 2 "$zhiwen" language compile tables -o new.zwl --json
finish
