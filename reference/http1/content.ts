import type { Field } from "../core/index.ts";

/** What a reader of content hands on. `end` comes once, with the last octets, or alone; or `trailers` comes in its place. */
export interface Content {
  content(bytes: Uint8Array, end: boolean): void;
  trailers(fields: readonly Field[]): void;
}
