import { Defaults, Misuse, NEVER, type Field, type Instant, type Random } from "../core/index.ts";
import type { Event, Machine } from "./contract.ts";
import { nextDeadline, overdue } from "./deadlines.ts";
import { end, fail, goodbye, settle } from "./endings.ts";
import { Endpoint } from "./endpoint.ts";
import type { ErrorCode } from "./error-code.ts";
import { fault, type Fault } from "./faults.ts";
import { Flag, FrameType } from "./frame/head.ts";
import { FRAME, Framer, TOO_LARGE } from "./receive/framer.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { CLIENT_PREFACE, Preface } from "./receive/preface.ts";
import type { PermittedPings } from "./ping-strikes.ts";
import { receiveFrame } from "./receive/receive.ts";
import { Requests } from "./send/requests.ts";
import { takePieces } from "./send/content.ts";
import { checkSettings } from "./settings/values.ts";
import { OUR_SETTINGS, type Settings } from "./settings/table.ts";
import { highestOf, type Side, type StreamId } from "./stream/id.ts";
import * as submit from "./send/submit.ts";
import { acceptUpgrade, adoptUpgrade, offered, type Upgraded } from "./upgrade.ts";

export type Options = {
  readonly side: Side;
  readonly settings?: Partial<Settings>;
  readonly limits?: Partial<Limits>;
  /**
   * Client: whether the server is authoritative for an origin (`https://example.com`, without a default port): promises for other origins
   * are refused (rfc9113#8.4, #10.1). By default, the origins of earlier requests.
   */
  readonly speaksFor?: (origin: string) => boolean;
  /** Receive windows grow to fit the path, up to `limits.maxWindow`. */
  readonly autoTune?: boolean;
  /** Server: how often a client may send PING while it gets nothing from us; GOAWAY ends the connection of one that sends more. */
  readonly permitPings?: PermittedPings;
  /** The connection began in HTTP/1.1, where this request was sent: it is stream 1 here, without content (rfc7540#3.2). */
  readonly upgraded?: Upgraded;
  /** Fills the payload of our own PING; by default it is always the same. */
  readonly random?: Random;
};

const OUR_DEFAULTS = new Defaults<Settings>(OUR_SETTINGS);
const LIMITS = new Defaults<Limits>(DEFAULT_LIMITS);

/** The value of HTTP2-Settings for a client that announces `settings`: the payload of its SETTINGS frame (rfc7540#3.2.1). */
export const settingsPayload = (settings?: Partial<Settings>): Uint8Array => offered(OUR_DEFAULTS.with(settings));

/** One HTTP/2 connection without a socket, for either side (rfc9113). `contract.ts` says how to drive it. */
export class Connection implements Machine {
  readonly #e: Endpoint;
  readonly #framer = new Framer();
  readonly #random: Random | undefined;
  readonly #requests: Requests | undefined;
  /** The client's preface, while the server waits for it. */
  #preface: Preface | undefined;
  readonly #openedAt: Instant;

  /** Announces its settings at once: `take()` returns bytes before anything is received. */
  constructor({ side, settings: changes, limits, autoTune, permitPings, upgraded, random, speaksFor }: Options, now: Instant) {
    const settings = OUR_DEFAULTS.with(changes);
    checkSettings(settings, side);
    const e = new Endpoint({ side, settings, limits: LIMITS.with(limits), autoTune, permitPings, speaksFor }, now);
    this.#e = e;
    this.#random = random;
    this.#openedAt = now;
    if (side === "client") {
      e.out.bytes(CLIENT_PREFACE);
      this.#requests = new Requests(e);
    } else this.#preface = new Preface(upgraded);
    e.settings.announce(settings, now);
    e.credit.open(e.limits.connectionWindow);
    if (side === "client" && upgraded !== undefined) adoptUpgrade(e, settings, upgraded);
  }

  receive(bytes: Uint8Array, now: Instant): readonly Event[] {
    const e = this.#e;
    e.now = now;
    if (!e.shutdown.isOver) this.#read(this.#preface === undefined ? bytes : this.#readPreface(this.#preface, bytes));
    return this.events();
  }

