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
classes() { printf '%s:' "$1"/lib/*.jar; printf '%s' "$1/classes.jar"; }
if [ ! "$1/classes.jar" -nt "$here/Client.java" ] || [ ! "$1/classes.jar" -nt "$here/Server.java" ]; then
  rm -rf "$1/classes"
  javac -nowarn -cp "$1/lib/*" -d "$1/classes" "$here/Client.java" "$here/Server.java"
  jar -c -f "$1/classes.jar" -C "$1/classes" .
  # The classes that a first call loads, ready to map: many clients start at the same time.
  echo '{"id":1,"features":true}' | java -XX:TieredStopAtLevel=1 -XX:ArchiveClassesAtExit="$1/client.jsa" -cp "$(classes "$1")" Client >/dev/null 2>&1
fi
printf '#!/bin/sh\nexec java -XX:TieredStopAtLevel=1 -XX:SharedArchiveFile=%s -cp %s Client\n' "$1/client.jsa" "$(classes "$1")" > "$1/client"
chmod +x "$1/client"
