#!/usr/bin/env bash
# Installs h2spec, the program that `touchstone crosscheck http2` compares with, into Go's bin folder.
# v2.6.0 carries a go.mod without the /v2 suffix, so some module proxies refuse it by version: then the newest they have is taken.
set -u
timeout 240 go install github.com/summerwind/h2spec/cmd/h2spec@v2.6.0 2>/dev/null \
  || timeout 240 go install github.com/summerwind/h2spec/cmd/h2spec@latest 2>/dev/null
