import type { Case, FieldSpec, Property, Row, Step } from "../vocabulary.ts";
import { encode } from "./phrases.ts";

/** What cases for encoders share. */

/** The control: a block that every encoder can make. */
export const simple = encode([
  [":method", "GET"],
  ["a", "1"],
]);
/** The fields of a request. */
export const request = (path: string): FieldSpec[] => [
  [":method", "GET"],
  [":scheme", "https"],
  [":authority", "www.example.com"],
  [":path", path],
  ["user-agent", "touchstone"],
  ["accept", "*/*"],
];
/** Lists, with the limit that the peer set before each. */
export const limited = (tableSizes: readonly (number | null)[], ...lists: (readonly FieldSpec[])[]): Step[] => [
  { do: "encode", tableSizes, lists },
];

/** Several limits between two blocks. */
export const changed = (changes: readonly (readonly number[])[], ...lists: (readonly FieldSpec[])[]): Step[] => [
  { do: "encode", changes, lists },
];
/** A property that all blocks of an encoder have. */
export const holds = ({ property, ...row }: Row<"spec" | "covers" | "steps"> & { readonly property: Property }): Case => ({
  level: "MUST",
  role: "codec",
  control: simple,
  allowed: [{ see: { see: "holds", property } }],
  ...row,
});
