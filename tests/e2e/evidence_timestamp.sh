#!/usr/bin/env bash
# Time stamps of evidence packages, by an authority that this script makes with openssl.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

printf '%s\n' '少年负手而立，目光越过千重峰峦，落在极远处那座孤零零的石塔上面。' \
  '风很大，他把衣领竖了起来，想起三年前离家的那个清晨。' >tale.txt
cp tale.txt copy.txt
cp tale.txt second.txt
expect 0 "$zhiwen" library create lib -q
expect 0 "$zhiwen" library add lib tale.txt -q

# --- an authority: a root, a certificate in between, and those that sign stamps ---
cat >authority.cnf <<'CNF'
[req]
distinguished_name = name
prompt = no
[name]
CN = unnamed
[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[stamps]
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = one
[one]
serial = serial
default_policy = 1.2.3.4
digests = sha256
signer_digest = sha256
ess_cert_id_alg = sha256
CNF
# certificate NAME ISSUER DAYS SECTION
certificate() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config authority.cnf \
    -keyout "$1.key" -out "$1.csr" -subj "/CN=$1 时间" -utf8 2>/dev/null
  if [[ $2 == "$1" ]]; then
    openssl x509 -req -in "$1.csr" -signkey "$1.key" -days "$3" -extfile authority.cnf \
      -extensions "$4" -out "$1.pem" 2>/dev/null
  else
    openssl x509 -req -in "$1.csr" -CA "$2.pem" -CAkey "$2.key" -CAcreateserial -days "$3" \
      -extfile authority.cnf -extensions "$4" -out "$1.pem" 2>/dev/null
  fi
}
certificate root root 30 root
certificate stranger stranger 30 root
certificate between root 30 root
certificate signer root 30 stamps
certificate below between 30 stamps
certificate late root -1 stamps
# reply REQUEST SIGNER FILE [OPTION]...
reply() {
  openssl ts -reply -config authority.cnf -queryfile "$1" -signer "$2.pem" -inkey "$2.key" \
    -out "$3" "${@:4}" >/dev/null 2>&1 || fails "openssl makes no reply by $2"
}

# --- a request comes with the package, and later ---
expect 0 "$zhiwen" evidence lib copy.txt -o case.zip --timestamp-request case.tsq
hash=$(grep -oE '[0-9a-f]{64}' .out)
equals "$(openssl asn1parse -inform der -in case.tsq | grep -oE '[0-9A-F]{64}' | tr A-F a-f)" \
  "$hash" "the hash of the request"
has "$(openssl ts -query -in case.tsq -text 2>/dev/null)" "Certificate required: yes"
cp case.zip unstamped.zip
expect 0 "$zhiwen" evidence timestamp case.zip --timestamp-request again.tsq
check "the same hash gives the same request" cmp case.tsq again.tsq
check "a request changes no package" cmp case.zip unstamped.zip
expect 5 "$zhiwen" evidence timestamp case.zip --timestamp-request again.tsq
has "$err" "--overwrite"
expect 0 "$zhiwen" evidence timestamp case.zip --timestamp-request again.tsq --overwrite
echo mine >mine.txt
expect 5 "$zhiwen" evidence timestamp case.zip --timestamp-request mine.txt --overwrite
equals "$(cat mine.txt)" mine

# --- the answer is added, as a reply or as a token, and verified ---
reply case.tsq signer case.tsr
expect 0 "$zhiwen" evidence timestamp case.zip --token case.tsr
has "$out" "时间戳 time stamp"
has "$out" "CN=signer 时间"
expect 0 "$zhiwen" evidence verify case.zip --hash "$hash"
has "$out" "not checked who that is"
expect 0 "$zhiwen" evidence verify case.zip --ca root.pem
lacks "$out" "not checked"
expect 0 "$zhiwen" evidence verify case.zip --ca root.pem --json
has "$out" '"authority_is_known":true'
# The certificate of the authority itself may be the trusted one.
expect 0 "$zhiwen" evidence verify case.zip --ca signer.pem
python3 -m zipfile -e case.zip unpacked
openssl ts -verify -digest "$hash" -in unpacked/timestamp.tst -token_in -CAfile root.pem \
  >/dev/null 2>&1 || fails "openssl does not verify the token"
