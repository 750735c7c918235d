#!/usr/bin/env bash
# An installed zhiwen, moved elsewhere, is found by CMake and used by programs of their own: the
# examples as they are in examples/. Skipped where the program comes without its build folder.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
build=$(dirname "$(dirname "$zhiwen")")
[[ -f $build/cmake_install.cmake ]] || { echo "no build folder beside $zhiwen"; exit 77; }
cd "$work"

expect 0 cmake --install "$build" --prefix "$work/first place"
mv "first place" prefix
for file in bin/zhiwen lib/libzhiwen.a include/zhiwen/dedup.h share/man/man1/zhiwen-dedup.1 \
  share/bash-completion/completions/zhiwen share/zsh/site-functions/_zhiwen \
  share/fish/vendor_completions.d/zhiwen.fish share/doc/zhiwen/LICENSE; do
  check "the install tree has $file" test -s "prefix/$file"
done
expect 0 prefix/bin/zhiwen version
commands=$(prefix/bin/zhiwen help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p')
for command in $commands; do
  check "a page for $command" test -s "prefix/share/man/man1/zhiwen-$command.1"
done
lacks "$(grep -rl "$root\|first place" prefix/lib/cmake prefix/share || true)" "prefix"

# Every public header stands alone, on nothing but the standard library and tl::expected.
for header in prefix/include/zhiwen/*.h; do
  expect 0 g++ -std=c++20 -fsyntax-only -Wall -Werror -x c++ -I prefix/include "$header"
done

configure() {
  expect "$1" cmake -G Ninja -S "$2" -B "$3" -DCMAKE_PREFIX_PATH="$work/prefix"
}
configure 0 "$root/examples/find_package" built
expect 0 cmake --build built
printf '孟浩然：春眠不觉晓，处处闻啼鸟。' >a.txt
printf '春眠不覺曉，處處聞啼鳥。夜来风雨声，花落知多少。' >b.txt
expect 0 built/shared_passages a.txt b.txt
has "$out" "resemblance 0."
has "$out" "bytes 12 and 0: 春眠不觉晓，处处闻啼鸟"
expect 3 built/shared_passages a.txt prefix/lib/libzhiwen.a
has "$err" "UTF-8"
expect 0 built/known_pictures pictures 8e3c5893b8d497af cat.jpg
equals "$out" ""
expect 0 built/known_pictures pictures 8e3c5893b8d497ad cat-small.jpg
equals "$out" "8e3c5893b8d497af in 1 bits: cat.jpg"
expect 0 prefix/bin/zhiwen index stats pictures
has "$out" "rows        2"
expect 4 built/known_pictures prefix/lib/libzhiwen.a 1 a

mkdir other
sed 's/find_package(zhiwen 0.1/find_package(zhiwen 7.1/' \
  "$root/examples/find_package/CMakeLists.txt" >other/CMakeLists.txt
configure 1 other other_built
has "$err" "zhiwenConfig.cmake, version: $("$zhiwen" version | sed -n 's/^zhiwen *//p')"
finish
