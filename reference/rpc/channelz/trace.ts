/** The most events that are kept of one trace; older ones are only counted. */
const KEPT = 30;
/** The longest description, and the longest name of anything. */
const LONGEST = 256;

/** Names and descriptions may hold what a peer sent. */
export const shortened = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);

export type Severity = "info" | "warning" | "error";
export type TraceEvent = {
  readonly description: string;
  readonly severity: Severity;
  readonly atMs: number;
  /** The subchannel that the event is about. */
  readonly subchannel: { readonly id: number; readonly name: string } | undefined;
};

/** What has happened lately (A14#channel-trace). */
export class Trace {
  readonly createdMs: number;
  /** All events, also those that are not kept. */
  logged = 0;
  readonly #events: TraceEvent[] = [];

  constructor(nowMs: number) {
    this.createdMs = nowMs;
  }

  /** The last ones, the oldest first. */
  get events(): readonly TraceEvent[] {
    return this.#events;
  }
  add(nowMs: number, severity: Severity, description: string, subchannel?: TraceEvent["subchannel"]): void {
    this.logged += 1;
    this.#events.push({ description: shortened(description), severity, atMs: nowMs, subchannel });
    if (this.#events.length > KEPT) this.#events.shift();
  }
}
