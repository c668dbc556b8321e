import { loadFolder } from "../harness/load.ts";
import type { Case } from "./vocabulary.ts";

/** The HPACK suite: its cases for codecs, and the driver that performs them. */
export { CodecDriver } from "./driver/codec.ts";
export type { CodecOptions } from "../harness/codec.ts";
export type { Case } from "./vocabulary.ts";

/** The features that cases may need, and how the probe detects them. */
export const FEATURES: Readonly<Record<string, string>> = {
  decode: "the codec decodes a first block",
  encode: "the codec encodes a first list",
};

export const loadCases = (): Promise<Case[]> => loadFolder<Case>(import.meta.dirname);
