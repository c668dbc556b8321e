import type { InhibitRule } from "./inhibit.ts";
import type { Route } from "./route.ts";
import { isWithin, type TimeInterval } from "./time-interval.ts";

/** One way by which a receiver is notified. */
export type Integration = {
  readonly kind: "webhook" | "email";
  /** Whether it wants to know that alerts have ended. */
  readonly sendResolved: boolean;
};

/** What a router does: the part of its configuration that needs no socket. */
export type RouterPlan = {
  readonly route: Route;
  readonly inhibitRules: readonly InhibitRule[];
  readonly timeIntervals: ReadonlyMap<string, readonly TimeInterval[]>;
  readonly receivers: ReadonlyMap<string, readonly Integration[]>;
  /** For alerts without an end. */
  readonly resolveTimeoutMs: number;
};

/** The time intervals by which a route is mute now: those that mute it, or those of which it waits for one. */
export function mutingIntervals({ options: { mutedIn, activeIn } }: Route, { timeIntervals }: RouterPlan, now: number): readonly string[] {
  const isNow = (name: string): boolean => timeIntervals.get(name)?.some((one) => isWithin(one, now)) ?? false;
  const muting = mutedIn.filter(isNow);
  if (muting.length > 0) return muting;
  return activeIn.length > 0 && !activeIn.some(isNow) ? activeIn : [];
}
