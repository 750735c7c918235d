#!/usr/bin/env bash
# Evidence packages of captures: WARC records, redirects, name lookups, given files, and the parts
# that nothing says.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

printf '%s\n' '少年负手而立，目光越过千重峰峦，落在极远处那座孤零零的石塔上面。' \
  '风很大，他把衣领竖了起来，想起三年前离家的那个清晨。' >tale.txt
expect 0 "$zhiwen" library create lib -q
expect 0 "$zhiwen" library add lib tale.txt -q

cat >warc.py <<'PY'
"""Writes WARC records: record(type, url, date, fields, block)."""
import gzip, hashlib

def record(kind, url, date, fields, block):
    lines = ["WARC/1.1", f"WARC-Type: {kind}"]
    lines += [f"WARC-Record-ID: <urn:uuid:{hashlib.md5((kind + url + date).encode()).hexdigest()}>"]
    if url:
        lines.append(f"WARC-Target-URI: {url}")
    lines += [f"WARC-Date: {date}", *fields, f"Content-Length: {len(block)}", "", ""]
    return "\r\n".join(lines).encode() + block + b"\r\n\r\n"

def response(url, date, status, fields, body=b"", more=()):
    head = "\r\n".join([f"HTTP/1.1 {status}", *fields, "", ""]).encode()
    kind = "Content-Type: application/http; msgtype=response"
    return record("response", url, date, [kind, *more], head + body)

def request(url, date):
    path = "/" + url.split("/", 3)[3]
    host = url.split("/")[2]
    head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: t\r\n\r\n".encode()
    return record("request", url, date, ["Content-Type: application/http; msgtype=request"], head)

def lookup(host, address, date):
    return record("response", f"dns:{host}", date, ["Content-Type: text/dns"],
                  f"20260102\n{host}. 300 IN A {address}\n".encode())
PY
python3 - <<'PY'
import gzip
from warc import *
tale = open("tale.txt").read()
page = f"<title>书</title><div>首页 | 登录</div><p>{tale}</p><p>未完待续，请看下一章。</p>".encode("gbk")
html = "Content-Type: text/html; charset=gbk"
last = "https://b.example/book/2.html"
old, other = "http://a.example/old", "http://c.example/other"
one, two = "2026-01-02T08:00:01Z", "2026-01-02T08:00:02Z"
groups = [
    record("warcinfo", "", "2026-01-02T08:00:00Z", [], b"software: t\r\n"),
    lookup("a.example", "192.0.2.1", "2026-01-02T08:00:00Z"),
    lookup("c.example", "192.0.2.3", "2026-01-02T08:00:00Z"),
    lookup("b.example", "192.0.2.2", "2026-01-02T08:00:00Z"),
    response(old, one, "301 Moved", ["Location: https://b.example/book/"]) + request(old, one),
    response(other, one, "301 Moved", ["Location: /elsewhere"]),
    response("https://b.example/book/", two, "302 Found", ["Location: 2.html"]),
    response(last, "2026-01-02T08:00:03Z", "200 OK", [html], page, ["WARC-IP-Address: 192.0.2.2"])
    + request(last, "2026-01-02T08:00:03Z")
    + record("metadata", last, "2026-01-02T08:00:03Z", ["Content-Type: application/warc-fields"],
             b"clock-offset: +0.012 s of ntp.example\r\nvia: http://a.example/old\r\n"),
    response("http://d.example/plain", "2026-01-02T08:00:04Z", "200 OK", [html], page),
    response("https://b.example/book/", "2026-01-02T09:00:00Z", "302 Found", ["Location: 2.html"]),
]
open("crawl.warc.gz", "wb").write(b"".join(gzip.compress(group) for group in groups))
open("group.warc", "wb").write(groups[7])
open("redirects.warc", "wb").write(groups[4] + groups[6])
open("dns.warc", "wb").write(groups[1] + groups[3])
open("page.html", "wb").write(page)
open("shot.png", "wb").write(b"\x89PNG\r\n\x1a\nnot a real one")
open("chain.pem", "w").write("certificates, as the crawler saw them\n")
open("log.txt", "w").write("2026-01-02T08:00:03Z GET 200\n")
PY

