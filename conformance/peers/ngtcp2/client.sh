#!/bin/sh
# Gets a URL of 127.0.0.1 with the example client of ngtcp2, which wants host and port apart. It verifies no certificate.
url="$1"
port="${url##*:}"
exec gtlsclient -q --exit-on-all-streams-close --handshake-timeout=5s --timeout=20s 127.0.0.1 "${port%/}" "$url"
