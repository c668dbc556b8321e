import { Ajv2020 } from "ajv/dist/2020.js";
import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { loadVectors, readJson, VectorFileError, VECTORS_FOLDER, type VectorFile } from "./load.ts";

/** The maximum number of mistakes reported per file. */
const MAX_REPORTED = 5;

/** A function that returns the mistakes in a vector file, one line each. */
export function linter(folder = VECTORS_FOLDER): (name: string) => string[] {
  const ajv = new Ajv2020({
    allErrors: false,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    strictTuples: false,
    allowUnionTypes: true,
  });
  const schemas = globSync("*.json", { cwd: join(folder, "schema") });
  for (const schema of schemas) ajv.addSchema(readJson(join(folder, "schema", schema), `vectors/schema/${schema}`) as object);
  return (name) => {
    let file: VectorFile;
    try {
      file = loadVectors(name, folder);
    } catch (error) {
      if (error instanceof VectorFileError) return [error.message];
      throw error;
    }
    const validate = ajv.getSchema(basename(file.schema));
    const wrong =
      validate === undefined
        ? [`unknown schema ${file.schema}`]
        : validate(file)
          ? consistency(file)
          : linesOf(validate.errors ?? [], file);
    return wrong.slice(0, MAX_REPORTED).map((what) => `vectors/${name}.json: ${what}`);
  };
}

/** The mistakes that a schema cannot express. */
function consistency({ vectors, count, flags }: VectorFile): string[] {
  const used = new Set(vectors.flatMap((vector) => vector.flags));
  const seen = new Map<string, number>();
  return [
    ...(vectors.length === count ? [] : [`count is ${count}, but there are ${vectors.length} vectors`]),
    ...vectors.flatMap(({ id }, i) => (id === i + 1 ? [] : [`id ${id} should be ${i + 1}`])),
    ...[...used].filter((flag) => flags[flag] === undefined).map((flag) => `the flag ${flag} is used but not explained`),
    ...Object.keys(flags)
      .filter((flag) => !used.has(flag))
      .map((flag) => `the flag ${flag} is explained but not used`),
    ...vectors.flatMap(({ id, note, flags: _flags, ...rest }) => {
      const content = JSON.stringify(rest);
      const first = seen.get(content);
      if (first === undefined) seen.set(content, id);
      return first === undefined ? [] : [`vector ${id} (${note}) repeats vector ${first}`];
    }),
  ];
}

type SchemaError = { readonly instancePath: string; readonly message?: string; readonly params?: object };
function linesOf(errors: readonly SchemaError[], { vectors }: VectorFile): string[] {
  return errors.map(({ instancePath, message = "does not fit", params }) => {
    const at = /^\/vectors\/(\d+)(.*)/.exec(instancePath);
    const where = at === null ? instancePath || "the file" : `vector ${vectors[Number(at[1])]?.id ?? "?"}${at[2]}`;
    return `${where} ${message}${params === undefined ? "" : ` ${JSON.stringify(params)}`}`;
  });
}
