import { globSync, readFileSync } from "node:fs";
import { basename, join, sep } from "node:path";

/** A field: octets as characters U+0000 to U+00FF; `true` as the third member marks a value that is never indexed (rfc7541#7.1.3). */
export type VectorField = readonly [name: string, value: string] | readonly [name: string, value: string, neverIndexed: true];

/** The members of every vector; `vectors/schema/` has those of each kind. */
export type Vector = {
  readonly id: number;
  readonly note: string;
  readonly spec?: string;
  readonly result: "valid" | "invalid" | "acceptable";
  readonly flags: readonly string[];
};

/** The blocks of one connection, and the lists that they decode to. Schema: hpack-decode-v1. */
export type HpackDecodeVector = Vector & {
  readonly tableSize?: number;
  readonly blocks: readonly {
    readonly limit?: number;
    readonly wire: string;
    readonly fields?: readonly VectorField[];
    readonly table?: readonly VectorField[];
    readonly size?: number;
  }[];
  readonly fault?: string;
};
/** The lists of one connection, for an encoder. Schema: hpack-encode-v1. */
export type HpackEncodeVector = Vector & {
  readonly limits?: readonly (number | null)[];
  readonly lists: readonly (readonly VectorField[])[];
};
/** Schema: huffman-string-v1. */
export type HuffmanStringVector = Vector & { readonly wire: string; readonly text?: string; readonly fault?: string };
/** Schema: prefix-integer-v1. */
export type PrefixIntegerVector = Vector & {
  readonly prefix: number;
  readonly wire: string;
  readonly value?: number;
  readonly fault?: string;
};

export type VectorFile<V extends Vector = Vector> = {
  /** `../schema/hpack-decode-v1.json` */
  readonly schema: string;
  readonly about: string;
  readonly source: { readonly name: string; readonly version: string; readonly spec: string };
  readonly flags: Readonly<Record<string, { readonly why: string; readonly bug?: string }>>;
  readonly count: number;
  readonly vectors: readonly V[];
};

/** A vector file is unusable. The message is one line and names the file. */
export class VectorFileError extends Error {
  override readonly name = "VectorFileError";
  readonly code = "VECTOR_FILE_ERROR";
}

/** The folder of the vectors in the package. */
export const VECTORS_FOLDER = import.meta.dirname;

/** The names of all vector files, without the extension: `hpack/appendix-c`. */
export function vectorFiles(folder = VECTORS_FOLDER): string[] {
  return globSync("*/*.json", { cwd: folder })
    .map((path) =>
      path
        .split(sep)
        .join("/")
        .replace(/\.json$/, ""),
    )
    .filter((name) => !name.startsWith("schema/"))
    .sort();
}

/** Reads one file by name. Does not check it against its schema: `lint` does. */
export function loadVectors<V extends Vector = Vector>(name: string, folder = VECTORS_FOLDER): VectorFile<V> {
  const parsed = readJson(join(folder, `${name}.json`), `vectors/${name}.json`) as Partial<VectorFile<V>> | null;
  if (typeof parsed?.schema !== "string" || !Array.isArray(parsed.vectors))
    throw new VectorFileError(`vectors/${name}.json is not a vector file: it has no schema, or no list of vectors.`);
  return parsed as VectorFile<V>;
}

export function readJson(path: string, called: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new VectorFileError(`${called} cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new VectorFileError(`${called} is not valid JSON: ${(error as Error).message}`);
  }
}

/** The kind of a file: the name of its schema without version, `hpack-decode`. */
export const kindOf = (file: VectorFile): string => basename(file.schema).replace(/-v\d+\.json$/, "");
