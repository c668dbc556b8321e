import { type AnyCase, isOwnControl } from "./case.ts";
import type { Driver, Feature, Played, Twin } from "./driver.ts";
import type { CaseResult, Verdict } from "./result.ts";
import { judge } from "./verdict.ts";

/** A judged case: the result, and the performances that led to it. */
export type Performed = {
  readonly result: CaseResult;
  /** No repetition can change it: the strict outcome was seen, or the subject does not offer the feature. */
  readonly isSettled: boolean;
  readonly twin?: Twin;
  readonly played?: Played;
};

export type PerformOptions = {
  /** The subject's optional features. Without them no case is skipped for a feature. */
  readonly features?: ReadonlyMap<string, Feature>;
  /** Features that the subject is known to offer: without one of them a case is unproved, not skipped. */
  readonly offers?: readonly string[];
  /** Performs a case for its transcript even if its control was refused, which already decides the verdict of a case with a mistake. */
  readonly evidence: boolean;
};

/** What the placeholders of cases stand for, in words: a reader of results does not know them. */
const PLACEHOLDER = /\{(path|missing|echo|early|chunked|trailers|etag|modified|authority|scheme|post)\}/g;
const withoutBraces = (words: string): string => words.replaceAll(PLACEHOLDER, "the $1 of the server");

/** Performs cases on one subject, each after its control, and judges them. Equal controls are performed once. */
export class Performer<C extends AnyCase> {
  readonly #driver: Driver<C>;
  readonly #options: PerformOptions;
  readonly #controls = new Map<string, Promise<Twin>>();

  constructor(driver: Driver<C>, options: PerformOptions) {
    this.#driver = driver;
    this.#options = options;
  }

  /**
   * `afresh`: performs the control again, because the shared one may be what differed, and with so much `patience`. A throw becomes an
   * `error`.
   */
  async perform(c: C, afresh?: { readonly patience: number }): Promise<Performed> {
    const began = performance.now();
    const expected = this.#driver.expected(c);
    const done = (verdict: Verdict, reason: string, played?: Played, twin?: Twin): Performed => ({
      result: {
        id: c.id,
        spec: c.spec,
        level: c.level,
        role: c.role,
        title: c.title,
        verdict,
        reason: withoutBraces(reason),
        expected: expected.map(withoutBraces),
        ...(played?.is === "allowed" && played.index !== undefined ? { outcome: played.index } : {}),
        ...(played?.timedOut === true ? { timedOut: true } : {}),
        observed: played?.observed ?? "nothing",
        ...(played?.details === undefined ? {} : { details: played.details }),
        covers: c.covers,
        ms: Math.round(performance.now() - began),
        transcript: played?.transcript ?? [],
        ...(twin === undefined ? {} : { control: twin.transcript }),
        ...(played?.cost === undefined ? {} : { cost: { ...played.cost, ...(c.budget === undefined ? {} : { budget: c.budget }) } }),
      },
      isSettled: verdict === "pass" && played?.index === 0,
      ...(twin === undefined ? {} : { twin }),
      ...(played === undefined ? {} : { played }),
    });
    const settled = (verdict: Verdict, reason: string): Performed => ({ ...done(verdict, reason), isSettled: true });
    const { features, evidence, offers = [] } = this.#options;
    for (const need of features === undefined ? [] : (c.needs ?? [])) {
      const feature = features?.get(need);
      if (feature === undefined) return settled("error", `The case needs "${need}", which no probe of this suite detects.`);
      if (!feature.has) {
        const reason = `Not offered (${need}): ${feature.how}.`;
        return offers.includes(need) ? settled("unproved", `${reason} The run was to expect it.`) : settled("skip", reason);
      }
    }
    try {
      const twin = await (afresh === undefined ? this.#control(c) : this.#driver.control(c, afresh.patience));
      if (twin.is === "error" || twin.is === "skip" || twin.is === "unproved") return done(twin.is, twin.reason, undefined, twin);
      const played = twin.is === "accepted" || evidence || isOwnControl(c) ? await this.#driver.play(c, afresh?.patience) : undefined;
      const { verdict, reason } = judge(c, twin, played, expected);
      return done(verdict, reason, played, twin);
    } catch (error) {
      return done("error", `The harness failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #control(c: C): Promise<Twin> {
    const key = this.#driver.controlKey(c);
    const twin = this.#controls.get(key) ?? this.#driver.control(c);
    this.#controls.set(key, twin);
    return twin;
  }
}

/** Performs every case, at most `concurrency` at a time. */
export async function atATime<T>(items: Iterable<T>, concurrency: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
