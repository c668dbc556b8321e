/** For every component: requirement addresses, errors, time, randomness, fields and bytes. */
export type { Brand } from "./brand.ts";
export { field, type Field } from "./field.ts";
export { Bug, Misuse } from "./outcome.ts";
export { seeded, type Random } from "./random.ts";
export type { Level, SpecDocument, SpecRef } from "./spec.ts";
export { after, instant, NEVER, type Instant } from "./time.ts";
export { concatenated, unfilled } from "./bytes/concatenated.ts";
export { Reader } from "./bytes/reader.ts";
export { Writer } from "./bytes/writer.ts";
export { Output } from "./bytes/output.ts";
export { Deadlines } from "./deadlines.ts";
export { Defaults } from "./defaults.ts";
export { expandLabel } from "./hkdf.ts";
export { latin1 } from "./bytes/latin1.ts";
export { skipAscii, Utf8Check } from "./bytes/utf8.ts";
export { MAX_VARINT, readVarint, varint64, varintLength, writeVarint } from "./bytes/varint.ts";
