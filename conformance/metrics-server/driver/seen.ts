import type { Answer, CaseRecord } from "./record.ts";

/** What must be true of the answers to a case. Each rule returns its first fault. */
export type Rules = Readonly<{ [name: string]: (record: CaseRecord, words: readonly string[]) => string | undefined }>;

/** Parts of answers. */

/** The n-th answer, from 1 on. */
export const nth = ({ answers }: CaseRecord, n: string | undefined): Answer =>
  answers[Number(n) - 1] ?? { path: "the request", status: 0, contentType: "", text: "" };

export function jsonOf({ text }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value at a path of names; in a name % stands for a dot. */
export const valueAt = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .map((name) => name.replaceAll("%", "."))
    .reduce(
      (part: unknown, name) => (typeof part === "object" && part !== null ? (part as Record<string, unknown>)[name] : undefined),
      value,
    );

export const isOfType = (value: unknown, type: string): boolean =>
  type === "time"
    ? typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))
    : type === "array"
      ? Array.isArray(value)
      : type === "object"
        ? typeof value === "object" && value !== null && !Array.isArray(value)
        : typeof value === type;

export const said = ({ path, status }: Answer): string => `the answer to ${path} is ${status === 0 ? "missing" : status}`;
/** What is wrong with the status of an answer that is to be good. */
export const notGood = (answer: Answer): string | undefined => (answer.status >= 200 && answer.status < 300 ? undefined : said(answer));
export const isRefusal = ({ status }: Answer): boolean => status >= 400 && status < 600;
export const shown = (value: unknown): string => (value === undefined ? "missing" : JSON.stringify(value).slice(0, 200));
