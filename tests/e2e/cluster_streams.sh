#!/usr/bin/env bash
# cluster on a stream: documents are answered as they come, and a state survives kill -9 at any
# instant. ZW_LONG=1: two hundred kills instead of ten.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
kills=10
[[ -z "${ZW_LONG:-}" ]] || kills=200

# --- a document is answered before the next one is sent ---
# begin COMMAND...: runs it between two pipes; send TEXT writes, answer reads a line into $line.
begin() {
  rm -f in out_pipe
  mkfifo in out_pipe
  "$@" <in >out_pipe 2>.err &
  program=$!
  exec 7>in 8<out_pipe
}
send() { printf '%s' "$1" >&7; }
answer() { read -r -t 5 line <&8 || fails "no answer $1 within five seconds"; }
silent() { ! read -r -t 0.2 line <&8 || fails "an answer $1: $line"; }
# end STATUS: standard input ends.
end() {
  exec 7>&-
  local got=0
  wait "$program" || got=$?
  exec 8<&-
  equals "$got" "$1" "the status"
}
newline=$'\n'
begin "$zhiwen" cluster - --state slow/
send "$(record a 今天天气真好，适合出门走走)$newline"
answer "to a"
equals "$line" '{"id":"a","cluster":"a","is_new":true,"distance":0}'
send '{"id":"b","text":"今天天气真好，'
silent "to half a line"
send "适合出门走走\"}$newline$(record c 此文与前两篇全无关系可言)$newline{\"id\":\"d\","
answer "to b"
equals "$line" '{"id":"b","cluster":"a","is_new":false,"distance":0}'
answer "to c"
has "$line" '{"id":"c","cluster":"c"'
silent "to the half of d"
end 0
has "$(<.err)" 'cannot use "stdin" record 4: invalid_json'
has "$(<.err)" "1 of 4 records have no cluster"

"$zhiwen" library create lib/ -q
record a 今天天气真好，适合出门走走，看山看水看花 | "$zhiwen" library add lib/ - -q
for command in "check lib/ - --json" "fingerprint - -s exact" \
  "fingerprint - -s exact --format csv"; do
  # shellcheck disable=SC2086  # words of a command
  begin "$zhiwen" $command
  [[ $command != *csv ]] || send "id,text$newline"
  for id in x y; do
    [[ $command == *csv ]] && send "$id,春眠不觉晓$newline" || send "$(record $id 春眠不觉晓)$newline"
    answer "of $command to $id"
    has "$line" "{\"id\":\"$id\","
  done
  end 0
done

