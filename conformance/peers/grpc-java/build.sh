#!/bin/sh
# Fetches grpc-java from Maven Central and compiles the adapter and the server into the folder of the first argument.
set -eu
version=1.85.1
command -v mvn >/dev/null && command -v javac >/dev/null
if [ "$1" = --version ]; then echo "grpc-java $version"; exit; fi
mkdir -p "$1"
here=$(cd "$(dirname "$0")" && pwd)
if [ ! -e "$1/lib/grpc-xds-$version.jar" ]; then
  mvn -q -B -f "$here/pom.xml" -Dgrpc.version="$version" dependency:copy-dependencies -DoutputDirectory="$1/lib" >/dev/null
fi
for name in Client Server; do
  [ "$1/$name.class" -nt "$here/$name.java" ] || javac -nowarn -cp "$1/lib/*" -d "$1" "$here/$name.java"
done
