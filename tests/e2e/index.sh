#!/usr/bin/env bash
# index create, add, remove, query, join, stats, fsck and merge, as users meet them.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
index=("$zhiwen" index)

# The definition: every row against every query, and every pair of codes.
cat >brute.py <<'END'
import json, random, struct, sys

def rows_of(path):
    for line in open(path, encoding="utf-8"):
        if path.endswith(".jsonl"):
            row = json.loads(line)
            yield int(row["value"], 16), row["id"]
        else:
            code, _, label = line.rstrip("\n").partition("\t")
            yield int(code, 16), label

def distance(a, b):
    return (a ^ b).bit_count()

def query(queries, rows, radius, nearest):
    for code, label in queries:
        near = ((distance(code, c), c, l) for c, l in rows)
        found = sorted(row for row in near if row[0] <= radius)
        codes = []
        for row in found:
            if row[1] not in codes:
                codes.append(row[1])
        for d, c, l in found:
            if not nearest or c in codes[:nearest]:
                print(f"{code:016x}\t{c:016x}\t{d}\t{l}" + (f"\t{label}" if label else ""))

def join(rows, radius):
    labels = {}
    for code, label in sorted(rows):
        labels.setdefault(code, []).append(label)
    codes = sorted(labels)
    for i, a in enumerate(codes):
        for label in labels[a][1:]:
            print(f"{a:016x}\t{a:016x}\t0\t{labels[a][0]}\t{label}")
        for b in codes[i + 1:]:
            if (d := distance(a, b)) <= radius:
                print(f"{a:016x}\t{b:016x}\t{d}\t{labels[a][0]}\t{labels[b][0]}")

def make():
    random.seed(7)
    codes = []
    while len(codes) < 900:
        code = random.getrandbits(64)
        for _ in range(random.randrange(1, 4)):
            near = code
            for _ in range(random.randrange(5)):
                near ^= 1 << random.randrange(64)
            codes.append(near)
    rows = [(code, f"图{i}") for i, code in enumerate(codes)]
    rows += [(rows[i][0], f"again {i}") for i in range(0, 60, 7)]
    random.shuffle(rows)
    with open("a.txt", "w") as out:
        out.writelines(f"{code:x}\t{label}\n" for code, label in rows[:500])
    with open("b.jsonl", "w") as out:
        for code, label in rows[500:]:
            row = {"id": label, "scheme": "simhash64.v1(x=1)", "value": f"{code:016x}"}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    bare = [code ^ 1 for code in codes[:100]]
    with open("c.bin", "wb") as out:
        out.write(b"".join(struct.pack("<Q", code) for code in bare))
    with open("c.txt", "w") as out:
        out.writelines(f"{code:016x}\n" for code in bare)
    with open("asked.txt", "w") as out:
        for code in codes[::5]:
            out.write(f"{code ^ 6:016x}" + ("\tq\n" if code % 3 == 0 else "\n"))

def without(by, gone, rows):
    key = {"row": lambda row: row, "code": lambda row: row[0], "id": lambda row: row[1]}[by]
    names = {key(row) for row in gone}
    for row in rows:
        if key(row) not in names:
            print(f"{row[0]:016x}\t{row[1]}")

action, *args = sys.argv[1:]
if action == "make":
    make()
elif action == "without":
    without(args[0], rows_of(args[1]), rows_of(args[2]))
else:
    radius, nearest = int(args.pop(0)), int(args.pop(0))
    asked = list(rows_of(args.pop(0))) if action == "query" else []
    rows = {row for path in args for row in rows_of(path)}
    query(asked, rows, radius, nearest) if action == "query" else join(rows, radius)
END
python3 brute.py make

# like_brute QUERIES RADIUS NEAREST FILE...: the index has the rows of the files, by its answers.
like_brute() {
  local asked=$1 radius=$2 nearest=$3 options=()
  shift 3
  ((nearest == 0)) || options=(--nearest "$nearest")
  python3 brute.py query "$radius" "$nearest" "$asked" "$@" >wanted
  expect 0 "${index[@]}" query idx/ "$asked" --radius "$radius" "${options[@]}"
  check "the answers at radius $radius, nearest $nearest" cmp .out wanted
  expect 0 "${index[@]}" query idx/ "$asked" --radius "$radius" "${options[@]}" --in-memory
  check "the same in memory" cmp .out wanted
}

