import type { Instant } from "../core/index.ts";
import { fault, type Fault, type FaultName } from "./faults.ts";
import type { Budget, Limits } from "./limits.ts";

/** What is counted: the budgets of `Limits`, each with the fault for exceeding it. */
const KINDS = {
  resets: "floodOfResets",
  errors: "floodOfErrors",
  emptyFrames: "floodOfEmptyFrames",
  unknownFrames: "floodOfUnknownFrames",
  unknownStreams: "floodOfUnknownStreams",
  priorities: "floodOfPriorities",
  interims: "floodOfInterims",
} as const satisfies { readonly [Name in keyof Limits]?: FaultName };
export type FloodKind = keyof typeof KINDS;

type Account = { left: number; since: Instant };

/** Counts legal octets that do harm in large numbers (rfc9114#10.5). A budget begins full, and time refills it. */
export class Abuse {
  readonly #limits: Limits;
  readonly #accounts = new Map<FloodKind, Account>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Counts one more of a kind; returns the fault if that is too many. */
  spend(kind: FloodKind, now: Instant): Fault | undefined {
    const { burst, perSecond }: Budget = this.#limits[kind];
    let account = this.#accounts.get(kind);
    if (account === undefined) this.#accounts.set(kind, (account = { left: burst, since: now }));
    account.left = Math.min(burst, account.left + ((now - account.since) * perSecond) / 1_000);
    account.since = now;
    if (account.left < 1) return fault(KINDS[kind]);
    account.left--;
    return undefined;
  }

  static readonly kinds: readonly FloodKind[] = Object.keys(KINDS) as FloodKind[];
}
