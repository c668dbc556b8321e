import { Misuse } from "../../core/index.ts";
import type { Request } from "../../http/index.ts";
import type { Matcher } from "../model/index.ts";
import { describeFault, MAX_DURATION_MS, parseSelector, readDuration } from "../promql/index.ts";
import { ApiError } from "./answer.ts";
import { EARLIEST, LATEST, readNumber, readTime } from "./time.ts";

/** The largest form: an expression has at most a MiB of characters, each up to three octets when encoded. */
const MOST_FORM_OCTETS = 4 << 20;
/** The most parameters and selectors of one request: each is work, and a form has room for millions. */
const MOST_PARAMETERS = 10_000;
const MOST_SELECTORS = 1_000;
/** Clients send their largest integer for "all". */
const MOST_LIMIT = 2 ** 63;
/** The methods whose content is a form. */
const FORM_METHODS: ReadonlySet<string> = new Set(["POST", "PUT"]);

/** The parameters of one request, from its target and from its content if that is a form; those of the form come first. */
export class Params {
  readonly #all: Map<string, string[]>;

  constructor(pairs: Iterable<readonly [name: string, value: string]>) {
    this.#all = new Map();
    for (const [name, value] of pairs) {
      const known = this.#all.get(name);
      if (known === undefined) this.#all.set(name, [value]);
      else known.push(value);
    }
  }

  /** Throws `ApiError` for a form that is too large. */
  static async of(request: Request): Promise<Params> {
    const search = pairsOf(searchOf(request.path));
    if (!FORM_METHODS.has(request.method) || !isForm(request)) return new Params(search);
    const text = await request.body.text(MOST_FORM_OCTETS).catch((error: unknown) => {
      // A form that ends early is malformed; one over the limit is too large (rfc9110#15.5.14).
      if (error instanceof Misuse) throw new ApiError("bad_data", `the form is longer than ${MOST_FORM_OCTETS} octets`, 413);
      throw new ApiError("bad_data", `error parsing form values: ${error instanceof Error ? error.message : String(error)}`);
    });
    return new Params([...pairsOf(text), ...search]);
  }

  /** The first value of a parameter, or "" if there is none. */
  text(name: string): string {
    return this.texts(name)[0] ?? "";
  }
  texts(name: string): readonly string[] {
    return this.#all.get(name) ?? [];
  }

  /** A time parameter; required unless there is a `fallback`. */
  time(name: string, fallback?: number): number {
    const text = this.text(name);
    if (text === "" && fallback !== undefined) return fallback;
    const time = readTime(text);
    if (time === undefined) throw invalid(name, `cannot parse ${JSON.stringify(text)} to a valid timestamp`);
    return time;
  }

  /** The range from `start` to `end`; both are optional. */
  range(): { readonly start: number; readonly end: number } {
    const [start, end] = [this.time("start", EARLIEST), this.time("end", LATEST)];
    if (end < start) throw invalid("end", "end timestamp must not be before start time");
    return { start, end };
  }

  /** A duration, or seconds with decimals, in milliseconds; undefined if absent. */
  duration(name: string): number | undefined {
    const text = this.text(name);
    if (text === "") return undefined;
    const seconds = readNumber(text);
    const ms = seconds === undefined ? readDuration(text) : seconds * 1_000;
    if (ms === "outOfRange" || (typeof ms === "number" && Math.abs(ms) > MAX_DURATION_MS))
      throw invalid(name, `cannot parse ${JSON.stringify(text)} to a valid duration. It overflows int64`);
    if (ms === "invalid") throw invalid(name, `cannot parse ${JSON.stringify(text)} to a valid duration`);
    return ms;
  }

  /** The limit on the number of results; infinite if absent or zero. */
  limit(name = "limit"): number {
    const text = this.text(name);
    if (text === "") return Number.POSITIVE_INFINITY;
    if (!/^[+-]?\d{1,32}$/.test(text) || Math.abs(Number(text)) > MOST_LIMIT)
      throw invalid(name, `cannot parse ${JSON.stringify(text)} to a whole number`);
    const count = Number(text);
    if (count < 0) throw invalid(name, "limit must be non-negative");
    return count === 0 ? Number.POSITIVE_INFINITY : count;
  }

  /** The series selectors of `match[]`, each a list of matchers. A selector of every series is refused, as in a query. */
  selectors(): (readonly Matcher[])[] {
    const texts = [...new Set(this.texts("match[]"))];
    if (texts.length > MOST_SELECTORS) throw new ApiError("bad_data", `there are more than ${MOST_SELECTORS} match[] parameters`);
    return texts.map((text) => {
      const selector = parseSelector(text);
      if (selector.is === "fault") throw invalid("match[]", describeFault(text, selector));
      const { matchers } = selector;
      if (matchers.every((matcher) => matcher.matchesEmpty))
        throw new ApiError("bad_data", "match[] must contain at least one non-empty matcher");
      return matchers;
    });
  }
}

const TRUE: ReadonlySet<string> = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const FALSE: ReadonlySet<string> = new Set(["", "0", "f", "F", "false", "FALSE", "False"]);

/** A parameter that is on or off; off if it is absent. */
export function isTrue(params: Params, name: string): boolean {
  const text = params.text(name);
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw new ApiError("bad_data", `error converting ${name}: ${JSON.stringify(text)} is not true or false`);
}

export const invalid = (name: string, why: string): ApiError =>
  new ApiError("bad_data", `invalid parameter ${JSON.stringify(name)}: ${why}`);

/** The query string of a path. */
const searchOf = (path: string): string => {
  const at = path.indexOf("?");
  return at === -1 ? "" : path.slice(at + 1);
};
/** Refuses malformed form encoding: a guess would give a wrong answer. */
function pairsOf(form: string): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let from = 0; from < form.length;) {
    const end = form.indexOf("&", from);
    const pair = form.slice(from, end === -1 ? form.length : end);
    from += pair.length + 1;
    if (pair === "") continue;
    if (pairs.length === MOST_PARAMETERS)
      throw new ApiError("bad_data", `error parsing form values: there are more than ${MOST_PARAMETERS} parameters`);
    const at = pair.indexOf("=");
    pairs.push(at === -1 ? [decoded(pair), ""] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))]);
  }
  return pairs;
}
function decoded(text: string): string {
  try {
    // For millions of plus signs `replaceAll` takes four times as long.
    return decodeURIComponent(text.split("+").join(" "));
  } catch {
    throw new ApiError("bad_data", "error parsing form values: a parameter is not percent-encoded UTF-8");
  }
}
const isForm = ({ fields }: Request): boolean =>
  (fields.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() === "application/x-www-form-urlencoded";
