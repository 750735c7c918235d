#!/usr/bin/env bash
# On a terminal (made by script(1)): colour and progress there, and nowhere else; narrow windows.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
# A machine without script(1) or pseudo-terminals cannot run this.
script -qec true /dev/null >/dev/null 2>&1 </dev/null || exit 76
cd "$work"
export TERM=xterm-256color
unset NO_COLOR
escape=$'\x1b'
printf '晋太元中，武陵人捕鱼为业。缘溪行，忘路之远近。忽逢桃花林，夹岸数百步。' >a.txt
printf '他說：晉太元中，武陵人捕魚為業。緣溪行，忘路之遠近。好文！' >b.txt

# on_terminal COLUMNS COMMAND: what the terminal shows of it.
on_terminal() {
  script -qec "stty cols $1; $2" /dev/null </dev/null | tr -d '\r'
}

# --- colour ---
shown=$(on_terminal 100 "'$zhiwen' compare a.txt b.txt")
has "$shown" "${escape}["
lacks "$shown" "⟦"
lacks "$(on_terminal 100 "NO_COLOR=1 '$zhiwen' compare a.txt b.txt")" "${escape}["
lacks "$(on_terminal 100 "TERM=dumb '$zhiwen' compare a.txt b.txt")" "${escape}["
lacks "$(on_terminal 100 "'$zhiwen' compare --color never a.txt b.txt")" "${escape}["
has "$(on_terminal 100 "NO_COLOR=1 '$zhiwen' compare --color always a.txt b.txt")" "${escape}["
lacks "$("$zhiwen" compare a.txt b.txt)" "${escape}["
has "$("$zhiwen" compare --color always a.txt b.txt)" "${escape}["
has "$(on_terminal 100 "'$zhiwen' --help")" "${escape}[1mUsage"

# --- width ---
has "$(on_terminal 100 "'$zhiwen' compare --color never a.txt b.txt")" "│ b bytes"
lacks "$(on_terminal 40 "'$zhiwen' compare --color never a.txt b.txt")" "│ b bytes"
has "$(on_terminal 40 "'$zhiwen' compare --color never a.txt b.txt")" "b bytes"
on_terminal 1 "'$zhiwen' compare a.txt b.txt" >/dev/null ||
  fails "a terminal of one column ends compare"

# --- progress: an input that takes long enough for some drawings ---
scheme=$("$zhiwen" schemes --json | sed -n 's/.*"family": "\([a-z0-9_]*\)\..*/\1/p' | head -1)
for i in $(seq 1600); do
  printf '{"text":"第%d篇文字，讲的是第%d件事情。"}\n' "$i" "$i"
done >short.jsonl
fingerprint="'$zhiwen' fingerprint -s $scheme"
lacks "$(on_terminal 100 "$fingerprint --quiet short.jsonl 2>&1 >/dev/null")" "compute"
lacks "$("$zhiwen" fingerprint -s "$scheme" short.jsonl 2>&1 >/dev/null)" "compute"
for i in $(seq 400); do cat short.jsonl; done >large.jsonl
shown=$(on_terminal 100 "ZHIWEN_SIMD=scalar $fingerprint -j 1 large.jsonl >/dev/null")
has "$shown" "compute "
has "$shown" " of "
equals "${shown: -3}" "${escape}[K"
lacks "$(on_terminal 100 "TERM=dumb $fingerprint -j 1 large.jsonl >/dev/null")" "compute "

# --- signals: 130 and 143, also while the input keeps the program waiting ---
# Without --foreground the signal comes twice, to the program and to its group: the second one ends
# it at once, without a word.
status=0
mkfifo pipe
{ cat large.jsonl large.jsonl large.jsonl; sleep 3; } >pipe 2>/dev/null &
timeout --foreground --preserve-status -s INT 1 "$zhiwen" fingerprint -s "$scheme" - \
  <pipe >/dev/null 2>err.txt || status=$?
equals "$status" 130
has "$(cat err.txt)" "zhiwen: "
status=0
sleep 3 >pipe &
timeout --foreground --preserve-status -s TERM 1 "$zhiwen" fingerprint -s "$scheme" - \
  <pipe >/dev/null 2>err.txt || status=$?
equals "$status" 143

finish
