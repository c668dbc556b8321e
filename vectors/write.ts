import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Vector, VectorFile } from "./load.ts";

/** Each kind of a union of vectors keeps its own members. */
export type WithoutId<V extends Vector> = V extends unknown ? Omit<V, "id"> : never;

/** The source of a vector file. Append to lists only: the position of a vector is its id. */
export type VectorSource<V extends Vector> = {
  readonly about: string;
  readonly spec: string;
  readonly flags: Readonly<Record<string, { readonly why: string; readonly bug: string }>>;
  readonly vectors: readonly WithoutId<V>[];
};
type Origin = Omit<VectorFile["source"], "spec">;

const BY_HAND: Origin = { name: "hand-written", version: "1" };

/** The text of a vector file: JSON with one vector per line, for readable diffs. */
export function vectorFile(kind: string, { about, spec, flags, vectors }: VectorSource<Vector>, origin = BY_HAND): string {
  const lines = vectors.map((vector, i) => `    ${JSON.stringify({ id: i + 1, ...vector })}`);
  const explained = Object.entries(flags).map(([flag, text]) => `    ${JSON.stringify(flag)}: ${JSON.stringify(text)}`);
  return [
    "{",
    `  "schema": "../schema/${kind}-v1.json",`,
    `  "about": ${JSON.stringify(about)},`,
    `  "source": ${JSON.stringify({ ...origin, spec })},`,
    `  "flags": {\n${explained.join(",\n")}\n  },`,
    `  "count": ${vectors.length},`,
    `  "vectors": [\n${lines.join(",\n")}\n  ]`,
    "}",
    "",
  ].join("\n");
}

/** Writes the files of a folder from their sources. */
export function writeFiles<S>(folder: string, sources: Readonly<Record<string, S>>, fileOf: (name: string, source: S) => string): void {
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(folder, `${name}.json`), fileOf(name, source));
}
