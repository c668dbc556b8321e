import { vectorFile, writeFiles } from "../write.ts";
import type { Source } from "./source/craft.ts";
import { source as openmetricsFamilies } from "./source/openmetrics-families.ts";
import { source as openmetricsLines } from "./source/openmetrics-lines.ts";
import { source as textFamilies } from "./source/text-families.ts";
import { source as textLines } from "./source/text-lines.ts";

/** `node vectors/exposition/make.ts` writes the vector files from their sources; a test fails if they are out of date. */

export const SOURCES: Readonly<Record<string, Source>> = {
  "text-lines": textLines,
  "text-families": textFamilies,
  "openmetrics-lines": openmetricsLines,
  "openmetrics-families": openmetricsFamilies,
};

/** The content of a file. */
export const fileOf = (name: string, source: Source): string =>
  vectorFile(name.startsWith("text") ? "exposition-text" : "exposition-openmetrics", source);

if (import.meta.main) writeFiles(import.meta.dirname, SOURCES, fileOf);
