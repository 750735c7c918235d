#!/usr/bin/env bash
# The program behind ./zw setup.
# shellcheck source=tools/dev/install.sh
source tools/dev/install.sh

help() {
  cat <<'END'
./zw setup [core|test|check|fuzz|e2e|package|browser|bench|all]...

Installs the Debian packages that are missing (as root, or with sudo); with core the Arrow
libraries that read Parquet, below build/venv-arrow, where these cannot be fetched, the program is
built without Parquet; with check clang-tidy, below build/venv-tidy; with browser what drives it,
into build/browser; with bench Google Benchmark and what the Python environment of the peers is made
with. Without a word: all but bench, which is what ./zw ci needs. Every other subcommand installs
what it needs by itself.

  ./zw setup              before going offline
  ./zw setup core         enough to build the programs
END
}

main() {
  local needs=("$@") need known
  known=$(cut -d " " -f 1 tools/dev/packages.txt | grep -v "^#" | uniq | tr "\n" " ")
  ((${#needs[@]} > 0)) || needs=(core test check fuzz e2e package browser)
  [[ "${needs[*]}" != all ]] || needs=(core test check fuzz e2e package browser bench)
  for need in "${needs[@]}"; do
    [[ -n "$(packages_of "$need")" ]] || wrong_usage "no such need '$need': ${known}all"
  done
  rm -f "$arrow_venv/failed" "$language_venv/failed"
  ensure "${needs[@]}"
  [[ " ${needs[*]} " != *\ check\ * ]] || ensure_tidy
  [[ " ${needs[*]} " != *\ browser\ * ]] || ensure_browser
  say "setup: ${needs[*]} are there"
}

start "$@"