# --- create, add, query, join ---
expect 0 "${index[@]}" create idx/ --kind hamming64
equals "$out" "idx/: hamming64, 0 rows"
expect 5 "${index[@]}" create idx/ --kind hamming64
expect 0 "${index[@]}" query idx/ asked.txt
equals "$out" ""
expect 0 "${index[@]}" add idx/ a.txt b.jsonl
has "$out" "rows added in "
gzip -k c.bin
expect 0 "${index[@]}" add idx/ - --format bin -q <c.bin.gz
equals "$out" ""
expect 0 "${index[@]}" add idx/ c.bin a.txt
rows=(a.txt b.jsonl c.txt)
like_brute asked.txt 3 0 "${rows[@]}"
[[ -s wanted ]] || fails "nothing is found"
like_brute a.txt 0 0 "${rows[@]}"
like_brute asked.txt 9 2 "${rows[@]}"
for radius in 2 12; do
  python3 brute.py join $radius 0 "${rows[@]}" >wanted
  expect 0 "${index[@]}" join idx/ --radius $radius
  check "the pairs at radius $radius" cmp .out wanted
done
expect 0 "${index[@]}" query idx/ asked.txt
mv .out at_three
expect 0 "${index[@]}" query idx/ --input - <asked.txt
check "--input, and radius 3, are the same" cmp .out at_three
printf '%s\n' "$(head -n 1 c.txt)" ffffffffffffffff >two.txt
expect 0 "${index[@]}" query idx/ two.txt --radius 0 --json
code=$(head -n 1 c.txt)
begin='"query_id":null,"truncated":false,"matches":['
equals "$out" "{\"query\":\"$code\",$begin{\"code\":\"$code\",\"distance\":0,\"id\":null}]}
{\"query\":\"ffffffffffffffff\",$begin]}"
expect 0 "${index[@]}" join idx/ --radius 0 --json
has "$out" '{"distance":0,"a":{"code":"'
equals "$(grep -c '"id":"again ' .out)" 9

expect 2 "${index[@]}" join idx/ --in-memory
has "$err" "--in-memory"

# --- changes as JSON; who cannot be told knows what is done ---
field() { python3 -c 'import json, sys; print(json.load(open(".out"))[sys.argv[1]])' "$1"; }
expect 0 "${index[@]}" create told --json
equals "$(field index) $(field rows) $(field kind)" "told 0 hamming64"
expect 0 "${index[@]}" add told a.txt --json -q
equals "$(field action) $(field read) $(field rows)" "add 500 500"
head -n 3 a.txt >three.txt
expect 0 "${index[@]}" remove told three.txt --json
equals "$(field action) $(field read) $(field removed) $(field rows)" "remove 3 3 497"
expect 0 "${index[@]}" merge told --all --json
equals "$(field rows) $(field log_rows)" "497 0"
status=0
"${index[@]}" add told three.txt >/dev/full 2>.told || status=$?
equals "$status" 6 "the status where the report cannot be written"
has "$(cat .told)" '; all is added in "told" all the same'
expect 0 "${index[@]}" query told three.txt -r 0
equals "$(count <.out)" 3

# --- stats, merge, fsck ---
expect 0 "${index[@]}" merge idx/ --all
has "$out" "1 segment"
expect 0 "${index[@]}" stats idx/
has "$out" hamming64
expect 0 "${index[@]}" stats idx/ --json
has "$out" "\"rows\": $(sort -u a.txt b.jsonl c.txt | count)"
like_brute asked.txt 4 0 "${rows[@]}"
expect 0 "${index[@]}" fsck idx/
has "$out" "idx/: whole"
expect 0 "${index[@]}" fsck idx/ --json
has "$out" '"problems": []'

# --- rows that are in a segment and in the log ---
expect 0 "${index[@]}" create twice -q
expect 0 "${index[@]}" add twice a.txt
has "$out" "500 rows added"
has "$out" "now 500 rows"
expect 0 "${index[@]}" merge twice --all -q
expect 0 "${index[@]}" add twice a.txt
has "$out" "now at most 1,000 rows"
expect 0 "${index[@]}" stats twice
has "$out" "at most 1,000"
expect 0 "${index[@]}" remove twice a.txt
has "$out" "twice: 500 rows read and removed where they were, in "
has "$out" "now 0 rows"

# --- a full disk ---
# full BYTES FILE: adds it while no file may be larger than so many bytes; .told has what is said.
full() {
  status=0
  prlimit --fsize="$1" "${index[@]}" add full "$2" 2>&1 | cat >.told || status=$?
}
expect 0 "${index[@]}" create full -q
echo 1 | "${index[@]}" add full - -q
echo 2 >second.txt
full 120 c.txt
equals "$status" 6 "the status where the log cannot be written"
has "$(cat .told)" '; 100 rows may or may not be added in "full", run the same again'
full 200 second.txt
equals "$status" 6 "the status where the manifest cannot be written"
has "$(cat .told)" '; all that was read, 1 row, is added in "full" and stays so'
expect 0 "${index[@]}" query full second.txt -r 0
equals "$(count <.out)" 1

# --- remove: by row, by code, by id ---
# removes BY FILE ORACLE [OPTION]...: FILE is removed, and with it what the definition says.
sort -u c.txt a.txt >rows.txt
sed 's/.*"id": "\([^"]*\)".*"value": "\([^"]*\)".*/\2\t\1/' b.jsonl >>rows.txt
removes() {
  local by=$1 file=$2 gone=$3
  python3 brute.py without "$by" "$gone" rows.txt >left.txt
  local removed=$(($(count <rows.txt) - $(count <left.txt)))
  mv left.txt rows.txt
  expect 0 "${index[@]}" remove idx/ "$file" --by "$by"
  has "$out" "idx/: $removed rows removed, for $(wc -l <"$gone") read, in "
  has "$out" "now $(count <rows.txt | sed ':a;s/\B[0-9]\{3\}\>/,&/;ta') rows"
  like_brute asked.txt 3 0 rows.txt
}
head -n 200 a.txt >some.txt
removes row some.txt some.txt
removes row c.bin c.txt
tail -n 50 a.txt | cut -f1 >codes.txt
removes code codes.txt codes.txt
head -n 40 b.jsonl >some.jsonl
removes id some.jsonl some.jsonl
cut -f2 rows.txt | tail -n 30 >ids.txt
tail -n 30 rows.txt >named.txt
python3 brute.py without id named.txt rows.txt >left.txt
mv left.txt rows.txt
expect 0 "${index[@]}" remove idx/ - --by id --no-merge -q <ids.txt
like_brute asked.txt 3 0 rows.txt
expect 0 "${index[@]}" merge idx/
like_brute asked.txt 3 0 rows.txt

# --- fingerprints, and 32 bits ---
head -n 40 "$root/testdata/demo/novels.jsonl" >docs.jsonl
"$zhiwen" fingerprint -s simhash32 -s 'simhash32(feature=shingle(3))' docs.jsonl >both.jsonl
expect 0 "${index[@]}" create small --kind hamming32 -q
expect 3 "${index[@]}" add small both.jsonl
has "$err" 'choose one: simhash32.v1('
has "$err" '(--scheme NAME'
has "$err" '"small" is as it was'
expect 0 "${index[@]}" add small both.jsonl --scheme 'simhash32(feature=shingle(3))'
"$zhiwen" fingerprint -s 'simhash32(feature=shingle(3))' docs.jsonl >one.jsonl
expect 0 "${index[@]}" query small one.jsonl -r 0
equals "$(cut -f5 .out | sort -u | count)" "$(count <one.jsonl)" "documents found"
expect 3 "${index[@]}" add idx/ one.jsonl
has "$err" "a value of 4 bytes, and the codes of this index have 8"
echo '{"scheme":"simhash64.v1(x=1)","value":"abc"}' >short.jsonl
expect 3 "${index[@]}" add idx/ short.jsonl
has "$err" 'field "value" is no value of a scheme, which has 16 hex digits in this index'
status=0
"$zhiwen" fingerprint -s simhash64 docs.jsonl -o docs.parquet -q 2>.err || status=$?
if ((status == 0)); then
  expect 0 "${index[@]}" create docs -q
  expect 0 "${index[@]}" add docs docs.parquet
  "$zhiwen" fingerprint -s simhash64 docs.jsonl >docs.fp.jsonl
  expect 0 "${index[@]}" query docs docs.fp.jsonl -r 0
  equals "$(cut -f5 .out | sort -u | count)" "$(count <docs.fp.jsonl)" "documents found"
  expect 3 "${index[@]}" add docs - <docs.parquet
else
  equals "$status" 7 "fingerprint without Parquet"
fi

# --- what cannot be ---
expect 2 "${index[@]}" create other --kind hamming128
has "$err" hamming64
expect 2 "${index[@]}" make other
has "$err" 'index cannot "make"'
expect 2 "${index[@]}" add idx/
has "$err" "needs files behind the index"
expect 2 "${index[@]}" stats idx/ a.txt
expect 2 "${index[@]}" add idx/ a.txt --radius 3
has "$err" "--radius does nothing"
expect 2 "${index[@]}" query idx/ a.txt --radius 65
expect 2 "${index[@]}" remove idx/ c.bin --by id
for action in add query remove join stats fsck merge; do
  files=()
  case $action in add | query | remove) files=(a.txt) ;; esac
  expect 4 "${index[@]}" "$action" nowhere "${files[@]}"
  has "$err" '"nowhere'
