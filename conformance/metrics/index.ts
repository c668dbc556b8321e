/** The metrics suite: its cases for readers of pages and for servers with a query interface, and how they are performed. */
export { CODEC_FEATURES, CodecDriver } from "./driver/codec.ts";
export type { CodecOptions } from "../harness/codec.ts";
export { requests, written } from "./driver/server-data.ts";
export { SERVER_FEATURES } from "./driver/server-features.ts";
export { ServerDriver, type ServerOptions } from "./driver/server.ts";
export { codecCases } from "./exposition/cases.ts";
export type { CodecCase } from "./exposition/vocabulary.ts";
export { serverCases } from "./query/cases.ts";
export { dataPage } from "./query/page.ts";
export { type RunningReference, startReference, writeDataDirectory } from "./query/reference.ts";
export type { ServerCase } from "./query/vocabulary.ts";
