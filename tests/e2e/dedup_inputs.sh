#!/usr/bin/env bash
# What is read and what is refused before anything is lost: inputs of one name, references that are
# inputs, fields that nobody has, lists, folders, files of other formats and encodings.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
for i in 1 2 3; do record "n$i" "第$i篇，$(plain_text $((i * 100)) 60)"; done >news.jsonl
for i in 1 2; do record "o$i" "另外第$i篇，$(plain_text $((i * 100 + 500)) 60)"; done >other.jsonl

# refused STATUS PART COMMAND...: with PART in the message, and no result in ./nothing.
refused() {
  local status=$1 part=$2
  shift 2
  expect "$status" "$@"
  has "$err" "$part"
  [[ ! -e nothing/report.json ]] || fails "refused, but there is a report: $*"
  rm -rf nothing
}

# --- two inputs with one place below kept/ ---
cp other.jsonl stdin.jsonl
refused 2 'standard input (-) and the input "stdin.jsonl" would both be written as kept/stdin' \
  "$zhiwen" dedup - stdin.jsonl -o nothing <news.jsonl
gzip -c news.jsonl >news.gz
expect 0 "$zhiwen" dedup - stdin.jsonl -o apart -q <news.gz
equals "$(cd apart/kept && echo *)" "stdin.jsonl stdin.jsonl.gz" "kept files"
mkdir -p far/deep
cp news.jsonl far/x.jsonl
ln -s far/deep link
cp other.jsonl x.jsonl
refused 2 'the input "link/../x.jsonl" and "x.jsonl" would both be written as kept/x.jsonl' \
  "$zhiwen" dedup link/../x.jsonl x.jsonl -o nothing

# --- a reference that is an input ---
refused 2 'the reference "./news.jsonl" and the input "news.jsonl" are the same file' \
  "$zhiwen" dedup news.jsonl other.jsonl -o nothing --against ./news.jsonl
expect 0 "$zhiwen" dedup news.jsonl -o against -q --against other.jsonl

# --- fields that nobody has ---
printf '{"title":"%s","doc":{"body":"%s"}}\n' 题目 "$(plain_text 0 60)" 又一 "$(plain_text 90 60)" \
  >fields.jsonl
expect 0 "$zhiwen" dedup fields.jsonl -o spaced -q --text-field 'title, doc.body'
expect 0 "$zhiwen" dedup fields.jsonl -o joined -q --text-field 'title,doc.body'
size() { sed -n 's/.*"text_bytes": \([0-9]*\).*/\1/p' "$1/report.json"; }
equals "$(size spaced)" "$(size joined)" "bytes of text with a space between names"
refused 4 'no record has the text field "doc.bdy"' \
  "$zhiwen" dedup fields.jsonl -o nothing --text-field title,doc.bdy
printf 'title,body\n一,%s\n' "$(plain_text 0 60)" >fields.csv
refused 4 'no record has the text field "bdy"' \
  "$zhiwen" dedup fields.csv -o nothing --text-field title,bdy
expect 0 "$zhiwen" dedup fields.csv fields.jsonl -o both -q --text-field title,body,doc.body
refused 4 'no record has a value of "syte" to group by' \
  "$zhiwen" dedup news.jsonl -o nothing --group-by syte
printf '{"site":"a","text":"%s"}\n' "$(plain_text 0 60)" | cat - news.jsonl >sites.jsonl
expect 0 "$zhiwen" dedup sites.jsonl -o sites --group-by site
has "$out" "3 documents without a value to group by"
has "$(<sites/report.json)" '"missing_group_values": 3'
has "$(<sites/report.html)" "3 documents have no value to group by"

# --- lists ---
cp news.jsonl $'two\nlines.jsonl'
printf '%s\0' $'two\nlines.jsonl' other.jsonl >list
expect 0 "$zhiwen" dedup --files-from list -o listed --json
has "$out" '"documents": 5'

# --- options that would do nothing, or are given twice ---
refused 2 '--run does nothing' "$zhiwen" dedup news.jsonl -o nothing --run 30
refused 2 '--candidates does nothing' \
  "$zhiwen" dedup news.jsonl -o nothing --mode exact --candidates bands
refused 2 '--threshold does nothing' \
  "$zhiwen" dedup news.jsonl -o nothing --mode exact --threshold 0.8
refused 2 '--text-field is given 2 times' \
  "$zhiwen" dedup news.jsonl -o nothing --text-field a --text-field b