done
expect 4 "${index[@]}" add idx/ a.txt nowhere.txt
has "$err" nowhere.txt
expect 4 "${index[@]}" query idx/ 8e3c5893b8d497ef
has "$err" "echo 8e3c5893b8d497ef | zhiwen index query INDEX -"
printf '1\n2\nthree\n' >wrong.txt
expect 3 "${index[@]}" add idx/ wrong.txt
has "$err" '"wrong.txt": line 3 is no code of 1 to 16 hex digits'
has "$err" '"idx/" is as it was'
expect 3 "${index[@]}" add idx/ b.jsonl --code-field id
expect 4 "${index[@]}" add idx/ b.jsonl --code-field hash
has "$err" "--code-field FIELD"
has "$("${index[@]}" --help)" "zhiwen index create idx/ --kind hamming64"

# --- one program writes, others read; what is acknowledged is there ---
mkfifo pipe
"${index[@]}" add idx/ - --acknowledge <pipe >acks 2>.told &
program=$!
exec 3>pipe
printf 'abcdef\tfirst\n0123' >&3
await() { # TEXT FILE
  for _ in {1..500}; do
    grep -q "$1" "$2" && return
    sleep 0.01
  done
  fails "$2 has no $1 after five seconds"
}
await 1 acks
expect 5 "${index[@]}" add idx/ a.txt
# One line of two bytes is answered at once, too.
mkfifo asking
"${index[@]}" query idx/ - -r 64 --nearest 1 <asking >answers &
asker=$!
exec 4>asking
printf '1\n' >&4
await 0000000000000001 answers
exec 4>&-
wait "$asker"
expect 5 "${index[@]}" merge idx/
echo abcdef >first.txt
expect 0 "${index[@]}" query idx/ first.txt -r 0
has "$out" $'\t0\tfirst'
status=0
kill -INT "$program"
wait "$program" || status=$?
exec 3>&-
equals "$status" 130 "the status after SIGINT"
has "$(cat .told)" "1 row before that is added"
like_brute rows.txt 0 0 rows.txt

