#!/usr/bin/env bash
# The program behind ./zw package.
# shellcheck source=tools/dev/compile.sh
source tools/dev/compile.sh

help() {
  cat <<'END'
./zw package

Builds the Debian package and the tarball that runs anywhere into build/package, and tries each in
a folder that holds nothing else: the .deb beside the libraries of the packages it depends on, the
tarball beside glibc alone.

  ./zw package
  sudo apt-get install ./build/package/zhiwen_*.deb
END
}

make_packages() {
  rm -rf build/package
  mkdir -p build/package
  cpack --config build/release/CPackConfig.cmake -B build/package
  rm -rf build/package/_CPack_Packages
}

main() {
  local kind file
  ensure core package
  build_programs
  step package-make "make the packages" apart make_packages
  for kind in deb tarball; do
    step "package-$kind" "try the $kind" packaging/try_package.sh "$kind" build/package
  done
  for file in build/package/*; do
    say "$(du --apparent-size -h "$file" | cut -f 1)  $file"
  done
  say "package: 2 made, 2 tried"
}

start "$@"
