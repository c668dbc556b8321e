/**
 * Writes every fuzz target as a module for fuzzing engines: `node ci/fuzz-modules.ts [FOLDER]` (fuzz-modules). Each one exports `fuzz(data: Buffer)` as
 * Jazzer.js expects, with a dictionary and a seed corpus: `npx jazzer FOLDER/hpack-decoder FOLDER/hpack-decoder_seed_corpus -- -dict=FOLDER/hpack-decoder.dict`.
 */
import { resolve } from "node:path";
import { makeModules, targetsHere } from "./fuzz-modules/make.ts";

const out = resolve(process.argv[2] ?? "fuzz-modules");
for (const name of await makeModules(await targetsHere(), out)) console.log(name);
