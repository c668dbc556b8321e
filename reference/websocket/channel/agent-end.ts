import { instant, NEVER, type Instant } from "../../core/index.ts";
import type { ChannelLimits } from "./limits.ts";
import { sendControl, type Member } from "./member.ts";
import { readControl, TROUBLES, type Control, type Exit, type Offer, type Peer, type State, type TroubleCode } from "./protocol.ts";
import { Pulse } from "./pulse.ts";
import type { Replay } from "./replay.ts";
import type { Typing } from "./typing.ts";

/** What an agent's end needs from its session. */
export interface AgentSession {
  readonly limits: ChannelLimits;
  readonly replay: Replay;
  readonly typing: Typing;
  /** Output up to here no longer holds the agent back. */
  readonly acked: number;
  /** The agent is to begin another shell. */
  readonly isStarting: boolean;
  stateOf(view: View): State;
  /** The agent offers its shell; returns why that is impossible. */
  offered(offer: Offer, run: string): string | undefined;
  printed(octets: Uint8Array, now: Instant): void;
  exited(exit: Exit, now: Instant): void;
  agentLeft(end: AgentEnd, now: Instant): void;
}

/** What a state says of one connection. */
export type View = Pick<State, "from" | "screen" | "input" | "known" | "window" | "owner">;

/** The hub's end of the connection to an agent. */
export class AgentEnd implements Member {
  readonly run: string;
  readonly peer: Peer;
  readonly #session: AgentSession;
  readonly #pulse: Pulse;
  #hasOffered = false;
  #hasExited = false;
  #isOver = false;

  constructor(session: AgentSession, peer: Peer, { run, now }: { readonly run: string; readonly now: Instant }) {
    this.#session = session;
    this.#pulse = new Pulse(session.limits, now);
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
    if (message.type === "ping" || message.type === "pong") {
      // Before its offer, an agent holds its place no longer than the heartbeat allows.
      if (this.#hasOffered) this.#pulse.heard(now);
      return message.type === "ping" ? sendControl(this.peer, { type: "pong", id: message.id }) : undefined;
    }
    this.#pulse.heard(now);
    if (message.type === "offer") {
      if (this.#hasOffered) return this.#fail("unexpected", "an agent sends one offer", now);
      const wrong = session.offered(message, this.run);
      if (wrong !== undefined) return this.#fail("unexpected", wrong, now);
      this.#hasOffered = true;
      const { replay, typing, limits } = session;
      this.send(
        session.stateOf({ from: replay.end, screen: 0, input: typing.acked, known: true, window: limits.windowOctets, owner: false }),
      );
      this.acknowledge(session.acked);
      typing.resend();
      if (session.isStarting) this.send({ type: "start" });
      return undefined;
    }
    if (!this.#hasOffered) return this.#fail("unexpected", "an agent begins with an offer", now);
    if (message.type === "ack") {
      return session.typing.acknowledge(message.offset)
        ? undefined
        : this.#fail("ack-ahead", `nothing was typed at ${message.offset} yet`, now);
    }
    if (message.type === "exit") {
      if (this.#hasExited) return this.#fail("unexpected", "a shell ends once", now);
      this.#hasExited = true;
      this.#isOver = !message.again;
      session.exited(message, now);
    }
    return undefined;
  }
  binary(octets: Uint8Array, now: Instant): void {
    if (this.#isOver) return;
    this.#pulse.heard(now);
    const { limits, replay, acked } = this.#session;
    if (octets.length > limits.messageOctets) return this.#fail("message-too-big", "a binary message is too long", now);
    if (!this.#hasOffered) return this.#fail("unexpected", "an agent begins with an offer", now);
    if (this.#hasExited) return this.#fail("unexpected", "a shell that has ended prints nothing", now);
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

  get deadline(): Instant {
    return this.#isOver ? NEVER : instant(this.#pulse.deadline);
  }
  tick(now: Instant): void {
    if (this.#isOver) return;
    const due = this.#pulse.beat(now);
    if (due === "ask") sendControl(this.peer, { type: "ping", id: Math.floor(now) });
    if (due === "dead") this.#fail("silent", "nothing has arrived for too long", now);
  }
  #fail(code: TroubleCode, message: string, now: Instant): void {
    this.drop(code, message);
    this.#session.agentLeft(this, now);
  }
}
