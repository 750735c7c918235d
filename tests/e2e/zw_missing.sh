#!/usr/bin/env bash
# Where CI is set, the programs behind ./zw skip nothing that is missing; elsewhere they say so.
# shellcheck source=tests/support/e2e.sh
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
unset CI
export PYTHONDONTWRITEBYTECODE=1
cd "$work"
mkdir -p tools fuzz tests/e2e bin
cp -r "$root/tools/dev" "$root/tools/language" "$root/tools/collect_language_tables.py" tools/
printf '#!/bin/sh\nexit 1\n' >bin/python3 # as without a network
chmod +x bin/python3

# --- Arrow and language data that cannot be fetched ---
cat >tools/dev/install_test.sh <<'END'
source tools/dev/install.sh
main() { "$1"; }
start "$@"
END
for part in arrow language; do
  for _ in 1 2; do # also when the failure is remembered
    expect 0 env PATH="$work/bin:$PATH" bash tools/dev/install_test.sh "ensure_$part"
    expect 1 env CI=1 PATH="$work/bin:$PATH" bash tools/dev/install_test.sh "ensure_$part"
    has "$err" "CI leaves nothing out"
  done
done

# --- no fuzz target ---
expect 1 bash tools/dev/fuzz.sh
has "$err" "there is no target"

# --- a script that skips itself ---
cat >tools/dev/compile.sh <<'END'
source tools/dev/steps.sh
ensure() { :; }
build_programs() { :; }
END
printf '#!/bin/sh\nexit 77\n' >tests/e2e/absent.sh
printf '#!/bin/sh\nexit 0\n' >tests/e2e/present.sh
chmod +x tests/e2e/*.sh
expect 0 bash tools/dev/e2e.sh absent present
has "$out" "1 passed, 0 failed, 1 skipped"
expect 1 env CI=1 bash tools/dev/e2e.sh absent present
has "$out" "1 passed, 1 failed, 0 skipped"
has "$err" "e2e failed: absent (skipped)"
finish
