import type { SpecDocument } from "../../../reference/core/index.ts";
import type { Vector } from "../../load.ts";
import type { VectorSource } from "../../write.ts";

/**
 * The functions that build the pages. ¦ in a page marks the octet that the fault points to, so that the page and the position of the fault
 * are in one line, without a parser in between. Append to lists only: the position of a vector is its id.
 */

export type Pair = readonly [name: string, value: string];
export type Exemplar = { readonly labels: readonly Pair[]; readonly value: string; readonly timestamp?: number };
export type Sample = {
  readonly name: string;
  readonly labels: readonly Pair[];
  /** `NaN`, `+Inf`, `-Inf`, or a number that reads back as the same 64 bits. */
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly timestamp?: number;
  readonly exemplar?: Exemplar;
};
export type Family = { readonly name: string; readonly type?: string; readonly help?: string; readonly unit?: string };
/** A requirement, by its document, section and name. */
type Rule = `${SpecDocument}#${string}/${string}`;
export type PageVector = Vector & {
  /** A permanent name. */
  readonly name: string;
  /** The requirement that it tests. */
  readonly rule: Rule;
  /** All octets of the page, as characters U+0000 to U+00FF. */
  readonly page: string;
  readonly samples?: readonly Sample[];
  readonly families?: readonly Family[];
  readonly fault?: string;
  readonly line?: number;
  readonly column?: number;
  /** The same page without the mistake, or a plain one. */
  readonly control?: string;
};
export type Draft = Omit<PageVector, "id">;
export type Source = VectorSource<PageVector>;

/** A single octet within a text, which need not be UTF-8: U+F700 to U+F7FF stand for one octet each. */
export const octet = (value: number): string => String.fromCharCode(0xf700 + value);
/** The octets of a text, as characters U+0000 to U+00FF. */
export function octets(text: string): string {
  return [...text]
    .map((sign) => {
      const point = sign.codePointAt(0) ?? 0;
      if (point >= 0xf700 && point <= 0xf7ff) return String.fromCharCode(point - 0xf700);
      return String.fromCharCode(...new TextEncoder().encode(sign));
    })
    .join("");
}

/** An expected sample. */
export function s(
  name: string,
  labels: Readonly<Record<string, string>>,
  value: number | string,
  rest: { readonly at?: number; readonly exemplar?: Exemplar } = {},
): Sample {
  const { at, exemplar } = rest;
  return {
    name,
    labels: Object.entries(labels),
    value: typeof value === "string" ? value : String(value),
    ...(at === undefined ? {} : { timestamp: at }),
    ...(exemplar === undefined ? {} : { exemplar }),
  };
}
export const ex = (labels: Readonly<Record<string, string>>, value: number | string, timestamp?: number): Exemplar => ({
  labels: Object.entries(labels),
  value: String(value),
  ...(timestamp === undefined ? {} : { timestamp }),
});

/** What every vector of a page is made from. `¦` in the text marks the mistake. */
type Row = { readonly name: string; readonly note: string; readonly rule: Rule; readonly flag: string; readonly text: string };
type Valid = Row & { readonly samples: readonly Sample[]; readonly families?: readonly Family[] };
type Either = Row & { readonly samples: readonly Sample[]; readonly fault?: string };
type Invalid = Row & { readonly fault: string; readonly control: string };

/** The functions for one format. `plain`: a minimal page. `end`: the end of every page. */
export function words(plain: string, end: string) {
  const whole = (text: string): string => octets(text + end);
  const head = ({ name, note, rule, text }: Row) => ({ name, note, spec: rule.split("/")[0] ?? "", rule, page: whole(text.replace("¦", "")) });
  return {
    /** Must be accepted as these samples and families. */
    valid: ({ samples, families, ...row }: Valid): Draft => ({
      ...head(row),
      ...(families === undefined ? {} : { families }),
      samples,
      control: octets(plain),
      result: "valid",
      flags: [row.flag],
    }),
    /** May be refused; if accepted, as these samples. `fault`: why our strict parser refuses it, if it does. */
    either: ({ samples, fault, ...row }: Either): Draft => ({
      ...head(row),
      samples,
      ...(fault === undefined ? {} : { fault, ...placed(octets(row.text)) }),
      result: "acceptable",
      flags: [row.flag],
    }),
    /** Must be refused, at the mark. The control is the page without the mistake. */
    refused: ({ fault, control, ...row }: Invalid): Draft => ({
      ...head(row),
      fault,
      ...placed(octets(row.text)),
      control: whole(control),
      result: "invalid",
      flags: [row.flag],
    }),
  };
}

const MARK = octets("¦");
function placed(text: string): { readonly line: number; readonly column: number } {
  const at = text.indexOf(MARK);
  if (at < 0) throw new Error(`no mark in ${text}`);
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}
