#!/usr/bin/env bash
# Runs a package in a folder that holds nothing but what it may count on, and compares its result
# with that of the program as built:
#   try_package.sh deb FOLDER       beside the libraries of the packages that it depends on
#   try_package.sh tarball FOLDER   beside glibc and its loader
# FOLDER holds the one package of that kind. The folder becomes the root of the file system where
# that is allowed; otherwise the same is run with an empty environment.
set -euo pipefail

kind=$1 folder=$(readlink -f "$2")
project=$(dirname "$(dirname "$(readlink -f "$0")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bare=$work/bare

fails() { printf 'failed: %s\n' "$*" >&2; exit 1; }

# copy_libraries PACKAGE: the shared libraries of an installed Debian package, into the bare root.
copy_libraries() {
  local file
  { dpkg-query -L "$1" 2>/dev/null | grep -E '\.so(\.|$)' || true; } | while read -r file; do
    [[ -d $file ]] && continue
    mkdir -p "$bare${file%/*}"
    cp -a "$file" "$bare$file"
  done
}

# names DEPENDS: the first package of each alternative in a field of dpkg.
names() { tr ',' '\n' <<<"$1" | sed 's/|.*//; s/(.*//; s/:any//; s/ //g' | { grep . || true; }; }

# with_dependencies PACKAGE...: the packages with those that they depend on, as apt installs them.
with_dependencies() {
  local package waiting=("$@")
  local -A seen=()
  while ((${#waiting[@]} > 0)); do
    package=${waiting[0]} waiting=("${waiting[@]:1}")
    [[ ${seen[$package]:-} ]] && continue
    seen[$package]=1
    # A virtual package has no files.
    mapfile -t -O "${#waiting[@]}" waiting < <(
      names "$(dpkg-query -W -f '${Depends},${Pre-Depends}\n' "$package" 2>/dev/null | head -n 1)")
    printf '%s\n' "$package"
  done
}

# inside COMMAND...: runs it with the bare folder as root, or as near to that as allowed. There is
# no /proc in it, so the loader is told what $ORIGIN is.
inside() {
  local enter=(/usr/sbin/chroot "$bare") status=0
  [[ $(id -u) == 0 ]] || enter=(/usr/bin/unshare --map-root-user "${enter[@]}")
  "${enter[@]}" /no-such-program 2>/dev/null || status=$?
  if [[ $status == 127 ]]; then # entered, and found no such program
    env -i LD_ORIGIN_PATH="${program%/*}" \
      ZHIWEN_LANGUAGE="${share#"$bare"}/zhiwen/language.zwl" "${enter[@]}" "$@"
  else
    echo "chroot is not allowed here: run outside it" >&2
    env -i --chdir "$bare" "$bare$1" "${@:2}"
  fi
}

mkdir -p "$bare/demo"
case $kind in
  deb)
    deb=$(echo "$folder"/*.deb)
    dpkg-deb -x "$deb" "$bare"
    program=/usr/bin/zhiwen share=$bare/usr/share
    mapfile -t depends < <(names "$(dpkg-deb -f "$deb" Depends)")
    echo "depends on: ${depends[*]}"
    [[ ${depends[*]} == *libc6* ]] || fails "the .deb depends on no glibc"
    with_dependencies "${depends[@]}" | while read -r package; do copy_libraries "$package"; done
    test -s "$share/zsh/vendor-completions/_zhiwen"
    ;;
  tarball)
    tar -xf "$folder"/*.tar.gz -C "$work"
    mkdir -p "$bare/any folder"
    mv "$work"/zhiwen-*/ "$bare/any folder/zhiwen"
    program="/any folder/zhiwen/bin/zhiwen" share="$bare/any folder/zhiwen/share"
    copy_libraries libc6
    test -s "$share/zsh/site-functions/_zhiwen"
    # Outside the bare folder too, its own libraries go before those of the machine.
    strangers=$(env -i ldd "$bare$program" |
      grep -vE '/any folder/|linux-vdso|/ld-linux|/lib(c|m|dl|rt|pthread|resolv|util)\.so' || true)
    [[ -z $strangers ]] || fails "libraries that are not in the tarball:" "$strangers"
    ;;
  *) fails "no such kind of package: $kind" ;;
esac

for file in man/man1/zhiwen.1 man/man1/zhiwen-dedup.1 doc/zhiwen/copyright doc/zhiwen/LICENSE \
  bash-completion/completions/zhiwen fish/vendor_completions.d/zhiwen.fish; do
  test -s "$share/$file" || fails "the package lacks $file"
done
cp "$project"/testdata/demo/*.jsonl "$bare/demo"
inside "$program" version
inside "$program" dedup demo -o out
(cd "$bare" && "$project/build/release/bin/zhiwen" dedup demo -o built --quiet)
for name in removed.jsonl.zst clusters.jsonl.zst failed.jsonl.zst kept; do
  diff -r "$bare/out/$name" "$bare/built/$name" || fails "$name is not that of the built program"
done

# The evidence of a disguised copy is verified there, and a changed byte in any file is named.
python3 - "$project/testdata/demo/novels.jsonl" "$work/copy.txt" <<'PY'
import json, sys
text = json.loads(open(sys.argv[1]).readlines()[1])["text"][:1500]
open(sys.argv[2], "w").write(text.replace("来", "來").replace("说", "説").replace("的", "·的"))
PY
(
  cd "$work"
  built=$project/build/release/bin/zhiwen
  "$built" library create lib --quiet
  "$built" library add lib "$project/testdata/demo/novels.jsonl" --quiet
  "$built" evidence lib copy.txt -o "$bare/case.zip" --quiet
)
inside "$program" evidence verify case.zip --strict
python3 - "$bare" <<'PY' >"$work/changed"
import sys, zipfile
data = open(sys.argv[1] + "/case.zip", "rb").read()
for number, member in enumerate(zipfile.ZipFile(sys.argv[1] + "/case.zip").infolist()):
    changed = bytearray(data)
    changed[member.header_offset + 30 + len(member.filename) + member.file_size // 2] ^= 4
    open(f"{sys.argv[1]}/changed{number}.zip", "wb").write(changed)
    print(f"changed{number}.zip {member.filename}")
PY
while read -r package file; do
  status=0
  inside "$program" evidence verify "$package" >"$work/said" </dev/null || status=$?
  [[ $status == 3 ]] || fails "a changed byte of $file is not seen"
  grep -qF "$file" "$work/said" || fails "a changed byte of $file is not named"
done <"$work/changed"
echo "evidence: verified, and a changed byte in each of $(wc -l <"$work/changed") files is named"
