import { after, NEVER, type Instant } from "../../core/index.ts";
import { AgentEnd, type AgentSession } from "./agent-end.ts";
import { ClientEnd, type Attachment, type ClientSession } from "./client-end.ts";
import type { ChannelLimits } from "./limits.ts";
import type { Member } from "./member.ts";
import type { AgentState, Control, Exit, Offer, Peer, State } from "./protocol.ts";
import { Replay } from "./replay.ts";
import { Typing } from "./typing.ts";

/**
 * One shell, its agent, and its clients. Output goes to every client at once and into the replay. The agent may be `windowOctets` ahead of
 * the fastest client's acknowledgement, so that one slow client holds nobody back; without clients all output counts as acknowledged, and
 * the shell runs on unseen. A client that is `lagOctets` behind, or behind without progress for `stallMs`, is dropped with 1013.
 */
export class TerminalSession implements AgentSession, ClientSession {
  readonly id: string;
  readonly limits: ChannelLimits;
  readonly typing: Typing;
  readonly #clients = new Set<ClientEnd>();
  #replay: Replay;
  #run = "";
  #agent: AgentState = "gone";
  #exit: Exit | undefined;
  #cols = 80;
  #rows = 24;
  #acked = 0;
  /** A client has set the size: the agent's offer no longer does. */
  #isSized = false;
  #end: AgentEnd | undefined;
  /** When the agent left, or the shell ended. */
  #since: Instant;

  constructor(id: string, limits: ChannelLimits, now: Instant) {
    this.id = id;
    this.limits = limits;
    this.#replay = new Replay(limits.replayOctets);
    this.typing = new Typing(limits, (octets) => this.#end?.type(octets));
    this.#since = now;
  }

  get clients(): ReadonlySet<ClientEnd> {
    return this.#clients;
  }
  get agent(): AgentState {
    return this.#agent;
  }
  /** The run that the agent offers; empty before the first offer. */
  get run(): string {
    return this.#run;
  }
  get replay(): Replay {
    return this.#replay;
  }
  get acked(): number {
    return this.#acked;
  }
  /** How the shell ended, once it has. */
  get exit(): Exit | undefined {
    return this.#exit;
  }

  // Attaching.

  /** Why an agent with this run cannot offer the session now; undefined if it can. */
  refusesAgent(run: string): string | undefined {
    if (this.#end !== undefined && this.#end.run !== run) return "another agent offers this session";
    if (this.#agent === "exited" && this.#run === run) return "the shell of this run has ended";
    return undefined;
  }
  /** An agent connects; its earlier connection for the same run, if still open, is considered dead. */
  offer(peer: Peer, run: string): Member {
    this.#end?.drop("replaced", "the agent has connected again");
    this.#end = new AgentEnd(this, peer, run);
    return this.#end;
  }
  attach(peer: Peer, wanted: Attachment, now: Instant): Member {
    for (const other of this.#clients)
      if (other.id === wanted.client && other.watches === wanted.watches) other.drop("replaced", "this client has connected again");
    const { start, end } = this.#replay;
    const isKept = wanted.run === this.#run && wanted.from >= start && wanted.from <= end;
    const client = new ClientEnd(this, peer, isKept ? wanted : { ...wanted, from: start }, now);
    this.#clients.add(client);
    client.begin();
    if (this.#exit !== undefined) client.end(this.#exit);
    else this.#sendStates(client);
    return client;
  }

  // For the agent's end.

  offered(offer: Offer, run: string): string | undefined {
    if (run === this.#run) {
      if (offer.end < this.#replay.end) return "the agent has less output than it has sent";
      if (!this.typing.resume(offer.input)) return "the agent has more input than was typed";
    } else this.#restart(offer, run);
    if (offer.from > this.#replay.end) {
      // The agent no longer keeps the octets between: clients see the gap in `from`.
      this.#replay = new Replay(this.limits.replayOctets, offer.from);
      for (const client of this.#clients) client.skip(offer.from);
      this.#acked = offer.from;
    }
    if (!this.#isSized) {
      this.#cols = offer.cols;
      this.#rows = offer.rows;
    }
    this.#agent = "here";
    this.#sendStates();
    return undefined;
  }
  #restart(offer: Offer, run: string): void {
    for (const client of this.#clients) client.drop("restarted", "another run of the shell has begun");
    this.#run = run;
    this.#exit = undefined;
    this.#replay = new Replay(this.limits.replayOctets, offer.from);
    this.#acked = offer.from;
    this.typing.restart(offer.input);
  }

  printed(octets: Uint8Array, now: Instant): void {
    this.#replay.append(octets);
    for (const client of this.#clients) client.show(octets, now);
    if (this.#clients.size === 0) this.settle(this.#replay.end);
  }
  exited(exit: Exit, now: Instant): void {
    this.#agent = "exited";
    this.#exit = exit;
    this.#since = now;
    this.typing.forget();
    for (const client of this.#clients) client.end(exit);
    this.#clients.clear();
    this.#end?.peer.close(1000, "the shell has ended");
    this.#end = undefined;
  }
  agentLeft(end: AgentEnd, now: Instant): void {
    if (this.#end !== end) return;
    this.#end = undefined;
    if (this.#agent === "exited") return;
    this.#agent = "gone";
    this.#since = now;
    this.#sendStates();
  }

  // For a client's end.

  settle(offset: number): void {
    if (offset <= this.#acked) return;
    this.#acked = offset;
    this.#end?.acknowledge(offset);
  }
  clientLeft(client: ClientEnd): void {
    if (!this.#clients.delete(client)) return;
    if (!client.watches) this.typing.left(client.id);
    if (this.#clients.size === 0) this.settle(this.#replay.end);
    this.#sendStates();
  }
  resize(cols: number, rows: number): void {
    if (this.#isSized && cols === this.#cols && rows === this.#rows) return;
    this.#isSized = true;
    this.#cols = cols;
    this.#rows = rows;
    const message: Control = { type: "resize", cols, rows };
    this.#end?.send(message);
    for (const client of this.#clients) client.send(message);
  }

  // For either end.

  state(from: number, input: number, window: number): State {
    return {
      type: "state",
      session: this.id,
      run: this.#run,
      agent: this.#agent,
      from,
      end: this.#replay.end,
      input,
      window,
      cols: this.#cols,
      rows: this.#rows,
      clients: this.#clients.size,
    };
  }
  /** The session has changed; `but` has received its state already. */
  #sendStates(but?: ClientEnd): void {
    for (const client of this.#clients) if (client !== but) client.sendState();
  }

  // Time.

  get deadline(): Instant {
    let least = NEVER;
    for (const client of this.#clients) if (client.deadline < least) least = client.deadline;
    const end = this.abandonedAt;
    return end < least ? end : least;
  }
  /** When the session ends unless an agent connects. */
  get abandonedAt(): Instant {
    if (this.#agent === "exited") return after(this.#since, this.limits.keepMs);
    return this.#end === undefined ? after(this.#since, this.limits.goneMs) : NEVER;
  }
  tick(now: Instant): void {
    for (const client of this.#clients) if (client.deadline <= now) client.drop("stalled", "nothing was acknowledged for too long");
  }
  /** Ends the session, and all its connections. */
  abandon(): void {
    for (const client of this.#clients) client.drop("abandoned", "the agent has been gone for too long");
    this.#end?.drop("abandoned", "the session is over");
    this.#end = undefined;
  }
}
