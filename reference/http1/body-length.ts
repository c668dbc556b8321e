import type { Body, ContentSink } from "./content.ts";
import type { Exchange } from "./exchange.ts";
import { Progress } from "./field-lines.ts";
import type { Inbox } from "./inbox.ts";

/** Content with a content-length above 0 (rfc9112#6.2). */
export class LengthBody implements Body {
  readonly exchange: Exchange;
  #left: number;

  constructor(exchange: Exchange, length: number) {
    this.exchange = exchange;
    this.#left = length;
  }

  get left(): number {
    return this.#left;
  }
  read(inbox: Inbox, to: ContentSink): Progress {
    const { octets, at, end } = inbox;
    const count = Math.min(this.#left, end - at);
    if (count === 0) return Progress.wait;
    const left = this.#left - count;
    this.#left = left;
    inbox.at = at + count;
    to.content(this.exchange, count === octets.length ? octets : octets.subarray(at, at + count), left === 0);
    return left === 0 ? Progress.done : Progress.wait;
  }
}
