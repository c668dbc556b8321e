import type { Request } from "../../http/index.ts";
import type { Matcher } from "../model/index.ts";
import { describeFault, MAX_DURATION_MS, parseSelector, readDuration } from "../promql/index.ts";
import { ApiError } from "./answer.ts";
import { EARLIEST, LATEST, readNumber, readTime } from "./time.ts";

/** A form is a query that was too long for a target: beyond this it is refused. */
const MOST_FORM_OCTETS = 10 << 20;
/** Clients say "all" by the largest whole number that they have. */
const MOST_LIMIT = 2 ** 63;
/** What has content that means something. */
const FORM_METHODS: ReadonlySet<string> = new Set(["POST", "PUT"]);

/** The parameters of one request: from its target, and from its content where that is a form; of two that differ, the form's come first. */
export class Params {
  readonly #all: URLSearchParams;

  constructor(all: URLSearchParams) {
    this.#all = all;
  }

  /** Throws `ApiError` for a form that is too large. */
  static async of(request: Request): Promise<Params> {
    const search = formOf(searchOf(request.path));
    if (!FORM_METHODS.has(request.method) || !isForm(request)) return new Params(search);
    const text = await request.body.text(MOST_FORM_OCTETS).catch((error: unknown) => {
      throw new ApiError("bad_data", `error parsing form values: ${error instanceof Error ? error.message : String(error)}`);
    });
    return new Params(new URLSearchParams([...formOf(text), ...search]));
  }

  /** Empty where there is none. */
  text(name: string): string {
    return this.#all.get(name) ?? "";
  }
  texts(name: string): string[] {
    return this.#all.getAll(name);
  }

  /** A time that must be there, unless there is a `fallback`. */
  time(name: string, fallback?: number): number {
    const text = this.text(name);
    if (text === "" && fallback !== undefined) return fallback;
    const time = readTime(text);
    if (time === undefined) throw invalid(name, `cannot parse ${JSON.stringify(text)} to a valid timestamp`);
    return time;
  }

  /** From `start` to `end`; each may be left out. */
  range(): { readonly start: number; readonly end: number } {
    const [start, end] = [this.time("start", EARLIEST), this.time("end", LATEST)];
    if (end < start) throw invalid("end", "end timestamp must not be before start time");
    return { start, end };
  }

  /** Milliseconds of a duration, or of seconds with decimals; undefined where there is none. */
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

  /** How many things are wanted at most; infinite where nothing, or zero, says so. */
  limit(name = "limit"): number {
    const text = this.text(name);
    if (text === "") return Number.POSITIVE_INFINITY;
    if (!/^[+-]?\d{1,32}$/.test(text) || Math.abs(Number(text)) > MOST_LIMIT)
      throw invalid(name, `cannot parse ${JSON.stringify(text)} to a whole number`);
    const count = Number(text);
    if (count < 0) throw invalid(name, "limit must be non-negative");
    return count === 0 ? Number.POSITIVE_INFINITY : count;
  }

  /** The series selectors of `match[]`, each a list of matchers. A selector that would take every series is refused, as in a query. */
  selectors(): (readonly Matcher[])[] {
    return this.texts("match[]").map((text) => {
      const selector = parseSelector(text);
      if (selector.is === "fault") throw invalid("match[]", describeFault(text, selector));
      const { matchers } = selector;
      if (matchers.every((matcher) => matcher.matchesEmpty))
        throw new ApiError("bad_data", "match[] must contain at least one non-empty matcher");
      return matchers;
    });
  }
}

export const invalid = (name: string, why: string): ApiError =>
  new ApiError("bad_data", `invalid parameter ${JSON.stringify(name)}: ${why}`);

/** What stands behind the first question mark of a path. */
const searchOf = (path: string): string => {
  const at = path.indexOf("?");
  return at === -1 ? "" : path.slice(at + 1);
};
/** What is not encoded as a form asks is refused: taken for something else, it would be answered, and wrongly. */
function formOf(text: string): URLSearchParams {
  try {
    decodeURIComponent(text);
  } catch {
    throw new ApiError("bad_data", "error parsing form values: a parameter is not percent-encoded UTF-8");
  }
  return new URLSearchParams(text);
}
const isForm = ({ fields }: Request): boolean =>
  (fields.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() === "application/x-www-form-urlencoded";
