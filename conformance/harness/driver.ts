import type { Case, Role } from "./case.ts";
import type { Cost, TranscriptLine } from "./result.ts";

/** How one performance of a case went, before its level and baseline turn it into a verdict. */
export type Played = {
  /**
   * `allowed`: the outcome at `index`. `other`: no allowed outcome. `unproved`: the subject stopped for a reason of its own. `error`: the
   * harness could not do its work.
   */
  readonly is: "allowed" | "other" | "skip" | "unproved" | "error";
  readonly index?: number;
  /** One sentence. */
  readonly reason: string;
  readonly observed: string;
  /** What else was seen, in words, to compare it with another run. */
  readonly details?: string;
  /** A wait ran out of time. */
  readonly timedOut?: boolean;
  readonly transcript: readonly TranscriptLine[];
  /** What it cost the subject, if measured. */
  readonly cost?: Cost;
};

/** How the control twin went. */
export type Twin = {
  readonly is: "accepted" | "refused" | "skip" | "unproved" | "error";
  readonly reason: string;
  readonly transcript: readonly TranscriptLine[];
};

/** Whether the subject offers an optional feature, and how that is known. */
export type Feature = { readonly has: boolean; readonly how: string };

/** Performs the cases of one protocol on one subject. */
export interface Driver<C extends Case<unknown, unknown> = Case<unknown, unknown>> {
  readonly role: Role;
  /** The same steps always have the same result, so no verdict needs confirmation. */
  readonly steady?: boolean;
  /** Detects the version and the optional features of the subject. Throws `Unreachable` if it does not answer. */
  probe(): Promise<{ readonly features: ReadonlyMap<string, Feature>; readonly version?: string }>;
  /** `patience`: how many times longer than usual it waits; 1 by default. */
  play(c: C, patience?: number): Promise<Played>;
  control(c: C, patience?: number): Promise<Twin>;
  /** Controls with the same key are performed once per run. */
  controlKey(c: C): string;
  /** The allowed outcomes in words, the strict one first. */
  expected(c: C): string[];
  close(): Promise<void>;
}

/** The subject cannot be reached. The message is one line that says what to do. Exit status 3. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
  readonly code = "UNREACHABLE";
}

/** The call was wrong: an unknown name, an empty selection, a damaged file. The message is one line that says what to do. Exit status 2. */
export class WrongUse extends Error {
  override readonly name = "WrongUse";
  readonly code = "WRONG_USE";
}
