#!/bin/sh
# The Python that has the packages of peers: one of its own beside the other peers' products, or the system's.
venv="${TMPDIR:-/tmp}/touchstone-peers-$(id -u)/python"
if [ -x "$venv/bin/python" ]; then exec "$venv/bin/python" "$@"; fi
exec python3 "$@"