# --- killed at any time: all that was acknowledged, and batches as a whole ---
# ZW_KILLS=N: so many times. Rows are in a file before they are sent, so that it has all that can be
# in the index. Every fourth run is sent as many rows as it takes, and makes and merges segments.
cat >feed.py <<'END'
import sys, time
run = int(sys.argv[1])
together = 3001 if run % 4 == 0 else 97
with open(sys.argv[2], "w") as sent:
    for begin in range(run * 1000000, run * 1000000 + 300000, together):
        rows = range(begin, begin + together)
        text = "".join(f"{i * 0x9E3779B97F4A7C15 % 2**64:016x}\trow {i}\n" for i in rows)
        for out in (sent, sys.stdout):
            out.write(text)
            out.flush()
        if together == 97:
            time.sleep(0.0005)
END
# finds INDEX FILE: found.txt has those rows of the file that are in the index.
finds() {
  "${index[@]}" query "$1" "$2" -r 0 >.found 2>.told || fails "query of $1" "$(cat .told)"
  cut -f1,4 .found >found.txt
}
expect 0 "${index[@]}" create killed -q
: >there.txt
for ((run = 1; run <= ${ZW_KILLS:-10}; run++)); do
  : >acks
  python3 feed.py "$run" sent.txt 2>.feed |
    "${index[@]}" add killed - --acknowledge -q >acks 2>.told &
  program=$!
  ((run % 5 == 0)) || await '[0-9]' acks # others are killed while they open it, too
  sleep "0.$(printf '%03d' $((RANDOM % (run % 4 == 0 ? 600 : 100))))"
  kill -9 "$program"
  wait "$program" 2>/dev/null || true
  safe=$(grep -E '^[0-9]+$' acks | tail -n 1 || true)
  [[ -s sent.txt ]] || continue
  cp sent.txt asked.txt
  [[ -z $(tail -c 1 asked.txt) ]] || sed -i '$d' asked.txt # a line that is cut
  finds killed asked.txt
  found=$(count <found.txt)
  ((found >= ${safe:-0})) || fails "run $run: $found rows, acknowledged $safe"
  head -n "$found" asked.txt | cmp -s found.txt - || fails "run $run: not the first $found rows"
  cat found.txt >>there.txt
