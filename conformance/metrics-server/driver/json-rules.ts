import { isOfType, isRefusal, jsonOf, notGood, nth, said, shown, valueAt, type Rules } from "./seen.ts";

/** What must be true of answers in JSON, and of their statuses. */

type Row = { readonly name?: unknown; readonly value?: unknown };
type Found = { readonly metric: Readonly<Record<string, string>>; readonly value: readonly [number, string] };
const listAt = (value: unknown, path: string): readonly unknown[] | undefined => {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : undefined;
};

export const JSON_RULES: Rules = {
  status: (record, [n, status]) => (String(nth(record, n).status) === status ? undefined : said(nth(record, n))),
  refused: (record, [n]) => (isRefusal(nth(record, n)) ? undefined : said(nth(record, n))),
  /** It is refused, and the server answers the other requests. */
  "refused-and-alive": (record, [n]) => {
    if (!isRefusal(nth(record, n))) return said(nth(record, n));
    const dead = record.answers.slice(Number(n)).find((answer) => notGood(answer) !== undefined);
    return dead === undefined ? undefined : said(dead);
  },
  /** It is refused, and the configuration is shown as before. */
  "refused-and-kept": (record, [n, config]) => {
    if (!isRefusal(nth(record, n))) return said(nth(record, n));
    const before = valueAt(jsonOf({ ...nth(record, config), text: record.config }), "data.yaml");
    const after = valueAt(jsonOf(nth(record, config)), "data.yaml");
    if (typeof before !== "string") return "the configuration was not shown before";
    return before === after ? undefined : `the configuration is now ${shown(after)}`;
  },
  "refused-with-text": (record, [n, other, text]) => {
    if (!isRefusal(nth(record, n))) return said(nth(record, n));
    return notGood(nth(record, other)) ?? (nth(record, other).text.includes(text!) ? undefined : `${text} is not shown any more`);
  },
  text: (record, [n, text]) => {
    const answer = nth(record, n);
    return answer.text.includes(text!) ? undefined : `the answer to ${answer.path} lacks ${text}`;
  },
  "no-text": (record, [n, text]) => {
    const answer = nth(record, n);
    return notGood(answer) ?? (answer.text.includes(text!) ? `the answer to ${answer.path} has ${text}` : undefined);
  },
  /** Fields have these types, written as `path:type`. */
  types: (record, [n, ...fields]) => {
    const answer = nth(record, n);
    const value = jsonOf(answer);
    const odd = fields.find((one) => !isOfType(valueAt(value, one.split(":")[0]!), one.split(":")[1]!));
    return notGood(answer) ?? (odd === undefined ? undefined : `${odd.split(":")[0]} is ${shown(valueAt(value, odd.split(":")[0]!))}`);
  },
  field: (record, [n, path, value]) => {
    const found = valueAt(jsonOf(nth(record, n)), path!);
    return notGood(nth(record, n)) ?? (String(found) === value ? undefined : `${path} is ${shown(found)}`);
  },
  "field-ends": (record, [n, path, value]) => {
    const found = valueAt(jsonOf(nth(record, n)), path!);
    return notGood(nth(record, n)) ?? (String(found).endsWith(value!) ? undefined : `${path} is ${shown(found)}`);
  },
  "at-least": (record, [n, path, value]) => {
    const found = valueAt(jsonOf(nth(record, n)), path!);
    return notGood(nth(record, n)) ?? (typeof found === "number" && found >= Number(value) ? undefined : `${path} is ${shown(found)}`);
  },
  ordered: (record, [n, first, last]) => {
    const value = jsonOf(nth(record, n));
    const [a, b] = [valueAt(value, first!), valueAt(value, last!)];
    return (
      notGood(nth(record, n)) ??
      (typeof a === "number" && typeof b === "number" && a <= b ? undefined : `${first} is ${shown(a)}, ${last} is ${shown(b)}`)
    );
  },
  /** All members are texts. */
  texts: (record, [n, path]) => {
    const found = valueAt(jsonOf(nth(record, n)), path!);
    if (!isOfType(found, "object") || Object.keys(found as object).length === 0)
      return notGood(nth(record, n)) ?? `${path} is ${shown(found)}`;
    const odd = Object.entries(found as object).find(([, one]) => typeof one !== "string");
    return odd === undefined ? undefined : `${odd[0]} is ${shown(odd[1])}`;
  },
  /** Maps of true and false by category. */
  booleans: (record, [n, path]) => {
    const found = valueAt(jsonOf(nth(record, n)), path!);
    if (!isOfType(found, "object") || Object.keys(found as object).length === 0)
      return notGood(nth(record, n)) ?? `${path} is ${shown(found)}`;
    for (const [category, features] of Object.entries(found as object)) {
      if (!isOfType(features, "object")) return `${category} is ${shown(features)}`;
      const odd = Object.entries(features as object).find(([, one]) => typeof one !== "boolean");
      if (odd !== undefined) return `${category}.${odd[0]} is ${shown(odd[1])}`;
    }
    return undefined;
  },
  "snake-case": (record, [n, path]) => {
    const found = valueAt(jsonOf(nth(record, n)), path!);
    if (!isOfType(found, "object")) return notGood(nth(record, n)) ?? `${path} is ${shown(found)}`;
    const names = Object.entries(found as object).flatMap(([category, features]) =>
      /functions|operators|templating/.test(category) ? [category] : [category, ...Object.keys((features ?? {}) as object)],
    );
    const odd = names.find((name) => !/^[a-z0-9.]+(?:_[a-z0-9.]+)*$/.test(name));
    return odd === undefined ? undefined : `a name is ${odd}`;
  },
  /** A list of names with numbers. */
  rows: (record, [n, path]) => {
    const list = listAt(jsonOf(nth(record, n)), path!);
    if (list === undefined || list.length === 0) return notGood(nth(record, n)) ?? `${path} is ${shown(list)}`;
    const odd = (list as readonly Row[]).find(({ name, value }) => typeof name !== "string" || typeof value !== "number");
    return odd === undefined ? undefined : `an entry is ${shown(odd)}`;
  },
  row: (record, [n, path, name, value]) => {
    const list = listAt(jsonOf(nth(record, n)), path!);
    const found = (list as readonly Row[] | undefined)?.find((one) => one.name === name);
    return notGood(nth(record, n)) ?? (String(found?.value) === value ? undefined : `${name} is ${shown(found?.value)}`);
  },
  length: (record, [n, path, size]) => {
    const list = listAt(jsonOf(nth(record, n)), path!);
    return (
      notGood(nth(record, n)) ??
      (list?.length === Number(size) ? undefined : `${path} has ${list === undefined ? "no list" : `${list.length} entries`}`)
    );
  },
  "names-in": (record, [n, path, ...names]) => {
    const list = listAt(jsonOf(nth(record, n)), path!);
    return notGood(nth(record, n)) ?? (list?.map(String).toSorted().join() === names.join() ? undefined : `${path} is ${shown(list)}`);
  },
  /** A query has a series of this name with these labels, and with the value that comes last. */
  found: (record, [n, name, ...words]) => {
    const list = listAt(jsonOf(nth(record, n)), "data.result") as readonly Found[] | undefined;
    const value = words.at(-1);
    const labels = words.slice(0, -1).map((one) => one.replace("{target}", record.target).split("="));
    const isIt = ({ metric, value: [, text] }: Found): boolean =>
      metric["__name__"] === name && text === value && labels.every(([label, wanted]) => metric[label!] === wanted);
    return notGood(nth(record, n)) ?? (list?.some(isIt) === true ? undefined : `the query has ${shown(list)}`);
  },
  /** A query has no series, while another has some. */
  "found-none": (record, [n, other]) => {
    const count = (one: string | undefined): number | undefined => listAt(jsonOf(nth(record, one)), "data.result")?.length;
    if (count(n) !== 0) return notGood(nth(record, n)) ?? `the query has ${count(n) ?? "no"} series`;
    return (count(other) ?? 0) > 0 ? undefined : "the other query has no series either";
  },
};
