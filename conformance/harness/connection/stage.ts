import { Recorder } from "./recorder.ts";
import { Waiting } from "./waiting.ts";

/** In words, why the steps stopped early; undefined after the last step, or when the subject ended the connection (which is judged). */
export type Stop = string | undefined;

/** The context of one performance. A protocol adds its connections, and how to observe sights on them. */
export abstract class Stage<Sight> extends Waiting {
  readonly recorder = new Recorder();
  /** The longest silence to wait for, in milliseconds. */
  timeout: number;
  /** No `wait` step takes longer, in milliseconds. */
  longestWait = Number.POSITIVE_INFINITY;
  /** Whether the fence was answered correctly. */
  fenced = false;
  readonly #cleanups: (() => unknown)[] = [];

  constructor(timeout: number) {
    super();
    this.timeout = timeout;
  }

  /** Whether nothing sent from now on can be answered. */
  abstract get over(): boolean;
  abstract sees(sight: Sight): boolean;

  /** Performs a `wait` step. */
  async rest({ ms, until }: { readonly ms: number; readonly until?: Sight }, isOver = (): boolean => this.over): Promise<undefined> {
    this.recorder.remark(`we wait ${ms} ms`);
    const before = this.timedOut;
    await this.until(() => isOver() || (until !== undefined && this.sees(until)), Math.min(ms, this.longestWait));
    this.timedOut = before;
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

  /** Registers work for the end of the performance; the last registered runs first. */
  afterwards(work: () => unknown): void {
    this.#cleanups.push(work);
  }

  /** Ends the performance: nothing is recorded after it. */
  async drop(): Promise<void> {
    for (let work = this.#cleanups.pop(); work !== undefined; work = this.#cleanups.pop()) await work();
  }
}

/** A connection that a stage dials. */
type Dialled = { readonly ended: "fin" | "reset" | undefined; drop(): void };

/** A stage that connects to the subject, once per connection that the steps mention. */
export abstract class DialledStage<Sight, Connection extends Dialled> extends Stage<Sight> {
  readonly connections = new Map<number, Connection>();
  /** The connection that the last step mentioned. */
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

  /** Whether the subject has ended every connection. */
  get over(): boolean {
    return this.connections.size > 0 && [...this.connections.values()].every(({ ended }) => ended !== undefined);
  }

  /** Waits until the sight is seen or all connections that it mentions have ended. */
  expectOn(sight: Sight, words: string, mentioned: readonly number[]): Promise<Stop> {
    const isOver = (): boolean => mentioned.every((on) => this.connections.get(on)?.ended !== undefined);
    return this.expect(sight, words, { isOver, ending: "the connection" });
  }
}
