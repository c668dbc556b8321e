/** Milliseconds without a message until the other side is asked, and then without an answer until it is gone. */
export type PulseTimes = { readonly askMs: number; readonly deadMs: number };

/** Whether the other side is still there: after `askMs` without a message it is to be asked, and after `deadMs` without an answer it is gone. */
export class Pulse {
  readonly #askMs: number;
  readonly #deadMs: number;
  /** The last message, and the question since then. */
  #heard: number;
  #asked: number | undefined;

  constructor({ askMs, deadMs }: PulseTimes, now: number) {
    this.#askMs = askMs;
    this.#deadMs = deadMs;
    this.#heard = now;
  }

  /** A message has arrived. */
  heard(now: number): void {
    this.#heard = now;
    this.#asked = undefined;
  }
  /** When the next `beat` is due. */
  get deadline(): number {
    return this.#asked === undefined ? this.#heard + this.#askMs : this.#asked + this.#deadMs;
  }
  /**
   * What is due. The time without an answer counts from the question, and not from the last message: a timer that comes late, as in a
   * hidden page or after a sleep, ends no connection that nobody has asked.
   */
  beat(now: number): "fine" | "ask" | "dead" {
    if (now < this.deadline) return "fine";
    if (this.#asked !== undefined) return "dead";
    this.#asked = now;
    return "ask";
  }
}

/** How soon a client notices that the line is dead: with a timer of a second, within 9 seconds. */
export const CLIENT_PULSE = { askMs: 3_000, deadMs: 4_000 } as const;
export const AGENT_PULSE = { askMs: 5_000, deadMs: 10_000 } as const;
