import type { Level, SpecDocument, SpecRef } from "../../reference/core/index.ts";

/** The role of the subject: a server (we connect to it), a client (it connects to us), a codec (JSON lines on stdio), a proxy (we are on both sides). */
export type Role = "server" | "client" | "codec" | "proxy";

/** An entry of `conformance/requirements/`: `rfc9113#6.9/increment-zero` is entry `6.9/increment-zero` of `rfc9113.json`. */
export type RequirementRef = `${SpecDocument}#${string}/${string}`;
/** The section of a requirement: `rfc9113#6.9` of `rfc9113#6.9/increment-zero`. */
export const sectionOf = (ref: RequirementRef): SpecRef => ref.slice(0, ref.indexOf("/")) as SpecRef;

/** An allowed behaviour of the subject. The first of a case is the strict one; every other cites in `by` what permits it. */
export type Outcome<Sight> = {
  readonly see: Sight;
  /** The passage that permits this although it is not the strict outcome. Required on all but the first. */
  readonly by?: SpecRef;
  /** `warn` if the specification discourages it (a connection dropped without the error it could name). */
  readonly verdict?: "pass" | "warn";
};

/** Thresholds of an attack: how much the resident memory may grow at its peak, and how much processor time may be used. */
export type Budget = { readonly memoryMiB: number; readonly cpuMs: number };

/**
 * One claim about an implementation, as data: it can be listed, hashed, exported, replayed and used as a seed.
 * `Step` is what the harness does, `Sight` what it may observe; each protocol brings its own vocabulary of both.
 */
export type Case<Step, Sight> = {
  /** Permanent words, never a position: `http2/window-update-zero-on-stream`. Never renumbered, never reused. */
  readonly id: `${string}/${string}`;
  /** The section whose rule is judged, as precisely as the document numbers it. */
  readonly spec: SpecRef;
  /** The entries of `conformance/requirements/` that a pass supports. */
  readonly covers: readonly [RequirementRef, ...RequirementRef[]];
  readonly level: Level;
  readonly role: Role;
  /** The requirement in our own words, as one sentence about the subject. */
  readonly title: string;
  /** `abuse` cases run only on request. */
  readonly group?: "abuse";
  /** The most that the subject may spend on the steps; judged where it can be measured, while nothing else runs. */
  readonly budget?: Budget;
  /** Optional features without which the case is skipped; the protocol's probe detects them. */
  readonly needs?: readonly string[];
  readonly steps: readonly Step[];
  /** The same steps without the mistake. If the subject refuses it, nothing is proved by how it treats the mistake. */
  readonly control: readonly Step[];
  /**
   * Cases of which one must have held (the same rule broken) before accepting these steps proves anything. By default any case of the same
   * section, document or suite, in this order, that the subject passed by refusing.
   */
  readonly inverse?: readonly string[];
  /** The MUST that refusing the control breaks, in a case of a lower level: then the refusal is a fail, not a warning. */
  readonly controlBreaks?: RequirementRef;
  readonly allowed: readonly [Outcome<Sight>, ...Outcome<Sight>[]];
};

/** A case without a mistake is its own control: it judges the answer to a good exchange. */
export const isOwnControl = ({ steps, control }: Pick<AnyCase, "steps" | "control">): boolean =>
  JSON.stringify(steps) === JSON.stringify(control);

/** A case of any protocol. */
export type AnyCase = Case<unknown, unknown>;

/** What `--list --json` prints of a case. */
export type CaseInfo = Pick<Case<never, never>, "id" | "spec" | "level" | "role" | "title"> & { readonly group?: "abuse" };