  #readPreface(preface: Preface, bytes: Uint8Array): Uint8Array {
    const rest = preface.read(bytes);
    if (rest === undefined) {
      fail(this.#e, fault("prefaceWrong"));
      return bytes;
    }
    const { complete, upgraded } = preface;
    if (!complete) return rest;
    this.#preface = undefined;
    if (upgraded !== undefined) acceptUpgrade(this.#e, upgraded);
    return rest;
  }

  #read(bytes: Uint8Array): void {
    const e = this.#e;
    const framer = this.#framer;
    if (this.#preface !== undefined || e.shutdown.isOver) return;
    framer.push(bytes);
    while (!e.shutdown.isOver) {
      const found = framer.next(e.settings.local.maxFrameSize);
      if (found === FRAME) {
        if (e.settings.peerHasSpoken) receiveFrame(e, framer.head, framer.payload);
        else this.#readFirst();
        // After each frame, so that the reply does not depend on how the octets are cut.
        settle(e);
      } else if (found === TOO_LARGE) fail(e, fault(e.settings.peerHasSpoken ? "frameTooLarge" : "firstFrameNotSettings"));
      else break;
    }
    if (e.output.length > e.limits.queuedOctets) fail(e, fault("repliesNotRead"));
  }

  /** The first frame of either side is SETTINGS, and not an acknowledgement (rfc9113#3.4). */
  #readFirst(): void {
    const { head, payload } = this.#framer;
    if (head.type !== FrameType.SETTINGS || (head.flags & Flag.ACK) !== 0) return fail(this.#e, fault("firstFrameNotSettings"));
    return receiveFrame(this.#e, head, payload);
  }

  tick(now: Instant): readonly Event[] {
    const e = this.#e;
    e.now = now;
    if (!e.shutdown.isOver) overdue(e, this.#openedAt);
    return this.events();
  }

  ended(now: Instant): readonly Event[] {
    const e = this.#e;
    e.now = now;
    if (!e.shutdown.isOver) {
      const found = this.#cut;
      // The peer may still be listening (rfc9113#6.8).
      if (!e.shutdown.isFinal) goodbye(e, "NO_ERROR");
      end(e, found);
    }
    return this.events();
  }
  /** What the owner is told if the peer has ended in the middle of something. */
  get #cut(): Fault | undefined {
    const { streams, block } = this.#e;
    const isCut = streams.size > 0 || block !== undefined || this.#framer.isMidFrame || this.#preface !== undefined;
    return isCut ? fault("endedEarly") : undefined;
  }

  events(): readonly Event[] {
    settle(this.#e);
    return this.#e.drain();
  }
  take(): readonly Uint8Array[] {
    return takePieces(this.#e);
  }
  get deadline(): Instant {
    return this.#e.shutdown.isOver ? NEVER : nextDeadline(this.#e, this.#openedAt);
  }
  get queued(): number {
    return this.#e.output.length;
  }
  get streams(): number {
    return this.#e.streams.size;
  }
  get accepting(): boolean {
    return this.#requests?.accepting ?? false;
  }

  request(fields: readonly Field[], end: boolean): { readonly stream: StreamId } | { readonly ticket: number } {
    if (this.#requests === undefined) throw new Misuse("a server sends no requests: `push` promises one");
    return this.#requests.request(fields, end);
  }
  interim(stream: StreamId, status: number, fields: readonly Field[]): void {
    submit.interim(this.#e, stream, { status, fields, end: false });
  }
  respond(stream: StreamId, status: number, fields: readonly Field[], end: boolean): void {
    submit.respond(this.#e, stream, { status, fields, end });
  }
  data(stream: StreamId, bytes: Uint8Array, end: boolean): boolean {
    return submit.data(this.#e, stream, bytes, end);
  }
  trailers(stream: StreamId, fields: readonly Field[]): void {
    submit.trailers(this.#e, stream, fields);
  }
  consumed(stream: StreamId, octets: number): void {
    submit.consumed(this.#e, stream, octets);
  }
  reset(stream: StreamId, code: ErrorCode): void {
    submit.reset(this.#e, stream, code);
  }
  push(parent: StreamId, fields: readonly Field[]): StreamId | undefined {
    return submit.push(this.#e, parent, fields);
  }
  ping(data: Uint8Array): void {
    if (!this.#e.shutdown.isOver) submit.sendPing(this.#e, data);
  }
  prioritize(stream: StreamId, priority: string): void {
    submit.prioritize(this.#e, stream, priority);
  }
  settings(changed: Partial<Settings>): void {
    if (!this.#e.shutdown.isOver) submit.changeSettings(this.#e, changed);
  }
  shutdown(why = ""): void {
    const e = this.#e;
    if (e.shutdown.isOver || e.shutdown.hasBegun) return;
    const octets = new Uint8Array(8).fill(0x5a);
    const last = highestOf(e.side === "server" ? "client" : "server");
    e.shutdown.warn(last, { octets: this.#random === undefined ? octets : this.#random(octets), why }, e.now);
    e.madeRoom();
  }
  abort(code: ErrorCode): void {
    const e = this.#e;
    if (e.shutdown.isOver) return;
    goodbye(e, code);
    end(e);
  }
}
