#!/usr/bin/env bash
# eval schemes as users meet it: pairs of their own, what is wrong with them, what comes out.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
# Pairs of passages of a novel: copies with an edit, and others.
python3 - "$(plain_text 0 4000)" >pairs.jsonl <<'END'
import json, sys
text = sys.argv[1]
for i in range(24):
    a, b = text[i * 150 : i * 150 + 120 + i % 3], text[(i + 1) * 150 : (i + 1) * 150 + 120]
    copy = i % 2 == 0
    if copy:
        b = a[:60] + "改" + a[61:] if i % 4 == 0 else a
    pair = {"id": i, "a": a, "b": b, "label": copy, "corpus": "novel" if i % 3 else "other"}
    if copy:
        pair["relation"] = "edit" if i % 4 == 0 else "equal"
    print(json.dumps(pair, ensure_ascii=False))
END

# --- every scheme that needs no file ---
expect 0 "$zhiwen" eval schemes pairs.jsonl
has "$out" "area, %"
has "$out" "novel edit"
has "$out" "left out"
has "$out" "imatch"
lacks "$out" "1 exact"
expect 0 "$zhiwen" eval schemes pairs.jsonl -s exact -s vector --by relation
has "$out" "1 exact "
has "$out" "  novel equal  4       8       1       1.000  1.000   1.000  1  "
expect 0 "$zhiwen" eval schemes pairs.jsonl -s exact --by corpus
has "$out" "  other  4       4       1       1.000  0.500   0.667  1         1.000  0.500   0.667"
expect 2 "$zhiwen" eval schemes pairs.jsonl -s exact --by corpus --json
expect 0 "$zhiwen" eval schemes pairs.jsonl -s vector --measure scam --json
has "$out" '"measure": "scam"'
expect 2 "$zhiwen" eval schemes pairs.jsonl -s vector -s minhash --measure scam
has "$err" "cannot compare values of minhash: cannot measure \"scam\" of these values"
has "$err" "of these there is equal, equal_bits, equal_values"
expect 2 "$zhiwen" eval schemes pairs.jsonl --measure cosin
has "$err" "did you mean cosine?"
expect 0 "$zhiwen" terms build "$root/testdata/demo" -o df.zwt -q
expect 0 "$zhiwen" eval schemes pairs.jsonl -s imatch -s exact --df df.zwt
lacks "$out" "left out"

# --- figures, worked out from the pairs; the same for any number of threads ---
expect 0 "$zhiwen" eval schemes pairs.jsonl -s exact -s minhash -s 'shingles(channel=pinyin)' \
  --json -j 1
grep -v '"bytes_per_second"\|"1"$\|"2"$' "$work/.out" >one
check "figures of equality" python3 - "$work/.out" <<'END'
import json, sys
found = json.load(open(sys.argv[1]))
exact = found["schemes"][0]
rows = {(r["corpus"], r["relation"], r["length"]): r for r in exact["rows"]}
every = rows[None, None, None]
assert found["pairs"] == 24 and every["copies"] == every["others"] == 12
at = every["at_source"]
assert (at["found"], at["missed"], at["mistaken"], at["refused"]) == (6, 6, 0, 12), at
assert at["precision"] == 1 and at["recall"] == 0.5 and exact["source_threshold"] == 1
assert rows[None, "equal", None]["at_source"]["recall"] == 1
assert rows[None, "edit", None]["at_source"]["recall"] == 0
assert rows["other", None, None]["copies"] == 4
# Average precision: half of the copies first, then all pairs at once.
assert abs(every["area"] - (0.5 * 1 + 0.5 * 0.5)) < 1e-6, every["area"]
assert found["schemes"][1]["rows"][0]["area"] == 1
END
expect 0 "$zhiwen" eval schemes pairs.jsonl -s exact -s minhash -s 'shingles(channel=pinyin)' \
  --json -j 2
grep -v '"bytes_per_second"\|"1"$\|"2"$' "$work/.out" >two
check "threads change no figure" cmp one two

# --- CSV, other names of fields, labels of other words ---
python3 - >pairs.csv <<'END'
import csv, json, sys
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["left", "right", "kind"])
for line in open("pairs.jsonl"):
    pair = json.loads(line)
    out.writerow([pair["a"], pair["b"], "dup" if pair["label"] else "weak"])