# --- a state goes on as one stream ---
python3 - <<PY
import json, random
random.seed(7)
texts = [json.loads(line)["text"] for line in open("$root/testdata/demo/novels.jsonl")]
pieces = []
with open("stream.jsonl", "w") as out:
    for i in range(20000):
        if pieces and random.random() < 0.5:
            piece = list(random.choice(pieces[-3000:]))
            for _ in range(random.randrange(6)):
                piece[random.randrange(len(piece))] = random.choice("天地玄黄宇宙洪荒")
            piece = "".join(piece)
        else:
            text = random.choice(texts)
            at = random.randrange(max(1, len(text) - 100))
            piece = text[at:at + 100]
            pieces.append(piece)
        day, hour = divmod(i // 20, 24)
        row = {"id": f"文{i}", "text": piece, "date": f"2026-05-{day + 1:02}T{hour:02}:00:00"}
        out.write(json.dumps(row, ensure_ascii=False) + "\n")
        if i == 4000:  # the same id and another text; the same document again
            out.write(json.dumps(row | {"text": "另一篇" + piece}, ensure_ascii=False) + "\n")
PY
rule=(--radius 6 --window 12h --verify --quiet)
expect 0 "$zhiwen" cluster stream.jsonl "${rule[@]}" -o wanted
expect 0 "$zhiwen" cluster stream.jsonl "${rule[@]}" -o out --state whole/
for file in clusters distset simset; do
  check "with a state: $file" cmp wanted/$file.jsonl out/$file.jsonl
done

# killed NAME: one run that is killed at a random instant; what it answered is added to answers.
killed() {
  "$zhiwen" cluster stream.jsonl "${rule[@]}" --state "$1/" >>answers 2>>errors &
  local run=$!
  sleep "$(printf '0.%03d' $((RANDOM % 700)))"
  kill -9 $run 2>/dev/null || true
  wait $run 2>/dev/null || true
  echo >>answers # the end of a line that was cut
}
RANDOM=11
for ((i = 0; i < kills; ++i)); do killed st; done
[[ ! -s errors ]] || fails "a run after a kill fails" "$(head -n 3 errors)"
expect 0 "$zhiwen" cluster stream.jsonl "${rule[@]}" --state st/ -o again
for file in clusters distset simset; do
  check "after $kills kills: $file" cmp wanted/$file.jsonl again/$file.jsonl
done
check "no answer was taken back" python3 - <<'PY'
import json, sys
wanted = set(open("wanted/clusters.jsonl"))
seen = 0
for line in open("answers", errors="replace"):  # a kill may cut a character
    if line.endswith("}\n") and line.startswith("{"):
        seen += 1
        if line not in wanted:
            sys.exit(f"answered before: {line}")
sys.exit(0 if seen > 1000 else f"only {seen} answers before the kills")
PY

# --- what is known, and what is not the same stream ---
cp again/distset.jsonl before.jsonl
expect 0 "$zhiwen" cluster stream.jsonl "${rule[@]:0:5}" --state st/ -o again --overwrite
has "$out" "; 20,001 known before"
check "known documents change nothing" cmp before.jsonl again/distset.jsonl
record 文1 文一的另一个版本，与先前的文字没有一点相同 >other.jsonl
expect 0 "$zhiwen" cluster other.jsonl "${rule[@]}" --state st/
has "$out" '{"id":"文1","cluster":"文1","is_new":true'
for other in "--radius 5 --window 12h --verify" "--radius 6 --window 13h --verify" \
  "--radius 6 --window 12h" "--radius 6 --verify" \
  "--radius 6 --window 12h --verify --threshold 0.7" \
  "--radius 6 --window 12h --verify -s simhash64"; do
  # shellcheck disable=SC2086  # words of options
  expect 5 "$zhiwen" cluster other.jsonl $other --state st/
  has "$err" '"st/clusters.sqlite" goes on with '
done

# --- a run that fails at once leaves a state that takes other settings ---
mkdir taken
echo '{}' >taken/clusters.jsonl
record a 今天天气真好，适合出门走走 >one.jsonl
expect 2 "$zhiwen" cluster one.jsonl --state fresh/ -s minhash
expect 2 "$zhiwen" cluster one.jsonl --state fresh/ -s 'simhash32' --radius 40
expect 5 "$zhiwen" cluster one.jsonl --state fresh/ --radius 4 -o taken
expect 0 "$zhiwen" cluster one.jsonl --state fresh/ --radius 5
expect 5 "$zhiwen" cluster one.jsonl --state fresh/ --radius 6

# --- what cannot be ---
begin "$zhiwen" cluster - "${rule[@]}" --state st/
send "$(record 甲 天地玄黄宇宙洪荒日月盈昃)$newline"
answer "to a known stream"
expect 5 "$zhiwen" cluster other.jsonl "${rule[@]}" --state st/
has "$err" 'another process goes on with the state "st/"'
kill -9 "$program"
wait "$program" 2>/dev/null || true
exec 7>&- 8<&-
expect 0 "$zhiwen" cluster other.jsonl "${rule[@]}" --state st/
expect 5 "$zhiwen" cluster other.jsonl "${rule[@]}" --state lib/
has "$err" '"lib/" holds other files and no state of clusters'
cp st/clusters.sqlite whole.sqlite
for place in 文7777 文15555 CREATE; do # rows of documents, the schema
  python3 - $place <<'PY'
import sys
data = bytearray(open("whole.sqlite", "rb").read())
data[data.find(sys.argv[1].encode()) + 5] ^= 1
open("st/clusters.sqlite", "wb").write(data)
PY
  rm -rf damaged
  expect 3 "$zhiwen" cluster stream.jsonl "${rule[@]}" --state st/ -o damaged
  has "$err" "st/clusters.sqlite"
  [[ ! -e damaged/distset.jsonl ]] || fails "sets are made of a damaged state"
done

finish
