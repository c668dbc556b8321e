import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Source } from "./source/craft.ts";
import { source as openmetricsFamilies } from "./source/openmetrics-families.ts";
import { source as openmetricsLines } from "./source/openmetrics-lines.ts";
import { source as textFamilies } from "./source/text-families.ts";
import { source as textLines } from "./source/text-lines.ts";

/** `node vectors/exposition/make.ts` writes the files of vectors from their sources; a test says when that has been forgotten. */

export const SOURCES: Readonly<Record<string, Source>> = {
  "text-lines": textLines,
  "text-families": textFamilies,
  "openmetrics-lines": openmetricsLines,
  "openmetrics-families": openmetricsFamilies,
};

/** JSON with one vector a line, which makes a difference between two versions readable. */
export function fileOf(name: string, { about, spec, flags, vectors }: Source): string {
  const schema = name.startsWith("text") ? "exposition-text" : "exposition-openmetrics";
  const lines = vectors.map((vector, i) => `    ${JSON.stringify({ id: i + 1, ...vector })}`);
  const explained = Object.entries(flags).map(([flag, said]) => `    ${JSON.stringify(flag)}: ${JSON.stringify(said)}`);
  return [
    "{",
    `  "schema": "../schema/${schema}-v1.json",`,
    `  "about": ${JSON.stringify(about)},`,
    `  "source": ${JSON.stringify({ name: "hand-written", version: "1", spec })},`,
    `  "flags": {\n${explained.join(",\n")}\n  },`,
    `  "count": ${vectors.length},`,
    `  "vectors": [\n${lines.join(",\n")}\n  ]`,
    "}",
    "",
  ].join("\n");
}

if (import.meta.main) for (const [name, source] of Object.entries(SOURCES)) writeFileSync(join(import.meta.dirname, `${name}.json`), fileOf(name, source));
