#!/usr/bin/env bash
# Installs the third-party peers that some tests and the published matrices want: Debian packages where this is root on Debian,
# and h2spec where Go is there. Each one that cannot be had is named, and nothing else fails for it.
set -u
missing=0
say() { printf '%s\n' "$*"; }

packages=(nghttp2-client nghttp2-server nginx-light h2o caddy apache2 haproxy chromium curl prometheus prometheus-alertmanager prometheus-node-exporter ngtcp2-client ngtcp2-server redis-server tcpdump)
tools=(nghttp nghttpd nginx h2o caddy apache2 haproxy chromium curl prometheus prometheus-alertmanager prometheus-node-exporter gtlsclient gtlsserver redis-server tcpdump)

wanted=()
for i in "${!packages[@]}"; do
  PATH="$PATH:/usr/sbin" command -v "${tools[$i]}" >/dev/null 2>&1 || wanted+=("${packages[$i]}")
done
if [ "${#wanted[@]}" -gt 0 ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    # Keeps the packages' own services from starting: the tests start what they need, on free ports.
    policy=/usr/sbin/policy-rc.d
    made=0
    [ -e "$policy" ] || { printf '#!/bin/sh\nexit 101\n' > "$policy" && chmod +x "$policy" && made=1; }
    timeout 300 apt-get update -qq >/dev/null 2>&1 || say 'apt-get update did not finish.'
    for package in "${wanted[@]}"; do
      if timeout 300 apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1; then say "installed $package"
      else say "could not install $package: the tests that want it are left out"; missing=1; fi
    done
    [ "$made" = 1 ] && rm -f "$policy"
  else
    say "not here, and not root on Debian to install them: ${wanted[*]}"
    missing=1
  fi
fi

# Packages of Python, in an environment of their own where the peers look for it.
venv="${TMPDIR:-/tmp}/touchstone-peers-$(id -u)/python"
for package in websockets autobahn hypercorn h11 aiohttp prometheus_client aioquic check_jsonschema kubernetes_validate; do
  if [ -x "$venv/bin/python" ]; then "$venv/bin/python" -c "import $package" 2>/dev/null && continue
  else python3 -m venv "$venv" 2>/dev/null || { say "could not make $venv: the packages of Python are left out"; missing=1; break; }
  fi
  if timeout 300 "$venv/bin/python" -m pip install -q "$package" >/dev/null 2>&1; then say "installed $package"
  else say "could not install $package: what needs it is left out"; missing=1; fi
done

# The command that compares contracts, from npm.
peers="$(dirname "$venv")"
if ! command -v buf >/dev/null 2>&1 && [ ! -x "$peers/buf/node_modules/.bin/buf" ]; then
  if mkdir -p "$peers/buf" && timeout 300 npm install --silent --no-audit --no-fund --prefix "$peers/buf" @bufbuild/buf >/dev/null 2>&1; then say 'installed buf'
  else say 'could not install buf: its answers about contracts are not compared'; missing=1; fi
fi

# A library of metrics, from npm.
if [ ! -d "$peers/prom-client/node_modules/prom-client" ]; then
  if mkdir -p "$peers/prom-client" && timeout 300 npm install --silent --no-audit --no-fund --prefix "$peers/prom-client" prom-client@15 >/dev/null 2>&1; then say 'installed prom-client'
  else say 'could not install prom-client: its column is left out'; missing=1; fi
fi

# The fuzzing engine of continuous services, from npm.
if [ ! -x "$peers/jazzer/node_modules/.bin/jazzer" ]; then
  if mkdir -p "$peers/jazzer" && timeout 300 npm install --silent --no-audit --no-fund --prefix "$peers/jazzer" @jazzer.js/core@4 >/dev/null 2>&1; then say 'installed jazzer'
  else say 'could not install jazzer: the modules for it are driven by our engine only'; missing=1; fi
fi

# A current alert router with its tool, from its Go module. The module comes without the built pages, so an empty one takes their place.
router=github.com/prometheus/alertmanager@v0.34.2
if [ ! -x "$peers/alertmanager/alertmanager" ] && command -v go >/dev/null 2>&1; then
  built="$(mktemp -d)"
  if timeout 300 go mod download "$router" >/dev/null 2>&1 && cp -r "$(go env GOMODCACHE)/$router/." "$built" && chmod -R u+w "$built" &&
    mkdir -p "$built/ui/app/dist" "$peers/alertmanager" && : > "$built/ui/app/dist/index.html" &&
    (cd "$built" && timeout 900 go build -o "$peers/alertmanager/" ./cmd/alertmanager ./cmd/amtool >/dev/null 2>&1); then say 'built alertmanager'
  else say 'could not build alertmanager: only the packaged one is compared'; missing=1; fi
  rm -rf "$built"
fi

# A program with quic-go, which the tests of HTTP/3 build again: Go keeps what it has compiled.
if command -v go >/dev/null 2>&1; then
  (cd "$(dirname "$0")/../reference/serve/http3/interop/go" && timeout 900 go build -o "$peers/touchstone-quic-go" . >/dev/null 2>&1) ||
    { say 'could not build with quic-go: HTTP/3 is not compared with it'; missing=1; }
fi

# The interoperability client and server of grpc-go.
interop="$peers/grpc-go-interop-1.85.0"
if [ ! -x "$interop/client" ] && command -v go >/dev/null 2>&1; then
  if mkdir -p "$interop" && GOBIN="$interop" timeout 900 go install google.golang.org/grpc/interop/client@v1.85.0 google.golang.org/grpc/interop/server@v1.85.0 >/dev/null 2>&1; then say 'built the interoperability programs of grpc-go'
  else say 'could not build the interoperability programs of grpc-go: they are left out'; missing=1; fi
fi

# The conformance runner of the connect project.
if ! PATH="$PATH:${GOBIN:-$HOME/go/bin}" command -v connectconformance >/dev/null 2>&1 && command -v go >/dev/null 2>&1; then
  if timeout 300 go install connectrpc.com/conformance/cmd/connectconformance@v1.0.7 >/dev/null 2>&1; then say 'installed connectconformance'
  else say 'could not install connectconformance: its verdicts on our server and client are left out'; missing=1; fi
fi

if ! PATH="$PATH:${GOBIN:-$HOME/go/bin}" command -v h2spec >/dev/null 2>&1; then
  if command -v go >/dev/null 2>&1; then
    bash "$(dirname "$0")/h2spec.sh" || { say 'could not install h2spec: the cross-check is left out'; missing=1; }
  else
    say 'h2spec wants Go to be installed: the cross-check is left out'
    missing=1
  fi
fi
exit "$missing"
