#!/usr/bin/env bash
# The program behind ./zw e2e.
# shellcheck source=tools/dev/compile.sh
source tools/dev/compile.sh

help() {
  cat <<'END'
./zw e2e [NAME]...

Runs tests/e2e/*.sh and *.py against the built program. Each gets $ZHIWEN (the program), $ZW_ROOT
and an empty working folder of its own. Exit status 77 means skipped for what is not installed,
which is a failure where CI is set, and 76 for what the machine cannot do, as pseudo-terminals.

  ./zw e2e
  ./zw e2e dedup_faults
END
}

# Prints the scripts of tests/e2e, all or those named.
e2e_scripts() {
  local name script found
  if (($# == 0)); then
    # The two that take longest first, so that no core waits for one of them at the end.
    {
      e2e_scripts dedup_memory report_page
      for script in tests/e2e/*.sh tests/e2e/*.py; do
        [[ ! -x "$script" ]] || say "$script"
      done
    } | awk '!seen[$0]++'
    return
  fi
  for name in "$@"; do
    found=""
    for script in "tests/e2e/$name.sh" "tests/e2e/$name.py"; do
      [[ ! -x "$script" ]] || found=$script
    done
    [[ -n "$found" ]] || wrong_usage "no script '$name' in tests/e2e"
    say "$found"
  done
}

e2e_step() { # SCRIPT
  local name scratch status=0
  name=$(basename "${1%.*}")
  scratch=$root/build/e2e/$name
  rm -rf "$scratch"
  mkdir -p "$scratch"
  step "e2e-$name" "$name" env -C "$scratch" ZHIWEN="$root/build/release/bin/zhiwen" \
    ZW_ROOT="$root" "$root/$1" || status=$?
  printf '%s\n' "$status" >"build/e2e/$name.status"
}

main() {
  local list script name passed=0 skipped=0 failed=()
  list=$(e2e_scripts "$@")
  ensure e2e
  build_programs
  [[ "$list" != *_page.sh* ]] || ensure_browser || say "no browser: pages are skipped"
  mkdir -p build/e2e
  rm -f build/e2e/*.status
  printf '%s\n' "$list" | xargs -P "$jobs" -I '{}' bash "$0" --function e2e_step '{}' | cat
  for script in $list; do
    name=$(basename "${script%.*}")
    case $(cat "build/e2e/$name.status" 2>&1) in
      0) passed=$((passed + 1)) ;;
      76) skipped=$((skipped + 1)) ;;
      77) [[ -z "${CI:-}" ]] && skipped=$((skipped + 1)) || failed+=("$name (skipped)") ;;
      *) failed+=("$name") ;;
    esac
  done
  say "e2e: $passed passed, ${#failed[@]} failed, $skipped skipped"
  ((${#failed[@]} == 0)) || fail "e2e failed: ${failed[*]}"
}

start "$@"
