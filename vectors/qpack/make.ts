import { vectorFile, writeFiles } from "../write.ts";
import { source as appendixB } from "./source/appendix-b.ts";
import { source as blocked } from "./source/blocked.ts";
import type { QpackSource } from "./source/craft.ts";
import { source as instructions } from "./source/instructions.ts";
import { source as sections } from "./source/sections.ts";
import { source as staticTable } from "./source/static-table.ts";

/** `node vectors/qpack/make.ts` writes the vector files from their sources; a test fails if they are out of date. */

export const SOURCES = {
  "appendix-b": appendixB,
  "static-table": staticTable,
  instructions,
  sections,
  blocked,
} as const satisfies Readonly<Record<string, QpackSource>>;

/** The content of the file of a source. */
export const fileOf = (source: QpackSource): string => vectorFile("qpack-decode", source);

if (import.meta.main) writeFiles<QpackSource>(import.meta.dirname, SOURCES, (_, source) => fileOf(source));
