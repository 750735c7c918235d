#!/usr/bin/env bash
# The program behind ./zw build.
# shellcheck source=tools/dev/compile.sh
source tools/dev/compile.sh

help() {
  cat <<'END'
./zw build [PRESET]

Builds the programs into build/PRESET/bin; PRESET is release (the default), dev, asan, tsan or
bench. release needs the core packages only; the others build everything that belongs to them.

  ./zw build
  ./zw build dev
END
}

main() {
  local preset=${1:-release}
  case $preset in
    release) build_programs ;;
    dev) build_preset dev test all ;;
    asan | tsan) ensure fuzz && build_preset "$preset" test all ;;
    bench) build_preset bench bench all ;;
    *) wrong_usage "no preset '$preset': release dev asan tsan bench" ;;
  esac
}

start "$@"
