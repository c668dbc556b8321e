import { readFileSync } from "node:fs";
import { join } from "node:path";
import { WrongUse } from "../../conformance/harness/driver.ts";
import type { CaseResult } from "../../conformance/harness/result.ts";
import { type Examination, type Shown, shownBy } from "./baseline.ts";
import { type Examined, examine } from "./examine.ts";
import type { SubjectAddress } from "./ipc.ts";
import type { Mutant } from "./mutants.ts";
import { nearFirst } from "./near.ts";
import { Silence } from "./silence.ts";

/**
 * The case that detected a mistake, and how. `moved`: by what it shows instead of what the original shows (`check --same-as`), not by its
 * verdict, since the specification permits both.
 */
export type Catch = { readonly by: string; readonly how: string; readonly moved?: true };

/**
 * How long a mutant may be silent: this multiple of the time that the unmutated subject takes for all cases, plus this constant. Each result
 * begins it anew, so that a slow machine is no catch.
 */
const TIME_FACTOR = 5;
const TIME_MORE_MS = 60_000;
/** How many cases that caught mutants of the same file run first; with more it would be no faster. */
const MOST_HINTS = 24;

/** How many cases that moved are tried, and how often each must show the difference, so that chance is no catch. */
const MOST_MOVED = 24;
const MOVED_PROOFS = 6;

/** How often to repeat a probe that fails on the unmutated subject too. */
const MOST_PROBES = 3;

export type Stage = "cases" | "floods";

/** How a mutant is judged. `hints`: cases to run first. `passed`: those that it has passed, on other subjects too; they do not run again. */
export type Course = { readonly hints: readonly string[]; readonly passed: Set<string> };

