import { duplexPair, type Duplex } from "node:stream";
import { shown } from "./http1-report.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Turns of the event loop without anything new, after which nothing more is expected; and the most of them. */
const CALM = 3;
const LONGEST = 60;

/** A connection in memory: one end for the code under test, the other for the life, which writes down what comes. */
export class Wire {
  readonly near: Duplex;
  readonly far: Duplex;
  readonly lines: string[];
  #heard: Buffer[] = [];
  #count = 0;

  constructor(lines: string[]) {
    [this.near, this.far] = duplexPair();
    this.lines = lines;
    this.far
      .on("data", (octets: Buffer) => {
        this.#heard.push(octets);
        this.#count++;
      })
      .on("end", () => this.say("it ends"))
      .on("close", () => this.say("closed"))
      .on("error", (error) => this.say(`error ${error.message}`));
  }

  say(line: string): void {
    this.#count++;
    this.lines.push(line);
  }
  write(text: string): void {
    this.lines.push(`> ${JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}… ${text.length}` : text)}`);
    if (!this.far.destroyed && !this.far.writableEnded) this.far.write(Buffer.from(text, "latin1"));
  }
  /** Waits until nothing moves, and writes down what has come. */
  async settle(): Promise<void> {
    let before = -1;
    for (let calm = 0, turns = 0; calm < CALM && turns < LONGEST; turns++) {
      calm = before === this.#count ? calm + 1 : 0;
      before = this.#count;
      await turn();
    }
    if (this.#heard.length > 0) this.lines.push(`< ${shown(Buffer.concat(this.#heard))}`);
    this.#heard = [];
  }
  /** Leaves nothing behind. */
  async end(): Promise<void> {
    this.near.destroy();
    this.far.destroy();
    await this.settle();
  }
}

/** Things that wait until the life lets them go on, in order. */
export class Gates {
  readonly #waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
  open(): void {
    this.#waiting.shift()?.();
  }
  get isOpen(): boolean {
    return this.#waiting.length === 0;
  }
}
