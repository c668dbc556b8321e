import { RE2JS } from "re2js";
import { compareText } from "../../model/index.ts";
import { readDuration } from "../../promql/index.ts";
import { plain, print, printf, quoted } from "./format.ts";
import { humanize, humanize1024, humanizeDuration, humanizePercentage, humanizeTimestamp, momentMs, numberIn } from "./humanize.ts";
import type { FunctionName, NotifyingName } from "./names.ts";
import { notifyingFunction } from "./notifying.ts";
import { Dictionary, Int, isList, isTrue, Markup, Moment, Span, Struct, TemplateFault, typeName, type Value } from "./values.ts";

/** What a template can ask of its surroundings. */
export type Surroundings = {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Under which the server is reached from outside (`--web.external-url`). */
  readonly externalUrl: string;
  /** Whether it is a template of notifications, some of whose functions return other types. */
  readonly isNotification?: boolean;
};

/** A function gets the values of its arguments; `query` and the conditions `and` and `or` are evaluated elsewhere. */
type Apply = (args: readonly Value[], around: Surroundings) => Value;

const text = (value: Value): string => {
  if (typeof value !== "string") throw new TemplateFault(`wrong type for value; expected string; got ${typeName(value)}`);
  return value;
};
const octetsOf = (one: string): Uint8Array => new TextEncoder().encode(one);
const list = (value: Value): readonly Value[] => {
  if (!isList(value)) throw new TemplateFault(`wrong type for value; expected list; got ${typeName(value)}`);
  return value;
};
const sample = (value: Value): Struct => {
  if (!(value instanceof Struct) || value.name !== "sample")
    throw new TemplateFault(`wrong type for value; expected sample; got ${typeName(value)}`);
  return value;
};
const labelOf = (one: Value, name: string): string => {
  const labels = sample(one).fields.get("Labels");
  return labels instanceof Dictionary ? plain(labels.get(name)) : "";
};

/** The longest pattern of a template. */
const MOST_PATTERN = 1_000;
function patternOf(source: string): RE2JS {
  if (source.length > MOST_PATTERN) throw new TemplateFault(`a pattern is longer than ${MOST_PATTERN} characters`);
  try {
    return RE2JS.compile(source);
  } catch (error) {
    throw new TemplateFault(`error parsing regexp: ${(error as Error).message}`);
  }
}

/** `$1`, `${1}` and `$name` stand for groups. A name is as long as possible, and one that is unknown is empty. */
function replaced(pattern: string, replacement: string, subject: string): string {
  const machine = patternOf(pattern);
  const names = machine.namedGroups();
  const matcher = machine.matcher(subject);
  let out = "";
  let at = 0;
  while (matcher.find()) {
    out += subject.slice(at, matcher.start());
    out += replacement.replaceAll(/\$(?:(\$)|\{(\w+)\}|(\w+))/g, (_, dollar?: string, braced?: string, bare?: string) => {
      if (dollar !== undefined) return "$";
      const name = braced ?? bare ?? "";
      const group = /^\d+$/.test(name) ? Number(name) : (names[name] ?? -1);
      return group >= 0 && group <= matcher.groupCount() ? (matcher.group(group) ?? "") : "";
    });
    at = matcher.end();
  }
  return out + subject.slice(at);
}

/** Host and port of an address, with the brackets of an IPv6 host removed; undefined without a port. */
function splitPort(address: string): { readonly host: string; readonly port: string } | undefined {
  const found = /^(?:\[([^\]]*)\]|([^:]*)):([^:]*)$/.exec(address);
  return found === null ? undefined : { host: found[1] ?? found[2] ?? "", port: found[3] ?? "" };
}
const isAddress = (host: string): boolean => /^\d+\.\d+\.\d+\.\d+$/.test(host) || host.includes(":");

/** Percent-encoding of a query, with a plus for a space. */
export const queryEscaped = (raw: string): string =>
  encodeURIComponent(raw)
    .replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");

const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;", "\0": "\uFFFD" };

