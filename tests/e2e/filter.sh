#!/usr/bin/env bash
# filter build, add, remove, test and show, as users meet them.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
filter=("$zhiwen" filter)
seq 1 20000 | sed 's/^/页面 /' >in.txt
seq 20001 40000 | sed 's/^/页面 /' >out.txt

# --- build and test: nothing that was added is missed, few others pass ---
for kind in bloom cuckoo fuse8 fuse16; do
  expect 0 "${filter[@]}" build in.txt -o $kind.zwf --kind $kind
  has "$out" "$kind.zwf: $kind, "
  expect 0 "${filter[@]}" test $kind.zwf in.txt
  check "$kind has all lines, in order" cmp .out in.txt
  expect 0 "${filter[@]}" test $kind.zwf in.txt --absent
  equals "$out" ""
  expect 0 "${filter[@]}" test $kind.zwf out.txt --count
  ((out < 300)) || fails "$kind passes $out of 20000"
  passed=$out
  expect 0 "${filter[@]}" test $kind.zwf out.txt --count --absent
  equals "$out" $((20000 - passed))
  expect 0 "${filter[@]}" test $kind.zwf in.txt out.txt --count --json
  equals "$out" "{\"lines\":40000,\"maybe\":$((20000 + passed)),\"absent\":$((20000 - passed))}"
done
cat in.txt in.txt | sed 's/$/\r/' | gzip >in.gz
expect 0 "${filter[@]}" build - -o again.zwf --kind fuse8 -q <in.gz
equals "$out" ""
check "compressed, with CRLF and twice is the same" cmp again.zwf fuse8.zwf
printf '页面 7\nnone of them' >two.txt
expect 0 "${filter[@]}" test fuse16.zwf two.txt --json
equals "$out" '{"file":"two.txt","line":1,"text":"页面 7"}'

# --- show ---
expect 0 "${filter[@]}" show cuckoo.zwf
has "$out" "add, remove"
has "$out" "20,000 (lines)"
has "$out" "made for 1 %"
expect 0 "${filter[@]}" show fuse8.zwf --json
has "$out" '"can_add": false'
has "$out" '"made_for": 20000'

# --- add and remove ---
expect 0 "${filter[@]}" build in.txt -o grown.zwf --keys 40000
expect 0 "${filter[@]}" add grown.zwf out.txt
expect 0 "${filter[@]}" test grown.zwf in.txt out.txt --count
equals "$out" 40000
cat in.txt out.txt | "${filter[@]}" build - -o both.zwf --keys 40000 -q
expect 0 "${filter[@]}" test both.zwf out.txt --count
equals "$out" 20000
expect 0 "${filter[@]}" add bloom.zwf out.txt -q
equals "$err" ""
expect 0 "${filter[@]}" add bloom.zwf out.txt
expect 0 "${filter[@]}" build two.txt -o small.zwf -q
expect 0 "${filter[@]}" add small.zwf in.txt
has "$err" "build a larger one"
expect 0 "${filter[@]}" build in.txt -o cuckoo.zwf --kind cuckoo --keys 40000 --overwrite -q
expect 0 "${filter[@]}" add cuckoo.zwf out.txt -q
expect 0 "${filter[@]}" remove cuckoo.zwf in.txt
has "$out" "20,000 keys"
expect 0 "${filter[@]}" test cuckoo.zwf out.txt --count
equals "$out" 20000
expect 0 "${filter[@]}" remove cuckoo.zwf out.txt -q
expect 0 "${filter[@]}" test cuckoo.zwf in.txt out.txt
equals "$out" ""

# --- what cannot be: the filter stays as it was ---
expect 0 "${filter[@]}" build in.txt -o full.zwf --kind cuckoo -q
cp full.zwf before.zwf
expect 6 "${filter[@]}" add full.zwf out.txt
has "$err" "build a larger one"
expect 4 "${filter[@]}" remove full.zwf two.txt
has "$err" 'line 2 of "two.txt"'
expect 2 "${filter[@]}" add full.zwf
has "$err" "needs files of lines"
expect 4 "${filter[@]}" add full.zwf in.txt nowhere.txt
has "$err" nowhere.txt
check "the filter is as it was" cmp full.zwf before.zwf
expect 2 "${filter[@]}" add fuse8.zwf in.txt
has "$err" "bloom or cuckoo"
expect 2 "${filter[@]}" remove bloom.zwf in.txt
has "$err" cuckoo
expect 4 "${filter[@]}" add nowhere.zwf in.txt
expect 5 "${filter[@]}" build in.txt -o full.zwf
has "$err" "--overwrite"
expect 5 "${filter[@]}" build in.txt -o in.txt --overwrite
has "$err" "no filter file"
expect 2 "${filter[@]}" build in.txt
expect 2 "${filter[@]}" build in.txt -o x.zwf --kind fuse8 --keys 9
has "$err" "--keys does nothing"
expect 2 "${filter[@]}" build in.txt -o x.zwf --false-positives 2
has "$err" "0.0000001 to 0.5"
expect 2 "${filter[@]}" test full.zwf in.txt --kind bloom
expect 2 "${filter[@]}" bulid in.txt -o x.zwf
has "$err" 'filter cannot "bulid"'
head -c 300 full.zwf >cut.zwf
for file in in.txt cut.zwf; do
  expect 3 "${filter[@]}" test $file in.txt
  has "$err" "\"$file\""
done

# --- codes ---
printf '1f\n0xffffffffffffffff\r\n' >codes.txt
expect 0 "${filter[@]}" build codes.txt --hex --kind fuse16 -o codes.zwf -q
printf '0000001F\n20\n' >asked.txt
expect 0 "${filter[@]}" test codes.zwf asked.txt
equals "$out" 0000001F
expect 0 "${filter[@]}" show codes.zwf
has "$out" "2 (codes)"
expect 2 "${filter[@]}" test fuse8.zwf codes.txt --hex
has "$err" "leave --hex out"
expect 3 "${filter[@]}" build in.txt --hex -o x.zwf
has "$err" '"in.txt": line 1 is no code'
check "no half file" [ ! -e x.zwf ]
check "nothing else is left" [ -z "$(find . -name '*.partial')" ]
finish
