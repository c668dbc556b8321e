import { type Line, pageOf, type PageSeen } from "./page.ts";
import type { CaseRecord } from "./record.ts";
import { isRefusal, notGood, nth, type Rules } from "./seen.ts";

/** What must be true of pages of selected series. */

const seen = (record: CaseRecord, n: string | undefined): PageSeen | string => {
  const answer = nth(record, n);
  return notGood(answer) ?? pageOf(answer.text);
};
/** A label and its value, written as `a=b`. */
const pair = (text: string): readonly [string, string] => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];
const has = ({ labels }: Line, text: string): boolean => (labels[pair(text)[0]] ?? "") === pair(text)[1];
const numberOf = (text: string): number => (text.endsWith("Inf") ? (text.startsWith("-") ? -Infinity : Infinity) : Number(text));
const isSame = (a: string, b: string): boolean => Object.is(numberOf(a), numberOf(b));

export const FEDERATION_RULES: Rules = {
  /** The page has these series: names and a label each. */
  shows: (record, [n, ...words]) => {
    const page = seen(record, n);
    if (typeof page === "string") return page;
    for (let at = 0; at < words.length; at += 2)
      if (!page.lines.some((line) => line.name === words[at] && has(line, words[at + 1]!)))
        return `${words[at]}{${words[at + 1]}} is missing`;
    return undefined;
  },
  /** The page has no other series than these, written as `a{b=c}`. */
  "shows-only": (record, [n, ...wanted]) => {
    const page = seen(record, n);
    if (typeof page === "string") return page;
    const isWanted = (line: Line): boolean =>
      wanted.some((one) => line.name === one.split("{")[0] && has(line, one.slice(one.indexOf("{") + 1, -1)));
    if (page.lines.length === 0) return "the page is empty";
    const odd = page.lines.find((line) => !isWanted(line));
    return odd === undefined ? undefined : `${odd.name} is shown with ${JSON.stringify(odd.labels)}`;
  },
  /** These names occur, and no others. */
  names: (record, [n, ...wanted]) => {
    const page = seen(record, n);
    if (typeof page === "string") return page;
    const found = [...new Set(page.lines.map(({ name }) => name))].toSorted();
    return found.join() === wanted.toSorted().join() ? undefined : `the page has ${found.join(", ") || "nothing"}`;
  },
  /** No series occurs twice. */
  once: (record, [n, name]) => {
    const page = seen(record, n);
    if (typeof page === "string") return page;
    const keys = page.lines.filter((line) => line.name === name).map(({ labels }) => JSON.stringify(Object.entries(labels).toSorted()));
    if (keys.length === 0) return `${name} is missing`;
    return new Set(keys).size === keys.length ? undefined : `${name} is shown ${keys.length} times for ${new Set(keys).size} series`;
  },
  "refused-or-empty": (record, [n]) => {
    const answer = nth(record, n);
    if (isRefusal(answer)) return undefined;
    const { lines } = pageOf(answer.text);
    return notGood(answer) ?? (lines.length === 0 ? undefined : `the page has ${lines.length} series`);
  },
  empty: (record, [n]) => {
    const page = seen(record, n);
    return typeof page === "string" ? page : page.lines.length === 0 ? undefined : `the page has ${page.lines[0]!.name}`;
  },
  value: (record, [n, name, label, value]) => {
    const page = seen(record, n);
    if (typeof page === "string") return page;
    const found = page.lines.find((line) => line.name === name && has(line, label!));
    if (found === undefined) return `${name} is missing`;
    return isSame(found.value, value!) ? undefined : `the value of ${name} is ${found.value}`;
  },
  /** A series of this name has all of these labels; the first may tell which one. */
  labels: (record, [n, name, ...labels]) => {
    const page = seen(record, n);
    if (typeof page === "string") return page;
    const found = page.lines.filter((line) => line.name === name);
    const wanted = labels.map((one) => one.replace("{target}", record.target));
    if (found.length === 0) return `${name} is missing`;
    return found.some((line) => wanted.every((one) => has(line, one)))
      ? undefined
      : `${name} is shown with ${JSON.stringify(found[0]!.labels)}`;
  },
  type: (record, [n, name, type]) => {
    const page = seen(record, n);
    if (typeof page === "string") return page;
    if (!page.lines.some((line) => line.name === name)) return `${name} is missing`;
    const stated = page.types.find(([one]) => one === name)?.[1] ?? "untyped";
    return stated === type ? undefined : `the type of ${name} is ${stated}`;
  },
  "content-type": (record, [n, type]) => {
    const answer = nth(record, n);
    return (
      notGood(answer) ?? (answer.contentType.toLowerCase().startsWith(type!) ? undefined : `the content type is "${answer.contentType}"`)
    );
  },
  "well-formed": (record, [n]) => {
    const page = seen(record, n);
    if (typeof page === "string") return page;
    if (page.lines.length === 0) return "the page has no sample";
    return page.odd === undefined ? undefined : `a line is ${JSON.stringify(page.odd.slice(0, 100))}`;
  },
  grouped: (record, [n]) => {
    const page = seen(record, n);
    if (typeof page === "string") return page;
    const order = page.lines.map(({ name }) => name);
    if (new Set(order).size < 2) return "the page has less than two names";
    const odd = order.find((name, at) => at > 0 && order[at - 1] !== name && order.indexOf(name) < at);
    return odd === undefined ? undefined : `${odd} is shown in two places`;
  },
  "types-once": (record, [n]) => {
    const page = seen(record, n);
    if (typeof page === "string") return page;
    const names = page.types.map(([name]) => name);
    if (page.lines.length === 0) return "the page has no sample";
    const twice = names.find((name, at) => names.indexOf(name) < at);
    if (twice !== undefined) return `the type of ${twice} is stated twice`;
    const isLate = (name: string): boolean => page.order.includes(name) && page.order.indexOf(name) < page.order.indexOf(`# ${name}`);
    const late = names.find(isLate);
    return late === undefined ? undefined : `the type of ${late} comes after a sample`;
  },
};
