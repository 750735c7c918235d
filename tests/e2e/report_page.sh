#!/usr/bin/env bash
# report.html in a browser: nothing is requested, no error, no accessibility finding, no page wider
# than a phone, both languages, both themes, without scripts, on paper. Screenshots are left in
# build/report_page/. Exit status 77 where no browser is installed, but for CI.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

need_browser

# Hostile records beside the demo texts: the page must show them and stay whole.
python3 "$root/tests/support/hostile_records.py" >hostile.jsonl
mkdir crawl # more files than the matrix has rows, with long names
for file in $(seq 1 16); do
  record "f$file" "$(plain_text "$file" 300)" >"crawl/很长的文件名称-part-$file-of-00016.jsonl"
done
expect 0 "$zhiwen" dedup "$root/testdata/demo" hostile.jsonl crawl -o out --quiet --threads 2
expect 0 "$zhiwen" dedup hostile.jsonl -o hostile --threads 2
has "$out" "near 8"
expect 0 "$zhiwen" dedup "$root/testdata/dedup/plain.jsonl" -o nothing --quiet
# References that were hit, and a file that is damaged.
head -n 16 hostile.jsonl >references.jsonl # all of them sound
gzip -c hostile.jsonl | head -c -9 >"<b>damaged&.jsonl.gz"
expect 0 "$zhiwen" dedup crawl hostile.jsonl "<b>damaged&.jsonl.gz" -o against --quiet \
  --mode contained --against references.jsonl --against-rule contains --skip-bad-files \
  --max-failed 100%

pictures=$root/build/report_page
rm -rf "$pictures"
mkdir -p "$pictures"
CHROMIUM=$(command -v chromium)
export CHROMIUM
check "the page in a browser" node "$root/tests/support/report_page.mjs" "$tools" "$pictures" \
  "$work/out/report.html" "$work/hostile/report.html" "$work/nothing/report.html" \
  "$work/against/report.html"
check "the page on paper has pages" test -s "$pictures/print.pdf"
finish
