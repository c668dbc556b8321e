import { Defaults, Misuse, NEVER, type Field, type Instant, type Random } from "../core/index.ts";
import type { Event, Machine } from "./contract.ts";
import type { ErrorCode } from "./error-code.ts";
import { fault } from "./faults.ts";
import { INITIAL_WINDOW } from "./flow-window.ts";
import { FrameType } from "./frame/head.ts";
import * as windowUpdate from "./frame/window-update.ts";
import { FRAME, Framer, TOO_LARGE } from "./framer.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { CLIENT_PREFACE, Preface } from "./preface.ts";
import { receiveFrame } from "./receive.ts";
import { Requests } from "./requests.ts";
import { takePieces } from "./send-content.ts";
import { Farewell, Session } from "./session.ts";
import { checkSettings, INITIAL_SETTINGS, type Settings } from "./settings.ts";
import { CONNECTION, type Side, type StreamId } from "./stream-id.ts";
import * as submit from "./submit.ts";
import { nextDeadline, overdue } from "./deadlines.ts";
import { acceptUpgrade, adoptUpgrade, offered, type Upgraded } from "./upgrade.ts";

export type Options = {
  readonly side: Side;
  readonly settings?: Partial<Settings>;
  readonly limits?: Partial<Limits>;
  /**
   * Client: whether the server is authoritative for an origin (`https://example.com`, a default port left out): promises for others are
   * refused (rfc9113#8.4, #10.1). Without it, those that requests have been sent to.
   */
  readonly speaksFor?: (origin: string) => boolean;
  /** Receive windows grow to fit the path, up to `limits.maxWindow`. */
  readonly autoTune?: boolean;
  /** The connection began in HTTP/1.1, where this request was sent: it is stream 1, and the peer's half or ours has ended (rfc7540#3.2). */
  readonly upgraded?: Upgraded;
  /** For the octets of PING; without it they are always the same. */
  readonly random?: Random;
};

/** What this endpoint announces unless told otherwise. */
const OUR_SETTINGS: Settings = {
  ...INITIAL_SETTINGS,
  maxConcurrentStreams: 100,
  initialWindowSize: 262_144,
  maxHeaderListSize: 16_384,
  enablePush: false,
};

const SETTINGS = new Defaults<Settings>(OUR_SETTINGS);
const LIMITS = new Defaults<Limits>(DEFAULT_LIMITS);

/** What a client that announces `settings` says in HTTP2-Settings: the payload of its SETTINGS frame (rfc7540#3.2.1). */
export const settingsPayload = (settings?: Partial<Settings>): Uint8Array => offered(SETTINGS.with(settings));

/** One HTTP/2 connection without a socket, for either side (rfc9113). `contract.ts` tells how to drive it. */
export class Connection implements Machine {
  readonly #session: Session;
  readonly #framer = new Framer();
  readonly #random: Random | undefined;
  readonly #requests: Requests | undefined;
  /** The client's preface, while the server waits for it. */
  #preface: Preface | undefined;
  readonly #openedAt: Instant;

  /** Announces its settings at once: `take()` has octets before anything is received. */
  constructor({ side, settings, limits, autoTune = false, upgraded, random, speaksFor }: Options, now: Instant) {
    const ours = SETTINGS.with(settings);
    checkSettings(ours, side);
    const s = new Session(side, ours, LIMITS.with(limits), autoTune, now);
    this.#session = s;
    this.#random = random;
    this.#openedAt = now;
    if (side === "client") {
      s.out.bytes(CLIENT_PREFACE);
      this.#requests = new Requests(s);
      s.speaksFor = speaksFor;
    } else this.#preface = new Preface(upgraded);
    s.announce(ours);
    const more = s.limits.connectionWindow - INITIAL_WINDOW;
    if (more > 0) {
      s.inbound.shift(more);
      windowUpdate.write(s.out, { is: "WINDOW_UPDATE", stream: CONNECTION, increment: more });
    }
    if (side === "client" && upgraded !== undefined) adoptUpgrade(s, ours, upgraded);
  }

  receive(bytes: Uint8Array, now: Instant): readonly Event[] {
    const s = this.#session;
    s.now = now;
    if (!s.closed) this.#read(this.#preface === undefined ? bytes : this.#readPreface(bytes));
    return s.drain();
  }

