import type { AnyCase } from "./case.ts";
import type { CaseResult } from "./result.ts";
import { listOf, membersOf } from "./shapes.ts";

/** What a sight may contain, in any vocabulary. */
type AnySight = {
  readonly see: string;
  readonly of?: AnySight | readonly AnySight[];
  readonly ok?: boolean;
  readonly status?: unknown;
  readonly responses?: number;
};

/** Mistakes that are tried on request, and how many of them, or of all, must be noticed: one may be a matter of chance. */
const TRIES = 6;
const NOTICED = 2;
const SHARE = 10;
/** A section with fewer mistakes that must be noticed is judged with its whole document, or the suite. */
const FEWEST = 10;

const isErrorStatus = (status: unknown): boolean =>
  Array.isArray(status) && status.length > 0 && status.every((one) => Number(String(one)[0]) >= 4);

/** Whether the sight shows that the subject noticed a mistake. */
export function isNotice(see: AnySight, refusals: readonly string[]): boolean {
  const parts = see.of === undefined ? [] : listOf(see.of);
  if (see.see === "all") return parts.some((one) => isNotice(one, refusals));
  if (see.see === "any") return parts.every((one) => isNotice(one, refusals));
  // After a good response the end of the connection is no refusal.
  if ((see.responses ?? 0) > 0) return false;
  return refusals.includes(see.see) || see.ok === false || isErrorStatus(see.status);
}

/** Whether the sight shows a refusal by the status of a response. */
function isToldByStatus(see: AnySight, byStatus: readonly string[]): boolean {
  const parts = see.of === undefined ? [] : listOf(see.of);
  return byStatus.includes(see.see) || isErrorStatus(see.status) || parts.some((one) => isToldByStatus(one, byStatus));
}

/** Whether we end the connection in the steps, so that its end shows nothing. */
const isEndedByUs = (steps: readonly unknown[]): boolean =>
  steps.some((step) => ["close", "half-close"].includes(String(membersOf(step)["do"])));

/** The addresses that group cases, the narrowest first: `rfc9113#6`, `rfc9113`, and all. */
function scopesOf(spec: string): string[] {
  const [document = "", section = ""] = spec.split("#");
  return [`${document}#${section.split(".")[0]}`, document, ""];
}

export type Proof<C extends AnyCase> = {
  /** Every case of the role, selected or not. */
  readonly cases: readonly C[];
  /** Sights of a subject that refuses. */
  readonly refusals: readonly string[];
  /** The refusals that show in the status of a response, even in cases that list no status. */
  readonly byStatus?: readonly string[];
  /** The status of the subject's good answer, if that is an error: a refusal with the same status is no refusal. */
  readonly goodError?: number;
  /** Performs a case that was not selected. */
  readonly perform: (c: C) => Promise<CaseResult>;
};

/**
 * Withholds credit for accepting from a subject that notices nothing: to accept what is right proves that it was read only if what is wrong
 * is noticed. A pass by acceptance needs a case of the same section (or else document, or else suite) that the subject passed by refusing,
 * or one of the cases that it names in `inverse`. What the selection lacks is performed on request and not reported.
 *
 * Where the good answer is an error by itself, the same status proves nothing as a refusal either.
 */
export async function withhold<C extends AnyCase>(results: readonly CaseResult[], proof: Proof<C>): Promise<CaseResult[]> {
  const witnesses = new Witnesses(results, proof);
  const byId = new Map<string, C>(proof.cases.map((c) => [c.id, c]));
  const checked: CaseResult[] = [];
  for (const result of results) {
    const c = byId.get(result.id);
    if (result.verdict === "pass" && c !== undefined && witnesses.isLikeGood(c, result)) {
      checked.push({ ...result, verdict: "unproved", reason: likeGood(proof.goodError) });
      continue;
    }
    const isAccepting = result.verdict === "pass" && c !== undefined && !witnesses.isNoticed(c, result);
    const reason = isAccepting ? await witnesses.doubt(c) : undefined;
    checked.push(reason === undefined ? result : { ...result, verdict: "unproved", reason });
  }
  return checked;
}

const likeGood = (status?: number): string =>
  `It answered with ${status}, as it answers every good request (--expect-status): nothing shows that it noticed the mistake.`;

