import { FieldCheck, parsePriority, type Priority } from "../http/index.ts";
import { Decoder, Encoder } from "../hpack/index.ts";
import { after, NEVER, Writer, type Field, type Instant } from "../core/index.ts";
import { Abuse, type Kind } from "./abuse.ts";
import type { Event } from "./contract.ts";
import { DataHead } from "./data-head.ts";
import { ErrorCode } from "./error-code.ts";
import { fault, type Fault } from "./faults.ts";
import { AutoTune } from "./flow-refill.ts";
import { INITIAL_WINDOW, ReceiveWindow } from "./flow-window.ts";
import * as goaway from "./frame/goaway.ts";
import * as ping from "./frame/ping.ts";
import * as rstStream from "./frame/rst-stream.ts";
import * as settingsFrames from "./frame/settings.ts";
import { writeText } from "./frame/text.ts";
import * as windowUpdate from "./frame/window-update.ts";
import type { HeaderBlock } from "./header-block.ts";
import type { Limits } from "./limits.ts";
import { Scheduler } from "./scheduler.ts";
import { INITIAL_SETTINGS, settingsFrame, type Settings } from "./settings.ts";
import { CONNECTION, MAX_STREAM_ID, type Side, type StreamId } from "./stream-id.ts";
import { Closed, Input, late, State, step } from "./stream-state.ts";
import { Phase, Streams, type Stream } from "./streams.ts";

/** How far a graceful end has come: not begun; announced to all; final, with the last stream that counts (rfc9113#6.8). */
export const Farewell = { none: 0, announced: 1, final: 2 } as const;
export type Farewell = (typeof Farewell)[keyof typeof Farewell];

const NO_EVENTS: readonly Event[] = [];
/** No output before `out`: shared by all connections, and never added to. */
export const NO_PIECES: Uint8Array[] = [];
const NOTHING = new Uint8Array(0);

/**
 * What one connection knows, and what both halves of it do: `receive.ts` has a handler for each frame, `submit.ts` a function for each
 * action. Here are the moves that both make: telling events, writing blocks and content, giving credit, closing streams, failing.
 */
export class Session {
  readonly side: Side;
  readonly limits: Limits;
  now: Instant;

  /** Our settings that hold, those last announced, and those announced that the peer has not acknowledged, oldest first. */
  local: Settings;
  announced: Settings;
  readonly unacknowledged: { readonly settings: Settings; readonly sentAt: Instant }[] = [];
  /** The peer's. */
  peer: Settings = INITIAL_SETTINGS;

  readonly decoder: Decoder;
  readonly encoder: Encoder;
  readonly out = new Writer();
  readonly streams: Streams;
  readonly scheduler = new Scheduler();
  readonly abuse: Abuse;
  readonly tune: AutoTune | undefined;

  /** The connection's windows. */
  sendWindow = INITIAL_WINDOW;
  readonly inbound = new ReceiveWindow(INITIAL_WINDOW);

  /** A block whose CONTINUATION is awaited, and since when. */
  block: HeaderBlock | undefined;
  blockSince: Instant = NEVER;

  closed = false;
  farewell: Farewell = Farewell.none;
  /** The last stream of the peer's that our GOAWAY admits, and the last of ours that the peer's admits. */
  admitted: StreamId = MAX_STREAM_ID;
  admittedByPeer: StreamId = MAX_STREAM_ID;
  peerSaidGoodbye = false;
  /** Asks whether the announcement has arrived; 8 octets, and when it was sent. */
  farewellPing: Uint8Array | undefined;
  farewellSince: Instant = NEVER;

  /** The earliest moment at which a blocked stream may have been blocked for too long. */
  stallAt: Instant = NEVER;
  connectionBlockedSince: Instant = NEVER;

  /** Client: tells whether the server is authoritative for an origin. Where nobody does, those that requests have been sent to are taken. */
  speaksFor: ((origin: string) => boolean) | undefined;
  origins: Set<string> | undefined;
  /** Called when a stream of ours has ended or the peer allows more: the client's queue of requests listens. */
  onRoom: (() => void) | undefined;