check "the stamped package has the files of the other one" python3 - <<'PY'
import zipfile
old, new = zipfile.ZipFile("unstamped.zip"), zipfile.ZipFile("case.zip")
assert new.namelist()[:2] == ["manifest.json", "manifest.sha256"]
assert set(new.namelist()) - set(old.namelist()) == {"timestamp.tst"}
assert all(old.read(name) == new.read(name) for name in old.namelist())
PY
openssl ts -reply -in case.tsr -token_out -out case.tst 2>/dev/null
cp unstamped.zip other.zip
expect 0 "$zhiwen" evidence timestamp other.zip --token case.tst --json
has "$out" '"authority":"CN=signer 时间"'
check "a token is added as its reply is" cmp case.zip other.zip
expect 5 "$zhiwen" evidence timestamp case.zip --token case.tsr
has "$err" "has a time stamp already"
expect 0 "$zhiwen" evidence timestamp case.zip --token case.tsr --overwrite

# --- a chain: in the reply, or beside it ---
cp unstamped.zip chained.zip
reply case.tsq below below.tsr
expect 0 "$zhiwen" evidence timestamp chained.zip --token below.tsr
expect 3 "$zhiwen" evidence verify chained.zip --ca root.pem
has "$out" "timestamp.tst is of an unknown authority"
expect 0 "$zhiwen" evidence timestamp chained.zip --token below.tsr --chain between.pem --overwrite
expect 0 "$zhiwen" evidence verify chained.zip --ca root.pem
expect 0 "$zhiwen" evidence verify chained.zip --ca between.pem
reply case.tsq below whole.tsr -chain between.pem
expect 0 "$zhiwen" evidence timestamp chained.zip --token whole.tsr --overwrite
expect 0 "$zhiwen" evidence verify chained.zip --ca root.pem
cp chained.zip full.zip
expect 0 "$zhiwen" evidence timestamp chained.zip --token below.tsr --chain between.pem --overwrite

# --- what is wrong is named ---
expect 3 "$zhiwen" evidence verify case.zip --ca stranger.pem
has "$out" "timestamp.tst is of an unknown authority"
expect 3 "$zhiwen" evidence verify case.zip --ca stranger.pem --json
has "$out" '"fault":"unknown_authority"'
expect 3 "$zhiwen" evidence verify unstamped.zip --ca root.pem
has "$out" "timestamp.tst is missing"
expect 0 "$zhiwen" evidence verify unstamped.zip

# add_stamp PACKAGE TOKEN NEW: a package with a token that zhiwen would not add.
add_stamp() {
  python3 - "$@" <<'PY'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[3], "w") as new:
    files = {name: old.read(name) for name in old.namelist()}
    files["timestamp.tst"] = open(sys.argv[2], "rb").read()
    first = ["manifest.json", "manifest.sha256"]
    for name in first + sorted(set(files) - set(first)):
        member = zipfile.ZipInfo(name)
        member.create_system = 0
        new.writestr(member, files[name])
        member.external_attr = 0
PY
}
expect 0 "$zhiwen" evidence lib second.txt -o second.zip --timestamp-request second.tsq
reply second.tsq signer second.tsr
openssl ts -reply -in second.tsr -token_out -out second.tst 2>/dev/null
cp unstamped.zip tried.zip
expect 5 "$zhiwen" evidence timestamp tried.zip --token second.tsr
has "$err" 'the time stamp "second.tsr" stamps other data'
reply case.tsq late late.tsr
openssl ts -reply -in late.tsr -token_out -out late.tst 2>/dev/null
expect 5 "$zhiwen" evidence timestamp tried.zip --token late.tsr
has "$err" "was not valid"
expect 3 "$zhiwen" evidence timestamp tried.zip --token copy.txt
has "$err" "neither a token"
expect 3 "$zhiwen" evidence timestamp tried.zip --token case.tsr --chain copy.txt
has "$err" "no certificate in PEM form"
expect 3 "$zhiwen" evidence verify case.zip --ca copy.txt
expect 4 "$zhiwen" evidence verify case.zip --ca absent.pem
expect 4 "$zhiwen" evidence timestamp absent.zip --token case.tsr
expect 3 "$zhiwen" evidence timestamp copy.txt --token case.tsr
openssl cms -resign -inform der -in case.tst -signer below.pem -inkey below.key -cades -binary \
  -nodetach -outform der -out twice.tst 2>/dev/null || fails "openssl signs no token again"
