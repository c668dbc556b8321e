import type { Vector } from "../load.ts";
import { vectorFile, type VectorSource, writeFiles } from "../write.ts";
import { source as escaping } from "./source/escaping.ts";
import { source as messages } from "./source/messages.ts";
import { source as negotiation } from "./source/negotiation.ts";
import { source as openmetricsFamilies } from "./source/openmetrics-families.ts";
import { source as openmetricsLines } from "./source/openmetrics-lines.ts";
import { source as readings } from "./source/readings.ts";
import { source as scrapes } from "./source/scrapes.ts";
import { source as textFamilies } from "./source/text-families.ts";
import { source as textLines } from "./source/text-lines.ts";
import { source as written } from "./source/written.ts";

/** `node vectors/exposition/make.ts` writes the vector files from their sources; a test fails if they are out of date. */

type Made = { readonly kind: string; readonly source: VectorSource<Vector> };

export const SOURCES: Readonly<Record<string, Made>> = {
  "text-lines": { kind: "exposition-text", source: textLines },
  "text-families": { kind: "exposition-text", source: textFamilies },
  "openmetrics-lines": { kind: "exposition-openmetrics", source: openmetricsLines },
  "openmetrics-families": { kind: "exposition-openmetrics", source: openmetricsFamilies },
  escaping: { kind: "exposition-escaping", source: escaping },
  messages: { kind: "exposition-protobuf", source: messages },
  negotiation: { kind: "exposition-negotiation", source: negotiation },
  readings: { kind: "exposition-reading", source: readings },
  scrapes: { kind: "exposition-scrapes", source: scrapes },
  written: { kind: "exposition-written", source: written },
};

/** The content of a file. */
export const fileOf = (_: string, { kind, source }: Made): string => vectorFile(kind, source);

if (import.meta.main) writeFiles(import.meta.dirname, SOURCES, fileOf);
