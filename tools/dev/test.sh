#!/usr/bin/env bash
# The program behind ./zw test.
# shellcheck source=tools/dev/compile.sh
source tools/dev/compile.sh

help() {
  cat <<'END'
./zw test [--preset PRESET] [CTEST OPTION]...

Builds everything and runs every unit test. Those of kernels and fingerprints run once per
instruction set; one that this processor lacks is skipped and named in the last line, which counts
single test cases. Exit status 1 when something failed.

  ./zw test
  ./zw test -R 'text_test'           only these programs
  ./zw test --preset asan            dev, asan, tsan or release (the default)
END
}

main() {
  local preset=release
  if [[ "${1:-}" == --preset ]]; then
    preset=${2:-}
    shift 2 || wrong_usage "--preset needs a name"
  fi
  [[ "$preset" =~ ^(release|dev|asan|tsan)$ ]] || wrong_usage "no test preset '$preset'"
  ensure core test
  [[ "$preset" != [at]san ]] || { ensure fuzz && build_programs; }
  configure "$preset" ZHIWEN_TESTS=ON
  compile "$preset" all
  run_tests "$preset" "$@"
}

start "$@"
