import { Misuse } from "../core/index.ts";
import type { ExchangeId } from "./contract.ts";
import type { Exchange } from "./exchange.ts";

/** The open exchanges of a connection, in the order of their requests (rfc9112#9.3.2). */
export class ExchangeQueue {
  #first: Exchange | undefined;
  #last: Exchange | undefined;
  #size = 0;
  #lastId = 0;

  get first(): Exchange | undefined {
    return this.#first;
  }
  get last(): Exchange | undefined {
    return this.#last;
  }
  get size(): number {
    return this.#size;
  }
  /** The identifier of the next exchange. */
  get nextId(): ExchangeId {
    return (this.#lastId + 1) as ExchangeId;
  }

  push(exchange: Exchange): void {
    if (this.#last === undefined) this.#first = exchange;
    else this.#last.next = exchange;
    this.#last = exchange;
    this.#size++;
    this.#lastId = exchange.id;
  }
  /** Removes the first exchange. */
  shift(): void {
    const first = this.#first;
    if (first === undefined) return;
    this.#first = first.next;
    if (this.#first === undefined) this.#last = undefined;
    this.#size--;
  }
  clear(): void {
    this.#first = undefined;
    this.#last = undefined;
    this.#size = 0;
  }
  /** The exchange, or undefined once it is over; an identifier that was never given out is `Misuse`. */
  find(id: ExchangeId): Exchange | undefined {
    if (id > this.#lastId || !(id > 0)) throw new Misuse(`exchange ${id} does not exist: use an identifier from an event`);
    let exchange = this.#first;
    while (exchange !== undefined && exchange.id !== id) exchange = exchange.next;
    return exchange === undefined || exchange.isDead ? undefined : exchange;
  }
}
