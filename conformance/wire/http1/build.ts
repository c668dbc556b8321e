import { fromLatin1 } from "../octets.ts";

/** Builds any HTTP/1.1 octets, legal or not, from text. */

/** What braces stand for in the text of a case: `{path}` is `values.path`, and in `POST {path}` it is `values.post` if there is one. */
export type Values = Readonly<Record<string, string>>;

/** Replaces the braces that have a value, and leaves all others. */
export const fill = (text: string, values: Values): string =>
  text.includes("{")
    ? text
        .replaceAll("POST {path}", values["post"] === undefined ? "POST {path}" : "POST {post}")
        .replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
    : text;

/** The same inside a regular expression: values match literally. */
export const fillPattern = (pattern: string, values: Values): string =>
  fill(pattern, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, RegExp.escape(value)])));

/** The octets of a text, its braces replaced; a character up to U+00FF is one octet. */
export const octetsOf = (text: string, values: Values = {}): Uint8Array => fromLatin1(fill(text, values));

/** The text `times` over; `{n}` in it is the round, from 1. */
export const repeated = (text: string, times: number, values: Values = {}): string => {
  const once = fill(text, values);
  return once.includes("{n}")
    ? Array.from({ length: times }, (_, at) => once.replaceAll("{n}", String(at + 1))).join("")
    : once.repeat(times);
};
