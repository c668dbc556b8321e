import type { Instant } from "../../core/index.ts";
import { readControl, TROUBLES, type Control, type Peer, type TroubleCode } from "./protocol.ts";
import { say, type Member, type Session } from "./session.ts";

/** The hub's end of the connection to an agent. */
export class AgentEnd implements Member {
  readonly run: string;
  readonly peer: Peer;
  readonly #session: Session;
  #hasOffered = false;
  #isOver = false;

  constructor(session: Session, peer: Peer, run: string) {
    this.#session = session;
    this.peer = peer;
    this.run = run;
  }

  // What comes.

  text(text: string, now: Instant): void {
    if (this.#isOver) return;
    const session = this.#session;
    if (text.length > session.limits.controlOctets) return this.#fail("message-too-big", "a control message is too long", now);
    const message = readControl(text, "agent");
    if (message.type === "malformed") return this.#fail("malformed", message.why, now);
    if (message.type === "offer") {
      if (this.#hasOffered) return this.#fail("unexpected", "an agent offers once", now);
      const wrong = session.offered(message, this.run);
      if (wrong !== undefined) return this.#fail("unexpected", wrong, now);
      this.#hasOffered = true;
      const { replay, typing, limits } = session;
      this.tell(session.state(replay.end, typing.acked, limits.windowOctets));
      this.acknowledge(session.acked);
      return typing.again();
    }
    if (!this.#hasOffered) return this.#fail("unexpected", "an agent offers first", now);
    if (message.type === "ack") {
      return session.typing.acknowledge(message.offset)
        ? undefined
        : this.#fail("ack-ahead", `nothing was typed at ${message.offset} yet`, now);
    }
    if (message.type === "exit") {
      this.#isOver = true;
      session.exited(message, now);
    }
    return undefined;
  }
  binary(octets: Uint8Array, now: Instant): void {
    if (this.#isOver) return;
    const { limits, replay, acked } = this.#session;
    if (octets.length > limits.messageOctets) return this.#fail("message-too-big", "a binary message is too long", now);
    if (!this.#hasOffered) return this.#fail("unexpected", "an agent offers first", now);
    if (replay.end + octets.length - acked > limits.windowOctets) {
      return this.#fail("window-exceeded", `only ${limits.windowOctets} octets may be unacknowledged`, now);
    }
    // The octets outlive this call in the queues of clients.
    this.#session.printed(octets.slice(), now);
  }
  closed(now: Instant): void {
    this.#isOver = true;
    this.#session.agentLeft(this, now);
  }

  // What goes.

  tell(message: Control): void {
    if (!this.#isOver && (this.#hasOffered || message.type === "error")) say(this.peer, message);
  }
  acknowledge(offset: number): void {
    this.tell({ type: "ack", offset });
  }
  give(octets: Uint8Array): void {
    if (!this.#isOver && this.#hasOffered) this.peer.send(octets);
  }
  drop(code: TroubleCode, message: string): void {
    if (this.#isOver) return;
    this.tell({ type: "error", code, message });
    this.#isOver = true;
    this.peer.close(TROUBLES[code], message);
  }
  #fail(code: TroubleCode, message: string, now: Instant): void {
    this.drop(code, message);
    this.#session.agentLeft(this, now);
  }
}
