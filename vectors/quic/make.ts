import type { Vector } from "../load.ts";
import { vectorFile, writeFiles, type VectorSource } from "../write.ts";
import { source as frames } from "./source/frames.ts";
import { source as integers } from "./source/integers.ts";
import { source as keys } from "./source/keys.ts";
import { source as packets } from "./source/packets.ts";
import { source as parameters } from "./source/parameters.ts";
import { source as retry } from "./source/retry.ts";

/** `node vectors/quic/make.ts` writes the vector files from their sources; a test fails if they are out of date. */

type Made = { readonly kind: string; readonly source: VectorSource<Vector> };

export const SOURCES = {
  integers: { kind: "quic-integer", source: integers },
  frames: { kind: "quic-frame", source: frames },
  parameters: { kind: "quic-parameters", source: parameters },
  keys: { kind: "quic-keys", source: keys },
  packets: { kind: "quic-packet", source: packets },
  retry: { kind: "quic-retry", source: retry },
} as const satisfies Readonly<Record<string, Made>>;

/** The content of the file of a source. */
export const fileOf = ({ kind, source }: Made): string => vectorFile(kind, source);

if (import.meta.main) writeFiles<Made>(import.meta.dirname, SOURCES, (_, made) => fileOf(made));