# --- encodings: what is read is in reading.sh; here, what a wrong or unknown one is told as ---
iconv -t GB18030 news.jsonl >gbk.jsonl
refused 3 'cannot read "gbk.jsonl": it is not UTF-8, as was said, but looks like gb18030' \
  "$zhiwen" dedup other.jsonl gbk.jsonl -o nothing --encoding utf-8
has "$err" "(--encoding NAME says it)"
refused 3 'it looks like GB18030' "$zhiwen" dedup - -o nothing --encoding utf-8 <gbk.jsonl
# That it is another encoding is a guess: its records fail one by one, and none is in no count.
expect 0 "$zhiwen" dedup other.jsonl gbk.jsonl -o guess --max-failed 100% --skip-bad-files \
  --encoding utf-8
has "$err" "$(wc -l <gbk.jsonl) of $(cat other.jsonl gbk.jsonl | wc -l) records failed"
has "$(zstd -dcq guess/failed.jsonl.zst)" "iconv -f GB18030"
iconv -t UTF-32 news.jsonl >wide.jsonl
expect 0 "$zhiwen" dedup other.jsonl wide.jsonl -o sound --skip-bad-files
has "$err" 'it is left out'
has "$(<sound/report.json)" '"file": "wide.jsonl"'
equals "$(cd sound/kept && echo *)" other.jsonl "kept without the file of another encoding"
head -n 1 gbk.jsonl | cat other.jsonl - >mixed.jsonl
expect 0 "$zhiwen" dedup mixed.jsonl -o mixed
has "$err" "1 of 3 records failed"
mkdir texts
plain_text 0 60 >texts/good.txt
plain_text 190 60 | iconv -t GB18030 >texts/gbk.txt
# A quote that is never closed would take the rest of the file for one record.
printf 'id\ttext\n1\t%s\n2\t"%s\n3\t好\n' "$(plain_text 0 60)" "$(plain_text 60 60)" >quote.tsv
refused 3 'the quote on line 3 is never closed' "$zhiwen" dedup quote.tsv -o nothing
expect 0 "$zhiwen" dedup quote.tsv -o quote --skip-bad-files
has "$err" "1 of its records was read"
equals "$(wc -l <quote/kept/quote.tsv)" 2 "the first line and a record"
# An encoding that most records do not have is a likelier reason than so many bad records.
{ cat gbk.jsonl && echo '{"text":"plain"}'; } >most.jsonl
refused 3 "mend them, name the encoding of the files, or allow more" \
  "$zhiwen" dedup most.jsonl -o nothing --encoding big5
has "$err" "--encoding NAME says it; --max-failed N allows more"
printf '{"text":1}\n' >numbers.jsonl
refused 3 "mend them, or name another text field" "$zhiwen" dedup numbers.jsonl -o nothing
has "$err" "--text-field FIELD names it"
# A byte order mark overrules an encoding that was named; utf-16 is either kind.
iconv -t UTF-16 news.jsonl >marked.jsonl
expect 0 "$zhiwen" dedup marked.jsonl -o marked --encoding utf-16be
has "$err" '"marked.jsonl" is read as utf-16le, as its byte order mark says, not as utf-16be'
expect 0 "$zhiwen" dedup marked.jsonl -o marked --overwrite --encoding UTF-16
equals "$err" ""
iconv -t UTF-16LE news.jsonl >unmarked.jsonl
expect 0 "$zhiwen" dedup unmarked.jsonl -o marked --overwrite --encoding utf-16
has "$out" "1 file in utf-16le"
expect 0 "$zhiwen" fingerprint -s simhash64 - --encoding big5 <marked.jsonl
# Advice is of options that can help.
mkdir pages && echo 'x' >pages/0.rst
refused 4 'others, such as "pages/0.rst", as texts, say that the format is text (--format' \
  "$zhiwen" dedup pages -o nothing
echo '# x' >pages/1.md
expect 0 "$zhiwen" dedup pages -o pages-out -q --format text
equals "$(cd pages-out/kept && echo *)" "0.rst 1.md" "Markdown among texts"
tar -cf packed.jsonl news.jsonl
refused 3 'it is a tar archive; call it *.tar' \
  "$zhiwen" dedup news.jsonl -o nothing --against packed.jsonl
lacks "$err" "--format"
echo 'a text' >prose
refused 3 'the format of a reference is the one of its name, such as *.jsonl or *.txt' \
  "$zhiwen" dedup news.jsonl -o nothing --against prose
lacks "$err" "--format"
printf 'PAR1' >rows.parquet
refused 3 'it is a Parquet file: say that it is parquet, or say nothing of formats (--format' \
  "$zhiwen" dedup rows.parquet -o nothing --format jsonl
