# Prints what bash offers for a command line: complete.bash SCRIPT WORD... The last word is the one
# being completed. Sourced by nobody; run with bash --norc.
# shellcheck shell=bash disable=SC1090
source "$1"
shift
# As readline splits them: "=" is a word of its own.
COMP_WORDS=()
for word in "$@"; do
  if [[ $word == --*=* ]]; then
    COMP_WORDS+=("${word%%=*}" =)
    [[ -z ${word#*=} ]] || COMP_WORDS+=("${word#*=}")
  else
    COMP_WORDS+=("$word")
  fi
done
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_zhiwen
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