END
fields=(--a-field left --b-field right --label-field kind)
expect 0 "$zhiwen" eval schemes pairs.csv "${fields[@]}" --copy-labels near,dup -s exact --json
has "$out" '"found": 6'
printf 'a^b^label\nx^x^1\nx^y^0\n' >carets.csv
expect 0 "$zhiwen" eval schemes carets.csv --separator '^' -s exact
expect 3 "$zhiwen" eval schemes pairs.csv "${fields[@]}" -s exact
has "$err" 'the label "weak"'
printf '%s\n' 'a,b,label' '甲乙,甲乙, TRUE ' '甲乙,丙丁, false' >spaces.csv
expect 0 "$zhiwen" eval schemes spaces.csv -s exact
equals "$err" ""
expect 0 "$zhiwen" eval schemes - -s exact --json <pairs.jsonl
has "$out" '"found": 6'

# --- the page ---
expect 0 "$zhiwen" eval schemes pairs.jsonl -s minhash --html page.html -q
check "the page has a curve" grep -q 'class="curve"' page.html
check "nothing else is left" [ ! -e page.html.partial ]
expect 5 "$zhiwen" eval schemes pairs.jsonl -s minhash --html page.html
has "$err" "--overwrite"
expect 0 "$zhiwen" eval schemes pairs.jsonl -s minhash --html page.html --overwrite
expect 2 "$zhiwen" eval schemes pairs.jsonl -s minhash --overwrite
expect 2 "$zhiwen" eval schemes pairs.jsonl --html -
expect 5 "$zhiwen" eval schemes pairs.jsonl -s minhash --html /dev/null/page.html
has "$err" 'cannot write "/dev/null/page.html": '

# --- bad input ---
cp pairs.jsonl bad.jsonl
printf '%s\n' 'no json' '{"a":"甲","b":"乙"}' '{"a":"甲","label":1}' '{"b":"乙","label":1}' \
  '{"a":"甲","b":"乙","label":"maybe"}' >>bad.jsonl
expect 0 "$zhiwen" eval schemes bad.jsonl -s exact --max-failed 5
has "$err" '"bad.jsonl" record 25: invalid_json'
has "$err" 'record 26: missing_field: no field "label"'
has "$err" 'record 27: missing_field: no field "b"'
has "$err" 'record 28: missing_field'
has "$err" 'record 29: bad_label: the label "maybe"'
has "$err" "5 of 29 records have no pair"
expect 3 "$zhiwen" eval schemes bad.jsonl -s exact
has "$err" "correct them, or raise --max-failed"
expect 2 "$zhiwen" eval scheme pairs.jsonl
expect 2 "$zhiwen" eval schemes pairs.jsonl -s nothing
expect 4 "$zhiwen" eval schemes nowhere.jsonl -s exact
expect 4 "$zhiwen" eval schemes pairs.jsonl -s exact --a-field first
has "$err" "--a-field"
for field in --b-field --label-field --relation-field --corpus-field; do
  expect 4 "$zhiwen" eval schemes pairs.jsonl -s exact $field nowhere
  has "$err" "no record has a value in the field \"nowhere\" ($field)"
done
expect 2 "$zhiwen" eval schemes pairs.jsonl -s exact --df df.zwt
printf '%s\n' '{"a":"","b":"乙","label":1}' '{"a":"甲","b":"","label":1}' \
  '{"a":"甲","b":"乙","label":0}' >one_text.jsonl
expect 0 "$zhiwen" eval schemes one_text.jsonl -s exact --max-failed 2
has "$err" 'record 1: missing_field: no field "a", or nothing in it'
has "$err" 'record 2: missing_field: no field "b", or nothing in it'
printf '%s\n' '{"a":"甲","b":"甲","label":1,"corpus":"\u001b[31m\u0007","relation":"x\ny"}' >esc.jsonl
expect 0 "$zhiwen" eval schemes esc.jsonl -s exact
lacks "$out" $'\033'
has "$out" 'x↵y'
: >empty.jsonl
expect 3 "$zhiwen" eval schemes empty.jsonl -s exact
has "$err" "no pairs"
printf '甲乙' >text.txt
expect 2 "$zhiwen" eval schemes text.txt -s exact
has "$err" "a text is no pair"

# --- one label only ---
grep '"label": true' pairs.jsonl >copies.jsonl
expect 0 "$zhiwen" eval schemes copies.jsonl -s exact
has "$err" "all pairs are copies"
grep '"label": false' pairs.jsonl >others.jsonl
expect 0 "$zhiwen" eval schemes others.jsonl -s exact
has "$err" "no pair is a copy"

# --- interrupted: 130, and no page ---
mkfifo pipe
{ cat pairs.jsonl; sleep 3; } >pipe 2>/dev/null &
status=0
timeout --foreground --preserve-status -s INT 1 "$zhiwen" eval schemes - -s exact --html x.html \
  <pipe >/dev/null 2>err.txt || status=$?
equals "$status" 130
check "an interrupted run leaves no page" [ ! -e x.html ]
check "nor what it had of it" [ ! -e x.html.partial ]
wait
finish
