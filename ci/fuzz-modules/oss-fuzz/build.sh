#!/bin/bash -eu
# Run by the service in the image of the Dockerfile beside it: $SRC is where sources are, $OUT what the fuzzing machines get.
npm ci
npm install --no-save @jazzer.js/core
modules=$(npm exec -- node ci/fuzz-modules.ts fuzz-modules)
for name in $modules; do
  compile_javascript_fuzzer touchstone "fuzz-modules/$name.cjs" --sync
  (cd "fuzz-modules/${name}_seed_corpus" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
  [ ! -e "fuzz-modules/$name.dict" ] || cp "fuzz-modules/$name.dict" "$OUT/"
done