refused 2 '10 bytes of memory are below the least, 128 MiB' \
  "$zhiwen" dedup news.jsonl -o nothing --memory 10
# What no input has a use for is refused.
cp fields.csv fields.tsv
refused 2 'the separator ";" does nothing, as no input is CSV' \
  "$zhiwen" dedup fields.tsv news.jsonl -o nothing --separator ';'
refused 2 'the separator ";" does nothing' "$zhiwen" dedup - -o nothing --separator ';' <news.jsonl
expect 2 "$zhiwen" fingerprint -s simhash64 news.jsonl --separator ';'
printf 'id,text\n1,一\n' >references.csv
refused 2 'the separator "," does nothing, as no input is CSV' \
  "$zhiwen" dedup news.jsonl -o nothing --against references.csv --separator ,

# --- folders ---
mkdir -p corpus/.cache elsewhere
cp news.jsonl corpus/n.jsonl
cp news.jsonl corpus/.cache/n.jsonl
printf 'x' >corpus/._n.jsonl
cp texts/good.txt corpus/诗.txt
cp texts/good.txt corpus/named.txt
printf '# a note\n' >corpus/note.rst
ln -s ../elsewhere corpus/link
expect 0 "$zhiwen" dedup corpus corpus/named.txt -o folder
has "$err" 'passed over 1 text below "corpus", such as "corpus/诗.txt": beside records'
has "$err" 'passed over 1 other file below "corpus", such as "corpus/note.rst"; only *.jsonl'
has "$err" 'passed over 1 link to a folder below "corpus", such as "corpus/link"'
has "$err" 'passed over 2 hidden names below "corpus", such as "corpus/._n.jsonl"'
equals "$(cd folder/kept && echo *)" "n.jsonl named.txt" "kept of a folder"
expect 0 "$zhiwen" dedup corpus/.cache -o cache -q

# --- files whose names say no format ---
refused 3 'cannot read "corpus/note.rst": it is not JSON Lines' \
  "$zhiwen" dedup corpus/note.rst -o nothing
has "$err" "--format"
expect 0 "$zhiwen" dedup corpus -o notes -q --format text
equals "$(cd notes/kept && echo *)" "named.txt note.rst" "kept as texts"
printf '[\n{"text":"%s"},\n{"text":"x"}\n]\n' "$(plain_text 0 60)" >array.json
expect 0 "$zhiwen" dedup array.json -o array -q
cp array.json array.jsonl
expect 0 "$zhiwen" dedup array.jsonl -o array --overwrite -q
refused 3 "say that it is json" "$zhiwen" dedup array.jsonl -o nothing --format jsonl
cp news.jsonl part-0001
expect 0 "$zhiwen" dedup part-0001 -o part -q
tar -czf all.tar.gz news.jsonl other.jsonl
refused 3 '"news.jsonl": it holds records, and a member is read as one document; unpack it' \
  "$zhiwen" dedup all.tar.gz -o nothing

# --- names with dots ---
expect 0 "$zhiwen" dedup news.jsonl -o dotted -q --mark is.dup --add-cluster-size
has "$(<dotted/kept/news.jsonl)" '"is.dup":false,"cluster_size":1}'
sed 's/"text"/"a.b"/' news.jsonl >literal.jsonl
expect 0 "$zhiwen" dedup literal.jsonl -o literal -q --text-field a.b

# --- fingerprint: the same manners ---
expect 4 "$zhiwen" fingerprint -q -s exact --text-field nosuch news.jsonl
has "$err" 'no record has the text field'
expect 4 "$zhiwen" fingerprint -q -s exact --text-field text,nosuch news.jsonl
has "$err" 'no record has the text field "nosuch"'
expect 4 "$zhiwen" fingerprint -q -s exact --text-field nosuch texts/good.txt news.jsonl
expect 4 "$zhiwen" fingerprint -q -s exact --id-field nosuch news.jsonl
has "$err" 'no record has the id field "nosuch"'
expect 3 "$zhiwen" fingerprint -q -s exact - <fields.csv
has "$err" 'none of 2 records has a fingerprint; the first: "stdin" record 1: invalid_json'
expect 0 "$zhiwen" fingerprint -q -s exact --format csv --text-field body - <fields.csv
equals "$(wc -l <"$work/.out")" 1 "fingerprints of CSV on standard input"
expect 2 "$zhiwen" fingerprint -s exact --text --format csv fields.csv

finish
