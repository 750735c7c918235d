#!/usr/bin/env bash
# The program behind ./zw sanitize.
# shellcheck source=tools/dev/compile.sh
source tools/dev/compile.sh

help() {
  cat <<'END'
./zw check --sanitize

Unit tests under ASan + UBSan (label sanitize), then the suites with threads under TSan (label
race). ZW_LONG=1: also the slow ones and the command line.
END
}

# Kernels go through the instruction sets by themselves; of what calls them one is enough.
test_asan() {
  if [[ -n "${ZW_LONG:-}" ]]; then
    run_tests asan -E '\.(scalar|avx512)$'
  else
    run_tests asan -L sanitize
  fi
}

# The tests of one program run on one core: the other one builds for the race detector meanwhile.
main() {
  local tests status=0
  ensure core test fuzz
  build_programs # which make the language data
  configure asan
  compile asan "$([[ -n "${ZW_LONG:-}" ]] && echo all || echo library_tests)"
  mkdir -p build/log
  apart test_asan >build/log/asan-tests.log 2>&1 &
  tests=$!
  configure tsan
  apart compile tsan concurrency_test || status=1
  wait "$tests" || status=1
  cat build/log/asan-tests.log
  ((status == 0)) || exit 1
  if [[ -n "${ZW_LONG:-}" ]]; then
    run_tests tsan -R '^concurrency_test\.'
  else
    run_tests tsan -L race
  fi
}

start "$@"