/** Orders numbers of one type, or texts; NaN has no order. */
function orderOf(a: Value, b: Value): number {
  if (a instanceof Int && b instanceof Int) return a.value - b.value;
  if (typeof a === "number" && typeof b === "number") return a === b ? 0 : a < b ? -1 : a > b ? 1 : Number.NaN;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  throw incomparable(a, b);
}
const incomparable = (a: Value, b: Value): TemplateFault =>
  new TemplateFault(
    typeName(a) === typeName(b)
      ? `invalid type for comparison: ${typeName(a)}`
      : `incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`,
  );
function isEqual(a: Value, b: Value): boolean {
  if (a instanceof Int && b instanceof Int) return a.value === b.value;
  if (a === undefined || b === undefined) return a === b;
  if (typeof a !== typeof b || typeof a === "object") throw incomparable(a, b);
  return a === b;
}

function indexed(value: Value, key: Value): Value {
  if (value instanceof Dictionary) return value.get(text(key));
  if (!(key instanceof Int)) throw new TemplateFault(`cannot index list with type ${typeName(key)}`);
  if (!isList(value) && typeof value !== "string") throw new TemplateFault(`can't index item of type ${typeName(value)}`);
  const size = isList(value) ? value.length : octetsOf(value).length;
  if (key.value < 0 || key.value >= size) throw new TemplateFault(`index out of range: ${key.value}`);
  return isList(value) ? value[key.value] : new Int(octetsOf(value)[key.value] ?? 0);
}

function sliced(value: Value, bounds: readonly Value[]): Value {
  const octets = typeof value === "string" ? octetsOf(value) : undefined;
  const [from = 0, to = octets?.length ?? list(value).length] = bounds.map((bound) => (bound instanceof Int ? bound.value : Number.NaN));
  if (!(from >= 0 && to >= from && to <= (octets?.length ?? list(value).length))) throw new TemplateFault("index out of range in slice");
  return octets === undefined ? list(value).slice(from, to) : new TextDecoder().decode(octets.subarray(from, to));
}

function lengthOf(value: Value): number {
  if (typeof value === "string") return octetsOf(value).length;
  if (isList(value)) return value.length;
  if (value instanceof Dictionary) return value.entries.size;
  throw new TemplateFault(`len of type ${typeName(value)}`);
}

const number = (shown: (value: number) => string): Row => [1, ([value]) => shown(numberIn(value))];
const link = (tab: number): Row => [1, ([expr]) => `/graph?g0.expr=${queryEscaped(text(expr))}&g0.tab=${tab}`];

/** The number of arguments (with a + for that many or more), and the function. */
type Row = readonly [count: number | `${number}+`, apply: Apply];

