import { RE2JS } from "re2js";

/** How a matcher compares (Prometheus docs, querying/basics.md, "Instant vector selectors"). */
export type MatchOperator = "=" | "!=" | "=~" | "!~";

/** A pattern is no regular expression: what is wrong with it. */
export class BadPattern extends Error {
  override readonly name = "BadPattern";
  readonly code = "BAD_PATTERN";
}

/**
 * One condition on a label's value; a label that is not there has the empty one. Regular expressions are anchored at both ends, `.` matches every
 * character, and the engine's time is linear in the text: no expression can make a query catastrophic.
 */
export class Matcher {
  readonly name: string;
  readonly operator: MatchOperator;
  readonly value: string;
  /** The only values that match, where the operator and the pattern name them all. */
  readonly values: readonly string[] | undefined;
  /** Every value that the pattern takes begins so (of `=~` and `!~`). */
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

  /** A series without the label passes too. */
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
/** Verdicts that are kept for a pattern: as many labels have few values, and each is asked about once for every series. */
const MOST_KEPT = 4_096;

/** What is a list of words, or a word with anything behind it, needs no automaton; the rest goes to one. */
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

/** The letters before the first sign with a meaning, less the last where that sign makes it optional. */
function literalHead(source: string): string {
  if (source.includes("|") || source.startsWith("(?")) return "";
  const [head = ""] = /^[^\\.+*?()[\]{}^$|]*/.exec(source) ?? [];
  return head.length < source.length && /[*?{]/.test(source[head.length] ?? "") ? head.slice(0, -1) : head;
}
