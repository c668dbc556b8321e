import type { Vector } from "../load.ts";
import { vectorFile, writeFiles, type VectorSource } from "../write.ts";
import { source as connections } from "./source/connections.ts";
import { source as frames } from "./source/frames.ts";
import { source as messages } from "./source/messages.ts";
import { source as settings } from "./source/settings.ts";

/** `node vectors/http3/make.ts` writes the vector files from their sources; a test fails if they are out of date. */

type Made = { readonly kind: string; readonly source: VectorSource<Vector> };

export const SOURCES = {
  frames: { kind: "http3-frame", source: frames },
  settings: { kind: "http3-frame", source: settings },
  connections: { kind: "http3-connection", source: connections },
  messages: { kind: "http3-connection", source: messages },
} as const satisfies Readonly<Record<string, Made>>;

/** The content of the file of a source. */
export const fileOf = ({ kind, source }: Made): string => vectorFile(kind, source);

if (import.meta.main) writeFiles<Made>(import.meta.dirname, SOURCES, (_, made) => fileOf(made));