expect 5 "$zhiwen" evidence timestamp tried.zip --token twice.tst
has "$err" "such a token has one signature"
openssl ts -query -data copy.txt -sha512 -out refused.tsq 2>/dev/null
openssl ts -reply -config authority.cnf -queryfile refused.tsq -signer signer.pem \
  -inkey signer.key -out refused.tsr >/dev/null 2>&1 || true
expect 3 "$zhiwen" evidence timestamp tried.zip --token refused.tsr
has "$err" "the authority refused to stamp"
check "what is refused changes no package" cmp tried.zip unstamped.zip

add_stamp unstamped.zip case.tst made.zip
check "this script packs as zhiwen does" cmp made.zip case.zip
add_stamp unstamped.zip second.tst made.zip
expect 3 "$zhiwen" evidence verify made.zip --ca root.pem
has "$out" "timestamp.tst stamps other data"
expect 3 "$zhiwen" evidence verify made.zip --json
has "$out" '"fault":"other_data"'
add_stamp unstamped.zip late.tst made.zip
expect 3 "$zhiwen" evidence verify made.zip --json
has "$out" '"fault":"expired"'
add_stamp unstamped.zip copy.txt made.zip
expect 3 "$zhiwen" evidence verify made.zip --json
has "$out" '"fault":"malformed"'
# The last byte of the token is one of the signature.
head -c -1 case.tst >cut.tst
cp cut.tst signature.tst
last=$(tail -c 1 case.tst | od -An -tx1 | tr -d ' ')
printf '%b' "\\x$(printf '%02x' $((0x$last ^ 1)))" >>signature.tst
add_stamp unstamped.zip signature.tst made.zip
expect 3 "$zhiwen" evidence verify made.zip --json
has "$out" '"fault":"bad_signature"'
add_stamp unstamped.zip cut.tst made.zip
expect 3 "$zhiwen" evidence verify made.zip --json
has "$out" '"fault":"malformed"'
# --- a changed byte in any file of a stamped package is named ---
python3 - <<'PY'
import zipfile
for package in "case", "chained":
    data = open(f"{package}.zip", "rb").read()
    with zipfile.ZipFile(f"{package}.zip") as files, open("changed", "a") as names:
        for number, member in enumerate(files.infolist()):
            at = member.header_offset + 30 + len(member.filename) + member.file_size // 2
            changed = bytearray(data)
            changed[at] ^= 4
            open(f"{package}{number}.zip", "wb").write(changed)
            names.write(f"{package}{number}.zip {member.filename}\n")
PY
while read -r package file; do
  expect 3 "$zhiwen" evidence verify "$package" --ca root.pem
  has "$out" "$file"
done <changed
has "$(cat changed)" "timestamp.tst"
has "$(cat changed)" "timestamp-chain.pem"

# --- a changed package gets no stamp, and no request for one ---
python3 - <<'PY'
data = bytearray(open("unstamped.zip", "rb").read())
data[data.index(b"copy.txt")] ^= 1  # in the manifest
open("damaged.zip", "wb").write(data)
PY
cp damaged.zip kept.zip
expect 3 "$zhiwen" evidence timestamp damaged.zip --timestamp-request damaged.tsq
has "$err" 'cannot stamp "damaged.zip": manifest.json or manifest.sha256 was changed'
check "a changed package has no request" test ! -e damaged.tsq
expect 3 "$zhiwen" evidence timestamp damaged.zip --token case.tsr
check "a changed package stays as it is" cmp damaged.zip kept.zip

# --- options that have no effect ---
expect 2 "$zhiwen" evidence timestamp case.zip
has "$err" "needs --token FILE"
expect 2 "$zhiwen" evidence timestamp case.zip --chain between.pem --timestamp-request x.tsq
has "$err" "--chain"
expect 2 "$zhiwen" evidence verify case.zip --token case.tsr
expect 2 "$zhiwen" evidence lib copy.txt -o x.zip --ca root.pem
expect 2 "$zhiwen" evidence lib copy.txt -o x.zip --timestamp-request x.zip
finish
