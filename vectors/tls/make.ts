import type { Vector } from "../load.ts";
import { vectorFile, writeFiles, type VectorSource } from "../write.ts";
import { GO_VERSION, source as keySchedule } from "./source/key-schedule.ts";
import { source as messages } from "./source/messages.ts";

/** `node vectors/tls/make.ts` writes the vector files from their sources; a test fails if they are out of date. */

type Made = {
  readonly kind: string;
  readonly source: VectorSource<Vector>;
  readonly origin?: { readonly name: string; readonly version: string };
};

export const SOURCES = {
  messages: { kind: "tls-message", source: messages },
  "key-schedule": { kind: "tls-key-schedule", source: keySchedule, origin: { name: "Go crypto/tls", version: GO_VERSION } },
} as const satisfies Readonly<Record<string, Made>>;

/** The content of the file of a source. */
export const fileOf = ({ kind, source, origin }: Made): string => vectorFile(kind, source, origin);

if (import.meta.main) writeFiles<Made>(import.meta.dirname, SOURCES, (_, made) => fileOf(made));
