import { RE2JS } from "re2js";

/** How a matcher compares (Prometheus docs, querying/basics.md, "Instant vector selectors"). */
export type MatchOperator = "=" | "!=" | "=~" | "!~";

/** An invalid regular expression, with the reason. */
export class BadPattern extends Error {
  override readonly name = "BadPattern";
  readonly code = "BAD_PATTERN";
}

/**
 * A condition on the value of a label; a missing label has the empty value. Regular expressions are anchored at both ends, `.` matches every character,
 * and matching takes linear time, so no expression can stall a query.
 */
export class Matcher {
  readonly name: string;
  readonly operator: MatchOperator;
  readonly value: string;
  /** All values that match, if the operator and the pattern list them. */
  readonly values: readonly string[] | undefined;
  /** The common prefix of all values that the pattern matches (for `=~` and `!~`). */
  readonly prefix: string;
  readonly #takes: (value: string) => boolean;

  /** Throws `BadPattern`. */
  constructor(name: string, operator: MatchOperator, value: string) {
    this.name = name;
    this.operator = operator;
    this.value = value;
    const pattern = operator === "=" || operator === "!=" ? exactly([value]) : understood(value);
    this.#takes = pattern.takes;
    this.prefix = pattern.prefix;
    this.values = this.isNegative ? undefined : pattern.values;
  }

  get isNegative(): boolean {
    return this.operator === "!=" || this.operator === "!~";
  }

  matches(value: string): boolean {
    return this.#takes(value) !== this.isNegative;
  }

  /** Whether a series without the label matches. */
  get matchesEmpty(): boolean {
    return this.matches("");
  }

  toString(): string {
    return `${this.name}${this.operator}${JSON.stringify(this.value)}`;
  }
}

type Pattern = { readonly takes: (value: string) => boolean; readonly prefix: string; readonly values?: readonly string[] };

function exactly(values: readonly string[]): Pattern {
  const [only = "", second] = values;
  if (second === undefined) return { takes: (value) => value === only, prefix: only, values };
  const known = new Set(values);
  return { takes: (value) => known.has(value), prefix: "", values: [...known] };
}

const LITERAL = /^[^\\.+*?()[\]{}^$|]*$/;
/** The most cached results of a pattern: most labels have few values, and each is tested once per series. */
const MOST_KEPT = 4_096;

/** Lists of words, and a word followed by anything, need no automaton. */
function understood(source: string): Pattern {
  const words = source.split("|");
  if (words.every((word) => LITERAL.test(word))) return exactly(words);
  if (source === ".*") return { takes: () => true, prefix: "" };
  if (source === ".+") return { takes: (value) => value !== "", prefix: "" };
  const tail = source.slice(-2);
  const head = source.slice(0, -2);
  if ((tail === ".*" || tail === ".+") && LITERAL.test(head)) {
    const least = head.length + (tail === ".+" ? 1 : 0);
    return { takes: (value) => value.length >= least && value.startsWith(head), prefix: head };
  }
  const machine = compiled(source);
  const kept = new Map<string, boolean>();
  const takes = (value: string): boolean => {
    const known = kept.get(value);
    if (known !== undefined) return known;
    const verdict = machine.testExact(value);
    if (kept.size < MOST_KEPT) kept.set(value, verdict);
    return verdict;
  };
  return { takes, prefix: literalHead(source) };
}

function compiled(source: string): RE2JS {
  try {
    return RE2JS.compile(source, RE2JS.DOTALL);
  } catch (error) {
    throw new BadPattern(`"${source}" is not a regular expression: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** The literal characters before the first operator, without the last one if that operator makes it optional. */
function literalHead(source: string): string {
  if (source.includes("|") || source.startsWith("(?")) return "";
  const [head = ""] = /^[^\\.+*?()[\]{}^$|]*/.exec(source) ?? [];
  return head.length < source.length && /[*?{]/.test(source[head.length] ?? "") ? head.slice(0, -1) : head;
}
