import type { Vector } from "../../load.ts";
import type { VectorSource } from "../../write.ts";

/** Short forms for the vectors of elements. Append to lists only: the position of a vector is its id. */

export type Element =
  | "authority"
  | "content-length"
  | "date"
  | "field-value"
  | "host-and-port"
  | "interim"
  | "lower-name"
  | "method"
  | "no-content"
  | "origin"
  | "parameters"
  | "path"
  | "phrase"
  | "priority"
  | "same-authority"
  | "status"
  | "success"
  | "target"
  | "token"
  | "token-list"
  | "trimmed"
  | "written-date"
  | "written-priority";

/** Texts of one kind with the same result. Schema: http-element-v1. */
export type ElementVector = Vector & {
  readonly element: Element;
  readonly texts: readonly string[];
  readonly values?: readonly unknown[];
  readonly now?: string;
  readonly method?: string;
  readonly scheme?: string;
  readonly refused?: true;
};
export type Draft = Omit<ElementVector, "id">;
export type Source = VectorSource<ElementVector>;

type Given = Pick<Draft, "note" | "spec" | "element" | "texts" | "flags"> & Partial<Pick<Draft, "values" | "now" | "method" | "scheme">>;

export const valid = (given: Given): Draft => ({ ...given, result: "valid" });
export const invalid = (given: Given): Draft => ({ ...given, result: "invalid" });
/** The specification lets a recipient refuse the texts; this project does. */
export const refused = (given: Given): Draft => ({ ...given, result: "acceptable", refused: true });
/** The specification lets a recipient refuse the texts; this project accepts them. */
export const accepted = (given: Given): Draft => ({ ...given, result: "acceptable" });

/** Texts with their values, from pairs. */
export const pairs = (list: readonly (readonly [text: string, value: unknown])[]): Pick<Draft, "texts" | "values"> => ({
  texts: list.map(([text]) => text),
  values: list.map(([, value]) => value),
});

/** The octets from `first` to `last`, one text each. */
export const octets = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCharCode(first + at));
