import { formatMoment } from "./go-time.ts";
import type { FunctionName, NotifyingName } from "./names.ts";
import { Dictionary, Int, isList, keysOf, Markup, Moment, Span, TemplateFault, typeName, type Value } from "./values.ts";

/** Functions of the templates of notifications (Alertmanager docs, notifications.md, "Functions"). */

type Apply = (args: readonly Value[], nowMs: number) => Value;

const text = (value: Value): string => {
  if (typeof value === "string") return value;
  if (value instanceof Markup) return value.text;
  throw new TemplateFault(`wrong type for value; expected string; got ${typeName(value)}`);
};
const moment = (value: Value): Moment => {
  if (value instanceof Moment) return value;
  throw new TemplateFault(`wrong type for value; expected time; got ${typeName(value)}`);
};
const list = (value: Value): readonly Value[] => {
  if (isList(value)) return value;
  throw new TemplateFault(`wrong type for value; expected list; got ${typeName(value)}`);
};

/** A function with a fixed number of arguments. */
const exactly =
  (count: number, apply: Apply): Apply =>
  (args, nowMs) => {
    if (args.length === count) return apply(args, nowMs);
    throw new TemplateFault(`wrong number of args: want ${count} got ${args.length}`);
  };

/** The longest text of all `join`, `toJson` and the like may make, in UTF-16 units. */
const MOST_TEXT = 1 << 20;
const bounded = (made: string): string => {
  if (made.length > MOST_TEXT) throw new TemplateFault(`the text is longer than ${MOST_TEXT} characters`);
  return made;
};

/** A value in JSON. */
function jsonOf(value: Value): unknown {
  if (value === undefined || typeof value !== "object") return value ?? null;
  if (value instanceof Int) return value.value;
  if (value instanceof Moment) return new Date(value.ms).toISOString().replace(/\.?0*Z$/, "Z");
  if (value instanceof Span) return Math.round(value.seconds * 1e9);
  if (value instanceof Markup) return value.text;
  if (isList(value)) return value.map(jsonOf);
  if (value instanceof Dictionary) return Object.fromEntries(keysOf(value).map((key) => [key, jsonOf(value.get(key))]));
  // The fields of pairs keep their names.
  return Object.fromEntries([...value.fields].map(([name, one]) => [value.name === "pair" ? name : camel(name), jsonOf(one)]));
}
/** The characters that could end a script in a page around the JSON. */
const inScript = (json: string): string =>
  json.replaceAll(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
const camel = (name: string): string =>
  name === "ExternalURL" ? "externalURL" : name === "GeneratorURL" ? "generatorURL" : name[0]!.toLowerCase() + name.slice(1);

const encoded = (written: string): string =>
  btoa(String.fromCodePoint(...new TextEncoder().encode(written.slice(0, MOST_ENCODED))))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
/** The longest text to encode, in UTF-16 units. */
const MOST_ENCODED = 16_384;
function decoded(written: string): string {
  try {
    if (written.replaceAll(/[\r\n]/g, "").length % 4 !== 0) throw new TemplateFault("the padding is missing");
    return new TextDecoder().decode(Uint8Array.from(atob(written.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0)));
  } catch {
    throw new TemplateFault("illegal base64 data");
  }
}

const TABLE: Readonly<Record<NotifyingName, Apply>> = {
  append: ([first, ...others]) => [...list(first), ...others],
  base64decode: exactly(1, ([one]) => decoded(text(one))),
  base64encode: exactly(1, ([one]) => encoded(text(one))),
  date: exactly(2, ([layout, at]) => formatMoment(moment(at), text(layout))),
  dict: (args) => {
    if (args.length % 2 !== 0) throw new TemplateFault("dict needs a value for each key");
    const pairs = args.flatMap((key, at): [string, Value][] => (at % 2 === 0 ? [[text(key), args[at + 1]]] : []));
    return new Dictionary(new Map(pairs), undefined);
  },
  join: exactly(2, ([separator, parts]) => bounded(list(parts).map(text).join(text(separator)))),
  list: (args) => args,
  // In the content of an element it is escaped as any text.
  safeUrl: exactly(1, ([one]) => text(one)),
  since: exactly(1, ([at], nowMs) => new Span((nowMs - moment(at).ms) / 1_000)),
  stringSlice: (args) => args.map(text),
  toJson: exactly(1, ([value]) => bounded(inScript(JSON.stringify(jsonOf(value))))),
  trimSpace: exactly(1, ([one]) => text(one).trim()),
  tz: exactly(2, ([zone, at]) => {
    try {
      void Intl.DateTimeFormat("en-US", { timeZone: text(zone) });
    } catch {
      throw new TemplateFault(`unknown time zone ${text(zone)}`);
    }
    return new Moment(moment(at).ms, text(zone));
  }),
  urlUnescape: exactly(1, ([one]) => {
    try {
      return decodeURIComponent(text(one).replaceAll("+", " "));
    } catch {
      throw new TemplateFault(`invalid URL escape in ${JSON.stringify(text(one))}`);
    }
  }),
};

/** The function of a name, if it is one of these. */
export const notifyingFunction = (name: FunctionName): Apply | undefined =>
  Object.hasOwn(TABLE, name) ? TABLE[name as NotifyingName] : undefined;