done
expect 0 "${index[@]}" fsck killed
has "$out" "killed: whole, "
expect 0 "${index[@]}" merge killed --all
has "$out" "killed: $(count <there.txt | sed ':a;s/\B[0-9]\{3\}\>/,&/;ta') rows"
finds killed there.txt
check "all rows of all runs" cmp -s found.txt there.txt

# --- programs that ask while one adds and merges: they have what was safe when they began ---
expect 0 "${index[@]}" create busy -q
: >acks
python3 feed.py 4 sent.txt 2>.feed | "${index[@]}" add busy - --acknowledge -q >acks 2>.told &
program=$!
looks=0
while kill -0 "$program" 2>/dev/null; do
  safe=$(grep -E '^[0-9]+$' acks | tail -n 1 || true)
  [[ -n "$safe" ]] || continue
  head -n "$safe" sent.txt >asked.txt
  finds busy asked.txt
  cmp -s found.txt asked.txt || fails "of $safe rows that are safe not all are found"
  looks=$((looks + 1))
done
wait "$program" || fails "add, while others ask" "$(cat .told)"
((looks >= 3)) || fails "the index was asked $looks times only"
finds busy sent.txt
check "all rows, when it is done" cmp -s found.txt sent.txt
expect 0 "${index[@]}" fsck busy

