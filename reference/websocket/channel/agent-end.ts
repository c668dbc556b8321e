import type { Instant } from "../../core/index.ts";
import type { ChannelLimits } from "./limits.ts";
import { sendControl, type Member } from "./member.ts";
import { readControl, TROUBLES, type Control, type Exit, type Offer, type Peer, type State, type TroubleCode } from "./protocol.ts";
import type { Replay } from "./replay.ts";
import type { Typing } from "./typing.ts";

/** What an agent's end needs from its session. */
export interface AgentSession {
  readonly limits: ChannelLimits;
  readonly replay: Replay;
  readonly typing: Typing;
  /** Output up to here no longer holds the agent back. */
  readonly acked: number;
  state(from: number, input: number, window: number): State;
  /** The agent offers its shell; returns why that is impossible. */
  offered(offer: Offer, run: string): string | undefined;
  printed(octets: Uint8Array, now: Instant): void;
  exited(exit: Exit, now: Instant): void;
  agentLeft(end: AgentEnd, now: Instant): void;
}

/** The hub's end of the connection to an agent. */
export class AgentEnd implements Member {
  readonly run: string;
  readonly peer: Peer;
  readonly #session: AgentSession;
  #hasOffered = false;
  #isOver = false;

  constructor(session: AgentSession, peer: Peer, run: string) {
    this.#session = session;
    this.peer = peer;
    this.run = run;
  }

  // What arrives.

  text(text: string, now: Instant): void {
    if (this.#isOver) return;
    const session = this.#session;
    if (text.length > session.limits.controlOctets) return this.#fail("message-too-big", "a control message is too long", now);
    const message = readControl(text, "agent");
    if (message.type === "malformed") return this.#fail("malformed", message.why, now);
    if (message.type === "offer") {
      if (this.#hasOffered) return this.#fail("unexpected", "an agent sends one offer", now);
      const wrong = session.offered(message, this.run);
      if (wrong !== undefined) return this.#fail("unexpected", wrong, now);
      this.#hasOffered = true;
      const { replay, typing, limits } = session;
      this.send(session.state(replay.end, typing.acked, limits.windowOctets));
      this.acknowledge(session.acked);
      return typing.resend();
    }
    if (!this.#hasOffered) return this.#fail("unexpected", "an agent begins with an offer", now);
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
    if (!this.#hasOffered) return this.#fail("unexpected", "an agent begins with an offer", now);
    if (replay.end + octets.length - acked > limits.windowOctets) {
      return this.#fail("window-exceeded", `only ${limits.windowOctets} octets may be unacknowledged`, now);
    }
    // A copy: the octets outlive this call in the queues of clients.
    this.#session.printed(octets.slice(), now);
  }
  closed(now: Instant): void {
    this.#isOver = true;
    this.#session.agentLeft(this, now);
  }

  // What is sent.

  send(message: Control): void {
    if (!this.#isOver && (this.#hasOffered || message.type === "error")) sendControl(this.peer, message);
  }
  acknowledge(offset: number): void {
    this.send({ type: "ack", offset });
  }
  type(octets: Uint8Array): void {
    if (!this.#isOver && this.#hasOffered) this.peer.send(octets);
  }
  drop(code: TroubleCode, message: string): void {
    if (this.#isOver) return;
    this.send({ type: "error", code, message });
    this.#isOver = true;
    this.peer.close(TROUBLES[code], message);
  }
  #fail(code: TroubleCode, message: string, now: Instant): void {
    this.drop(code, message);
    this.#session.agentLeft(this, now);
  }
}