# --- a capture by its address: what the WARC file has, and what it has not ---
expect 0 "$zhiwen" evidence lib crawl.warc.gz:id=https://b.example/book/2.html -o case.zip
has "$out" "2026-01-02T08:00:03Z · https://b.example/book/2.html"
has "$out" "不完整 incomplete"
has "$out" "tls-chain, capture-log, screenshot"
expect 0 "$zhiwen" evidence verify case.zip
has "$out" "tls-chain, capture-log, screenshot"
has "$out" "the text, verdict, all passages and pages, from the packed files"
expect 0 "$zhiwen" evidence verify case.zip -q
equals "$out" ""
expect 3 "$zhiwen" evidence verify case.zip -q --strict
has "$out" "严格 strict: nothing says these parts of the capture: tls-chain, capture-log, screenshot"
expect 3 "$zhiwen" evidence verify case.zip --strict --json
has "$out" '"agrees":true'
has "$out" '"incomplete":["tls-chain","capture-log","screenshot"]'
check "the files of a capture" python3 - <<'PY'
import json, zipfile
package = zipfile.ZipFile("case.zip")
same = lambda name, path: package.read(name) == open(path, "rb").read()
assert same("suspect/source.warc", "group.warc")
assert same("capture/redirects.warc", "redirects.warc")
assert same("capture/dns.warc", "dns.warc")
manifest = json.loads(package.read("manifest.json"))
assert manifest["incomplete"] == ["tls-chain", "capture-log", "screenshot"], manifest
assert manifest["suspect"]["format"] == "warc"
told = json.loads(package.read("capture/capture.json"))
assert told["url"] == "https://b.example/book/2.html" and told["fetched"] == "2026-01-02T08:00:03Z"
assert [(hop["url"], hop["status"], hop["location"]) for hop in told["redirects"]] == [
    ("http://a.example/old", 301, "https://b.example/book/"),
    ("https://b.example/book/", 302, "2.html")], told
assert told["request"] == ["GET /book/2.html HTTP/1.1", "Host: b.example", "User-Agent: t"], told
assert told["response"] == ["HTTP/1.1 200 OK", "Content-Type: text/html; charset=gbk"], told
parts = {part["part"]: part for part in told["parts"]}
assert parts["ip"] == {"part": "ip", "from": "WARC-IP-Address", "value": "192.0.2.2"}, parts
assert parts["clock-offset"]["value"] == "+0.012 s of ntp.example", parts
assert parts["dns"]["from"] == "capture/dns.warc" and "url" in parts and "warc-records" in parts
assert package.read("suspect/text.txt").decode().count("石塔") == 1
PY

# --- files that the user gives make it complete; by its number it is the same capture ---
given=(--capture-file screenshot=shot.png --capture-file tls-chain=chain.pem
  --capture-file capture-log=log.txt)
expect 0 "$zhiwen" evidence lib crawl.warc.gz:8 -o whole.zip "${given[@]}"
lacks "$out" "incomplete"
expect 0 "$zhiwen" evidence verify whole.zip --strict -q
equals "$out" ""
check "the given files" python3 - <<'PY'
import zipfile
package = zipfile.ZipFile("whole.zip")
assert package.read("capture/files/screenshot.png") == open("shot.png", "rb").read()
assert package.read("capture/files/tls-chain.pem") == open("chain.pem", "rb").read()
assert package.read("suspect/source.warc") == open("group.warc", "rb").read()
PY

# --- a capture of which less is known: no TLS chain is missing of http ---
expect 0 "$zhiwen" evidence lib crawl.warc.gz:id=http://d.example/plain -o plain.zip
has "$out" "request, dns, ip, clock-offset, capture-log, screenshot"
expect 0 "$zhiwen" evidence verify plain.zip

# --- a saved page is none, unless it has files of a capture ---
expect 0 "$zhiwen" evidence lib page.html -o page.zip
has "$out" "不是抓取件 none"
expect 0 "$zhiwen" evidence verify page.zip --strict
has "$out" "不是抓取件 none"
expect 0 "$zhiwen" evidence verify page.zip --json
has "$out" '"capture":null'
expect 0 "$zhiwen" evidence lib page.html -o logged.zip --capture-file capture-log=log.txt
has "$out" "no record says the address"
has "$out" "url, redirect-chain, headers, request, warc-records, dns, ip"
expect 3 "$zhiwen" evidence verify logged.zip --strict

