#!/bin/sh
# Runs Envoy: that of the wheel in the venv beside the built peers if it exists, else the one in PATH.
venv="${TMPDIR:-/tmp}/touchstone-peers-$(id -u)/python"
if [ -x "$venv/bin/envoy" ]; then exec "$venv/bin/envoy" "$@"; fi
exec envoy "$@"
