import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Vector, VectorFile } from "./load.ts";

/** What a file of vectors is made from. Lists are only ever added to at their end: ids are places. */
export type VectorSource<V extends Vector> = {
  readonly about: string;
  readonly spec: string;
  readonly flags: Readonly<Record<string, { readonly why: string; readonly bug: string }>>;
  readonly vectors: readonly Omit<V, "id">[];
};
type Origin = Omit<VectorFile["source"], "spec">;

const BY_HAND: Origin = { name: "hand-written", version: "1" };

/** JSON with one vector a line, which makes a difference between two versions readable. Octets above ASCII stay what they are. */
export function vectorFile<V extends Vector>(kind: string, { about, spec, flags, vectors }: VectorSource<V>, origin = BY_HAND): string {
  const lines = vectors.map((vector, i) => `    ${JSON.stringify({ id: i + 1, ...vector })}`);
  const explained = Object.entries(flags).map(([flag, said]) => `    ${JSON.stringify(flag)}: ${JSON.stringify(said)}`);
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
