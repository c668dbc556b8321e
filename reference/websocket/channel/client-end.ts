import { after, NEVER, type Instant } from "../../core/index.ts";
import { readControl, TROUBLES, type Control, type Exit, type Peer, type TroubleCode } from "./protocol.ts";
import { say, type Member, type Session, type Wish } from "./session.ts";
import type { Writer } from "./typing.ts";

/** The hub's end of the connection to a client. */
export class ClientEnd implements Member {
  readonly id: string;
  /** It sees, and neither types nor resizes. */
  readonly watches: boolean;
  /** Output that the client has shown. */
  acked: number;
  readonly #peer: Peer;
  readonly #session: Session;
  readonly #writer: Writer;
  /** Since when the client is behind without a word; kept right while it is. */
  #since: Instant;
  #isOver = false;

  constructor(session: Session, peer: Peer, { client: id, watches }: Wish, from: number, now: Instant) {
    this.id = id;
    this.watches = watches;
    this.acked = from;
    this.#session = session;
    this.#peer = peer;
    this.#since = now;
    // Who does not type is not remembered as somebody who has.
    this.#writer = watches ? { accepted: 0, acked: 0, tell: undefined } : session.typing.writer(id);
    this.#writer.tell = () => this.tell({ type: "ack", offset: this.#writer.acked });
  }

  /** The state, what was typed and taken, and what of the replay the client lacks. */
  begin(): void {
    const { replay, limits } = this.#session;
    this.tellState(this.acked);
    this.tell({ type: "ack", offset: this.#writer.acked });
    for (let at = this.acked; at < replay.end; at += limits.messageOctets) {
      this.#peer.send(replay.slice(at, Math.min(at + limits.messageOctets, replay.end)));
    }
  }

  // What comes.

  text(text: string, now: Instant): void {
    if (this.#isOver) return;
    const session = this.#session;
    if (text.length > session.limits.controlOctets) return this.drop("message-too-big", "a control message is too long");
    const message = readControl(text, "client");
    if (message.type === "malformed") return this.drop("malformed", message.why);
    if (message.type === "resize" && this.watches) return this.drop("read-only", "who watches does not resize");
    if (message.type === "resize") return session.resize(message.cols, message.rows);
    if (message.type !== "ack" || message.offset <= this.acked) return undefined;
    if (message.offset > session.replay.end) return this.drop("ack-ahead", `nothing was sent at ${message.offset} yet`);
    this.acked = message.offset;
    this.#since = now;
    return session.settle(message.offset);
  }
  binary(octets: Uint8Array): void {
    if (this.#isOver) return;
    const { limits, typing } = this.#session;
    if (this.watches) return this.drop("read-only", "who watches does not type");
    if (octets.length > limits.messageOctets) return this.drop("message-too-big", "a binary message is too long");
    if (!typing.accept(this.#writer, octets.slice())) {
      this.drop("window-exceeded", `only ${limits.typedOctets} octets may be unacknowledged`);
    }
  }
  closed(): void {
    this.#isOver = true;
    this.#session.clientLeft(this);
  }

  // What goes.

  tell(message: Control): void {
    if (!this.#isOver) say(this.#peer, message);
  }
  tellState(from = this.#session.replay.end): void {
    this.tell(this.#session.state(from, this.#writer.accepted, this.watches ? 0 : this.#session.limits.typedOctets));
  }
  /** The replay has these octets already, at its end. */
  show(octets: Uint8Array, now: Instant): void {
    if (this.#isOver) return;
    const { replay, limits } = this.#session;
    if (this.acked === replay.end - octets.length) this.#since = now;
    if (replay.end - this.acked > limits.lagOctets) return this.drop("too-slow", `more than ${limits.lagOctets} octets behind`);
    this.#peer.send(octets);
  }
  end(exit: Exit): void {
    this.tellState();
    this.tell(exit);
    if (!this.#isOver) this.#peer.close(1000, "the shell has ended");
    this.#isOver = true;
    this.#session.clientLeft(this);
  }
  drop(code: TroubleCode, message: string): void {
    if (this.#isOver) return;
    this.tell({ type: "error", code, message });
    this.#peer.close(TROUBLES[code], message);
    this.#isOver = true;
    this.#session.clientLeft(this);
  }

  /** When the silence of a client that is behind has lasted too long. */
  get deadline(): Instant {
    return this.acked < this.#session.replay.end ? after(this.#since, this.#session.limits.stallMs) : NEVER;
  }
}