/** Judges mutants by the cases of the suites, one at a time. Unmutated subjects run beside them, to distinguish a mistake from a busy machine. */
export class Judging {
  readonly #root: string;
  readonly #clean = new Map<SubjectAddress, Promise<Examined>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Undefined if no case of this stage detects the mistake. */
  async judge(mutant: Mutant, examination: Examination, stage: Stage, { hints, passed }: Course): Promise<Catch | undefined> {
    const ids = (stage === "cases" ? examination.ids : examination.abuse).filter((id) => !passed.has(id));
    if (ids.length === 0 || examination.reached?.includes(mutant.file) === false) return undefined;
    const { address } = examination;
    const of = `${address.role}${address.index === 0 ? "" : ` ${address.index + 1}`}`;
    let examined: Examined;
    try {
      examined = await examine(address, mutant, this.#root);
    } catch (error) {
      const how = `does not start: ${error instanceof Error ? error.message : String(error)}`;
      if (!(await this.#startsClean(examination)))
        throw new Error(`without a mistake the subject does not start either: ${how}`, { cause: error });
      return { by: of, how };
    }
    const limit = TIME_FACTOR * (stage === "cases" ? examination.ms : examination.abuseMs) + TIME_MORE_MS;
    const silence = new Silence(limit);
    const late = silence.late.then((): Catch => ({ by: of, how: `no result within ${Math.round(limit / 1000)} s` }));
    const crash = examined.apart.ended.then((why): Catch => ({ by: of, how: why }));
    try {
      const first = hints.filter((id) => ids.includes(id)).slice(0, MOST_HINTS);
      const rest = nearFirst(
        ids.filter((id) => !first.includes(id)),
        examination.sections,
        readFileSync(join(this.#root, mutant.file), "utf8"),
      );
      if (examination.reached === undefined && !(await loads(mutant, examined, ids))) return undefined;
      return await Promise.race([this.#ask(silence.heard(examined), examination, [first, rest], passed), late, crash]);
    } finally {
      silence.end();
      await examined.stop();
    }
  }

  async close(): Promise<void> {
    for (const one of this.#clean.values()) await (await one).stop();
  }

  async #ask(
    examined: Examined,
    examination: Examination,
    parts: readonly (readonly string[])[],
    passed: Set<string>,
  ): Promise<Catch | undefined> {
    const left = parts.map((part) => new Set(part));
    const moved: CaseResult[] = [];
    let unreachable = 0;
    for (const part of left) {
      while (part.size > 0) {
        const judged = await untilFirstFailure(examined, examination, part);
        if (judged === "unreachable") {
          unreachable += 1;
          const isBusy = unreachable < MOST_PROBES && !(await this.#cleanPasses(examination, [...part].slice(0, 1)));
          if (!isBusy) return { by: "probe", how: "cannot be reached" };
          continue;
        }
        for (const { id, verdict, reason } of judged.filter(isBad)) {
          if (await this.#isConfirmed(examined, examination, id)) return { by: id, how: `${verdict}: ${reason}` };
        }
        for (const { id } of judged.filter(({ verdict }) => verdict === "pass")) passed.add(id);
        moved.push(...judged.filter((c) => !isBad(c) && ASPECTS.some((aspect) => differs(c, examination, aspect))));
      }
    }
    return this.#firstMoved(examined, examination, moved);
  }

  /** The first case that shows something else whenever it is performed, while the unmutated subject shows what it did before. */
  async #firstMoved(examined: Examined, examination: Examination, moved: readonly CaseResult[]): Promise<Catch | undefined> {
    // A difference in what was observed is easier to read than one in the details.
    const candidates = ASPECTS.flatMap((aspect) =>
      moved.filter((c) => differs(c, examination, aspect)).map((c) => ({ id: c.id, aspect, now: shownBy(c)[aspect] })),
    );
    for (const { id, aspect, now } of candidates.slice(0, MOST_MOVED)) {
      let agree = true;
      for (let left = MOVED_PROOFS; left > 0 && agree; left--) {
        const again = await resultOf(examined, examination, id);
        agree = again !== undefined && differs(again, examination, aspect);
        const clean = agree ? await resultOf(await this.#cleanOf(examination), examination, id) : undefined;
        agree &&= clean !== undefined && !differs(clean, examination, aspect);
      }
      if (agree) return { by: id, how: `moved: ${now}, before: ${examination.shown[id]?.[aspect] ?? ""}`, moved: true };
    }
    return undefined;
  }

  /** Whether the case fails again alone while the unmutated subject passes it. */
  async #isConfirmed(examined: Examined, examination: Examination, id: string): Promise<boolean> {
    const again = await verdictOf(examined, examination, id);
    return again !== "pass" && again !== "skip" && (await this.#cleanPasses(examination, [id]));
  }

  /** Whether another unmutated subject starts now: packages may be missing while they are installed. */
  async #startsClean({ address }: Examination): Promise<boolean> {
    try {
      await (await examine(address, undefined, this.#root)).stop();
      return true;
    } catch {
      return false;
    }
  }

  async #cleanPasses(examination: Examination, ids: readonly string[]): Promise<boolean> {
    const examined = await this.#cleanOf(examination);
    for (const id of ids) if ((await verdictOf(examined, examination, id)) !== "pass") return false;
    return true;
  }

  #cleanOf({ address }: Examination): Promise<Examined> {
    const clean = this.#clean.get(address) ?? examine(address, undefined, this.#root);
    this.#clean.set(address, clean);
    return clean;
  }
}

const verdictOf = async (examined: Examined, examination: Examination, id: string): Promise<CaseResult["verdict"]> =>
  (await resultOf(examined, examination, id))?.verdict ?? "error";

/** Performs a case alone; undefined if the subject cannot be reached. */
async function resultOf(examined: Examined, { offers }: Examination, id: string): Promise<CaseResult | undefined> {
  try {
    const { cases } = await examined.ask({ ids: [id], offers, concurrency: 1 });
    return cases[0];
  } catch {
    return undefined;
  }
}

/** Whether the subject has loaded the mutated file once it has performed a case: a command starts no sooner. */
async function loads({ file }: Mutant, { order, ask }: Examined, ids: readonly string[]): Promise<boolean> {
  // A subject that fails here has loaded the file or not, and that is all that counts: its cases are judged later.
  if (!order.reached().has(file)) await ask({ ids: ids.slice(0, 1) }).catch(() => {});
  return order.reached().has(file);
}

const ASPECTS = ["sight", "details"] as const satisfies readonly (keyof Shown)[];
/** Whether the case shows something else than on the unmutated subject. */
function differs(c: CaseResult, { shown }: Examination, aspect: keyof Shown): boolean {
  const before = shown[c.id]?.[aspect];
  return before !== undefined && before !== shownBy(c)[aspect];
}

/** Runs cases until one fails, and returns those that were judged, which it removes from `left`. */
async function untilFirstFailure(
  examined: Examined,
  { offers }: Examination,
  left: Set<string>,
): Promise<readonly CaseResult[] | "unreachable"> {
  const abort = new AbortController();
  const onResult = (result: CaseResult): void => {
    if (isBad(result)) abort.abort();
  };
  try {
    const { cases } = await examined.ask({ ids: [...left], offers, signal: abort.signal, onResult });
    for (const { id } of cases) left.delete(id);
    return cases;
  } catch (error) {
    // A mistake of the suite is no mistake of the mutant.
    if (error instanceof WrongUse) throw error;
    return "unreachable";
  }
}

/** A missing feature is not a mistake. */
const isBad = ({ verdict }: CaseResult): boolean => verdict !== "pass" && verdict !== "skip";
