#!/bin/sh
# Fetches grpc-java from Maven Central and compiles the adapter into the folder of the first argument.
set -eu
version=1.85.1
command -v mvn >/dev/null && command -v javac >/dev/null
if [ "$1" = --version ]; then echo "grpc-java $version"; exit; fi
mkdir -p "$1"
here=$(cd "$(dirname "$0")" && pwd)
if [ ! -e "$1/lib/grpc-api-$version.jar" ]; then
  mvn -q -B -f "$here/pom.xml" -Dgrpc.version="$version" dependency:copy-dependencies -DoutputDirectory="$1/lib" >/dev/null
fi
[ "$1/Client.class" -nt "$here/Client.java" ] || javac -nowarn -cp "$1/lib/*" -d "$1" "$here/Client.java"
