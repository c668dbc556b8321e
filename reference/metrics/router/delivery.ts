import type { Labels } from "../model/index.ts";
import type { Alert } from "./alert.ts";
import type { Integration } from "./plan.ts";

/** An alert in a notification; `endsAt` counts only if it is resolved. */
export type NotifiedAlert = Alert & { readonly isResolved: boolean };

/** A notification that is due. */
export type Delivery = {
  readonly id: number;
  readonly receiver: string;
  /** Which of the receiver's integrations it is for, from 0. */
  readonly index: number;
  readonly kind: Integration["kind"];
  /** Identifies the group to receivers. */
  readonly groupKey: string;
  readonly groupLabels: Labels;
  readonly alerts: readonly NotifiedAlert[];
  /** After this it is given up. */
  readonly until: number;
};

/** How an attempt ended: `retry` for a failure that may pass. */
export type DeliveryOutcome = "sent" | "retry" | "refused";

const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 60_000;
/** The time to wait before the next attempt, after this many. */
export const waitAfter = (attempts: number): number => Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 1.5 ** Math.max(0, attempts - 1));
