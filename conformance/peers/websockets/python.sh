#!/bin/sh
# Runs the Python that has the packages of the peers: the venv beside the built peers if it exists, else the system Python.
venv="${TMPDIR:-/tmp}/touchstone-peers-$(id -u)/python"
if [ -x "$venv/bin/python" ]; then exec "$venv/bin/python" "$@"; fi
exec python3 "$@"
