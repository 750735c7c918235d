#!/usr/bin/env bash
# The program behind ./zw fuzz.
# shellcheck source=tools/dev/compile.sh
source tools/dev/compile.sh

help() {
  cat <<'END'
./zw fuzz [--seconds N] [TARGET]...

Builds every fuzz/*_fuzz.cc with clang 16, libFuzzer, ASan and UBSan; replays the seeds of
fuzz/corpus/TARGET/ and runs each target for N seconds (10). New inputs go to build/asan/fuzz/found,
a crashing one to build/asan/fuzz/crash-….

  ./zw fuzz
  ./zw fuzz --seconds 600 fold_fuzz
END
}

fuzz_step() { # TARGET SECONDS
  step "fuzz-$1" "$1, $2 s" apart fuzz_target "$@"
  say "  $(sed -n 's/^stat::number_of_executed_units: */runs: /p' "build/log/fuzz-$1.log" |
    tail -n 1)"
}

fuzz_target() { # TARGET SECONDS
  local found=build/asan/fuzz/found/$1
  local inputs=("$found")
  mkdir -p "$found"
  [[ ! -d fuzz/corpus/$1 ]] || inputs+=("fuzz/corpus/$1")
  "build/asan/fuzz/$1" -runs=0 -timeout=20 -error_exitcode=1 "${inputs[@]}"
  "build/asan/fuzz/$1" -max_total_time="$2" -timeout=20 -rss_limit_mb=2048 -error_exitcode=1 \
    -artifact_prefix=build/asan/fuzz/crash- -print_final_stats=1 "${inputs[@]}"
}

main() {
  local seconds=10 targets=() target
  if [[ "${1:-}" == --seconds ]]; then
    seconds=${2:-}
    [[ "$seconds" =~ ^[0-9]+$ ]] || wrong_usage "--seconds needs a whole number"
    shift 2
  fi
  targets=("$@")
  if ((${#targets[@]} == 0)); then
    for target in fuzz/*_fuzz.cc; do
      [[ -e "$target" ]] && targets+=("$(basename "$target" .cc)")
    done
  fi
  ((${#targets[@]} > 0)) || fail "fuzz: there is no target in fuzz/"
  for target in "${targets[@]}"; do
    [[ -f "fuzz/$target.cc" ]] || wrong_usage "no fuzz target '$target' in fuzz/"
  done
  ensure core fuzz
  build_programs # which make the language data, of this version
  configure asan
  compile asan "${targets[@]}"
  printf '%s\n' "${targets[@]}" |
    xargs -P "$jobs" -I '{}' bash "$0" --function fuzz_step '{}' "$seconds" | cat ||
    fail "fuzz failed; what was found is above"
  say "fuzz: ${#targets[@]} targets passed, 0 failed"
}

start "$@"
