import { after, instant, NEVER, type Instant } from "../../core/index.ts";
import type { View } from "./agent-end.ts";
import type { ChannelLimits } from "./limits.ts";
import { sendControl, type Member } from "./member.ts";
import { readControl, TROUBLES, type Control, type Exit, type Peer, type State, type TroubleCode } from "./protocol.ts";
import { Pulse } from "./pulse.ts";
import type { Replay } from "./replay.ts";
import type { Typing, Typist } from "./typing.ts";

/** How a client attaches: if it has seen the same run, it lacks output from `from` on. */
export type Attachment = { readonly client: string; readonly run: string; readonly from: number; readonly watches: boolean };

export type Size = { readonly cols: number; readonly rows: number };

/** What a client's end needs from its session. */
export interface ClientSession {
  readonly limits: ChannelLimits;
  readonly replay: Replay;
  readonly typing: Typing;
  stateOf(view: View): State;
  isOwner(client: ClientEnd): boolean;
  /** The client wants the terminal to have this size. */
  resize(client: ClientEnd, size: Size): void;
  /** The client wants to own the terminal. */
  own(client: ClientEnd): void;
  /** The client wants another shell. */
  start(): void;
  /** A client has shown output up to `offset`. */
  settle(offset: number): void;
  clientLeft(client: ClientEnd): void;
}

const NOTHING = new Uint8Array(0);

/** The hub's end of the connection to a client. */
export class ClientEnd implements Member {
  readonly id: string;
  /** The client sees output, and may neither type nor resize. */
  readonly watches: boolean;
  readonly #peer: Peer;
  readonly #session: ClientSession;
  readonly #typist: Typist;
  readonly #pulse: Pulse;
  /** Typed octets of earlier connections are counted. */
  readonly #isKnown: boolean;
  /** The size that it asked for. */
  wish: Size | undefined;
  /** It has its first state, and output goes to it. */
  #hasBegun = false;
  /** Output that the client has shown. */
  #acked: number;
  /** The last sign of progress of a client that is behind. */
  #since: Instant;
  #isOver = false;

  constructor(session: ClientSession, peer: Peer, { client: id, watches, from }: Attachment, now: Instant) {
    this.id = id;
    this.watches = watches;
    this.#acked = from;
    this.#session = session;
    this.#peer = peer;
    this.#since = now;
    this.#pulse = new Pulse(session.limits, now);
    this.#isKnown = !watches && session.typing.knows(id);
    // A client that only watches does not take one of the remembered places.
    this.#typist = watches ? { accepted: 0, acked: 0, report: undefined } : session.typing.typist(id);
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }
  /** Sends the state, what was typed and acknowledged, the screen as it was at `from`, and the output that follows. */
  begin(from: number, screen: Uint8Array = NOTHING): void {
    if (this.#isOver) return;
    const { replay } = this.#session;
    this.#acked = from;
    this.#hasBegun = true;
    this.#typist.report = () => this.send({ type: "ack", offset: this.#typist.acked });
    this.sendState(from, screen.length);
    this.send({ type: "ack", offset: this.#typist.acked });
    this.#sendPieces(screen);
    this.#sendPieces(replay.slice(from));
  }
  #sendPieces(octets: Uint8Array): void {
    const { messageOctets } = this.#session.limits;
    for (let at = 0; at < octets.length; at += messageOctets) this.#peer.send(octets.subarray(at, at + messageOctets));
  }

  // What arrives.

  text(text: string, now: Instant): void {
    if (this.#isOver) return;
    this.#pulse.heard(now);
    const session = this.#session;
    if (text.length > session.limits.controlOctets) return this.drop("message-too-big", "a control message is too long");
    const message = readControl(text, "client");
    if (message.type === "malformed") return this.drop("malformed", message.why);
    switch (message.type) {
      case "ping":
        return this.send({ type: "pong", id: message.id });
      case "ack":
        return this.#shown(message.offset, now);
      case "resize":
      case "own":
      case "start":
        if (this.watches) return this.drop("read-only", `a watching client may not ${message.type}`);
        if (message.type === "resize") session.resize(this, { cols: message.cols, rows: message.rows });
        else if (message.type === "own") session.own(this);
        else session.start();
        return undefined;
      default:
        return undefined;
    }
  }
  #shown(offset: number, now: Instant): void {
    const session = this.#session;
    if (offset <= this.#acked) return undefined;
    if (!this.#hasBegun || offset > session.replay.end) return this.drop("ack-ahead", `nothing was sent at ${offset} yet`);
    this.#acked = offset;
    this.#since = now;
    return session.settle(offset);
  }
  binary(octets: Uint8Array, now: Instant): void {
    if (this.#isOver) return;
    this.#pulse.heard(now);
    const { limits, typing } = this.#session;
    if (this.watches) return this.drop("read-only", "a watching client may not type");
    if (octets.length > limits.messageOctets) return this.drop("message-too-big", "a binary message is too long");
    if (!typing.accept(this.#typist, octets.slice())) {
      this.drop("window-exceeded", `only ${limits.typedOctets} octets may be unacknowledged`);
    }
  }
  closed(): void {
    this.#isOver = true;
    this.#session.clientLeft(this);
  }

  // What is sent.

  send(message: Control): void {
    if (!this.#isOver) sendControl(this.#peer, message);
  }
  sendState(from = this.#session.replay.end, screen = 0): void {
    if (!this.#hasBegun) return;
    const session = this.#session;
    const window = this.watches ? 0 : session.limits.typedOctets;
    const owner = session.isOwner(this);
    this.send(session.stateOf({ from, screen, input: this.#typist.accepted, known: this.#isKnown, window, owner }));
  }
  /** Output before `offset` is lost: the client is not behind with it. */
  skip(offset: number): void {
    this.#acked = offset;
  }
  /** Output that the replay already ends with. */
  show(octets: Uint8Array, now: Instant): void {
    if (this.#isOver || !this.#hasBegun) return;
    const { replay, limits } = this.#session;
    if (this.#acked === replay.end - octets.length) this.#since = now;
    if (replay.end - this.#acked > limits.lagOctets) return this.drop("too-slow", `more than ${limits.lagOctets} octets behind`);
    this.#peer.send(octets);
  }
  /** The shell has ended; without another one to start, the connection ends too. */
  end(exit: Exit): void {
    if (!this.#hasBegun) return;
    this.sendState();
    this.send(exit);
    if (exit.again) return;
    if (!this.#isOver) this.#peer.close(1000, "the shell has ended");
    this.#isOver = true;
    this.#session.clientLeft(this);
  }
  drop(code: TroubleCode, message: string): void {
    if (this.#isOver) return;
    this.send({ type: "error", code, message });
    this.#peer.close(TROUBLES[code], message);
    this.#isOver = true;
    this.#session.clientLeft(this);
  }

  /** When a client that is behind and makes no progress is dropped. */
  get #stalledAt(): Instant {
    const { replay, limits } = this.#session;
    return this.#hasBegun && this.#acked < replay.end ? after(this.#since, limits.stallMs) : NEVER;
  }
  get deadline(): Instant {
    if (this.#isOver) return NEVER;
    return instant(Math.min(this.#stalledAt, this.#pulse.deadline));
  }
  tick(now: Instant): void {
    if (this.#isOver) return;
    if (this.#stalledAt <= now) return this.drop("stalled", "nothing was acknowledged for too long");
    const due = this.#pulse.beat(now);
    if (due === "ask") this.send({ type: "ping", id: Math.floor(now) });
    if (due === "dead") this.drop("silent", "nothing has arrived for too long");
  }
}
