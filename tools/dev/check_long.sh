#!/usr/bin/env bash
# The program behind ./zw check_long.
# shellcheck source=tools/dev/compile.sh
source tools/dev/compile.sh

help() {
  cat <<'END'
./zw check --long

What takes hours: all tests under sanitizers, kills and damage of every kind, large corpora in
little memory, a library in use for an hour, every fuzz target for long. docs/long-check.txt says
what ran.
END
}

# What CI has no time for. The closing line of each part, with its time, is kept.
main() {
  local said=docs/long-check.txt
  ensure core test fuzz e2e
  export ZW_LONG=1 ZW_KILLS=${ZW_KILLS:-20} ZW_DAMAGES=all ZW_TEST_SECONDS=10000
  mkdir -p build/log
  printf '%s\n' "./zw check --long, at $(git rev-parse --short HEAD)" >build/log/long-check.txt
  long_part build dev
  long_part test -R pipeline_test
  ZW_LONG_TEXT=${ZW_LONG_TEXT:-100000000} long_part test -R '^text_test\.slow$'
  long_part check --sanitize
  long_part fuzz --seconds "${ZW_FUZZ_SECONDS:-600}"
  long_part e2e dedup_memory dedup_resume
  long_part bench library --minutes 60
  ZW_KILLS=200 long_part e2e index library_kills
  if grep -q '^failed' build/log/long-check.txt; then
    cat build/log/long-check.txt
    fail "check --long failed"
  fi
  cp build/log/long-check.txt "$said"
  say "check: the long one passed; $said says what ran"
}

# A part that fails is named, and the next ones run all the same.
long_part() { # ZW_ARGUMENT...
  local start=$SECONDS result=passed
  ./zw "$@" 2>&1 | tee build/log/long-part.log || result=failed
  printf '%s %5d s  ./zw %-30s %s\n' "$result" $((SECONDS - start)) "$*" \
    "$(tail -n 1 build/log/long-part.log)" >>build/log/long-check.txt
}

start "$@"
