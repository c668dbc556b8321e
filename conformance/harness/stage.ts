import { Recorder } from "./recorder.ts";
import { Waiting } from "./waiting.ts";

/** In words, why the steps stopped early; undefined after the last step, or when the subject ended the connection (which is judged). */
export type Stop = string | undefined;

/** What one performance of a case works on. A protocol adds its connections, and how a sight is seen on them. */
export abstract class Stage<Sight> extends Waiting {
  readonly recorder = new Recorder();
  /** The longest silence, in milliseconds, that is waited for. */
  readonly timeout: number;
  /** No `wait` step takes longer, in milliseconds. */
  longestWait = Number.POSITIVE_INFINITY;
  /** The fence was answered as it should be. */
  fenced = false;
  readonly #cleanups: (() => unknown)[] = [];

  constructor(timeout: number) {
    super();
    this.timeout = timeout;
  }

  /** Nothing that is sent from now on can be answered. */
  abstract get over(): boolean;
  abstract sees(sight: Sight): boolean;

  /** Performs a `wait` step. */
  async rest({ ms, until }: { readonly ms: number; readonly until?: Sight }, isOver = (): boolean => this.over): Promise<undefined> {
    this.recorder.remark(`we wait ${ms} ms`);
    await this.until(() => isOver() || (until !== undefined && this.sees(until)), Math.min(ms, this.longestWait));
  }

  /** Waits until the sight is seen; returns why it was not. `ending` is what may end before. */
  async expect(sight: Sight, words: string, { isOver, ending }: { isOver: () => boolean; ending: string }): Promise<Stop> {
    await this.until(() => this.sees(sight) || isOver(), this.timeout);
    return this.sees(sight) ? undefined : this.unseen(words, isOver() ? ending : undefined);
  }

  /** Why something was not seen: `ending` ended first, or the time ran out. */
  unseen(words: string, ending: string | undefined): string {
    return ending === undefined
      ? `within ${this.timeout} ms this was not seen: ${words}`
      : `${ending} ended before this was seen: ${words}`;
  }

  /** Registers what is to be done when the performance is over, the last first. */
  afterwards(work: () => unknown): void {
    this.#cleanups.push(work);
  }

  /** Ends the performance: from here on nothing is recorded. */
  async drop(): Promise<void> {
    for (let work = this.#cleanups.pop(); work !== undefined; work = this.#cleanups.pop()) await work();
  }
}

/** A connection that a stage dials. */
type Dialled = { readonly ended: "fin" | "reset" | undefined; drop(): void };

/** A stage that connects to the subject, once for every connection that a step mentions. */
export abstract class DialledStage<Sight, Connection extends Dialled> extends Stage<Sight> {
  readonly connections = new Map<number, Connection>();
  /** The connection that a step mentioned last. */
  last = 1;

  protected abstract dial(on: number): Promise<Connection>;

  /** The connection of this number, opened when it is first mentioned. */
  async connection(on: number): Promise<Connection> {
    this.last = on;
    const there = this.connections.get(on);
    if (there !== undefined) return there;
    const made = await this.dial(on);
    this.afterwards(() => made.drop());
    this.connections.set(on, made);
    return made;
  }

  /** The subject has ended every connection that there is. */
  get over(): boolean {
    return this.connections.size > 0 && [...this.connections.values()].every(({ ended }) => ended !== undefined);
  }

  /** Waits until the sight is seen, as long as one of the connections that it mentions lasts. */
  expectOn(sight: Sight, words: string, mentioned: readonly number[]): Promise<Stop> {
    const isOver = (): boolean => mentioned.every((on) => this.connections.get(on)?.ended !== undefined);
    return this.expect(sight, words, { isOver, ending: "the connection" });
  }
}
