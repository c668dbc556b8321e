import { show } from "../question.ts";
import type { Told } from "./source/craft.ts";

/** What is wrong with what a codec wrote, in one line; undefined if nothing is. Written apart from `reference/`, which is judged like any other. */
export type WrittenJudge = (given: unknown, messages: readonly Told[], prefix: string) => string | undefined;

const UNITS: Readonly<Record<string, number>> = { n: 1, u: 1e3, m: 1e6, S: 1e9, M: 60e9, H: 3_600e9 };
/** Implementations round, some to a few digits, some to milliseconds. */
const TOLERANCE = { share: 0.1, nanoseconds: 1e6 };

function timeout(given: unknown, [first]: readonly Told[]): string | undefined {
  const text = first?.["text"];
  const [, digits = "", letter = ""] = (typeof text === "string" ? /^([0-9]{1,8})([HMSmun])$/.exec(text) : null) ?? [];
  if (digits === "") return `${show(text)} is not a timeout: at most eight digits and a unit`;
  if (Number(digits) === 0) return `${show(text)} is not positive`;
  const [due, got] = [Number(given), Number(digits) * (UNITS[letter] ?? 0)];
  const most = Math.max(due * TOLERANCE.share, TOLERANCE.nanoseconds);
  return Math.abs(got - due) <= most ? undefined : `${show(text)} is ${got} ns, not ${due} ns`;
}

/** Every character may be encoded; those that do not stand for themselves must be. */
const message = (given: unknown, [first]: readonly Told[]): string | undefined => encoded(given, first?.["text"]);
function encoded(given: unknown, text: unknown): string | undefined {
  if (typeof text !== "string") return `text is ${show(text)}`;
  if (!/^(?:[ -$&-~]|%[0-9A-F]{2})*$/.test(text)) return `${show(text)} has characters that must be encoded, or a wrong encoding`;
  const decoded = Buffer.from(
    text.replaceAll(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString();
  return decoded === given ? undefined : `${show(text)} means ${show(decoded)}, not ${show(given)}`;
}

/** The entries of metadata as fields. Only the order of values of one name counts, and they may be joined (rpc-http2#requests). */
function metadata(given: unknown, messages: readonly Told[]): string | undefined {
  const due = byName((given as readonly Told[]).map(({ name, text, octets }) => [name, octets === undefined ? text : base64(octets)]));
  const got = byName(messages.map(({ name, value }) => [name, value]));
  return show(due, 10_000) === show(got, 10_000) ? undefined : `fields are ${show(got)}, not ${show(due)}`;
}
const base64 = (hex: unknown): string => Buffer.from(String(hex), "hex").toString("base64");
/** The values of each name in one text, octets without their padding. */
function byName(fields: readonly (readonly unknown[])[]): readonly (readonly [string, string])[] {
  const values = new Map<string, string[]>();
  for (const [name, value] of fields) values.set(String(name), [...(values.get(String(name)) ?? []), String(value)]);
  return [...values.keys()].toSorted().map((name) => {
    const text = (values.get(name) ?? []).join(",").replaceAll(/ *, */g, ",");
    return [name, name.endsWith("-bin") ? text.replaceAll(/=+(?=,|$)/g, "") : text];
  });
}

const NAMES: readonly string[] = [
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
];
/** The fields of a status, in any order; an empty message may be left out, and other fields may be there. */
function status(given: unknown, messages: readonly Told[], prefix: string): string | undefined {
  const { status: name, text } = given as { readonly status: string; readonly text: string };
  const all = (field: string): readonly unknown[] =>
    messages.filter((one) => one["name"] === `${prefix}${field}`).map(({ value }) => value);
  const [codes, texts] = [all("status"), all("message")];
  if (codes.length !== 1 || codes[0] !== String(NAMES.indexOf(name)))
    return `${prefix}status is ${show(codes)}, not ${NAMES.indexOf(name)} for ${name}`;
  if (texts.length === 0 && text === "") return undefined;
  return texts.length === 1 ? encoded(text, texts[0]) : `${prefix}message is there ${texts.length} times`;
}

/** The octets of a stream, in any number of pieces. */
function stream(given: unknown, messages: readonly Told[]): string | undefined {
  const due = (given as readonly string[]).map((octets) => `00${(octets.length / 2).toString(16).padStart(8, "0")}${octets}`).join("");
  const got = messages.map(({ octets }) => String(octets)).join("");
  return got.toLowerCase() === due ? undefined : `octets are ${show(got)}, not ${show(due)}`;
}

export const WRITTEN: Readonly<Record<"timeout" | "message" | "metadata" | "status" | "stream", WrittenJudge>> = {
  timeout,
  message,
  metadata,
  status,
  stream,
};
