import { after, NEVER, type Instant } from "../../core/index.ts";
import { AgentEnd, type AgentSession, type View } from "./agent-end.ts";
import { ClientEnd, type Attachment, type ClientSession, type Size } from "./client-end.ts";
import { Drawing } from "./drawing.ts";
import type { ChannelLimits } from "./limits.ts";
import type { Member } from "./member.ts";
import type { AgentState, Control, Exit, Offer, Peer, State } from "./protocol.ts";
import { Replay } from "./replay.ts";
import type { Terminals } from "./terminals.ts";
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
  readonly #terminals: Terminals;
  #drawing: Drawing | undefined;
  #owner: ClientEnd | undefined;
  #size: Size = { cols: 80, rows: 24 };
  /** How far the fastest client is, and the offset that the agent has been given: not further than the screen. */
  #shown = 0;
  #acked = 0;
  /** A client has asked for another shell since the last one ended. */
  #isStarting = false;
  /** A client has set the size: the agent's offer no longer does. */
  #isSized = false;
  #end: AgentEnd | undefined;
  /** When the agent left, or the shell ended. */
  #since: Instant;

  constructor({ id, limits, ...terminals }: Terminals & { readonly id: string; readonly limits: ChannelLimits }, now: Instant) {
    this.id = id;
    this.limits = limits;
    this.#terminals = terminals;
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
  get hasAgent(): boolean {
    return this.#end !== undefined;
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
    if (this.#exit?.again === false && this.#run === run) return "the shell of this run has ended";
    return undefined;
  }
  /** An agent connects; its earlier connection for the same run, if still open, is considered dead. */
  offer(peer: Peer, run: string, now: Instant): Member {
    this.#end?.drop("replaced", "the agent has connected again");
    this.#end = new AgentEnd(this, peer, { run, now });
    return this.#end;
  }
  attach(peer: Peer, wanted: Attachment, now: Instant): Member {
    const earlier = [...this.#clients].find((other) => other.id === wanted.client && other.watches === wanted.watches);
    const client = new ClientEnd(this, peer, wanted, now);
    this.#clients.add(client);
    if (!client.watches && (this.#owner === undefined || this.#owner === earlier)) this.#owner = client;
    earlier?.drop("replaced", "this client has connected again");
    const { start, end } = this.#replay;
    if (wanted.run === this.#run && wanted.from >= start && wanted.from <= end) this.#begin(client, wanted.from);
    else if (this.#drawing === undefined) this.#begin(client, start);
    else
      this.#drawing.take((screen, from) => {
        const isUsable = screen !== undefined && from >= this.#replay.start;
        this.#begin(client, isUsable ? from : this.#replay.start, isUsable ? screen : undefined);
      });
    return client;
  }
  #begin(client: ClientEnd, from: number, screen?: Uint8Array): void {
    client.begin(from, screen);
    if (this.#exit !== undefined) client.end(this.#exit);
    this.#sendStates(client);
  }

  // For the agent's end.

  offered(offer: Offer, run: string): string | undefined {
    if (run === this.#run) {
      if (offer.end < this.#replay.end) return "the agent has less output than it has sent";
      if (!this.typing.resume(offer.input)) return "the agent has more input than was typed";
    } else this.#restart(offer, run);
    if (offer.from > this.#replay.end) {
      // The agent no longer keeps the octets between: clients see the gap in `from`.
      this.#startAt(offer.from);
      for (const client of this.#clients) {
        if (client.hasBegun) client.skip(offer.from);
        // It waited for the screen of what is lost.
        else this.#begin(client, offer.from);
      }
    }
    if (!this.#isSized) this.#take({ cols: offer.cols, rows: offer.rows });
    if (this.#exit === undefined) this.#agent = "here";
    this.#sendStates();
    return undefined;
  }
  #restart(offer: Offer, run: string): void {
    for (const client of this.#clients) client.drop("restarted", "another run of the shell has begun");
    this.#run = run;
    this.#exit = undefined;
    this.#isStarting = false;
    this.#startAt(offer.from);
    this.typing.restart(offer.input);
  }
  /** Output begins at this offset: what was before it is not available. */
  #startAt(offset: number): void {
    this.#replay = new Replay(this.limits.replayOctets, offset);
    this.#shown = offset;
    this.#acked = offset;
    this.#draw(offset);
  }
  #draw(offset: number): void {
    this.#drawing?.close();
    const screen = this.#terminals.screen?.(this.#size.cols, this.#size.rows);
    this.#drawing = screen === undefined ? undefined : new Drawing(screen, offset);
  }

  printed(octets: Uint8Array, now: Instant): void {
    this.#replay.append(octets);
    this.#drawing?.print(octets, () => this.#acknowledge());
    for (const client of this.#clients) client.show(octets, now);
    if (this.#clients.size === 0) this.settle(this.#replay.end);
  }
  exited(exit: Exit, now: Instant): void {
    this.#agent = "exited";
    this.#exit = exit;
    this.#since = now;
    this.typing.forget();
    for (const client of this.#clients) client.end(exit);
    if (exit.again) return;
    this.#end?.peer.close(1000, "the shell has ended");
    this.#end = undefined;
  }
  agentLeft(end: AgentEnd, now: Instant): void {
    if (this.#end !== end) return;
    this.#end = undefined;
    this.#since = now;
    if (this.#agent === "exited") return;
    this.#agent = "gone";
    this.#sendStates();
  }

  // For a client's end.

  settle(offset: number): void {
    this.#shown = Math.max(this.#shown, offset);
    this.#acknowledge();
  }
  #acknowledge(): void {
    const offset = Math.min(this.#shown, this.#drawing?.drawn ?? this.#shown);
    if (offset <= this.#acked) return;
    this.#acked = offset;
    this.#end?.acknowledge(offset);
  }
  clientLeft(client: ClientEnd): void {
    if (!this.#clients.delete(client)) return;
    if (!client.watches) this.typing.left(client.id);
    if (this.#owner === client) this.#owner = [...this.#clients].find((other) => !other.watches);
    if (this.#clients.size === 0) this.settle(this.#replay.end);
    this.#fit();
    this.#sendStates();
  }
  isOwner(client: ClientEnd): boolean {
    return client === this.#owner;
  }
  own(client: ClientEnd): void {
    if (this.#owner === client) return;
    this.#owner = client;
    this.#fit();
    this.#sendStates();
  }
  start(): void {
    if (this.#exit?.again !== true || this.#isStarting) return;
    this.#isStarting = true;
    this.#end?.send({ type: "start" });
  }
  get isStarting(): boolean {
    return this.#isStarting;
  }
  resize(client: ClientEnd, size: Size): void {
    client.wish = size;
    if (this.#terminals.sizing === "last") this.#resize(size);
    else this.#fit();
  }
  /** Gives the terminal the size that follows from the clients' wishes; `last` follows no wish but the newest. */
  #fit(): void {
    const { sizing = "owner" } = this.#terminals;
    if (sizing === "owner") return this.#resize(this.#owner?.wish);
    if (sizing === "last") return undefined;
    const wishes = [...this.#clients].flatMap(({ wish }) => (wish === undefined ? [] : [wish]));
    if (wishes.length === 0) return undefined;
    return this.#resize({ cols: Math.min(...wishes.map(({ cols }) => cols)), rows: Math.min(...wishes.map(({ rows }) => rows)) });
  }
  #resize(size: Size | undefined): void {
    if (size === undefined) return;
    this.#isSized = true;
    if (size.cols === this.#size.cols && size.rows === this.#size.rows) return;
    this.#take(size);
    const message: Control = { type: "resize", ...size };
    this.#end?.send(message);
    for (const client of this.#clients) if (client.hasBegun) client.send(message);
  }
  #take(size: Size): void {
    this.#size = size;
    this.#drawing?.resize(size.cols, size.rows);
  }

  // For either end.

  stateOf(view: View): State {
    return {
      type: "state",
      session: this.id,
      run: this.#run,
      agent: this.#agent,
      end: this.#replay.end,
      ...this.#size,
      clients: this.#clients.size,
      ...view,
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
    if (this.#end !== undefined && this.#end.deadline < least) least = this.#end.deadline;
    const end = this.abandonedAt;
    return end < least ? end : least;
  }
  /** When the session ends unless an agent connects. */
  get abandonedAt(): Instant {
    if (this.#end !== undefined) return NEVER;
    return after(this.#since, this.#agent === "exited" ? this.limits.keepMs : this.limits.goneMs);
  }
  tick(now: Instant): void {
    for (const client of this.#clients) client.tick(now);
    this.#end?.tick(now);
  }
  /** Ends the session, and all its connections. */
  abandon(): void {
    for (const client of this.#clients) client.drop("abandoned", "the agent has been gone for too long");
    this.#end?.drop("abandoned", "the session is over");
    this.#end = undefined;
    this.#drawing?.close();
    this.#drawing = undefined;
  }
}
