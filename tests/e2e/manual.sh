#!/usr/bin/env bash
# The manual pages: readers of roff take them without a warning, and they say what the help says.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"

# page NAME [COMMAND]: writes it, and has every reader that is there look at it.
page() {
  local file=$work/$1.1
  shift
  expect 0 "$zhiwen" man "$@"
  printf '%s\n' "$out" >"$file"
  equals "$(LC_ALL=C grep -n $'[^\t -~]' "$file")" "" "what is not ASCII in $file"
  if command -v groff >/dev/null; then
    equals "$(groff -man -Tutf8 -ww -z "$file" 2>&1)" "" "groff on $file"
  fi
  if command -v mandoc >/dev/null; then # a page without a date is the same for every build
    equals "$(mandoc -T lint -W warning "$file" | grep -v 'missing date')" "" "mandoc on $file"
    mandoc -T utf8 "$file" | sed 's/.\x08//g' >"$file.txt"
  fi
}

page zhiwen
commands=$("$zhiwen" help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p')
[[ $(wc -w <<<"$commands") -ge 9 ]] || fails "help lists too few commands: $commands"
for command in $commands; do
  has "$(<"$work/zhiwen.1")" "zhiwen\\-$command"
  page "zhiwen-$command" "$command"
  [[ -e $work/zhiwen-$command.1.txt ]] || continue
  read_page=$(tr -s ' \n' ' ' <"$work/zhiwen-$command.1.txt")
  while read -r option; do
    has "$read_page" "$option"
  done <<<"$("$zhiwen" help "$command" | grep -oE '^ +(-., )?--[a-z-]+' | tr -s ' ')"
done

expect 2 "$zhiwen" man dedpu
has "$err" "did you mean dedup?"
finish
