#!/bin/sh
# Fetches a library from Maven Central with what it needs, and compiles a server into the folder of the second argument.
set -eu
here=$(dirname "$0")
command -v mvn >/dev/null && command -v javac >/dev/null
case $1 in
  Simple) name=prometheus-metrics version=1.3.5 wants="io.prometheus:prometheus-metrics-core io.prometheus:prometheus-metrics-exporter-httpserver" ;;
  Micrometer) name=micrometer version=1.14.2 wants="io.micrometer:micrometer-registry-prometheus" ;;
esac
if [ "${2:-}" = --version ]; then echo "$name $version"; exit; fi
mkdir -p "$2"
{
  echo "<project><modelVersion>4.0.0</modelVersion><groupId>touchstone</groupId><artifactId>peer</artifactId><version>0</version><dependencies>"
  for one in $wants; do
    echo "<dependency><groupId>${one%:*}</groupId><artifactId>${one#*:}</artifactId><version>$version</version></dependency>"
  done
  echo "</dependencies></project>"
} > "$2/pom.xml"
[ -e "$2/.fetched" ] || mvn -q -f "$2/pom.xml" dependency:copy-dependencies -DoutputDirectory="$2" >/dev/null
touch "$2/.fetched"
[ "$2/$1.class" -nt "$here/$1.java" ] || javac -cp "$2/*" -d "$2" "$here/$1.java"
