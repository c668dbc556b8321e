#!/bin/sh
# A pipeline in plain shell: ./conformance.sh check, or ./conformance.sh fuzz. Adapt the lines marked "yours".
# It is red when a verdict differs from known.json. Write that file once:
#   npx @touchstone-suite/touchstone@0.1.0 check http2 URL --write-baseline known.json
set -eu

# Before the package is published: "npx --yes ./touchstone-suite-touchstone-0.1.0.tgz", or the program that is one file.
TOUCHSTONE=${TOUCHSTONE:-npx --yes @touchstone-suite/touchstone@0.1.0}
SUBJECT=${SUBJECT:-http://127.0.0.1:8080}

./your-server --port 8080 & # yours
server=$!
trap 'kill "$server"' EXIT

case ${1:-check} in
  check)
    $TOUCHSTONE check http2 "$SUBJECT" --wait 30s \
      --baseline known.json --junit report/junit.xml --html report/index.html --markdown report/summary.md
    ;;
  fuzz)
    $TOUCHSTONE check http2 "$SUBJECT" --wait 30s --only 3.4
    status=0
    # The corpus: every sequence that has ever broken a rule.
    for file in touchstone-fuzz/*.json; do
      [ -e "$file" ] || continue
      $TOUCHSTONE fuzz http2 "$SUBJECT" --replay "$file" || status=1
    done
    $TOUCHSTONE fuzz http2 "$SUBJECT" --seconds "${SECONDS_TO_FUZZ:-300}" --seed "$(date +%j%H%M)" || status=1
    exit "$status"
    ;;
  *)
    echo "usage: $0 [check|fuzz]" >&2
    exit 2
    ;;
esac