  /** Pieces of output that go before what `out` holds: content that leaves as a view. */
  pieces: Uint8Array[] = NO_PIECES;
  #dataHead: DataHead | undefined;
  #check: FieldCheck | undefined;
  /** The last block was decoded, and its fields are over the limit (rfc9113#10.5.1). */
  isTooLarge = false;
  /** The peer's first SETTINGS have come. */
  peerHasSpoken = false;
  /** Priorities of requests that have not come yet (rfc9218#7). */
  #foretold: Map<StreamId, Priority> | undefined;
  #events: Event[] | undefined;

  constructor(side: Side, settings: Settings, limits: Limits, tune: boolean, now: Instant) {
    this.side = side;
    this.limits = limits;
    this.now = now;
    // Nobody pushes to a server: it need not say so (rfc9113#6.5.2).
    this.local = { ...INITIAL_SETTINGS, enablePush: side === "client" };
    this.announced = this.local;
    this.decoder = new Decoder({ maxListSize: settings.maxHeaderListSize, maxStringLength: limits.blockOctets });
    this.encoder = new Encoder();
    this.streams = new Streams(side, limits.rememberedStreams);
    this.abuse = new Abuse(limits);
    this.tune = tune ? new AutoTune(limits.maxWindow) : undefined;
  }

  /** Judges the fields of one message at a time: read its results before any callback of the owner can run. */
  get check(): FieldCheck {
    return (this.#check ??= new FieldCheck());
  }
  /** The head of a DATA frame with neither content beside it nor END_STREAM; consecutive frames of one length share its octets. */
  dataHead(length: number, stream: StreamId): Uint8Array {
    if (this.#dataHead === undefined || !this.#dataHead.fits(length, stream)) this.#dataHead = new DataHead(length, stream);
    return this.#dataHead.octets;
  }

  emit(event: Event): void {
    if (this.#events === undefined) this.#events = [event];
    else this.#events.push(event);
  }
  /** What has happened since the last call. */
  drain(): readonly Event[] {
    this.settle();
    const events = this.#events;
    if (events === undefined) return NO_EVENTS;
    this.#events = undefined;
    return events;
  }

  // Settings.

  announce(next: Settings): void {
    settingsFrames.write(this.out, { is: "SETTINGS", ack: false, settings: settingsFrame(this.announced, next) });
    this.announced = next;
    this.unacknowledged.push({ settings: next, sentAt: this.now });
  }

  /**
   * How many streams the peer may have open: the largest number that it may believe in while changes are on their way. Before it has
   * heard from us at all, what we have announced first (rfc9113#5.1.2).
   */
  get maxStreams(): number {
    if (this.unacknowledged.length === 0) return this.local.maxConcurrentStreams;
    let most = Number.isFinite(this.local.maxConcurrentStreams) ? this.local.maxConcurrentStreams : 0;
    for (const { settings } of this.unacknowledged) most = Math.max(most, settings.maxConcurrentStreams);
    return most;
  }
  /** Whether the deprecated priority signals are of any account: neither side has declared them void (rfc9218#2.1). */
  get heedsWeights(): boolean {
    return !this.peer.noRfc7540Priorities && !this.announced.noRfc7540Priorities;
  }

  // Receiving.

  /** One more frame of a kind that is counted; true when it was one too many, and the connection is over. */
  charge(kind: Kind): boolean {
    const flood = this.abuse.spend(kind, this.now);
    if (flood !== undefined) this.fail(flood);
    return flood !== undefined;
  }

  awaitRest(block: HeaderBlock): void {
    this.block = block;
    this.blockSince = this.now;
  }

  /** The fields of a block, with the decoder's state moved on; undefined when that ended the connection. */
  decode(block: Uint8Array): readonly Field[] | undefined {
    const decoded = this.decoder.decode(block);
    if (decoded.is === "fault") {
      this.fail(fault("blockUndecodable"));
      return undefined;
    }
    this.isTooLarge = decoded.is === "tooLarge";
    return decoded.fields;
  }

  /** Gives a new request its priority: by PRIORITY_UPDATE where one has come before it, else by its own field (rfc9218#5, #7). */
  setOut(stream: Stream, value: string | undefined): void {
    const foretold = this.#foretold?.get(stream.id);
    if (foretold === undefined && value === undefined) return;
    this.#foretold?.delete(stream.id);
    const { urgency, incremental } = foretold ?? parsePriority(value!);
    stream.urgency = urgency;
    stream.incremental = incremental;
  }
  prioritize(stream: Stream, { urgency, incremental }: Priority): void {
    if (stream.outbound !== undefined) return this.scheduler.reprioritize(stream.outbound, urgency, incremental);
    stream.urgency = urgency;
    stream.incremental = incremental;
  }
  /** Keeps the priority of a request to come; false where that is more requests than may be open at once (rfc9218#7.1). */
  foretell(id: StreamId, priority: Priority): boolean {
    const foretold = (this.#foretold ??= new Map());
    for (const old of foretold.keys()) if (!this.streams.isIdle(old)) foretold.delete(old);
    if (foretold.size < this.limits.rememberedStreams) foretold.set(id, priority);
    return foretold.size + this.streams.openByPeer <= this.maxStreams;
  }

  // Sending.

  /** Puts a stream in line, or out of it, as its queue and its window ask. */
  schedule(stream: Stream): void {
    const queue = stream.outbound;
    if (queue === undefined || !queue.pending) return;
    if (stream.sendWindow > 0) {
      queue.blockedSince = NEVER;
      this.scheduler.add(queue);
      return;
    }
    this.scheduler.remove(queue);
    if (queue.blockedSince !== NEVER) return;
    queue.blockedSince = this.now;
    this.watchStall(this.now);
  }
  watchStall(since: Instant): void {
    const at = after(since, this.limits.stallMs);
    if (at < this.stallAt) this.stallAt = at;
  }
  connectionBlocked(): void {
    if (this.connectionBlockedSince !== NEVER) return;
    this.connectionBlockedSince = this.now;
    this.watchStall(this.now);
  }

  /** Our half of the stream has ended: END_STREAM is written. */
  endOurs(stream: Stream): void {
    stream.outgoing = Phase.over;
    const next = step(stream.state, Input["send END_STREAM"]) as State;
    if (next === State.closed) this.finish(stream);
    else stream.state = next;
  }
  /** The peer's half of the stream has ended. */
  endTheirs(stream: Stream): void {
    stream.incoming = Phase.over;
    const next = step(stream.state, Input["recv END_STREAM"]) as State;
    if (next === State.closed) this.finish(stream);
    else stream.state = next;
  }
  finish(stream: Stream): void {
    this.closeStream(stream, Closed.ended);
    this.emit({ is: "done", stream: stream.id });
  }

  /** Ends a stream by RST_STREAM, whatever its queue holds. */
  resetStream(stream: Stream, code: ErrorCode): void {
    rstStream.write(this.out, { is: "RST_STREAM", stream: stream.id, code: ErrorCode[code] });
    this.closeStream(stream, Closed.resetByUs);
  }

  closeStream(stream: Stream, how: Closed): void {
    const { outbound } = stream;
    if (outbound !== undefined) {
      this.scheduler.remove(outbound);
      outbound.clear();
    }
    this.streams.close(stream, how);
    if (this.onRoom !== undefined) this.onRoom();
  }

  // Credit for what came in.

  /** Octets of content have been dealt with: the connection's share of their credit. */
  giveConnection(octets: number): void {
    this.#give(this.inbound, CONNECTION, octets);
  }
  giveStream(stream: Stream, octets: number): void {
    if (stream.inbound !== undefined && stream.incoming !== Phase.over) this.#give(stream.inbound, stream.id, octets);
  }
  #give(window: ReceiveWindow, stream: StreamId, octets: number): void {
    let increment = window.give(octets);
    if (increment === 0) return;
    if (this.tune !== undefined) increment += this.tune.refill(window, this.now);
    windowUpdate.write(this.out, { is: "WINDOW_UPDATE", stream, increment });
  }

  // Ends.

  /**
   * The only place that turns a fault into frames (rfc9113#5.4). A stream error on a stream that was never opened cannot be told to the
   * peer by RST_STREAM, and ends the connection.
   */
  fail(found: Fault): void {
    if (this.closed) return;
    if (found.scope === "connection" || this.streams.isIdle(found.stream)) {
      this.goodbye(found.code, found.name);
      this.end(found.scope === "connection" ? found : { ...found, scope: "connection" });
      return;
    }
    const { stream: id, code } = found;
    const stream = this.streams.find(id);
    // One error a stream: what crosses our RST_STREAM is no second one (rfc9113#5.4).
    if (stream === undefined && this.streams.howClosed(id) === Closed.resetByUs) return;
    rstStream.write(this.out, { is: "RST_STREAM", stream: id, code: ErrorCode[code] });
    if (stream === undefined) this.streams.closeAgain(id);
    else {
      this.closeStream(stream, Closed.resetByUs);
      this.emit({ is: "reset", stream: id, code, by: "us", fault: found });
    }
    this.charge("errors");
  }

  /** A stream that the peer begins is refused before anybody has heard of it. */
  refuse(found: Fault): void {
    const { stream: id, code } = found;
    this.streams.pass(id);
    this.streams.remember(id, Closed.resetByUs);
    rstStream.write(this.out, { is: "RST_STREAM", stream: id, code: ErrorCode[code] });
    this.emit({ is: "reset", stream: id, code, by: "us", fault: found });
    // Before our settings have arrived, the peer cannot know how many streams are too many.
    if (found.name !== "tooManyStreams" || Number.isFinite(this.local.maxConcurrentStreams)) this.charge("errors");
  }

  /** A late frame on a stream that is not there: discarded, or answered as `AFTER_CLOSE` says. */
  late(id: StreamId, frame: "HEADERS" | "DATA" | "RST_STREAM" | "WINDOW_UPDATE"): void {
    if (this.streams.isIdle(id)) return this.fail(fault("frameOnIdleStream"));
    const name = late(this.streams.howClosed(id), frame);
    if (name !== undefined) return this.fail(fault(name, id));
    if (frame !== "DATA") this.charge("unknownFrames");
  }

  /** GOAWAY with the last stream of the peer's that has been looked at (rfc9113#6.8). `why` goes with it as debug data. */
  goodbye(code: ErrorCode, why = ""): void {
    this.admitted = Math.min(this.admitted, this.streams.lastByPeer) as StreamId;
    const debug = new Writer(why.length);
    writeText(debug, why);
    goaway.write(this.out, { is: "GOAWAY", last: this.admitted, code: ErrorCode[code], debug: debug.take() });
    this.farewell = Farewell.final;
  }
  /** The connection is over: what is written is still to be sent, and nothing more is read. */
  end(found?: Fault): void {
    this.closed = true;
    this.block = undefined;
    this.emit(found === undefined ? { is: "closed" } : { is: "closed", fault: found });
  }
  /** First step of a graceful end: nothing is refused yet, and a PING tells when the peer has heard of it (rfc9113#6.8). */
  beginFarewell(octets: Uint8Array): void {
    this.farewell = Farewell.announced;
    this.farewellPing = octets;
    this.farewellSince = this.now;
    goaway.write(this.out, { is: "GOAWAY", last: MAX_STREAM_ID, code: ErrorCode.NO_ERROR, debug: NOTHING });
    ping.write(this.out, { is: "PING", ack: false, data: octets });
  }
  /** Second step: what the peer had under way has arrived, and the last stream is known. */
  finishFarewell(): void {
    this.farewellPing = undefined;
    this.goodbye("NO_ERROR");
  }
  /**
   * After the last stream of a graceful end nothing is left to wait for. Looked for after each frame, and before events are told, so
   * that it comes after all else.
   */
  settle(): void {
    if ((this.farewell === Farewell.none && !this.peerSaidGoodbye) || this.closed || this.streams.size > 0) return;
    if (this.farewell === Farewell.final) this.end();
    else if (this.peerSaidGoodbye && this.side === "client" && this.farewell === Farewell.none) {
      this.goodbye("NO_ERROR");
      this.end();
    }
  }
}
