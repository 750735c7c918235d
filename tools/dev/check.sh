#!/usr/bin/env bash
# The program behind ./zw check.
# shellcheck source=tools/dev/compile.sh
source tools/dev/compile.sh

help() {
  cat <<'END'
./zw check [--sanitize | --long | --fix | --only NAME]

Everything that reads the code, without --sanitize: shellcheck, format, layers, style, self-tests of
the tools, generated tables, documents run, clang-tidy. Goes on after a failure, and lists what
failed at the end.

  ./zw check
  ./zw check --only format
  ./zw check --fix            format the C++ files in place
  ./zw check --sanitize       unit tests under ASan + UBSan, concurrent suites under TSan;
                              ZW_LONG=1: also the slow ones
  ./zw check --long           what takes hours: all tests under sanitizers, kills and damage of
                              every kind, 200 kills of index add, large corpora in little
                              memory, texts of 10^8 characters without a break (ZW_LONG_TEXT),
                              every fuzz target for 600 s (ZW_FUZZ_SECONDS);
                              docs/long-check.txt says what ran
END
}

# Scripts that run; what they source is read with them (-a).
check_shellcheck() {
  local script scripts=()
  while read -r script; do
    [[ ! -x "$script" ]] || scripts+=("$script")
  done <<<"$(git ls-files -co --exclude-standard -- zw .ci '*.sh')"
  shellcheck -x -a -S warning "${scripts[@]}"
  # A machine may have no /dev/fd.
  ! grep -n '<(' "$root"/tests/e2e/*.sh "$root"/tests/support/*.sh
}

list_sources() { git ls-files -co --exclude-standard -z -- '*.h' '*.cc'; }

check_format() { list_sources | xargs -0 python3 tools/check_format.py; }

check_layers() { python3 tools/check_layers.py; }

check_style() { python3 tools/check_style.py; }

check_tools() { python3 -m unittest discover -s tools -p '*_test.py'; }

check_documents() { python3 tools/run_documents.py --program build/release/bin/zhiwen; }

check_tidy() {
  python3 tools/run_clang_tidy.py --clang-tidy "$tidy_venv/bin/clang-tidy" \
    --build build/release --jobs "$jobs"
}

check_tables() {
  local generator
  for generator in tools/generate_*.py; do
    [[ -e "$generator" ]] || continue
    say "$generator --check"
    python3 "$generator" --check
  done
}

main() {
  local names=(shellcheck format layers style tools tables documents tidy) failed=() name
  case "${1:-}" in
    --sanitize) exec tools/dev/sanitize.sh ;;
    --long) exec tools/dev/check_long.sh ;;
    --fix)
      ensure check
      list_sources | xargs -0 python3 tools/check_format.py --fix
      return
      ;;
    --only) names=("${2:-}") ;;
    "") ;;
    *) wrong_usage "check does not know '$1'" ;;
  esac
  for name in "${names[@]}"; do
    declare -F "check_$name" >/dev/null || wrong_usage "no check '$name'"
  done
  ensure core test check
  if [[ " ${names[*]} " == *\ tidy\ * ]]; then
    ensure_tidy
    # Always: it lists the files, and nothing else would tell it of new ones.
    step configure-release "configure release" cmake --preset release
  fi
  [[ " ${names[*]} " != *\ documents\ * ]] || build_programs
  for name in "${names[@]}"; do
    step "check-$name" "$name" apart "check_$name" || failed+=("$name")
  done
  ((${#failed[@]} == 0)) || fail "check failed: ${failed[*]}"
  say "check: ${#names[@]} passed, 0 failed"
}

start "$@"
