#!/usr/bin/env bash
# `./zw bench` knows every benchmark that bench/run.py has, and says so; what it and `./zw eval`
# refuse or explain needs no build.
# shellcheck source=tests/support/e2e.sh
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"

kinds=$(python3 "$root/bench/run.py" --help | grep -oP '^  \{\K[a-z,]+(?=\})' | head -n 1)
[[ "$kinds" == *plan* ]] || fails "bench/run.py lists its benchmarks" "$kinds"
help=$("$root/zw" bench --help)
expect 2 "$root/zw" bench nothing
for kind in ${kinds//,/ }; do
  has "${help%%$'\n\n'*}" "$kind"  # the usage, before the first empty line
  has "$err" "$kind"
done
mkdir tree
cp "$root/zw" tree/
ln -s "$root/bench" "$root/eval" "$root/tools" tree/
expect 0 tree/zw bench schemes --help
has "$out" "--seconds"
expect 0 tree/zw eval schemes --help
has "$out" "--pairs"
expect 0 tree/zw eval copy --help
has "$out" "--part PART,..."
expect 2 python3 "$root/eval/run.py" copy --part hard,nothing
has "$err" "argument --part: nothing is no part; there are spliced, library, hard"
expect 2 tree/zw eval nothing
has "$err" "invalid choice: 'nothing'"
expect 2 python3 "$root/eval/run.py" schemes --pairs 0
has "$err" "argument --pairs: '0' is no whole number from 1 on"
check "nothing was built for that" [ ! -e tree/build ]
finish
