import type { Instant } from "../core/index.ts";
import { fault, type Fault, type FaultName } from "./faults.ts";
import type { Budget, Limits } from "./limits.ts";

/** What is counted: the budgets of `Limits`, each with the fault for exceeding it. */
const KINDS = {
  resets: "floodOfResets",
  errors: "floodOfErrors",
  pings: "floodOfPings",
  settings: "floodOfSettings",
  priorities: "floodOfPriorities",
  emptyFrames: "floodOfEmptyFrames",
  windowUpdates: "floodOfWindowUpdates",
  unknownFrames: "floodOfUnknownFrames",
  interims: "floodOfInterims",
} as const satisfies { readonly [Name in keyof Limits]?: FaultName };
export type FloodKind = keyof typeof KINDS;

/** One account: frames use it up, time and useful work fill it again. */
class Account {
  left: number;
  since: Instant;

  constructor(burst: number, now: Instant) {
    this.left = burst;
    this.since = now;
  }
  spend({ burst, perSecond }: Budget, now: Instant): boolean {
    if (this.left < 1) {
      this.left = Math.min(burst, this.left + ((now - this.since) * perSecond) / 1000);
      this.since = now;
      if (this.left < 1) return false;
    }
    this.left--;
    return true;
  }
}

type Accounts = { [Name in FloodKind]: Account | undefined };
const NO_ACCOUNTS: Readonly<Accounts> = {
  resets: undefined,
  errors: undefined,
  pings: undefined,
  settings: undefined,
  priorities: undefined,
  emptyFrames: undefined,
  windowUpdates: undefined,
  unknownFrames: undefined,
  interims: undefined,
};

/**
 * Counts legal frames that do harm in large numbers (rfc9113#10.5). A budget begins full and refills over time. The refill is only computed
 * once the budget is empty, so an honest connection pays one subtraction per frame.
 */
export class Abuse {
  readonly #limits: Limits;
  /** Created with the first frame of a kind: most connections never see most kinds. */
  #accounts: Accounts | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Counts one more of a kind; returns the fault if that is too many. */
  spend(kind: FloodKind, now: Instant): Fault | undefined {
    const budget = this.#limits[kind];
    const accounts = (this.#accounts ??= { ...NO_ACCOUNTS });
    const account = (accounts[kind] ??= new Account(budget.burst, now));
    return account.spend(budget, now) ? undefined : fault(KINDS[kind]);
  }

  /** Useful work refills the budget. */
  earn(kind: FloodKind, count: number): void {
    const account = this.#accounts?.[kind];
    if (account !== undefined) account.left = Math.min(this.#limits[kind].burst, account.left + count);
  }

  static readonly kinds: readonly FloodKind[] = Object.keys(KINDS) as FloodKind[];
}
