#!/usr/bin/env bash
# What the completion scripts offer, in each shell itself. zsh and fish are skipped, by name, where
# they are not installed, and zsh where there is no pseudo-terminal.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
for shell in bash zsh fish; do "$zhiwen" completion "$shell" >"$work/completion.$shell"; done
mkdir "$work/here" && cd "$work/here"
mkdir folder
touch 'two words.jsonl' 语料.jsonl

# Each prints what the shell offers for a line whose last word is being completed, one a line.
offered_by_bash() {
  local words
  IFS=' ' read -r -a words <<<"$1"
  [[ $1 != *' ' ]] || words+=("")
  bash --norc "$root/tests/support/complete.bash" "$work/completion.bash" "${words[@]}"
}
offered_by_zsh() {
  zsh -f "$root/tests/support/complete.zsh" "$work/completion.zsh" "$1" "$work/zsh.cache"
}
offered_by_fish() {
  HOME=$work fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \
    "$work/completion.fish" "$1"
}

# offers LINE WORD...: exactly these, in any order, from every shell. Descriptions, the slash behind
# a folder and "--mode=" before a value are the shell's own manner.
shells=(bash)
offers() {
  local line=$1 shell found wanted
  shift
  wanted=$( (($# == 0)) || printf '%s\n' "$@" | sort)
  for shell in "${shells[@]}"; do
    found=$("offered_by_$shell" "$line" |
      sed -e 's/\t.*//' -e 's,/$,,' -e 's/^--[a-z-]*=\(.\)/\1/' -e 's/\\//g' | sort -u)
    equals "$found" "$wanted" "$shell: '$line'"
  done
}

if ! command -v zsh >/dev/null; then
  echo "zsh is not installed: skipped"
elif ! zsh -fc 'zmodload zsh/zpty && zpty try true' 2>/dev/null; then
  echo "no pseudo-terminal for zsh: skipped"
else
  shells+=(zsh)
fi
if command -v fish >/dev/null; then shells+=(fish); else echo "fish is not installed: skipped"; fi

offers 'zhiwen ded' dedup
offers 'zhiwen co' compare completion
offers 'zhiwen dedup --ma' --mark --mark-keeper --max-bucket-kept --max-failed
offers 'zhiwen dedup --mode ' near exact contained
offers 'zhiwen dedup --mode e' exact
offers 'zhiwen dedup --mode=n' near
offers 'zhiwen dedup x.jsonl --color ' auto always never
offers 'zhiwen dedup -o ' folder
offers 'zhiwen dedup --output f' folder
offers 'zhiwen dedup --files-from tw' 'two words.jsonl'
offers 'zhiwen dedup --keep ' first longest none shortest
offers 'zhiwen dedup --threshold '
offers 'zhiwen dedup --mode exact 语' 语料.jsonl
offers 'zhiwen compare ' folder 'two words.jsonl' 语料.jsonl
offers 'zhiwen fingerprint -s mi' minhash
offers 'zhiwen fingerprint --channel f' folded
offers 'zhiwen dedup -- --m'
offers 'zhiwen completion ' bash zsh fish
offers 'zhiwen help fo' formats
offers 'zhiwen man d' dedup
offers 'zhiwen terms ' build merge show top
offers 'zhiwen terms build ' folder 'two words.jsonl' 语料.jsonl
offers 'zhiwen phonemes ' train show
offers 'zhiwen filter ' build add remove test show
offers 'zhiwen index ' add create fsck join merge query remove stats
offers 'zhiwen language ' compile

expect 2 "$zhiwen" completion csh
has "$err" '"csh" is none of bash, zsh, fish'
expect 2 "$zhiwen" completion
has "$err" "needs SHELL"
finish