# --- a disk that is full, and then is not ---
mounted=""
before_exit() { [[ -z "$mounted" ]] || umount "$mounted" || true; }
# rows FIRST COUNT: lines of so many rows.
rows() {
  python3 -c 'import sys
first, count = map(int, sys.argv[1:])
for i in range(first, first + count):
    print(f"{i * 0x9E3779B97F4A7C15 % 2**64:016x}\tfull {i}")' "$@"
}
# adds FILE: to the index on the small disk; what was acknowledged goes to safe.txt. The status is 0
# or, with the reason, 6.
adds() {
  status=0
  "${index[@]}" add disk/idx - --acknowledge -q <"$1" >acks 2>.told || status=$?
  head -n "$(tail -n 1 acks | grep . || echo 0)" "$1" >>safe.txt
  ((status == 0)) && return
  equals "$status" 6 "the status of a full disk"
  has "$(cat .told)" "o space left"
  lacks "$(cat .told)" "open the index again"
}
all_safe() {
  finds disk/idx safe.txt
  check "$1: every row that was acknowledged is there" cmp -s found.txt safe.txt
}
mkdir disk
if [[ $(id -u) == 0 ]] && mount -t tmpfs -o size=8m tmpfs disk 2>/dev/null; then
  mounted=$work/disk
  : >safe.txt
  expect 0 "${index[@]}" create disk/idx -q
  for ((i = 0, status = 0; status == 0 && i < 100; i++)); do
    rows $((i * 20000)) 20000 >batch.txt
    adds batch.txt
  done
  equals "$status" 6 "the status after 2,000,000 rows on 8 MiB"
  all_safe "a full disk"
  expect 6 "${index[@]}" merge disk/idx --all
  has "$err" "o space left"
  has "$err" '"disk/idx" has every row, run the same again'
  all_safe "a merge on a full disk"
  expect 0 "${index[@]}" fsck disk/idx
  mount -o remount,size=64m disk
  sort -u batch.txt safe.txt >all.txt
  adds batch.txt
  equals "$status" 0 "the status when there is room"
  # Again, with little room left: in the log, in a segment, in the manifest.
  for left in 0 4096 8192 16384 65536 1048576; do
    head -c 64M /dev/zero >disk/filler 2>/dev/null || true
    truncate -s -$left disk/filler
    rows $((3000000 + left * 10)) 2000 >batch.txt
    cat batch.txt >>all.txt
    sort -u safe.txt -o safe.txt
    adds batch.txt
    "${index[@]}" merge disk/idx --all -q 2>.told || equals $? 6 "the status of merge"
    all_safe "$left bytes left"
    rm disk/filler
    adds batch.txt
    equals "$status" 0 "the status when there is room again"
  done
  expect 0 "${index[@]}" merge disk/idx --all -q
  sort -u all.txt >wanted.txt
  finds disk/idx wanted.txt
  check "all rows after all" cmp -s found.txt wanted.txt
  expect 0 "${index[@]}" fsck disk/idx
  has "$out" "disk/idx: whole, $(count <wanted.txt | sed ':a;s/\B[0-9]\{3\}\>/,&/;ta') rows"
  umount disk
  mounted=""
else
  echo "skipped: a full disk (no right to mount a small file system)"
fi

# --- a damaged file is named ---
file=$(find idx -type f -size +4k -printf '%s %p\n' | sort -n | tail -n 1 | cut -d' ' -f2)
python3 - "$file" <<'END'
import sys
with open(sys.argv[1], "r+b") as file:
    data = file.read()
    at = len(data) // 2
    file.seek(at)
    file.write(bytes([data[at] ^ 16]))
END
expect 3 "${index[@]}" fsck idx/
has "$out" "${file##*/}"
has "$err" '"idx/" is not whole, 1 problem; do what is printed'
expect 3 "${index[@]}" fsck idx/ --json
has "$out" "${file##*/}"

# --- files that are gone ---
rm idx/manifest
for action in stats fsck merge join; do
  expect 3 "${index[@]}" "$action" idx/
  has "$out$err" "its manifest is gone"
  has "$out$err" "restore the index from a copy"
done
# --- memory is that of some queries, however many there are and whatever is near them ---
python3 -c '
import random
random.seed(1)
for name, count in (("dense.txt", 60000), ("all.txt", 64)):
    with open(name, "w") as out:
        out.writelines(f"{random.getrandbits(64):016x}\n" for _ in range(count))'
expect 0 "${index[@]}" create dense/
expect 0 "${index[@]}" add dense/ dense.txt
for in_memory in "" --in-memory; do
  # shellcheck disable=SC2086  # one word or none
  anonymous "${index[@]}" query dense/ all.txt --radius 64 $in_memory >found.txt
  equals "$(wc -l <found.txt)" $((60000 * 64)) "the codes near 64 queries"
  echo "radius 64 $in_memory: $((peak >> 20)) MiB of anonymous memory"
  ((peak < 110 << 20)) || fails "too much memory for 64 queries: $peak bytes"
done

finish
