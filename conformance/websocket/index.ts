import { loadFolder } from "../harness/load.ts";
import type { Case } from "./vocabulary.ts";

/** The WebSocket suite: its cases for servers, and how they are performed. */
export { FEATURES, monitorNames, ServerDriver, type ServerOptions } from "./driver/index.ts";
export type { Case } from "./vocabulary.ts";
export { CODEC_FEATURES, CodecDriver, type CodecOptions } from "./driver/codec.ts";
export { codecCases } from "./codec/cases.ts";
export type { CodecCase } from "./codec/vocabulary.ts";

/** All cases, by section. */
export const loadCases = (): Promise<Case[]> => loadFolder<Case>(import.meta.dirname);
