import { vectorFile, writeFiles, type VectorSource } from "../write.ts";
import { source as connections } from "./source/connections.ts";
import type { ConnectionVector } from "./source/craft.ts";

/** `node vectors/http2/make.ts` writes the vector files that have sources; a test fails if they are out of date. */

export const SOURCES = { connections } as const satisfies Readonly<Record<string, VectorSource<ConnectionVector>>>;

/** The content of the file of a source. */
export const fileOf = (source: VectorSource<ConnectionVector>): string => vectorFile("http2-connection", source);

if (import.meta.main) writeFiles(import.meta.dirname, SOURCES, (_, source) => fileOf(source));
