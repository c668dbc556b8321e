import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Source } from "./source/craft.ts";
import { source as chunked } from "./source/chunked.ts";
import { source as fields } from "./source/fields.ts";
import { source as persistence } from "./source/persistence.ts";
import { source as requestFraming } from "./source/request-framing.ts";
import { source as requestLine } from "./source/request-line.ts";
import { source as responseFraming } from "./source/response-framing.ts";
import { source as response } from "./source/response.ts";
import { source as targetAndHost } from "./source/target-and-host.ts";

/** `node vectors/http1/make.ts` writes the files of vectors from their sources; a test says when that has been forgotten. */

export const SOURCES: Readonly<Record<string, Source>> = {
  "request-line": requestLine,
  "target-and-host": targetAndHost,
  fields,
  "request-framing": requestFraming,
  chunked,
  persistence,
  response,
  "response-framing": responseFraming,
};

/** JSON with one vector a line, which makes a difference between two versions readable. Octets above ASCII stay what they are. */
export function fileOf(name: string, { about, spec, flags, vectors }: Source): string {
  const schema = name.startsWith("response") ? "http1-response" : "http1-request";
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
