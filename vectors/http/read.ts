import { field, type Field } from "../../reference/core/index.ts";
import {
  FieldCheck,
  Fields,
  forbidsContent,
  formatDate,
  formatPriority,
  isAuthority,
  isCacheable,
  isFieldValue,
  isHostAndPort,
  isIdempotent,
  isInterim,
  isLowerToken,
  isParameters,
  isSafe,
  isSuccess,
  isTarget,
  isToken,
  joinCrumbs,
  originOf,
  parseDate,
  parseDecimal,
  parsePriority,
  parseStatus,
  parseTokens,
  readTarget,
  reasonPhrase,
  sameAuthority,
  trimSpace,
} from "../../reference/http/index.ts";
import type { VectorField } from "../load.ts";
import type { Element, ElementVector } from "./source/craft.ts";
import type { FieldsVector, Section } from "./source/sections.ts";

/** Our own reading of an element, in the format of the vectors: its value, `true` if it is merely valid, undefined if it is refused. */

type Around = Pick<ElementVector, "now" | "method" | "scheme">;
type Reader = (text: string, around: Around) => unknown;

const valid =
  (isValid: (text: string) => boolean): Reader =>
  (text) =>
    isValid(text) || undefined;
const isoOf = (ms: number): string => new Date(ms).toISOString().replace(".000", "");
/** The two parts of a text. */
const cut = (text: string, separator: string): [string, string] => {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + separator.length)];
};

const READERS: Readonly<Record<Element, Reader>> = {
  authority: valid(isAuthority),
  "content-length": (text) => {
    const length = parseDecimal(text);
    return length < 0 ? undefined : length;
  },
  date: (text, { now = "" }) => {
    const ms = parseDate(text, Date.parse(now));
    return ms === undefined ? undefined : isoOf(ms);
  },
  "field-value": valid(isFieldValue),
  "host-and-port": valid(isHostAndPort),
  interim: valid((text) => isInterim(Number(text))),
  "lower-name": valid(isLowerToken),
  method: (text) => ({ safe: isSafe(text), idempotent: isIdempotent(text), cacheable: isCacheable(text) }),
  "no-content": (text, { method = "" }) => forbidsContent(method, Number(text)) || undefined,
  origin: (text) => originOf(...cut(text, "://")),
  parameters: valid(isParameters),
  path: valid(isTarget),
  phrase: (text) => reasonPhrase(Number(text)),
  priority: parsePriority,
  "same-authority": (text, { scheme = "" }) => sameAuthority(...cut(text, " "), scheme),
  status: parseStatus,
  success: valid((text) => isSuccess(Number(text))),
  target: (text, { method = "" }) => readTarget(method, text),
  token: valid(isToken),
  "token-list": parseTokens,
  trimmed: trimSpace,
  "written-date": (text) => formatDate(Date.parse(text)),
  "written-priority": (text) => formatPriority(parsePriority(text)),
};

/** What each text of a vector means to us. */
export const read = ({ element, texts, ...around }: ElementVector): unknown[] => texts.map((text) => READERS[element](text, around));

/** What each section of a connection means to us, in the format of the vectors; the fault of a malformed one in its place. */
export function readSections({ sections, extended }: Pick<FieldsVector, "sections" | "extended">): (Section | string)[] {
  const check = new FieldCheck();
  // As from a compression table: the same field is the same object.
  const seen = new Map<string, Field>();
  const fieldOf = (pair: VectorField): Field => {
    const key = JSON.stringify(pair);
    const [name, value, sensitive = false] = pair;
    const one = seen.get(key) ?? field(name, value, sensitive);
    seen.set(key, one);
    return one;
  };
  return sections.map(({ of, fields, combined }) => {
    const lines = fields.map(fieldOf);
    const fault =
      of === "request" ? check.request(lines, extended === true) : of === "response" ? check.response(lines) : check.trailers(lines);
    if (fault !== undefined) return fault;
    const { method, status, protocol, contentLength, priority, origin, crumbs } = check;
    return {
      of,
      fields,
      ...(method === "" ? {} : { method }),
      ...(status === 0 ? {} : { status }),
      ...(protocol === undefined ? {} : { protocol }),
      ...(contentLength < 0 ? {} : { contentLength }),
      ...(priority === undefined ? {} : { priority }),
      ...(origin === "" ? {} : { origin }),
      ...(crumbs > 1 ? { joined: joinCrumbs(lines).map(pairOf) } : {}),
      ...(combined === undefined
        ? {}
        : {
            combined: combinedIn(
              lines,
              combined.map(([name]) => name),
            ),
          }),
    };
  });
}
const pairOf = ({ name, value, sensitive }: Field): VectorField => (sensitive ? [name, value, true] : [name, value]);

/** The combined values of these names, which are written in capitals here and there. */
function combinedIn(lines: readonly Field[], names: readonly string[]): NonNullable<Section["combined"]> {
  const all = Fields.from(Fields.from(lines.map(({ name, value }) => [name.toUpperCase(), value] as const)));
  return names.map((name) => [
    name,
    all.has(name.toUpperCase()) === (all.get(name) !== undefined) ? (all.get(name) ?? null) : name,
    all.all(name.toUpperCase()),
  ]);
}
