import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { source as close } from "./source/close.ts";
import type { AnyVector, Source } from "./source/craft.ts";
import { source as deflate } from "./source/deflate.ts";
import { source as fragmentation } from "./source/fragmentation.ts";
import { source as frames } from "./source/frames.ts";
import { source as handshakeRequest } from "./source/handshake-request.ts";
import { source as handshakeResponse } from "./source/handshake-response.ts";
import { source as rfcExamples } from "./source/rfc-examples.ts";
import { source as utf8 } from "./source/utf8.ts";

/** `node vectors/websocket/make.ts` writes the files of vectors from their sources; a test says when that has been forgotten. */

export const SOURCES: Readonly<Record<string, Source<AnyVector>>> = {
  "rfc-examples": rfcExamples,
  frames,
  fragmentation,
  close,
  utf8,
  deflate,
  "handshake-request": handshakeRequest as unknown as Source<AnyVector>,
  "handshake-response": handshakeResponse as unknown as Source<AnyVector>,
};

/** JSON with one vector a line, which makes a difference between two versions readable. */
export function fileOf({ kind, about, spec, flags, vectors }: Source<AnyVector>): string {
  const lines = vectors.map((vector, i) => `    ${JSON.stringify({ id: i + 1, ...vector })}`);
  const explained = Object.entries(flags).map(([flag, said]) => `    ${JSON.stringify(flag)}: ${JSON.stringify(said)}`);
  return [
    "{",
    `  "schema": "../schema/${kind}-v1.json",`,
    `  "about": ${JSON.stringify(about)},`,
    `  "source": ${JSON.stringify({ name: "hand-written", version: "1", spec })},`,
    `  "flags": {\n${explained.join(",\n")}\n  },`,
    `  "count": ${vectors.length},`,
    `  "vectors": [\n${lines.join(",\n")}\n  ]`,
    "}",
    "",
  ].join("\n");
}

if (import.meta.main) for (const [name, source] of Object.entries(SOURCES)) writeFileSync(join(import.meta.dirname, `${name}.json`), fileOf(source));
