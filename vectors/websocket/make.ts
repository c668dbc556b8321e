import { vectorFile, writeFiles } from "../write.ts";
import { source as connections } from "./source/connections.ts";
import { source as close } from "./source/close.ts";
import type { AnyVector, Source } from "./source/craft.ts";
import { source as deflate } from "./source/deflate.ts";
import { source as fragmentation } from "./source/fragmentation.ts";
import { source as frames } from "./source/frames.ts";
import { source as handshakeRequest } from "./source/handshake-request.ts";
import { source as handshakeResponse } from "./source/handshake-response.ts";
import { source as rfcExamples } from "./source/rfc-examples.ts";
import { source as utf8 } from "./source/utf8.ts";

/** `node vectors/websocket/make.ts` writes the vector files from their sources; a test fails if they are out of date. */

export const SOURCES: Readonly<Record<string, Source<AnyVector>>> = {
  "rfc-examples": rfcExamples,
  frames,
  fragmentation,
  close,
  utf8,
  deflate,
  "handshake-request": handshakeRequest,
  "handshake-response": handshakeResponse,
};

/** The content of the file of a source. */
export const fileOf = (source: Source<AnyVector>): string => vectorFile(source.kind, source);

/** The vectors of connections have no codec to ask. */
export const connectionsFile = (): string => vectorFile("websocket-connection", connections);

if (import.meta.main) {
  writeFiles(import.meta.dirname, SOURCES, (_, source) => fileOf(source));
  writeFiles(import.meta.dirname, { connections }, () => connectionsFile());
}
