#!/usr/bin/env bash
# The program behind ./zw demo.
# shellcheck source=tools/dev/compile.sh
source tools/dev/compile.sh

help() {
  cat <<'END'
./zw demo

Installs and builds what the program needs, deduplicates testdata/demo (free texts in several
editions) into build/demo/out, and compares one of the pairs it found.

  ./zw demo
  zstd -dc build/demo/out/removed.jsonl.zst      every removal with its reason
END
}

main() {
  local program=build/release/bin/zhiwen pair=build/demo/pair start=$SECONDS
  build_programs
  mkdir -p build/demo
  say
  say "\$ zhiwen dedup testdata/demo -o build/demo/out --overwrite"
  "$program" dedup testdata/demo -o build/demo/out --overwrite
  python3 tools/extract_pair.py build/demo/out "$pair"
  say
  say "One of the pairs, side by side:"
  say "\$ zhiwen compare $pair/removed.txt $pair/kept.txt"
  "$program" compare "$pair/removed.txt" "$pair/kept.txt"
  say
  say "demo: done in $((SECONDS - start)) s; the result is in build/demo/out"
}

start "$@"
