#!/usr/bin/env bash
# `./zw bench` knows every benchmark that bench/run.py has, and says so.
# shellcheck source=tests/support/e2e.sh
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"

kinds=$(python3 "$root/bench/run.py" --help | grep -oP '^  \{\K[a-z,]+(?=\})' | head -n 1)
[[ "$kinds" == *plan* ]] || fails "bench/run.py lists its benchmarks" "$kinds"
help=$("$root/zw" bench --help)
expect 2 "$root/zw" bench nothing
for kind in ${kinds//,/ }; do
  has "${help%%$'\n'*}" "$kind"
  has "$err" "$kind"
done
finish
