import { Defaults, type Field, type Instant } from "../core/index.ts";
import type { Declined, Event, ExchangeId, Machine, Side } from "./contract.ts";
import { nextDeadline, overdue, wantsMore } from "./deadlines.ts";
import type { HeadMemory } from "./head-memory.ts";
import { STRICT, type Leniency } from "./leniency.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { Pipeline } from "./pipeline.ts";
import { receive } from "./receive.ts";
import * as submit from "./submit.ts";

export type Options = {
  readonly side: Side;
  readonly limits?: Partial<Limits>;
  readonly lenient?: Partial<Leniency>;
  /** Server: the scheme of requests whose target does not name one (rfc9112#3.3); `http` by default. */
  readonly scheme?: string;
  /** Server: further fields, such as Date, for the refusals that the connection itself sends. */
  readonly refusalFields?: () => readonly Field[];
  /** Shared by the connections of one server; a connection has its own by default. */
  readonly memory?: HeadMemory;
};

const LIMITS = new Defaults<Limits>(DEFAULT_LIMITS);
const LENIENCY = new Defaults<Leniency>(STRICT);

/** One HTTP/1.1 connection without a socket, for either side (rfc9112). `contract.ts` explains how to drive it. */
export class Connection implements Machine {
  readonly #pipeline: Pipeline;

  constructor({ side, limits, lenient, scheme = "http", refusalFields, memory }: Options, now: Instant) {
    const setup = {
      side,
      limits: LIMITS.with(limits),
      lenient: LENIENCY.with(lenient),
      scheme,
      refusalFields,
      memory,
    };
    this.#pipeline = new Pipeline(setup, now);
  }

  receive(bytes: Uint8Array, now: Instant): readonly Event[] {
    const p = this.#pipeline;
    const { clock } = p;
    clock.advance(now);
    clock.settle();
    clock.heard();
    if (!p.isOver && bytes.length > 0) {
      const { inbox } = p.intake;
      inbox.push(bytes);
      receive(p);
      inbox.settle();
    }
    return p.drain();
  }
  tick(now: Instant): readonly Event[] {
    const p = this.#pipeline;
    p.clock.advance(now);
    if (!p.isOver) overdue(p);
    return p.drain();
  }
  ended(now: Instant): readonly Event[] {
    const p = this.#pipeline;
    p.clock.advance(now);
    if (!p.isOver && !p.intake.hasEnded) {
      p.intake.end();
      receive(p);
      if (p.side === "server" && p.exchanges.first !== undefined) p.emit({ is: "half-closed" });
    }
    return p.drain();
  }

  events(): readonly Event[] {
    return this.#pipeline.drain();
  }
  take(): readonly Uint8Array[] {
    const pieces = this.#pipeline.output.take();
    this.#pipeline.hasRoom();
    return pieces;
  }
  get deadline(): Instant {
    return nextDeadline(this.#pipeline);
  }
  get queued(): number {
    return this.#pipeline.output.length;
  }
  get wants(): boolean {
    return wantsMore(this.#pipeline);
  }
  get idle(): boolean {
    return this.#pipeline.exchanges.first === undefined && submit.accepts(this.#pipeline);
  }
  get accepting(): boolean {
    const p = this.#pipeline;
    return p.side === "client" && p.isPersistent && !p.intake.hasEnded;
  }

  request(line: { readonly method: string; readonly target: string }, fields: readonly Field[], end: boolean): ExchangeId {
    return submit.request(this.#pipeline, line, fields, end);
  }
  interim(exchange: ExchangeId, status: number, fields: readonly Field[]): void {
    submit.interim(this.#pipeline, exchange, { status, fields });
  }
  respond(exchange: ExchangeId, status: number, fields: readonly Field[], end: boolean): void {
    submit.respond(this.#pipeline, exchange, { status, fields }, end);
  }
  data(exchange: ExchangeId, bytes: Uint8Array, end: boolean): boolean {
    return submit.data(this.#pipeline, exchange, bytes, end);
  }
  trailers(exchange: ExchangeId, fields: readonly Field[]): void {
    submit.trailers(this.#pipeline, exchange, fields);
  }
  decline(exchange: ExchangeId, rest: Declined): void {
    submit.decline(this.#pipeline, exchange, rest);
  }
  consumed(_exchange: ExchangeId, octets: number): void {
    submit.consumed(this.#pipeline, octets);
  }
  switchTo(exchange: ExchangeId, status: number, fields: readonly Field[]): void {
    submit.switchTo(this.#pipeline, exchange, { status, fields });
  }
  abandon(exchange: ExchangeId): void {
    submit.abandon(this.#pipeline, exchange);
  }
  shutdown(): void {
    submit.shutdown(this.#pipeline);
  }
}
