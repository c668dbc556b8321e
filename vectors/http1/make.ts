import { vectorFile, writeFiles } from "../write.ts";
import type { Source } from "./source/craft.ts";
import { source as chunked } from "./source/chunked.ts";
import { source as fields } from "./source/fields.ts";
import { source as persistence } from "./source/persistence.ts";
import { source as requestFraming } from "./source/request-framing.ts";
import { source as requestLine } from "./source/request-line.ts";
import { source as responseFraming } from "./source/response-framing.ts";
import { source as response } from "./source/response.ts";
import { source as targetAndHost } from "./source/target-and-host.ts";

/** `node vectors/http1/make.ts` writes the vector files from their sources; a test fails if they are out of date. */

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

/** The content of a file. */
export const fileOf = (name: string, source: Source): string =>
  vectorFile(name.startsWith("response") ? "http1-response" : "http1-request", source);

if (import.meta.main) writeFiles(import.meta.dirname, SOURCES, fileOf);