const TABLE: Readonly<Record<Exclude<FunctionName, "query" | "and" | "or" | NotifyingName>, Row>> = {
  not: [1, ([value]) => !isTrue(value)],
  len: [1, ([value]) => new Int(lengthOf(value))],
  index: ["1+", ([value, ...keys]) => keys.reduce<Value>(indexed, value)],
  slice: ["1+", ([value, ...bounds]) => sliced(value, bounds)],
  print: ["0+", (values) => print(values)],
  printf: ["1+", ([format, ...values]) => printf(text(format), values)],
  println: ["0+", (values) => `${values.map(plain).join(" ")}\n`],
  html: [
    "0+",
    (values, { isNotification }) => {
      const escaped = print(values).replaceAll(/[&<>"'\0]/g, (sign) => HTML[sign] ?? sign);
      return isNotification === true ? new Markup(escaped) : escaped;
    },
  ],
  js: [
    "0+",
    (values) =>
      print(values)
        .replaceAll(/[\\'"]/g, (sign) => `\\${sign}`)
        .replaceAll(/[<>&=\p{Cc}]/gu, scriptEscaped),
  ],
  urlquery: ["0+", (values) => queryEscaped(print(values))],
  eq: ["2+", ([value, ...others]) => others.some((other) => isEqual(value, other))],
  ne: [2, ([a, b]) => !isEqual(a, b)],
  lt: [2, ([a, b]) => orderOf(a, b) < 0],
  le: [2, ([a, b]) => orderOf(a, b) <= 0],
  // As in Go, the opposite of the other two: of NaN both hold.
  gt: [2, ([a, b]) => !(orderOf(a, b) <= 0)],
  ge: [2, ([a, b]) => !(orderOf(a, b) < 0)],
  first: [
    1,
    ([samples]) => {
      if (list(samples).length > 0) return list(samples)[0];
      throw new TemplateFault("first() called on vector with no elements");
    },
  ],
  label: [2, ([name, one]) => labelOf(one, text(name))],
  value: [1, ([one]) => sample(one).fields.get("Value")],
  strvalue: [1, ([one]) => labelOf(one, "__value__")],
  sortByLabel: [2, ([name, samples]) => [...list(samples)].sort((a, b) => compareText(labelOf(a, text(name)), labelOf(b, text(name))))],
  humanize: number(humanize),
  humanize1024: number(humanize1024),
  humanizeDuration: number(humanizeDuration),
  humanizePercentage: number(humanizePercentage),
  humanizeTimestamp: number(humanizeTimestamp),
  toTime: [1, ([seconds]) => new Moment(momentMs(numberIn(seconds)))],
  toDuration: [1, ([seconds]) => new Span(Math.trunc(numberIn(seconds) * 1e9) / 1e9)],
  now: [0, (_, { nowMs, isNotification }) => (isNotification === true ? new Moment(nowMs) : nowMs / 1_000)],
  title: [1, ([words]) => text(words).replaceAll(/(?<![\p{L}\p{Nd}'’_])\p{L}/gu, (letter) => letter.toUpperCase())],
  toUpper: [1, ([words]) => text(words).toUpperCase()],
  toLower: [1, ([words]) => text(words).toLowerCase()],
  stripPort: [1, ([address]) => splitPort(text(address))?.host ?? text(address)],
  stripDomain: [
    1,
    ([address]) => {
      const { host, port } = splitPort(text(address)) ?? { host: text(address), port: undefined };
      if (isAddress(host)) return text(address);
      return `${host.split(".", 1)[0]}${port === undefined || port === "" ? "" : `:${port}`}`;
    },
  ],
  match: [2, ([pattern, subject]) => patternOf(text(pattern)).matcher(text(subject)).find()],
  reReplaceAll: [3, ([pattern, replacement, subject]) => replaced(text(pattern), text(replacement), text(subject))],
  graphLink: link(0),
  tableLink: link(1),
  parseDuration: [
    1,
    ([written]) => {
      const ms = text(written) === "0" ? 0 : readDuration(text(written));
      if (typeof ms === "number") return ms / 1_000;
      throw new TemplateFault(`${quoted(text(written))} is not a valid duration string`);
    },
  ],
  urlQueryEscape: [1, ([raw]) => queryEscaped(text(raw))],
  args: ["0+", (values) => new Dictionary(new Map(values.map((value, at) => [`arg${at}`, value])), undefined)],
  safeHtml: [1, ([markup], { isNotification }) => (isNotification === true ? new Markup(text(markup)) : text(markup))],
  externalURL: [0, (_, { externalUrl }) => externalUrl],
  pathPrefix: [0, (_, { externalUrl }) => URL.parse(externalUrl)?.pathname.replace(/\/$/, "") ?? ""],
};
const scriptEscaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`;

/** Calls a function. Throws `TemplateFault` for a wrong number of arguments or a wrong type. */
export function callFunction(name: Exclude<FunctionName, "query" | "and" | "or">, args: readonly Value[], around: Surroundings): Value {
  const special = notifyingFunction(name);
  if (special !== undefined) return special(args, around.nowMs);
  const [count, apply] = TABLE[name as keyof typeof TABLE];
  const least = Number.parseInt(String(count), 10);
  if (typeof count === "number" ? args.length !== count : args.length < least)
    throw new TemplateFault(
      `wrong number of args for ${name}: want ${typeof count === "number" ? count : `at least ${least}`} got ${args.length}`,
    );
  return apply(args, around);
}
