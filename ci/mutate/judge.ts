import type { CaseResult } from "../../conformance/harness/result.ts";
import type { Examination } from "./baseline.ts";
import { type Examined, examine } from "./examine.ts";
import type { Mutant } from "./mutants.ts";
import { Silence } from "./silence.ts";

/** The case that detected a mistake, and how. */
export type Catch = { readonly by: string; readonly how: string };

/**
 * How long a mutant may be silent: this multiple of the time that the unmutated subject takes for all cases, plus this constant. Each result
 * begins it anew, so that a slow machine is no catch.
 */
const TIME_FACTOR = 5;
const TIME_MORE_MS = 60_000;
/** How many cases that caught mutants of the same file run first; with more it would be no faster. */
const MOST_HINTS = 24;

/** How often to repeat a probe that fails on the unmutated subject too. */
const MOST_PROBES = 3;

export type Stage = "cases" | "floods";

/** Judges mutants by the cases of the suites, one at a time. Unmutated subjects run beside them, to distinguish a mistake from a busy machine. */
export class Judging {
  readonly #root: string;
  readonly #clean = new Map<Examination, Promise<Examined>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Undefined if no case of this stage detects the mistake. `hints`: cases to run first. */
  async judge(mutant: Mutant, examination: Examination, stage: Stage, hints: readonly string[]): Promise<Catch | undefined> {
    const ids = stage === "cases" ? examination.ids : examination.abuse;
    if (ids.length === 0 || !examination.reached.includes(mutant.file)) return undefined;
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
      const rest = ids.filter((id) => !first.includes(id));
      return await Promise.race([this.#ask(silence.heard(examined), examination, [first, rest]), late, crash]);
    } finally {
      silence.end();
      await examined.stop();
    }
  }

  async close(): Promise<void> {
    for (const one of this.#clean.values()) await (await one).stop();
  }

  async #ask(examined: Examined, examination: Examination, parts: readonly (readonly string[])[]): Promise<Catch | undefined> {
    const left = parts.map((part) => new Set(part));
    let unreachable = 0;
    for (const part of left) {
      while (part.size > 0) {
        const suspects = await firstFailures(examined, examination, part);
        if (suspects === "unreachable") {
          unreachable += 1;
          const isBusy = unreachable < MOST_PROBES && !(await this.#cleanPasses(examination, [...part].slice(0, 1)));
          if (!isBusy) return { by: "probe", how: "cannot be reached" };
          continue;
        }
        for (const { id, verdict, reason } of suspects) {
          if (await this.#isConfirmed(examined, examination, id)) return { by: id, how: `${verdict}: ${reason}` };
        }
      }
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
    const clean = this.#clean.get(examination) ?? examine(examination.address, undefined, this.#root);
    this.#clean.set(examination, clean);
    const examined = await clean;
    for (const id of ids) if ((await verdictOf(examined, examination, id)) !== "pass") return false;
    return true;
  }
}

async function verdictOf(examined: Examined, { offers }: Examination, id: string): Promise<CaseResult["verdict"]> {
  try {
    const { cases } = await examined.ask({ ids: [id], offers, concurrency: 1 });
    return cases[0]?.verdict ?? "error";
  } catch {
    return "error";
  }
}

/** Runs cases until one fails. Removes the judged cases from `left`. */
async function firstFailures(examined: Examined, { offers }: Examination, left: Set<string>): Promise<CaseResult[] | "unreachable"> {
  const abort = new AbortController();
  const onResult = (result: CaseResult): void => {
    if (isBad(result)) abort.abort();
  };
  try {
    const { cases } = await examined.ask({ ids: [...left], offers, signal: abort.signal, onResult });
    for (const { id } of cases) left.delete(id);
    return cases.filter(isBad);
  } catch {
    return "unreachable";
  }
}

/** A missing feature is not a mistake. */
const isBad = ({ verdict }: CaseResult): boolean => verdict !== "pass" && verdict !== "skip";
