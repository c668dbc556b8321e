import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { VectorFileError } from "../load.ts";
import { readScript } from "./read.ts";
import type { Script } from "./script.ts";
import { ScriptError } from "./script-error.ts";

/** A script and the name of its file: `rates` for `vectors/promql/rates.test`. */
export type NamedScript = { readonly name: string; readonly script: Script };

/** The scripts of a folder, by default those of the package, sorted by name. Throws `VectorFileError` with file and line. */
export function loadScripts(folder: string = import.meta.dirname): NamedScript[] {
  return globSync("*.test", { cwd: folder })
    .toSorted()
    .map((file) => ({ name: basename(file, ".test"), script: readFile(join(folder, file)) }));
}

function readFile(path: string): Script {
  try {
    return readScript(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof ScriptError) throw new VectorFileError(`${path}:${error.line}: ${error.message}`, { cause: error });
    throw error;
  }
}
