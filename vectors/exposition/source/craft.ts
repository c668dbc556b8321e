import type { Vector } from "../../load.ts";
import type { VectorSource } from "../../write.ts";

/**
 * The words in which the pages are written. A page is a text in which ¦ marks the octet that a reader is to point at, so that what is wrong
 * and where it is wrong are one line, and no reader stands between. Lists are only ever added to at their end: ids are places.
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
export type PageVector = Vector & {
  /** Permanent words. */
  readonly name: string;
  /** The requirement that it is about. */
  readonly rule: string;
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

/** Octets that no text gives, within a text: U+F700 to U+F7FF stand for one each. */
export const octet = (value: number): string => String.fromCharCode(0xf700 + value);
/** A text as octets, a character U+0000 to U+00FF each. */
export function octets(text: string): string {
  return [...text]
    .map((sign) => {
      const point = sign.codePointAt(0) ?? 0;
      if (point >= 0xf700 && point <= 0xf7ff) return String.fromCharCode(point - 0xf700);
      return String.fromCharCode(...new TextEncoder().encode(sign));
    })
    .join("");
}

/** A sample that is found. */
export function s(name: string, labels: Readonly<Record<string, string>>, value: number | string, rest: { readonly at?: number; readonly exemplar?: Exemplar } = {}): Sample {
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

/** The words of one format: what its plainest page is, and what stands behind every page. */
export function words(plain: string, end: string) {
  const whole = (text: string): string => octets(text + end);
  const specOf = (rule: string): string => rule.split("/")[0] ?? "";
  return {
    /** Has to be read, as these samples (and what is said of families). */
    valid: (name: string, note: string, rule: string, flag: string, text: string, samples: readonly Sample[], families?: readonly Family[]): Draft => ({
      name,
      note,
      spec: specOf(rule),
      rule,
      page: whole(text),
      ...(families === undefined ? {} : { families }),
      samples,
      control: octets(plain),
      result: "valid",
      flags: [flag],
    }),
    /** May be refused; where it is read, it is this. `fault` is why our strict reader refuses it, if it does. */
    either: (name: string, note: string, rule: string, flag: string, text: string, samples: readonly Sample[], fault?: string): Draft => ({
      name,
      note,
      spec: specOf(rule),
      rule,
      page: whole(text.replace("¦", "")),
      samples,
      ...(fault === undefined ? {} : { fault, ...placed(octets(text)) }),
      result: "acceptable",
      flags: [flag],
    }),
    /** Has to be refused, at the mark; the control is the same without the mistake. */
    refused: (name: string, note: string, rule: string, flag: string, text: string, fault: string, control: string): Draft => ({
      name,
      note,
      spec: specOf(rule),
      rule,
      page: whole(text.replace("¦", "")),
      fault,
      ...placed(octets(text)),
      control: whole(control),
      result: "invalid",
      flags: [flag],
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
