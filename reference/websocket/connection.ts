import { Defaults, type Instant, type Random } from "../core/index.ts";
import type { Event, Kind, Machine, Side } from "./contract.ts";
import { nextDeadline, overdue } from "./deadlines.ts";
import type { DeflateOptions } from "./deflate.ts";
import { Endpoint } from "./endpoint.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import type { Delivery } from "./message.ts";
import { receive } from "./receive.ts";
import { Input, State, step } from "./state.ts";
import * as submit from "./submit.ts";

/** How a connection is set up; only `side` is required. */
export type Options = {
  readonly side: Side;
  readonly limits?: Partial<Limits>;
  /** The outcome of the handshake for permessage-deflate (rfc7692); without it nothing is compressed. */
  readonly deflate?: DeflateOptions;
  /** Client: draws the masking keys, which must be unpredictable (rfc6455#5.3). */
  readonly random?: Random;
  /** How text is reported: as strings, or as octets that are valid UTF-8, which saves the conversion. */
  readonly text?: "string" | "octets";
  /** Reports messages in parts, as they arrive, instead of whole. */
  readonly fragments?: boolean;
};

const LIMITS = new Defaults<Limits>(DEFAULT_LIMITS);
const STRINGS: Delivery = { asOctets: false, asFragments: false };
const STRING_FRAGMENTS: Delivery = { asOctets: false, asFragments: true };
const OCTETS: Delivery = { asOctets: true, asFragments: false };
const OCTET_FRAGMENTS: Delivery = { asOctets: true, asFragments: true };

/** One WebSocket connection without a socket, for either side, after its opening handshake (rfc6455). `contract.ts` explains how to drive it. */
export class Connection implements Machine {
  readonly #endpoint: Endpoint;

  constructor({ side, limits, deflate, random, text = "string", fragments = false }: Options, now: Instant) {
    const delivery = text === "octets" ? (fragments ? OCTET_FRAGMENTS : OCTETS) : fragments ? STRING_FRAGMENTS : STRINGS;
    this.#endpoint = new Endpoint({ side, limits: LIMITS.with(limits), delivery, deflate, random }, now);
  }

  receive(bytes: Uint8Array, now: Instant): readonly Event[] {
    const e = this.#endpoint;
    const { clock } = e;
    clock.advance(now);
    e.settleWaits();
    clock.heard();
    receive(e, bytes);
    return e.drain();
  }
  tick(now: Instant): readonly Event[] {
    const e = this.#endpoint;
    e.clock.advance(now);
    overdue(e);
    return e.drain();
  }
  ended(now: Instant): readonly Event[] {
    const e = this.#endpoint;
    e.clock.advance(now);
    e.payClose();
    if (step(e.state, Input.ended) >= 0) e.finish(Input.ended);
    return e.drain();
  }

  events(): readonly Event[] {
    this.#endpoint.settleClose();
    return this.#endpoint.drain();
  }
  take(): readonly Uint8Array[] {
    return this.#endpoint.take();
  }
  get deadline(): Instant {
    return nextDeadline(this.#endpoint);
  }
  get queued(): number {
    return this.#endpoint.output.length;
  }
  /** Neither side has sent a Close: messages may be sent. */
  get isOpen(): boolean {
    return this.#endpoint.state === State.open;
  }
  get wants(): boolean {
    return !this.#endpoint.isPaused || this.#endpoint.state !== State.open;
  }

  text(data: string | Uint8Array): boolean {
    return submit.text(this.#endpoint, data);
  }
  binary(data: Uint8Array): boolean {
    return submit.binary(this.#endpoint, data);
  }
  fragment(kind: Kind, data: Uint8Array, end: boolean): boolean {
    return submit.fragment(this.#endpoint, kind, data, end);
  }
  ping(data?: Uint8Array): void {
    submit.ping(this.#endpoint, data);
  }
  pong(data?: Uint8Array): void {
    submit.pong(this.#endpoint, data);
  }
  close(code?: number, reason = ""): void {
    submit.close(this.#endpoint, code, reason);
  }
  abort(): void {
    submit.abort(this.#endpoint);
  }
  pause(): void {
    this.#endpoint.pause();
  }
  resume(): void {
    this.#endpoint.resume();
  }
  shutdown(): void {
    submit.shutdown(this.#endpoint);
  }
  holdClose(): void {
    this.#endpoint.holdClose();
  }
  releaseClose(): void {
    this.#endpoint.releaseClose();
  }
}
