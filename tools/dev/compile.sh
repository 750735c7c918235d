#!/usr/bin/env bash
# Sourced by the programs behind ./zw that build something.
# shellcheck source=tools/dev/install.sh
source tools/dev/install.sh

# Whether build/PRESET must be configured anew before VARIABLE=ON holds there.
needs_configure() {
  local cache=build/$1/CMakeCache.txt
  [[ ! -f build/$1/build.ninja || CMakePresets.json -nt $cache ]] && return 0
  [[ -n "$2" ]] && ! grep -q "^$2:BOOL=ON" "$cache"
}

# configure PRESET [VARIABLE=VALUE]: only when needed. Tests that were switched on stay on.
configure() {
  local preset=$1 setting=${2:-} on=""
  [[ "$setting" != *=ON ]] || on=${setting%=ON}
  needs_configure "$preset" "$on" || return 0
  step "configure-$preset" "configure $preset" cmake --preset "$preset" ${setting:+"-D$setting"}
}

# compile PRESET TARGET...: ninja's own progress, a line only where something is out of date.
compile() {
  local preset=$1 start=$SECONDS
  shift
  NINJA_STATUS="[%f/%t %es] " ninja -C "build/$preset" -j "$jobs" "$@" ||
    fail "build of $preset failed; the first error is above"
  say "✓ build $preset ($((SECONDS - start)) s)"
}

build_programs() {
  ensure core
  configure release ZHIWEN_TESTS=OFF
  compile release programs
}

build_preset() { # PRESET NEED TARGET
  ensure core "$2"
  configure "$1"
  compile "$1" "$3"
}

# run_tests PRESET [CTEST OPTION]...: of programs that are built.
run_tests() {
  local preset=$1 status=0 results=build/$1/test_results
  shift
  rm -rf "$results"
  mkdir -p "$results"
  export ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1
  export TSAN_OPTIONS=second_deadlock_stack=1
  ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j "$jobs" \
    --timeout "${ZW_TEST_SECONDS:-900}" --output-junit "$root/$results/junit.xml" "$@" || status=$?
  python3 tools/summarize_tests.py "$results" || status=1
  ((status == 0)) || exit 1
}

# answer_early SCRIPT WORD ARGUMENT...: neither --help nor a word that does not exist needs a build.
answer_early() {
  command -v python3 >/dev/null || return 0
  [[ ! " ${*:3} " =~ \ (-h|--help)\  ]] || run_python "$@"
  python3 "$root/$1" "$2" --help >/dev/null || exit 2
}

# run_python SCRIPT ARGUMENT...: in the folder zw was called from, so that relative paths hold.
run_python() {
  cd "$ZW_CALLED_FROM"
  exec python3 "$root/$1" "${@:2}"
}
