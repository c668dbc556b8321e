import type { Vector } from "../load.ts";
import { vectorFile, type VectorSource, writeFiles } from "../write.ts";
import { source as dates } from "./source/dates.ts";
import { source as messages } from "./source/messages.ts";
import { source as octets } from "./source/octets.ts";
import { source as targets } from "./source/targets.ts";
import { source as sections } from "./source/sections.ts";
import { source as values } from "./source/values.ts";

/** `node vectors/http/make.ts` writes the vector files from their sources; a test fails if they are out of date. */

export const SOURCES: Readonly<Record<string, VectorSource<Vector>>> = { dates, messages, octets, sections, targets, values };

/** The content of a file. */
export const fileOf = (name: string, source: VectorSource<Vector>): string =>
  vectorFile(name === "sections" ? "http-fields" : "http-element", source);

if (import.meta.main) writeFiles(import.meta.dirname, SOURCES, fileOf);
