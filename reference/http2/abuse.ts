import type { Instant } from "../core/index.ts";
import { Account } from "../http/index.ts";
import { fault, type Fault, type FaultName } from "./faults.ts";
import type { Limits } from "./limits.ts";

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

/** How many PRIORITY and PRIORITY_UPDATE frames a request earns: browsers send a few for each. */
const PRIORITIES_EARNED = 4;
/** How many WINDOW_UPDATE frames a content frame earns the peer: one each for stream and connection, and two to spare. */
const UPDATES_EARNED = 4;
/** How many PING frames it earns: existing clients of RPC measure their path with one for what they receive, on a fast path thousands a second. */
const PINGS_EARNED = 1;

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
    const accounts = (this.#accounts ??= { ...NO_ACCOUNTS });
    const account = (accounts[kind] ??= new Account(this.#limits[kind], now));
    return account.spend(now) ? undefined : fault(KINDS[kind]);
  }

  /** The peer has sent a request. */
  earnByRequest(): void {
    this.#accounts?.priorities?.earn(PRIORITIES_EARNED);
  }
  /** We have sent content. */
  earnByContent(): void {
    this.#accounts?.windowUpdates?.earn(UPDATES_EARNED);
    this.#accounts?.pings?.earn(PINGS_EARNED);
  }

  static readonly kinds: readonly FloodKind[] = Object.keys(KINDS) as FloodKind[];
}
