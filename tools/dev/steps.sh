#!/usr/bin/env bash
# Sourced by the programs behind ./zw: messages, steps and the start of a program. ./zw runs them in
# the root of the repository.
set -euo pipefail

root=$PWD
# shellcheck disable=SC2034 # what sources this file uses it
jobs=$(nproc)
# A cache of compiler results works for every clone: paths are relative to the root. Precompiled
# headers need the first of the two kinds of sloppiness. An option that only makes paths relative
# changes no result.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=1
export CCACHE_IGNOREOPTIONS="-fmacro-prefix-map=*"

say() { printf '%s\n' "$*"; }

fail() { printf 'zw: %s\n' "$*" >&2; exit 1; }

wrong_usage() { printf 'zw: %s\n' "$*" >&2; exit 2; }

# step NAME TITLE COMMAND...: runs a command quietly, one line with the elapsed time. Its output is
# in build/log/NAME.log; the end of it is shown when the command fails.
step() {
  local log=build/log/$1.log title=$2 start=$SECONDS ticker="" status=0
  shift 2
  mkdir -p build/log
  if [[ -t 1 ]]; then
    while sleep 1; do printf '\r… %s (%ds) ' "$title" $((SECONDS - start)); done &
    ticker=$!
  else
    say "… $title"
  fi
  "$@" >"$log" 2>&1 || status=$?
  if [[ -n "$ticker" ]]; then
    kill "$ticker" 2>/dev/null || true
    wait "$ticker" 2>/dev/null || true
    printf '\r'
  fi
  if ((status == 77)); then
    say "– $title (skipped)"
    return 77
  elif ((status != 0)); then
    say "✗ $title ($((SECONDS - start)) s): exit status $status, the end of $log:"
    tail -n "${ZW_LOG_LINES:-40}" "$log"
    return "$status"
  fi
  say "✓ $title ($((SECONDS - start)) s)"
}

# apart FUNCTION ARGUMENT...: a function of the same program in a shell of its own, where the first
# command that fails ends it.
apart() { bash "$0" --function "$@"; }

# start ARGUMENT...: the last line of a program, which has the functions `help` and `main`.
start() {
  case ${1:-} in
    --help | -h) help ;;
    --function) "${@:2}" ;; # for apart
    *) main "$@" ;;
  esac
}
