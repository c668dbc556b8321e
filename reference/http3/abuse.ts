import type { Instant } from "../core/index.ts";
import { Account } from "../http/index.ts";
import { fault, type Fault, type FaultName } from "./faults.ts";
import type { Limits } from "./limits.ts";

/** What is counted: the budgets of `Limits`, each with the fault for exceeding it. */
const KINDS = {
  resets: "floodOfResets",
  errors: "floodOfErrors",
  emptyFrames: "floodOfEmptyFrames",
  unknownFrames: "floodOfUnknownFrames",
  unknownStreams: "floodOfUnknownStreams",
  priorities: "floodOfPriorities",
  controls: "floodOfControls",
  interims: "floodOfInterims",
} as const satisfies { readonly [Name in keyof Limits]?: FaultName };
export type FloodKind = keyof typeof KINDS;

/** Counts legal octets that do harm in large numbers (rfc9114#10.5). A budget begins full, and time refills it. */
export class Abuse {
  readonly #limits: Limits;
  readonly #accounts = new Map<FloodKind, Account>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Counts one more of a kind; returns the fault if that is too many. */
  spend(kind: FloodKind, now: Instant): Fault | undefined {
    let account = this.#accounts.get(kind);
    if (account === undefined) this.#accounts.set(kind, (account = new Account(this.#limits[kind], now)));
    return account.spend(now) ? undefined : fault(KINDS[kind]);
  }

  static readonly kinds: readonly FloodKind[] = Object.keys(KINDS) as FloodKind[];
}
