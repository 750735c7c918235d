# Prints what zsh offers for a command line: complete.zsh SCRIPT LINE CACHE. An interactive zsh of its own
# gets the line and a tab; compadd, through which every offer goes, prints instead of adding.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; PS2=; unsetopt beep; autoload -Uz compinit; compinit -C -d ${(q)3}"
zpty -w shell "source ${(q)1}"
zpty -w shell '
compadd() {
  if [[ " $* " == *" -"(O|A|D|[a-zA-Z]#[OAD])" "* ]]; then
    builtin compadd "$@"
    return
  fi
  local -a found
  builtin compadd -A found "$@"
  (( $#found )) && print -rl -- "" "offer:"${^found}
  builtin compadd "$@"
}
finish() { print -r -- "<do""ne>"; exit }
bindkey "^I" complete-word
zle -N finish
bindkey "^T" finish
setopt no_list_beep no_auto_list no_always_last_prompt
print -r -- "<rea""dy>"'
local text=
repeat 1000; do
  zpty -r -t shell part 2>/dev/null && text+=$part
  [[ $text == *"<ready>"* ]] && break
  sleep 0.02
done
zpty -n -w shell "$2"$'\t\C-T'
text=
repeat 1000; do
  zpty -r -t shell part 2>/dev/null && text+=$part
  [[ $text == *"<done>"* ]] && break
  sleep 0.02
done
zpty -d shell
for line in ${(f)${text//$'\r'/}}; do
  [[ $line == *offer:* ]] && print -r -- ${line##*offer:}
done
exit 0
