import { Defaults, type Field, type Instant } from "../core/index.ts";
import type { Event, ExchangeId, Machine } from "./contract.ts";
import { nextDeadline, overdue, wantsMore } from "./deadlines.ts";
import { STRICT, type Leniency } from "./leniency.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { receive } from "./receive.ts";
import { Session, type Side } from "./session.ts";
import { Standing } from "./state.ts";
import * as submit from "./submit.ts";

export type Options = {
  readonly side: Side;
  readonly limits?: Partial<Limits>;
  readonly lenient?: Partial<Leniency>;
  /** Server: the scheme of target URIs that do not name their own (rfc9112#3.3); `http` by default. */
  readonly scheme?: string;
  /** Server: fields that a refusal of the connection's own has besides those it needs, such as Date. */
  readonly refusalFields?: () => readonly Field[];
};

const LIMITS = new Defaults<Limits>(DEFAULT_LIMITS);
const LENIENCY = new Defaults<Leniency>(STRICT);

/** One HTTP/1.1 connection without a socket, for either side (rfc9112). `contract.ts` tells how to drive it. */
export class Connection implements Machine {
  readonly #session: Session;

  constructor({ side, limits, lenient, scheme = "http", refusalFields }: Options, now: Instant) {
    this.#session = new Session(side, LIMITS.with(limits), LENIENCY.with(lenient), scheme, refusalFields, now);
  }

  receive(bytes: Uint8Array, now: Instant): readonly Event[] {
    const s = this.#session;
    s.now = now;
    if (s.isSinceUnsure) this.#makeSure();
    s.heardAt = now;
    if (!s.isOver && bytes.length > 0) {
      s.inbox.push(bytes);
      receive(s);
      s.inbox.settle();
    }
    return s.drain();
  }
  tick(now: Instant): readonly Event[] {
    const s = this.#session;
    s.now = now;
    if (!s.isOver) overdue(s);
    return s.drain();
  }
  ended(now: Instant): readonly Event[] {
    const s = this.#session;
    s.now = now;
    if (!s.isOver && !s.hasPeerEnded) {
      s.hasPeerEnded = true;
      receive(s);
    }
    return s.drain();
  }
  #makeSure(): void {
    this.#session.isSinceUnsure = false;
    this.#session.stamp();
  }

  events(): readonly Event[] {
    return this.#session.drain();
  }
  take(): readonly Uint8Array[] {
    const s = this.#session;
    const pieces = s.output.take();
    const { waiter } = s;
    if (waiter === undefined) return pieces;
    s.waiter = undefined;
    waiter.isWaiting = false;
    s.emit({ is: "writable", exchange: waiter.id });
    return pieces;
  }
  get deadline(): Instant {
    return nextDeadline(this.#session);
  }
  get queued(): number {
    return this.#session.output.length;
  }
  get wants(): boolean {
    return wantsMore(this.#session);
  }
  get idle(): boolean {
    return this.#session.first === undefined && submit.accepts(this.#session);
  }
  get accepting(): boolean {
    const s = this.#session;
    return s.side === "client" && s.standing === Standing.persistent && !s.hasPeerEnded;
  }

  request(line: { readonly method: string; readonly target: string }, fields: readonly Field[], end: boolean): ExchangeId {
    return submit.request(this.#session, line, fields, end);
  }
  interim(exchange: ExchangeId, status: number, fields: readonly Field[]): void {
    submit.interim(this.#session, exchange, status, fields);
  }
  respond(exchange: ExchangeId, status: number, fields: readonly Field[], end: boolean): void {
    submit.respond(this.#session, exchange, status, fields, end);
  }
  data(exchange: ExchangeId, bytes: Uint8Array, end: boolean): boolean {
    return submit.data(this.#session, exchange, bytes, end);
  }
  trailers(exchange: ExchangeId, fields: readonly Field[]): void {
    submit.trailers(this.#session, exchange, fields);
  }
  consumed(_exchange: ExchangeId, octets: number): void {
    submit.consumed(this.#session, octets);
  }
  switchTo(exchange: ExchangeId, status: number, fields: readonly Field[]): void {
    submit.switchTo(this.#session, exchange, status, fields);
  }
  abandon(exchange: ExchangeId): void {
    submit.abandon(this.#session, exchange);
  }
  shutdown(): void {
    submit.shutdown(this.#session);
  }
}
