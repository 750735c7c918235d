#!/usr/bin/env bash
# terms build, merge, show and top as users meet them.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
mkdir corpus
cat >corpus/a.jsonl <<'END'
{"id":"1","text":"北京华联今天在上海开设新店，市民排队参观。"}
{"id":"2","text":"今天上海天气晴朗，市民在公园散步。"}
END
cat >corpus/b.jsonl <<'END'
{"id":"3","text":"广州地铁今天开通新线路，市民乘车参观。"}
END
cat corpus/*.jsonl >all.jsonl
printf '华联商厦\t北京华联\n' >synonyms.txt

# --- build and merge ---
expect 0 "$zhiwen" terms build corpus/ -o df.zwt
has "$out" "df.zwt: 3 documents"
id=${out##*df=}
expect 0 "$zhiwen" terms build all.jsonl -o all.zwt --threads 1 --memory 128M
has "$out" "df=$id"
check "the same corpus gives the same file" cmp df.zwt all.zwt
expect 0 "$zhiwen" terms build corpus/a.jsonl -o a.zwt -q
equals "$out" ""
"$zhiwen" terms build - -o b.zwt -q <corpus/b.jsonl
expect 0 "$zhiwen" terms merge a.zwt b.zwt -o merged.zwt
check "a merge is the file of both" cmp df.zwt merged.zwt
expect 0 "$zhiwen" terms merge df.zwt -o df.zwt --min-documents 2 --overwrite
has "$out" "of fewer than 2 documents left out"
expect 5 "$zhiwen" terms merge df.zwt -o c.zwt
has "$err" "sums would be wrong"
expect 0 "$zhiwen" terms top corpus/a.jsonl --df df.zwt -n 1
has "$out" '"documents":null'
expect 0 "$zhiwen" terms show df.zwt --top 1
has "$out" "今天"
expect 0 "$zhiwen" terms show merged.zwt --json
has "$out" "\"id\": \"$id\""
has "$out" '"documents": 3'

# --- top ---
printf '北京华联在上海的新店今天开业，北京华联的店员欢迎市民。' >page.txt
expect 0 "$zhiwen" terms top page.txt --df all.zwt -n 3
has "$out" "documents"
equals "$err" ""
expect 0 "$zhiwen" terms top page.txt -n 3
has "$err" "without --df"
mkdir pages
cp page.txt pages/1.txt
cp page.txt pages/2.txt
expect 0 "$zhiwen" terms top pages --df df.zwt -n 1
has "$out" pages/1.txt
has "$out" pages/2.txt
has "$out" "<2"
expect 0 "$zhiwen" terms top all.jsonl --df all.zwt -n 2
equals "$(wc -l <.out)" 3
has "$out" '{"id":"3","keywords":[{"term":'
expect 0 "$zhiwen" terms top all.jsonl page.txt --df all.zwt --json --threads 3
equals "$(wc -l <.out)" 4
cp .out all_threads
"$zhiwen" terms top all.jsonl page.txt --df all.zwt --json --threads 1 >one_thread
check "threads change nothing" cmp all_threads one_thread
printf '上海\n' >stop.txt
expect 0 "$zhiwen" terms top page.txt --df all.zwt --stopwords stop.txt -n 50
lacks "$out" "上海"
has "$out" "今天"

# Words that mean the same have the same keywords, from counting to asking.
expect 5 "$zhiwen" terms top page.txt --df all.zwt --synonyms synonyms.txt
has "$err" "--synonyms"
expect 0 "$zhiwen" terms build all.jsonl -o names.zwt --synonyms synonyms.txt
sed 's/北京华联/华联商厦/g' page.txt >other.txt
for page in page other; do
  "$zhiwen" terms top --df names.zwt --synonyms synonyms.txt "$page.txt" >"$page.top"
done
check "北京华联 and 华联商厦 are one" cmp page.top other.top
has "$(sed -n 2p page.top)" "华联商厦"
printf '哈利·波特\t哈里波特\n' >people.txt
printf '店员在读哈里波特。' >page2.txt
expect 0 "$zhiwen" terms top page2.txt --synonyms people.txt
has "$out" "哈利·波特  nz"
printf '店员欢迎 5 n\n' >user.txt
expect 0 "$zhiwen" terms top page.txt --dict user.txt -n 50
has "$out" "店员欢迎"

# A word that is replaced makes no other word with what is beside it: 学生 意.
printf '生意\t买卖\n' >trade.txt
printf '学买卖' >page3.txt
expect 0 "$zhiwen" terms top page3.txt --synonyms trade.txt
equals "$(sed 1d <<<"$out")" "生意  v    1      1.0000"

# --- memory: one text with nothing but different words, as large as may be ---
seq -s ' ' 1000000 2999999 >numbers.txt
anonymous "$zhiwen" terms build numbers.txt -o numbers.zwt -q --memory 128M
((peak > 0 && peak <= 128 << 20)) || fails "128 MiB of memory were passed: $peak bytes"
expect 0 "$zhiwen" terms show numbers.zwt
has "$out" "2,000,000"
seq -s ' ' 1000000 3200000 >larger.txt
expect 3 "$zhiwen" terms build larger.txt -o x.zwt --memory 128M
has "$err" "which is 16777216 bytes; give 8 times the size"

# --- a run that is killed leaves the old file, and nothing in the way of the next ---
for ((i = 0; i < 40; ++i)); do sed "s/今天/第${i}天/" all.jsonl; done >few.jsonl
for ((i = 0; i < 200; ++i)); do cat few.jsonl; done >large.jsonl
stop=(df.zwt "$zhiwen" terms build large.jsonl -o df.zwt --overwrite -q)
stopped_writer 137 KILL "${stop[@]}"
check "a killed run leaves its folder" [ -e df.zwt.partial ]
stopped_writer 143 TERM "${stop[@]}"
check "an interrupted run leaves nothing behind" [ ! -e df.zwt.partial ]
mkdir -p df.zwt.partial/scratch && echo old >df.zwt.partial/scratch/words
expect 0 "$zhiwen" terms build all.jsonl -o df.zwt --overwrite
check "the next run is whole" cmp df.zwt all.zwt
check "and leaves nothing behind" [ ! -e df.zwt.partial ]

# --- what cannot be ---
expect 5 "$zhiwen" terms build all.jsonl -o df.zwt
has "$err" "--overwrite"
expect 2 "$zhiwen" terms build all.jsonl
expect 2 "$zhiwen" terms build all.jsonl -o x.zwt --memory 1M
expect 2 "$zhiwen" terms bulid all.jsonl -o x.zwt
has "$err" 'terms cannot "bulid"'
expect 2 "$zhiwen" terms top
expect 2 "$zhiwen" terms show df.zwt df.zwt
expect 2 "$zhiwen" terms show df.zwt --df df.zwt
has "$err" "--df does nothing"
expect 5 "$zhiwen" terms build page.txt -o page.txt --overwrite
has "$err" "no terms file"
expect 4 "$zhiwen" terms top absent.txt --df df.zwt
expect 4 "$zhiwen" terms top page.txt --df absent.zwt
expect 4 "$zhiwen" terms top page.txt --synonyms absent.txt
expect 4 "$zhiwen" terms build all.jsonl -o x.zwt --text-field body
expect 3 "$zhiwen" terms show page.txt
has "$err" '"page.txt"'
head -c 200 df.zwt >cut.zwt
expect 3 "$zhiwen" terms merge df.zwt cut.zwt -o x.zwt
has "$err" '"cut.zwt"'
printf '甲\t乙\n乙\t丙\n' >chain.txt
expect 3 "$zhiwen" terms top page.txt --synonyms chain.txt
has "$err" 'chain.txt:1: "乙" is replaced here'
printf '两 个\n' >stop.txt
expect 3 "$zhiwen" terms top page.txt --stopwords stop.txt
has "$err" 'stop.txt:1: it has several words'
printf 'no json\n' >bad.jsonl
expect 3 "$zhiwen" terms build bad.jsonl -o x.zwt
check "nothing is left of it" [ ! -e x.zwt ] && check "nor beside it" [ ! -e x.zwt.partial ]
: >empty.jsonl
expect 3 "$zhiwen" terms build empty.jsonl -o merged.zwt --overwrite
has "$err" "give inputs with text"
expect 2 "$zhiwen" terms build all.jsonl -o merged.zwt --overwrite --min-documents 9
has "$err" "--min-documents"
check "what was there is still there" cmp merged.zwt all.zwt
expect 2 "$zhiwen" terms merge a.zwt ./a.zwt -o x.zwt
has "$err" "the same file"
expect 2 "$zhiwen" terms build all.jsonl -o -
has "$err" "the output cannot go to standard output"
for option in df synonyms stopwords; do
  expect 2 "$zhiwen" terms top page.txt "--$option" synonyms.txt "--$option" stop.txt
  has "$err" "--$option is given 2 times"
done

finish