  #readPreface(bytes: Uint8Array): Uint8Array {
    const rest = this.#preface!.read(bytes);
    if (rest === undefined) {
      this.#session.fail(fault("prefaceWrong"));
      return bytes;
    }
    const { complete, upgraded } = this.#preface!;
    if (!complete) return rest;
    this.#preface = undefined;
    if (upgraded !== undefined) acceptUpgrade(this.#session, upgraded);
    return rest;
  }

  #read(bytes: Uint8Array): void {
    const s = this.#session;
    const framer = this.#framer;
    if (this.#preface !== undefined || s.closed) return;
    framer.push(bytes);
    while (!s.closed) {
      const found = framer.next(s.local.maxFrameSize);
      if (found === FRAME) {
        if (s.peerHasSpoken) receiveFrame(s, framer.head, framer.payload);
        else this.#first();
        s.settle();
      } else if (found === TOO_LARGE) s.fail(fault(s.peerHasSpoken ? "frameTooLarge" : "firstFrameNotSettings"));
      else break;
    }
    if (s.out.length > s.limits.queuedOctets) s.fail(fault("repliesNotRead"));
  }

  /** The first frame of either side is SETTINGS, and no acknowledgement (rfc9113#3.4). */
  #first(): void {
    const { head, payload } = this.#framer;
    if (head.type !== FrameType.SETTINGS || (head.flags & 1) !== 0) return this.#session.fail(fault("firstFrameNotSettings"));
    return receiveFrame(this.#session, head, payload);
  }

  tick(now: Instant): readonly Event[] {
    const s = this.#session;
    s.now = now;
    if (!s.closed) overdue(s, this.#openedAt, now);
    return s.drain();
  }

  ended(now: Instant): readonly Event[] {
    const s = this.#session;
    s.now = now;
    if (!s.closed) {
      const isCut = s.streams.size > 0 || s.block !== undefined || this.#framer.isMidFrame || this.#preface !== undefined;
      // The peer may still be listening (rfc9113#6.8).
      if (s.farewell !== Farewell.final) s.goodbye("NO_ERROR");
      s.end(isCut ? fault("endedEarly") : undefined);
    }
    return s.drain();
  }

  events(): readonly Event[] {
    return this.#session.drain();
  }
  take(): readonly Uint8Array[] {
    return takePieces(this.#session);
  }
  get deadline(): Instant {
    return this.#session.closed ? NEVER : nextDeadline(this.#session, this.#openedAt);
  }
  get queued(): number {
    const s = this.#session;
    return s.pieces.reduce((sum, piece) => sum + piece.length, s.out.length);
  }
  get accepting(): boolean {
    return this.#requests?.accepting ?? false;
  }

  request(fields: readonly Field[], end: boolean): { readonly stream: StreamId } | { readonly ticket: number } {
    if (this.#requests === undefined) throw new Misuse("a server sends no requests: `push` promises one");
    return this.#requests.request(fields, end);
  }
  interim(stream: StreamId, status: number, fields: readonly Field[]): void {
    submit.interim(this.#session, stream, status, fields);
  }
  respond(stream: StreamId, status: number, fields: readonly Field[], end: boolean): void {
    submit.respond(this.#session, stream, status, fields, end);
  }
  data(stream: StreamId, bytes: Uint8Array, end: boolean): boolean {
    return submit.data(this.#session, stream, bytes, end);
  }
  trailers(stream: StreamId, fields: readonly Field[]): void {
    submit.trailers(this.#session, stream, fields);
  }
  consumed(stream: StreamId, octets: number): void {
    submit.consumed(this.#session, stream, octets);
  }
  reset(stream: StreamId, code: ErrorCode): void {
    submit.reset(this.#session, stream, code);
  }
  push(parent: StreamId, fields: readonly Field[]): StreamId | undefined {
    return submit.push(this.#session, parent, fields);
  }
  ping(data: Uint8Array): void {
    if (!this.#session.closed) submit.sendPing(this.#session, data);
  }
  prioritize(stream: StreamId, priority: string): void {
    submit.prioritize(this.#session, stream, priority);
  }
  settings(changed: Partial<Settings>): void {
    if (!this.#session.closed) submit.changeSettings(this.#session, changed);
  }
  shutdown(): void {
    const s = this.#session;
    if (s.closed || s.farewell !== Farewell.none) return;
    const octets = new Uint8Array(8).fill(0x5a);
    s.beginFarewell(this.#random === undefined ? octets : this.#random(octets));
    s.onRoom?.();
  }
  abort(code: ErrorCode): void {
    const s = this.#session;
    if (s.closed) return;
    s.goodbye(code);
    s.end();
  }
}