# --- a changed byte in any file is named, and what was made anew is computed again ---
python3 - <<'PY'
import hashlib, json, zipfile
data = open("whole.zip", "rb").read()
with zipfile.ZipFile("whole.zip") as files, open("changed", "w") as names:
    for number, member in enumerate(files.infolist()):
        at = member.header_offset + 30 + len(member.filename) + member.file_size // 2
        changed = bytearray(data)
        changed[at] ^= 4
        open(f"changed{number}.zip", "wb").write(changed)
        names.write(f"changed{number}.zip {member.filename}\n")

def forge(new, change):
    """The package with changed files, and the manifest and its hash made anew."""
    with zipfile.ZipFile("case.zip") as old:
        files = {name: old.read(name) for name in old.namelist()}
    change(files)
    listed = sorted(set(files) - {"manifest.json", "manifest.sha256"})
    lines = [f"{hashlib.sha256(files[name]).hexdigest()}  {name}" for name in listed]
    manifest = files["manifest.json"]
    begin = manifest.index(b'"files": [') + len(b'"files": [')
    body = ",".join("\n    " + json.dumps(line) for line in lines).encode()
    files["manifest.json"] = manifest[:begin] + body + b"\n  ]\n}\n"
    digest = hashlib.sha256(files["manifest.json"]).hexdigest()
    files["manifest.sha256"] = f"{digest}  manifest.json\n".encode()
    with zipfile.ZipFile(new, "w") as out:
        for name in ["manifest.json", "manifest.sha256"] + listed:
            member = zipfile.ZipInfo(name)
            member.create_system = 0
            out.writestr(member, files[name])
            member.external_attr = 0

def replace(name, old, new):
    def change(files):
        assert old in files[name], name
        files[name] = files[name].replace(old, new)
    return change

forge("same.zip", lambda files: None)
forge("forged1.zip", replace("capture/capture.json", b"08:00:03Z", b"07:00:03Z"))
forge("forged2.zip", replace("suspect/source.warc", b"192.0.2.2", b"192.0.2.9"))
forge("forged3.zip", lambda files: files.pop("capture/dns.warc"))
forge("forged4.zip", lambda files: files.pop("capture/capture.json"))
forge("forged5.zip", replace("manifest.json", b'"capture-log",', b""))
PY
while read -r package file; do
  expect 3 "$zhiwen" evidence verify "$package"
  has "$out" "$file"
done <changed
has "$(cat changed)" "capture/files/screenshot.png"
expect 0 "$zhiwen" evidence verify same.zip
for forged in 1 2 3 4; do
  expect 3 "$zhiwen" evidence verify forged$forged.zip
  has "$out" "capture/capture.json does not say"
done
expect 3 "$zhiwen" evidence verify forged5.zip
has "$out" "manifest.json"

# --- what is no capture, and options that are wrong ---
expect 2 "$zhiwen" evidence lib crawl.warc.gz -o x.zip
has "$err" 'name it as "crawl.warc.gz:id=URL"'
expect 4 "$zhiwen" evidence lib crawl.warc.gz:99 -o x.zip
expect 4 "$zhiwen" evidence lib crawl.warc.gz:id=http://absent.example/ -o x.zip
expect 4 "$zhiwen" evidence lib crawl.warc.gz:5 -o x.zip
expect 2 "$zhiwen" evidence lib page.html -o x.zip --capture-file shot.png
has "$err" "names no part and file"
expect 2 "$zhiwen" evidence lib page.html -o x.zip --capture-file film=shot.png
has "$err" "no part of a capture"
expect 2 "$zhiwen" evidence lib page.html -o x.zip --capture-file ip=log.txt \
  --capture-file ip=log.txt
has "$err" "two files"
expect 4 "$zhiwen" evidence lib page.html -o x.zip --capture-file ip=absent.txt
expect 2 "$zhiwen" evidence lib page.html -o x.zip --strict
expect 2 "$zhiwen" evidence verify case.zip --capture-file ip=log.txt
check "a run that fails leaves nothing" test ! -e x.zip -a ! -e x.zip.partial
finish
