#!/bin/sh
# Writes the certificates of the tests by OpenSSL 3: one file each, with the key first, then the chain. They are valid for a hundred years.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# key NAME OPTIONS…
key() { name=$1; shift; openssl genpkey -quiet "$@" -out "$work/$name.key" 2>/dev/null || openssl genpkey "$@" -out "$work/$name.key" 2>/dev/null; }
# certificate NAME ISSUER EXTENSIONS, as lines of OpenSSL's configuration; ISSUER is NAME for a self-signed one
certificate() {
  printf '%b' "$3" > "$work/$1.ext"
  openssl req -new -key "$work/$1.key" -subj "/CN=$1" -out "$work/$1.csr"
  name=$1
  if [ "$1" = "$2" ]; then signer="-signkey $work/$1.key"; else signer="-CA $work/$2.crt -CAkey $work/$2.key"; fi
  shift 3
  openssl x509 -req -in "$work/$name.csr" $signer "$@" -days 36500 -extfile "$work/$name.ext" -out "$work/$name.crt" 2>/dev/null
}
# put NAME CHAIN…
put() { file=$1; shift; cat "$work/$file.key" > "$file.pem"; for one in "$@"; do cat "$work/$one.crt" >> "$file.pem"; done; }

P256="-algorithm EC -pkeyopt ec_paramgen_curve:P-256"
AUTHORITY='basicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign\n'
LAST_AUTHORITY='basicConstraints=critical,CA:true,pathlen:0\nkeyUsage=critical,keyCertSign\n'
SERVER='keyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\nsubjectAltName=DNS:localhost,IP:127.0.0.1\n'
CLIENT='keyUsage=critical,digitalSignature\nextendedKeyUsage=clientAuth\n'

for name in root intermediate chained p256 client other stranger leaf-issued deep sub unsigned constrained below-constrained peculiar sha1; do key $name $P256; done
key p384 -algorithm EC -pkeyopt ec_paramgen_curve:P-384
key rsa -algorithm RSA -pkeyopt rsa_keygen_bits:2048
key rsa-pss -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048
key ed25519 -algorithm ED25519
key client-rsa -algorithm RSA -pkeyopt rsa_keygen_bits:2048

certificate root root "$AUTHORITY"
certificate intermediate root "$LAST_AUTHORITY"
for name in p256 p384 rsa rsa-pss ed25519; do certificate $name root "$SERVER"; put $name $name; done
for name in client client-rsa; do certificate $name root "$CLIENT"; put $name $name; done
certificate other root 'keyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\nsubjectAltName=DNS:other.example\n'
put other other
certificate stranger stranger "$SERVER"
put stranger stranger
put root root
certificate chained intermediate "$SERVER"
put chained chained intermediate
# Issued by a certificate that is no authority.
certificate leaf-issued p256 "$SERVER"
put leaf-issued leaf-issued p256
# One authority more than the intermediate one permits.
certificate sub intermediate "$AUTHORITY"
certificate deep sub "$SERVER"
put deep deep sub intermediate
# keyUsage without signatures.
certificate unsigned root 'keyUsage=critical,keyAgreement\nextendedKeyUsage=serverAuth\nsubjectAltName=DNS:localhost\n'
put unsigned unsigned
certificate constrained root "${AUTHORITY}nameConstraints=critical,permitted;DNS:localhost\n"
certificate below-constrained constrained "$SERVER"
put below-constrained below-constrained constrained
# A critical extension that nobody knows.
certificate peculiar root "${SERVER}1.2.3.4=critical,DER:0500\n"
put peculiar peculiar
certificate sha1 root "$SERVER" -sha1
put sha1 sha1
