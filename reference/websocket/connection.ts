import { Defaults, type Instant, type Random } from "../core/index.ts";
import type { Event, Kind, Machine, Side } from "./contract.ts";
import { makeSure, nextDeadline, overdue } from "./deadlines.ts";
import type { DeflateOptions } from "./deflate.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { answerClose, receive } from "./receive.ts";
import { Session } from "./session.ts";
import { Input, State, step } from "./state.ts";
import * as submit from "./submit.ts";

/** How one connection is set up; only its side has to be told, and none of it changes afterwards. */
export type Options = {
  readonly side: Side;
  readonly limits?: Partial<Limits>;
  /** What the handshake has agreed on about permessage-deflate (rfc7692); nothing is compressed without it. */
  readonly deflate?: DeflateOptions;
  /** Client: draws the keys of frames. They must not be foreseeable (rfc6455#5.3). */
  readonly random?: Random;
  /** How text is told: as strings, or as octets that are valid UTF-8, which cost no conversion. */
  readonly text?: "string" | "octets";
  /** Messages are told in parts, as they come, instead of whole. */
  readonly fragments?: boolean;
};

const LIMITS = new Defaults<Limits>(DEFAULT_LIMITS);
const TELLINGS = [false, true].map((asOctets) => [false, true].map((asFragments) => ({ asOctets, asFragments })));

/** The answer to a Close that was put off until the owner had been told of what came before it. */
function settleClose(s: Session): void {
  if (s.isCloseOwed && !s.isCloseHeld) answerClose(s);
}

/** One WebSocket connection without a socket, for either side, from the end of its opening handshake (rfc6455). `contract.ts` tells how to drive it. */
export class Connection implements Machine {
  readonly #session: Session;

  constructor({ side, limits, deflate, random, text = "string", fragments = false }: Options, now: Instant) {
    const telling = TELLINGS[text === "octets" ? 1 : 0]![fragments ? 1 : 0]!;
    this.#session = new Session(side, LIMITS.with(limits), telling, deflate, random, now);
  }

  receive(bytes: Uint8Array, now: Instant): readonly Event[] {
    const s = this.#session;
    s.now = now;
    makeSure(s);
    s.heardAt = now;
    s.askedAt = undefined;
    receive(s, bytes);
    return s.drain();
  }
  tick(now: Instant): readonly Event[] {
    const s = this.#session;
    s.now = now;
    overdue(s);
    return s.drain();
  }
  ended(now: Instant): readonly Event[] {
    const s = this.#session;
    s.now = now;
    if (s.isCloseOwed) answerClose(s);
    if (step(s.state, Input.ended) >= 0) s.finish();
    return s.drain();
  }

  events(): readonly Event[] {
    settleClose(this.#session);
    return this.#session.drain();
  }
  take(): readonly Uint8Array[] {
    const s = this.#session;
    if (s.pongs > 0) s.settlePing();
    settleClose(s);
    const pieces = s.output.take();
    if (s.isWaiting) {
      s.isWaiting = false;
      if (s.state === State.open) s.emit({ is: "writable" });
    }
    return pieces;
  }
  get deadline(): Instant {
    return nextDeadline(this.#session);
  }
  get queued(): number {
    return this.#session.output.length;
  }
  /** Whether neither side has said its Close, so that messages may be sent. */
  get isOpen(): boolean {
    return this.#session.state === State.open;
  }
  get wants(): boolean {
    return !this.#session.isPaused || this.#session.state !== State.open;
  }

  text(data: string | Uint8Array): boolean {
    return submit.text(this.#session, data);
  }
  binary(data: Uint8Array): boolean {
    return submit.binary(this.#session, data);
  }
  fragment(kind: Kind, data: Uint8Array, end: boolean): boolean {
    return submit.fragment(this.#session, kind, data, end);
  }
  ping(data?: Uint8Array): void {
    submit.ping(this.#session, data);
  }
  pong(data?: Uint8Array): void {
    submit.pong(this.#session, data);
  }
  close(code?: number, reason = ""): void {
    submit.close(this.#session, code, reason);
  }
  abort(): void {
    submit.abort(this.#session);
  }
  pause(): void {
    submit.pause(this.#session);
  }
  resume(): void {
    submit.resume(this.#session);
  }
  shutdown(): void {
    submit.shutdown(this.#session);
  }
  holdClose(): void {
    submit.holdClose(this.#session);
  }
  releaseClose(): void {
    submit.releaseClose(this.#session);
  }
}