/** The cases that only a refusal passes, and how the subject did. */
class Witnesses<C extends AnyCase> {
  readonly #proof: Proof<C>;
  readonly #results: Map<string, CaseResult>;
  readonly #byScope = new Map<string, C[]>();
  readonly #doubts = new Map<string, string | undefined | "unknown">();

  constructor(results: readonly CaseResult[], proof: Proof<C>) {
    this.#proof = proof;
    this.#results = new Map(results.map((one) => [one.id, one]));
    for (const c of proof.cases) {
      if (c.group !== undefined || isEndedByUs(c.steps) || !this.#sights(c).every(({ see }) => isNotice(see, proof.refusals))) continue;
      for (const scope of scopesOf(c.spec)) this.#byScope.set(scope, [...(this.#byScope.get(scope) ?? []), c]);
    }
  }

  /** Whether the refusal that was seen has the status of the good answer. */
  isLikeGood(c: C, { outcome, observed }: CaseResult): boolean {
    const { goodError, byStatus = [] } = this.#proof;
    const see = outcome === undefined ? undefined : this.#sights(c)[outcome]?.see;
    if (goodError === undefined || see === undefined || !isToldByStatus(see, byStatus)) return false;
    return new RegExp(String.raw`(?<!\d)${goodError}(?!\d)`).test(observed);
  }

  /** Whether the outcome that was seen is a refusal. */
  isNoticed(c: C, result: CaseResult): boolean {
    const { verdict, outcome } = result;
    if (this.isLikeGood(c, result)) return false;
    const seen = outcome === undefined ? undefined : this.#sights(c)[outcome];
    return (verdict === "pass" || verdict === "warn") && seen !== undefined && isNotice(seen.see, this.#proof.refusals);
  }

  /** Why accepting proves nothing here; undefined if it does. */
  async doubt(c: C): Promise<string | undefined> {
    if (c.inverse !== undefined) {
      const named = this.#proof.cases.filter(({ id }) => c.inverse?.includes(id));
      const doubt = await this.#ask(`of ${c.id}`, named, "the opposite of this");
      if (doubt !== "unknown") return doubt;
    }
    for (const scope of scopesOf(c.spec)) {
      if (scope !== "" && (this.#byScope.get(scope)?.length ?? 0) < FEWEST) continue;
      const doubt = await this.#ask(scope, this.#byScope.get(scope) ?? [], scope === "" ? "any rule" : scope);
      if (doubt !== "unknown") return doubt;
    }
    return undefined;
  }

  /** `unknown`: none of the cases could be judged. */
  async #ask(key: string, cases: readonly C[], about: string): Promise<string | undefined | "unknown"> {
    if (!this.#doubts.has(key)) this.#doubts.set(key, await this.#look(cases, about));
    return this.#doubts.get(key);
  }

  async #look(cases: readonly C[], about: string): Promise<string | undefined | "unknown"> {
    const judged = cases.filter((c) => this.#isJudged(c));
    const others = cases.filter(({ id }) => !this.#results.has(id)).sort((a, b) => (a.needs?.length ?? 0) - (b.needs?.length ?? 0));
    for (const c of others.slice(0, TRIES)) {
      if (this.#isEnough(judged)) return undefined;
      this.#results.set(c.id, await this.#proof.perform(c));
      if (this.#isJudged(c)) judged.push(c);
    }
    if (judged.length === 0) return "unknown";
    if (this.#isEnough(judged)) return undefined;
    const missed = judged.filter((c) => !this.#holds(c));
    return `It accepted this, but noticed ${judged.length - missed.length} of ${judged.length} mistakes about ${about} (not ${missed[0]?.id}): a subject that accepts anything proves nothing by accepting.`;
  }

  #isEnough(judged: readonly C[]): boolean {
    const noticed = judged.filter((c) => this.#holds(c)).length;
    return noticed > 0 && noticed >= Math.min(NOTICED, judged.length) && noticed * SHARE >= judged.length;
  }

  #isJudged(c: C): boolean {
    const verdict = this.#results.get(c.id)?.verdict;
    return verdict === "pass" || verdict === "warn" || verdict === "fail";
  }

  #holds(c: C): boolean {
    const result = this.#results.get(c.id);
    return result !== undefined && this.isNoticed(c, result);
  }

  #sights(c: C): readonly { readonly see: AnySight }[] {
    return c.allowed as readonly { readonly see: AnySight }[];
  }
}
