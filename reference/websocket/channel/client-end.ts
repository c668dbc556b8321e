import { after, NEVER, type Instant } from "../../core/index.ts";
import type { ChannelLimits } from "./limits.ts";
import { sendControl, type Member } from "./member.ts";
import { readControl, TROUBLES, type Control, type Exit, type Peer, type State, type TroubleCode } from "./protocol.ts";
import type { Replay } from "./replay.ts";
import type { Typing, Typist } from "./typing.ts";

/** How a client attaches: if it has seen the same run, it lacks output from `from` on. */
export type Attachment = { readonly client: string; readonly run: string; readonly from: number; readonly watches: boolean };

/** What a client's end needs from its session. */
export interface ClientSession {
  readonly limits: ChannelLimits;
  readonly replay: Replay;
  readonly typing: Typing;
  state(from: number, input: number, window: number): State;
  resize(cols: number, rows: number): void;
  /** A client has shown output up to `offset`. */
  settle(offset: number): void;
  clientLeft(client: ClientEnd): void;
}

/** The hub's end of the connection to a client. */
export class ClientEnd implements Member {
  readonly id: string;
  /** The client sees output, and may neither type nor resize. */
  readonly watches: boolean;
  readonly #peer: Peer;
  readonly #session: ClientSession;
  readonly #typist: Typist;
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
    // A client that only watches does not take one of the remembered places.
    this.#typist = watches ? { accepted: 0, acked: 0, report: undefined } : session.typing.typist(id);
    this.#typist.report = () => this.send({ type: "ack", offset: this.#typist.acked });
  }

  /** Sends the state, what was typed and acknowledged, and the part of the replay that the client lacks. */
  begin(): void {
    const { replay, limits } = this.#session;
    this.sendState(this.#acked);
    this.send({ type: "ack", offset: this.#typist.acked });
    for (let at = this.#acked; at < replay.end; at += limits.messageOctets) {
      this.#peer.send(replay.slice(at, Math.min(at + limits.messageOctets, replay.end)));
    }
  }

  // What arrives.

  text(text: string, now: Instant): void {
    if (this.#isOver) return;
    const session = this.#session;
    if (text.length > session.limits.controlOctets) return this.drop("message-too-big", "a control message is too long");
    const message = readControl(text, "client");
    if (message.type === "malformed") return this.drop("malformed", message.why);
    if (message.type === "resize" && this.watches) return this.drop("read-only", "a watching client may not resize");
    if (message.type === "resize") return session.resize(message.cols, message.rows);
    if (message.type !== "ack" || message.offset <= this.#acked) return undefined;
    if (message.offset > session.replay.end) return this.drop("ack-ahead", `nothing was sent at ${message.offset} yet`);
    this.#acked = message.offset;
    this.#since = now;
    return session.settle(message.offset);
  }
  binary(octets: Uint8Array): void {
    if (this.#isOver) return;
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
  sendState(from = this.#session.replay.end): void {
    this.send(this.#session.state(from, this.#typist.accepted, this.watches ? 0 : this.#session.limits.typedOctets));
  }
  /** Output before `offset` is lost: the client is not behind with it. */
  skip(offset: number): void {
    this.#acked = offset;
  }
  /** Output that the replay already ends with. */
  show(octets: Uint8Array, now: Instant): void {
    if (this.#isOver) return;
    const { replay, limits } = this.#session;
    if (this.#acked === replay.end - octets.length) this.#since = now;
    if (replay.end - this.#acked > limits.lagOctets) return this.drop("too-slow", `more than ${limits.lagOctets} octets behind`);
    this.#peer.send(octets);
  }
  end(exit: Exit): void {
    this.sendState();
    this.send(exit);
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
  get deadline(): Instant {
    return this.#acked < this.#session.replay.end ? after(this.#since, this.#session.limits.stallMs) : NEVER;
  }
}
