import { readFileSync } from "node:fs";
import { WrongUse } from "./driver.ts";
import { atATime } from "./perform.ts";
import type { CaseResult } from "./result.ts";
import { isRecord } from "./shapes.ts";

/** What a case showed of a subject: the same in two runs unless the subject behaves differently. */
export type Sight = Pick<CaseResult, "verdict" | "outcome" | "observed" | "details">;
type Seen = Sight & Pick<CaseResult, "role" | "id">;

/** What differs from run to run, and says nothing about the subject: paths that a run draws, ports, durations, and when the PONG came that ends a case. */
const CHANCE: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/\/touchstone-[a-z\d]+-\d+/g, "/touchstone-…"],
  [/(127\.0\.0\.1|localhost|\[::1\]):\d+/g, "$1:…"],
  [/(?:, )?PONG "fence [\d-]+"/g, ""],
  [/\b\d+(?:\.\d+)? m?s\b/g, "…"],
];

/** One line that is equal for two performances in which the subject behaved alike: the verdict, which of the allowed outcomes, and what was seen. */
export function sightOf({ verdict, outcome = -1, observed }: Sight): string {
  return `${verdict} ${outcome + 1}: ${withoutChance(observed)}`;
}
/** The same of what was seen besides; undefined for a suite that reports nothing else. */
export const detailsOf = ({ details }: Sight): string | undefined => (details === undefined ? undefined : withoutChance(details));
const withoutChance = (words: string): string => CHANCE.reduce((text, [pattern, word]) => text.replaceAll(pattern, word), words);

const keyOf = ({ role, id }: Pick<Seen, "role" | "id">): string => `${role} ${id}`;
/** How often a case that moved is repeated; it has moved only if no repetition shows what was seen before. */
const REPETITIONS = 5;
const CONCURRENCY = 4;
/** Cases that wait for silence take long: only so many of those are repeated. */
const SLOW_MS = 1000;
const SLOW_ONES = 24;

/** An earlier run of the same subject, to find what moved since: cases that show something else, whether or not the specification permits it. */
export class Earlier {
  readonly #seen: ReadonlyMap<string, Seen>;

  constructor(cases: readonly Seen[]) {
    this.#seen = new Map(cases.map((c) => [keyOf(c), c]));
  }

  /** Reads a result that `--save` wrote: one run, or a list of them. Throws `WrongUse` if the file has none. */
  static read(path: string): Earlier {
    let data: unknown;
    try {
      data = JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
      throw new WrongUse(
        `The earlier result ${path} cannot be read (${error instanceof Error ? error.message : String(error)}): write one with --save.`,
      );
    }
    const runs: readonly unknown[] = Array.isArray(data) ? data : [data];
    const cases = runs.flatMap((run): unknown[] => (isRecord(run) && Array.isArray(run["cases"]) ? run["cases"] : []));
    if (cases.length === 0 || !cases.every(isSeen))
      throw new WrongUse(`${path} is not a result of touchstone check: write one with --save.`);
    return new Earlier(cases);
  }

  /** What was seen of this case; undefined if the earlier run did not include it. */
  of(c: Pick<Seen, "role" | "id">): Sight | undefined {
    return this.#seen.get(keyOf(c));
  }

  hasMoved(c: CaseResult): boolean {
    const before = this.of(c);
    return before !== undefined && (sightOf(before) !== sightOf(c) || haveMoved(before, c));
  }

  /**
   * Marks each case that the earlier run includes: `moved`, with what was seen then, or `expected` if it did not pass then and shows the same
   * now. `again` performs a case again, so that a subject with a race, or a busy machine, does not count as a change.
   */
  async mark(results: CaseResult[], again: (result: CaseResult) => Promise<CaseResult>): Promise<void> {
    let slow = 0;
    const repeated = [...results.keys()].filter((at) => {
      const c = results[at];
      return c !== undefined && this.hasMoved(c) && (c.ms < SLOW_MS || ++slow <= SLOW_ONES);
    });
    await atATime(repeated, CONCURRENCY, async (at) => {
      const details = new Set<string | undefined>();
      for (let left = REPETITIONS; left > 0; left--) {
        const c = results[at];
        if (c === undefined || !this.hasMoved(c)) return;
        const other = await again(c);
        details.add(detailsOf(other));
        if (left === 1 || !this.hasMoved(other)) results[at] = other;
      }
      const [c, before] = [results[at], results[at] && this.of(results[at])];
      // Details that differ from one performance to the next are chance.
      if (c !== undefined && before?.details !== undefined && details.size > 1) results[at] = { ...c, details: before.details };
    });
    for (const [at, c] of results.entries()) {
      const before = this.of(c);
      if (before === undefined) continue;
      if (this.hasMoved(c)) results[at] = { ...inFull(c, before), baseline: "moved" };
      else if (c.verdict !== "pass") results[at] = { ...c, baseline: "expected" };
    }
  }
}

/** Whether the details differ; a run of an older version has none. */
function haveMoved(before: Sight, now: Sight): boolean {
  const [then, seen] = [detailsOf(before), detailsOf(now)];
  return then !== undefined && seen !== undefined && then !== seen;
}

/** A case that moved, beside what it showed before: with the details if nothing else differs. */
function inFull(c: CaseResult, before: Sight): CaseResult {
  const { verdict, observed, details } = before;
  if (sightOf(c) !== sightOf(before)) return { ...c, before: { verdict, observed } };
  return { ...c, observed: `${c.observed} [${c.details}]`, before: { verdict, observed: `${observed} [${details}]` } };
}

const isSeen = (value: unknown): value is Seen =>
  isRecord(value) &&
  typeof value["id"] === "string" &&
  typeof value["role"] === "string" &&
  typeof value["verdict"] === "string" &&
  typeof value["observed"] === "string";
