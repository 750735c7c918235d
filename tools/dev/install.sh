#!/usr/bin/env bash
# Sourced by the programs behind ./zw: installs what they need, quickly where nothing is missing.
# shellcheck source=tools/dev/steps.sh
source tools/dev/steps.sh

arrow_version=26.0.1 # as in cmake/FindArrowWheel.cmake
clang_tidy_version=23.1.4
# Packages of npm that look at pages with it, in build/browser; the newest that take Node 18.
browser_tools=(playwright-core@1.60.0 @axe-core/playwright@4.13.0 axe-core@4.13.0)

# Prints the packages of the given needs (packages.txt).
packages_of() {
  local need
  for need in "$@"; do
    sed -n "s/^$need //p" tools/dev/packages.txt
  done
}

# Prints those of them that are not installed.
missing_packages() {
  local name all=() installed
  read -r -d '' -a all <<<"$(packages_of "$@")" || true
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package} \n' "${all[@]}" 2>/dev/null || true)
  for name in "${all[@]}"; do
    [[ $'\n'$installed == *$'\ninstalled '"$name "* ]] || say "$name"
  done
}

# Installs what the given needs lack. Quick when nothing is missing.
ensure() {
  ensure_packages "$@"
  [[ " $* " != *" core "* ]] || { ensure_arrow && ensure_language; }
}

ensure_packages() {
  local missing as_root=()
  command -v dpkg-query >/dev/null ||
    fail "needs Debian 12: dpkg-query is not here; install what CONTRIBUTING.md lists by hand"
  read -r -d '' -a missing <<<"$(missing_packages "$@")" || true
  ((${#missing[@]} > 0)) || return 0
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null ||
      fail "cannot install ${missing[*]}: neither root nor sudo; run './zw setup' as root first"
    as_root=(sudo)
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  step apt-update "update the package lists" "${apt[@]}" update
  step apt-install "install ${#missing[@]} packages for: $*" \
    "${apt[@]}" install -y --no-install-recommends "${missing[@]}"
}

# leave_out MESSAGE: says that something is left out; where CI is set, nothing may be.
leave_out() {
  [[ -z "${CI:-}" ]] || fail "$1; CI leaves nothing out"
  say "zw: $1"
}

# Arrow for C++ comes in a Python wheel, since Debian has no package of it. A failure, as without a
# network, is remembered until the next ./zw setup: everything but Parquet works without it.
arrow_venv=build/venv-arrow
ensure_arrow() {
  [[ ! -e $arrow_venv/complete ]] || return 0
  [[ ! -e $arrow_venv/failed || -n "${CI:-}" ]] || return 0
  mkdir -p "$arrow_venv"
  ZW_LOG_LINES=3 step setup-arrow "fetch Arrow, for Parquet (55 MB)" \
    apart fetch_wheel "$arrow_venv" "pyarrow==$arrow_version" && return 0
  touch "$arrow_venv/failed"
  leave_out "no Arrow, so Parquet is left out; './zw setup' tries again"
}

# What language data is compiled from: Debian's packages and two wheels, brought into one form. A
# failure, as without a network, is remembered: everything but the channels beyond folded and exact,
# segment and terms works without it.
language_venv=build/venv-language language_tables=build/language/tables
ensure_language() {
  local made
  made=$(cat tools/collect_language_tables.py tools/language/*.{py,txt} | sha256sum)
  [[ "$(cat $language_tables/complete 2>/dev/null)" != "$made" ]] || return 0
  [[ ! -e $language_venv/failed || -n "${CI:-}" ]] || return 0
  mkdir -p "$language_venv" "$language_tables"
  if ZW_LOG_LINES=3 step setup-language "collect the tables of languages" \
    apart collect_language; then
    printf '%s\n' "$made" >$language_tables/complete
    return 0
  fi
  touch "$language_venv/failed"
  leave_out "no language data: channels beyond folded and exact are left out; see ./zw setup"
}

collect_language() {
  local wheels=tools/language/wheels.txt
  if [[ "$(cat "$language_venv/complete" 2>/dev/null)" != "$(cat $wheels)" ]]; then
    python3 -m venv "$language_venv"
    "$language_venv/bin/pip" --disable-pip-version-check --retries 2 --timeout 20 \
      install --no-compile --only-binary :all: --no-deps --require-hashes -r "$wheels"
    cp "$wheels" "$language_venv/complete"
  fi
  rm -f $language_tables/*
  "$language_venv/bin/python" tools/collect_language_tables.py "$language_tables"
}

# clang-tidy that leaves the functions of system headers alone: two and a half times as fast as
# Debian's (docs/decisions/006).
tidy_venv=build/venv-tidy
ensure_tidy() {
  local wheel=clang-tidy==$clang_tidy_version
  [[ "$(cat "$tidy_venv/complete" 2>/dev/null)" != "$wheel" ]] || return 0
  step setup-tidy "fetch clang-tidy $clang_tidy_version (45 MB)" \
    apart fetch_wheel "$tidy_venv" "$wheel"
}

fetch_wheel() { # VENV WHEEL
  python3 -m venv "$1"
  "$1/bin/pip" --disable-pip-version-check --retries 2 --timeout 20 \
    install --no-compile --only-binary :all: --no-deps "$2"
  printf '%s\n' "$2" >"$1/complete"
}

# What looks at report.html: a browser, and build/browser/node_modules.
ensure_browser() {
  local wanted="${browser_tools[*]}"
  ensure browser || return 1
  command -v npm >/dev/null || ensure node || return 1 # one from elsewhere will do
  [[ "$(cat build/browser/installed 2>/dev/null)" != "$wanted" ]] || return 0
  mkdir -p build/browser
  step npm-browser "install ${#browser_tools[@]} packages of npm into build/browser" \
    npm install --prefix build/browser --no-save --no-package-lock --no-audit --no-fund \
    "${browser_tools[@]}" || return 1
  printf '%s\n' "$wanted" >build/browser/installed
}
