#!/usr/bin/env bash
# Archives as inputs: zip, tar, 7z and packed tar through every kind of command; what is kept; what
# cannot be read.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"
python3 - "$root" <<'END'
import io, sys, tarfile, zipfile
page = open(sys.argv[1] + "/testdata/html/article_zh.html", "rb").read()
gbk = open(sys.argv[1] + "/testdata/html/article_gbk.html", "rb").read()
river = "今天下午，河边的柳树又绿了，孩子们在桥上放风筝，老人们坐在石凳上下棋。" * 3
files = [("网页/文章.html", page), ("页/gbk.html", gbk), ("../up.txt", river.encode()),
         ("p.png", b"\x89PNG\r\n\x1a\n" + bytes(40)), ("n/" * 60 + "长名.txt", river[::-1].encode())]
inner = io.BytesIO()
with zipfile.ZipFile(inner, "w") as archive:
    archive.writestr("a.txt", "x")
bad = files[:1] + [("in.zip", inner.getvalue()), ("r.jsonl", b'{"text":"x"}\n')] + files[2:3]

def pack(name, members):
    with zipfile.ZipFile(name + ".zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("网页/"), b"")
        for path, content in members:
            info = zipfile.ZipInfo(path, (2024, 5, 1, 8, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    for mode in ("", "gz", "xz", "bz2"):
        with tarfile.open(name + ".tar" + ("." + mode if mode else ""), "w:" + mode) as archive:
            link = tarfile.TarInfo("link")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(link)
            for path, content in members:
                info = tarfile.TarInfo(path)
                info.size, info.mtime = len(content), 1714550400
                archive.addfile(info, io.BytesIO(content))

pack("a", files)
pack("bad", bad)

class Gbk(zipfile.ZipInfo):
    def _encodeFilenameFlags(self):
        return self.filename.encode("gbk"), self.flag_bits
with zipfile.ZipFile("gbk.zip", "w") as archive:
    archive.writestr(Gbk("第一章 山路.txt"), "山路上的新学校开学了，来了很多人。".encode("gbk"))
END
zstd -q a.tar

# --- extract: the same texts of every kind of archive, in files and on standard input ---
ids() { sed 's/^{"id":"\([^"]*\)".*/\1/' .out; }
names=$'网页/文章.html\n页/gbk.html\n../up.txt\n'$(printf 'n/%.0s' {1..60})长名.txt
expect 0 "$zhiwen" extract a.zip
text=$out
has "$text" "清晨六点"
for archive in a.zip a.tar a.tar.gz a.tar.xz a.tar.bz2 a.tar.zst; do
  expect 0 "$zhiwen" extract --json "$archive"
  equals "$(ids)" "$(sed "s,^,$archive/," <<<"$names")" "the ids of $archive"
  has "$err" "passed over 1 record that is no document: it is a picture"
  has "$out" '"source":{"file":"'"$archive"'","record":3,"member":"../up.txt"}'
  expect 0 "$zhiwen" extract "$archive" --threads 1
  equals "$out" "$text" "the texts of $archive"
done
for archive in a.zip a.tar a.tar.gz; do
  expect 0 "$zhiwen" extract - --quiet <"$archive"
  equals "$out" "$text" "the texts of $archive on standard input"
done
expect 0 "$zhiwen" extract --json gbk.zip
equals "$(ids)" "gbk.zip/第一章 山路.txt" "a name in GBK"
cp a.zip no_ending
expect 0 "$zhiwen" extract no_ending --quiet
equals "$out" "$text" "an archive whose name does not say it"

# --- what cannot be read ---
expect 0 "$zhiwen" extract --json bad.zip
has "$err" '"in.zip": it is an archive in an archive; unpack it first'
has "$err" '"r.jsonl": it holds records'
equals "$(grep -c '"failed":{"reason":"unreadable"' .out)" 2 "members that cannot be read"
echo nothing >none.zip
expect 3 "$zhiwen" dedup none.zip -o nothing
has "$err" 'it is no archive that is read, which are zip, tar and 7z'
head -c 2000 a.tar >cut.tar
expect 3 "$zhiwen" dedup cut.tar -o nothing
has "$err" 'cannot read "cut.tar" behind its member'

# --- dedup: kept/ is a tar archive of the kept files, unchanged, with names and times ---
for archive in a.zip a.tar.gz a.tar.xz; do
  expect 0 "$zhiwen" dedup "$archive" -o "out-$archive" --threads 1
  expect 0 "$zhiwen" dedup "$archive" -o "two-$archive" --threads 2
  check "two threads" diff -r "out-$archive/kept" "two-$archive/kept"
  has "$(zstd -dcq "out-$archive/removed.jsonl.zst")" '{"id":"'"$archive"'/页/gbk.html","source":'
done
equals "$(echo out-*/kept/*)" \
  "out-a.tar.gz/kept/a.tar.gz out-a.tar.xz/kept/a.tar.xz.tar out-a.zip/kept/a.zip.tar" "kept files"
python3 - <<'END'
import tarfile, zipfile
for name in ("a.zip/kept/a.zip.tar", "a.tar.gz/kept/a.tar.gz", "a.tar.xz/kept/a.tar.xz.tar"):
    archive, first = tarfile.open("out-" + name), zipfile.ZipFile("a.zip")
    names = [one.name for one in archive]
    assert names == [one for one in first.namelist() if not one.endswith(("/", "gbk.html"))], names
    for one in archive:
        assert archive.extractfile(one).read() == first.read(one.name), one.name
        assert one.mtime == 1714550400 and one.isreg(), one.name
END
mkdir unpacked
tar -C unpacked -xf out-a.zip/kept/a.zip.tar 网页/文章.html
check "a kept file" cmp unpacked/网页/文章.html "$root/testdata/html/article_zh.html"
expect 0 "$zhiwen" dedup out-a.tar.gz/kept/a.tar.gz -o again
check "what is kept is kept again" cmp again/kept/a.tar.gz out-a.tar.gz/kept/a.tar.gz
expect 0 "$zhiwen" dedup - -o stdin <a.zip
check "standard input" cmp stdin/kept/stdin.tar out-a.zip/kept/a.zip.tar
expect 0 "$zhiwen" dedup bad.zip -o bad-out --max-failed 2
has "$(zstd -dcq bad-out/failed.jsonl.zst)" '"raw":"{\"text\":\"x\"}\n"'
expect 0 "$zhiwen" dedup a.zip -o none --against a.tar
equals "$(tar -tf none/kept/a.zip.tar)" "p.png" "a picture is no document and stays"
expect 2 "$zhiwen" dedup a.zip -o marked --mark duplicate
has "$err" "has no fields"

# --- the other commands; folders ---
expect 0 "$zhiwen" library create library
expect 0 "$zhiwen" library add library a.zip
has "$out" "4 documents added"
expect 0 "$zhiwen" check library a.tar.gz --json --quiet
equals "$(grep -c '"verdict":"same"' .out)" 4 "suspects of an archive"
expect 0 "$zhiwen" compare a.zip:3 a.tar:id=a.tar/../up.txt
has "$out" "100.00 % in shared runs"
mkdir folder && cp a.zip bad.tar folder && cp "$root/testdata/html/article_zh.html" folder
expect 0 "$zhiwen" extract --json --quiet folder
equals "$(wc -l <.out)" 9 "documents of a folder with archives, two of them failed"
finish
