#!/bin/sh
# Fetches Java-WebSocket from Maven Central and compiles the echo server and client into the folder of the first argument.
set -eu
version=1.6.0
command -v mvn >/dev/null && command -v javac >/dev/null
if [ "$1" = --version ]; then echo "Java-WebSocket $version"; exit; fi
mkdir -p "$1"
here=$(dirname "$0")
for artifact in "org.java-websocket:Java-WebSocket:$version" org.slf4j:slf4j-api:2.0.13 org.slf4j:slf4j-nop:2.0.13; do
  rest=${artifact#*:}
  [ -e "$1/${rest%:*}-${rest#*:}.jar" ] && continue
  mvn -q dependency:copy -Dartifact="$artifact" -DoutputDirectory="$1" -Dmdep.useBaseVersion=true >/dev/null
done
for name in Echo EchoClient; do
  [ "$1/$name.class" -nt "$here/$name.java" ] || javac -cp "$1/*" -d "$1" "$here/$name.java"
done
