/** The metrics suite: its cases for readers of pages, and how they are performed. */
export { CODEC_FEATURES, CodecDriver } from "./driver/codec.ts";
export type { CodecOptions } from "../harness/codec.ts";
export { codecCases } from "./exposition/cases.ts";
export type { CodecCase } from "./exposition/vocabulary.ts";
