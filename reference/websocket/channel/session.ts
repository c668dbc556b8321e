import { after, NEVER, type Instant } from "../../core/index.ts";
import { AgentEnd } from "./agent-end.ts";
import { ClientEnd } from "./client-end.ts";
import type { ChannelLimits } from "./limits.ts";
import { writeControl, type AgentState, type Control, type Exit, type Offer, type Peer, type State } from "./protocol.ts";
import { Replay } from "./replay.ts";
import { Typing } from "./typing.ts";

/** What the owner of a connection tells the session, until `closed`. */
export interface Member {
  text(text: string, now: Instant): void;
  binary(octets: Uint8Array, now: Instant): void;
  /** The connection is over, for whatever reason; to be called once. */
  closed(now: Instant): void;
}

/** How a client wants to go on: octets from `from` on are not known to it yet, if the run is the same. */
export type Wish = { readonly client: string; readonly run: string; readonly from: number; readonly watches: boolean };

/**
 * One shell, its agent, and its clients. Rules of flow: output goes to every client at once and into the replay. The agent may be `windowOctets`
 * ahead of the fastest client's acknowledgement, so one client that keeps up is enough to read on; without clients everything is
 * acknowledged, and the shell runs on unseen. A client that is `lagOctets` behind, or silent for `stallMs` while it is behind, is dropped with 1013.
 */
export class Session {
  readonly id: string;
  readonly limits: ChannelLimits;
  readonly clients = new Set<ClientEnd>();
  readonly typing: Typing;
  replay: Replay;
  run = "";
  agent: AgentState = "gone";
  exit: Exit | undefined;
  cols = 80;
  rows = 24;
  /** Output up to here need not be held back any more. */
  acked = 0;
  #isSized = false;
  #end: AgentEnd | undefined;
  /** Since when the agent is gone, or the shell has ended. */
  #since: Instant;

  constructor(id: string, limits: ChannelLimits, now: Instant) {
    this.id = id;
    this.limits = limits;
    this.replay = new Replay(limits.replayOctets);
    this.typing = new Typing(limits, (octets) => this.#end?.give(octets));
    this.#since = now;
  }

  // Who comes.

  /** Why an agent with this run cannot offer the session now; undefined when it can. */
  refusesAgent(run: string): string | undefined {
    if (this.#end !== undefined && this.#end.run !== run) return "another agent offers this session";
    if (this.agent === "exited" && this.run === run) return "the shell of this run has ended";
    return undefined;
  }
  /** The connection of an agent; one of the same run that is still open is taken for dead. */
  offer(peer: Peer, run: string): Member {
    this.#end?.drop("replaced", "the agent has come again");
    this.#end = new AgentEnd(this, peer, run);
    return this.#end;
  }
  attach(peer: Peer, wish: Wish, now: Instant): Member {
    for (const other of this.clients)
      if (other.id === wish.client && other.watches === wish.watches) other.drop("replaced", "this client has come again");
    const known = wish.run === this.run && wish.from >= this.replay.start && wish.from <= this.replay.end;
    const client = new ClientEnd(this, peer, wish, known ? wish.from : this.replay.start, now);
    this.clients.add(client);
    client.begin();
    if (this.exit !== undefined) client.end(this.exit);
    else this.tellClients(client);
    return client;
  }

  // What the agent's end reports.

  /** The agent's shell and ours are the same from here on. A line where the offer cannot be. */
  offered(offer: Offer, run: string): string | undefined {
    if (run === this.run) {
      if (offer.end < this.replay.end) return "the agent has less output than it has sent";
      if (!this.typing.resume(offer.input)) return "the agent has taken what was not typed";
    } else this.#restart(offer, run);
    if (offer.from > this.replay.end) {
      // Octets are lost: the agent keeps no more than it does. Whoever looks sees the gap by `from`.
      this.replay = new Replay(this.limits.replayOctets, offer.from);
      for (const client of this.clients) client.acked = offer.from;
      this.acked = offer.from;
    }
    if (!this.#isSized) {
      this.cols = offer.cols;
      this.rows = offer.rows;
    }
    this.agent = "here";
    this.tellClients();
    return undefined;
  }
  #restart(offer: Offer, run: string): void {
    for (const client of this.clients) client.drop("restarted", "another run of the shell has begun");
    this.run = run;
    this.exit = undefined;
    this.replay = new Replay(this.limits.replayOctets, offer.from);
    this.acked = offer.from;
    this.typing.restart(offer.input);
  }

  printed(octets: Uint8Array, now: Instant): void {
    this.replay.append(octets);
    for (const client of this.clients) client.show(octets, now);
    if (this.clients.size === 0) this.settle(this.replay.end);
  }
  exited(exit: Exit, now: Instant): void {
    this.agent = "exited";
    this.exit = exit;
    this.#since = now;
    this.typing.forget();
    for (const client of this.clients) client.end(exit);
    this.clients.clear();
    this.#end?.peer.close(1000, "the shell has ended");
    this.#end = undefined;
  }
  agentLeft(end: AgentEnd, now: Instant): void {
    if (this.#end !== end) return;
    this.#end = undefined;
    if (this.agent === "exited") return;
    this.agent = "gone";
    this.#since = now;
    this.tellClients();
  }

  // What a client's end reports.

  /** A client is done with output up to `offset`: the fastest one counts. */
  settle(offset: number): void {
    if (offset <= this.acked) return;
    this.acked = offset;
    this.#end?.acknowledge(offset);
  }
  clientLeft(client: ClientEnd): void {
    if (!this.clients.delete(client)) return;
    if (!client.watches) this.typing.left(client.id);
    if (this.clients.size === 0) this.settle(this.replay.end);
    this.tellClients();
  }
  resize(cols: number, rows: number): void {
    if (this.#isSized && cols === this.cols && rows === this.rows) return;
    this.#isSized = true;
    this.cols = cols;
    this.rows = rows;
    const message: Control = { type: "resize", cols, rows };
    this.#end?.tell(message);
    for (const client of this.clients) client.tell(message);
  }

  // Telling.

  state(from: number, input: number, window: number): State {
    const { id, run, agent, replay, cols, rows, clients } = this;
    return { type: "state", session: id, run, agent, from, end: replay.end, input, window, cols, rows, clients: clients.size };
  }
  /** Something about the session has changed; `but` knows already. */
  tellClients(but?: ClientEnd): void {
    for (const client of this.clients) if (client !== but) client.tellState();
  }

  // Time.

  get deadline(): Instant {
    let least = NEVER;
    for (const client of this.clients) if (client.deadline < least) least = client.deadline;
    const end = this.over;
    return end < least ? end : least;
  }
  /** When the session is given up, unless an agent comes. */
  get over(): Instant {
    if (this.agent === "exited") return after(this.#since, this.limits.keepMs);
    return this.#end === undefined ? after(this.#since, this.limits.goneMs) : NEVER;
  }
  tick(now: Instant): void {
    for (const client of this.clients) if (client.deadline <= now) client.drop("stalled", "nothing was acknowledged for too long");
  }
  /** It is given up: everybody hears it. */
  abandon(): void {
    for (const client of this.clients) client.drop("abandoned", "the agent has been gone for too long");
    this.#end?.drop("abandoned", "the session is over");
    this.#end = undefined;
  }
}

/** A text message. */
export function say(peer: Peer, message: Control): void {
  peer.send(writeControl(message));
}
