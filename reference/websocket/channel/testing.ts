import { instant, type Instant } from "../../core/index.ts";
import { AgentSide } from "./agent-side.ts";
import { ClientSide, type ClientEvent } from "./client-side.ts";
import { Hub, type Role } from "./hub.ts";
import type { ChannelLimits } from "./limits.ts";
import { readControl, type Control, type Peer } from "./protocol.ts";
import type { Member } from "./member.ts";

/** A hub with agents and clients in one process, for tests. Messages arrive when the test delivers them, and any connection can break at any time. */

export const octets = (text: string): Uint8Array => new TextEncoder().encode(text);
export const text = (all: readonly Uint8Array[]): string => all.map((some) => new TextDecoder("latin1").decode(some)).join("");

/** A peer that records what it is sent. */
export class Witness implements Peer {
  readonly messages: (string | Uint8Array)[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;

  send(message: string | Uint8Array): void {
    if (this.closed !== undefined) throw new Error("it was closed");
    this.messages.push(message);
  }
  close(code: number, reason: string): void {
    this.closed ??= { code, reason };
  }
  get shown(): string {
    return text(this.messages.filter((message) => typeof message !== "string"));
  }
  get control(): Control[] {
    return this.messages
      .filter((message) => typeof message === "string")
      .map((message) => {
        const control = readControl(message, "hub");
        if (control.type === "malformed") throw new Error(`the hub sent an invalid message: ${message}`);
        return control;
      });
  }
  last<T extends Control["type"]>(type: T): Extract<Control, { type: T }> | undefined {
    return this.control.findLast((message): message is Extract<Control, { type: T }> => message.type === type);
  }
}

type Message = string | Uint8Array;

/** A connection between a side and the hub, with the messages in flight. */
class Wire {
  readonly up: Message[] = [];
  readonly down: Message[] = [];
  member: Member | undefined;
  /** The hub has closed it: it ends once all is delivered. */
  code: number | undefined;
}

abstract class Party {
  readonly hub: Hub;
  readonly #role: Role;
  wire: Wire | undefined;
  /** The last refusal before the upgrade. */
  refused: number | undefined;

  constructor(hub: Hub, role: Role) {
    this.hub = hub;
    this.#role = role;
  }
  abstract query(): string;
  abstract opened(peer: Peer, now: Instant): void;
  abstract lost(code: number): void;
  abstract heard(message: Message, now: Instant): void;

  connect(now: Instant): boolean {
    const found = this.hub.admit(this.#role, "main", new URLSearchParams(this.query()));
    if ("status" in found) {
      this.refused = found.status;
      return false;
    }
    const wire = new Wire();
    this.wire = wire;
    wire.member = found.enter({ send: (message) => wire.down.push(message), close: (code) => (wire.code ??= code) }, now);
    this.opened({ send: (message) => wire.up.push(message), close: () => {} }, now);
    return true;
  }
  /** Breaks the connection, and loses the messages in flight. */
  break(now: Instant): void {
    const { wire } = this;
    if (wire === undefined) return;
    this.wire = undefined;
    wire.member?.closed(now);
    this.lost(1006);
  }
  /** Delivers one message each way; false if there was none. */
  step(now: Instant): boolean {
    const { wire } = this;
    if (wire === undefined) return false;
    const [up, down] = [wire.up.shift(), wire.down.shift()];
    if (typeof up === "string") wire.member?.text(up, now);
    else if (up !== undefined) wire.member?.binary(up, now);
    if (down !== undefined) this.heard(down, now);
    else if (wire.code !== undefined && this.wire === wire) {
      this.wire = undefined;
      wire.member?.closed(now);
      this.lost(wire.code);
      return true;
    }
    return up !== undefined || down !== undefined;
  }
}

/** An agent whose shell only records input, sizes and faulty messages. */
export class Agent extends Party {
  readonly run: string;
  readonly typed: Uint8Array[] = [];
  readonly sizes: string[] = [];
  isPaused = false;
  readonly side: AgentSide;
  readonly troubles: string[] = [];

  constructor(hub: Hub, run: string, keptOctets?: number) {
    super(hub, "agent");
    this.run = run;
    this.side = new AgentSide(
      {
        write: (some) => void this.typed.push(some),
        resize: (cols, rows) => void this.sizes.push(`${cols}x${rows}`),
        pause: () => void (this.isPaused = true),
        resume: () => void (this.isPaused = false),
      },
      { cols: 80, rows: 24 },
      keptOctets,
    );
  }
  query(): string {
    return `run=${this.run}`;
  }
  opened(peer: Peer, now: Instant): void {
    this.side.connected(peer, now);
  }
  lost(code: number): void {
    this.side.lost(code);
  }
  heard(message: Message, now: Instant): void {
    this.side.heard(now);
    if (typeof message !== "string") return this.side.binary(message);
    const trouble = this.side.text(message);
    if (trouble !== undefined) this.troubles.push(trouble);
    return undefined;
  }
}

/** A client with a screen: the octets shown since the last fresh start, and the other events. */
class Client extends Party {
  readonly side: ClientSide;
  readonly screen: Uint8Array[] = [];
  readonly happenings: ClientEvent[] = [];
  code: number | undefined;
  /** Shows nothing, and therefore acknowledges nothing. */
  isStuck = false;

  constructor(hub: Hub, id: string, role: "client" | "watcher" = "client", watches = false) {
    super(hub, role);
    this.side = new ClientSide(id, watches);
  }
  query(): string {
    return this.side.query;
  }
  opened(peer: Peer, now: Instant): void {
    this.side.connected(peer, now);
  }
  lost(code: number): void {
    this.code = code;
    this.side.lost();
  }
  heard(message: Message, now: Instant): void {
    this.side.heard(now);
    if (typeof message === "string") {
      const happening = this.side.text(message);
      if (happening.is === "state" && happening.isFresh) this.screen.length = 0;
      if (happening.is !== "nothing") this.happenings.push(happening);
    } else {
      this.screen.push(message);
      const offset = this.side.binary(message);
      if (!this.isStuck) this.side.shown(offset);
    }
  }
}

/** A hub with agents and clients. */
export class World {
  readonly hub: Hub;
  readonly parties: Party[] = [];
  now = instant(0);

  constructor(limits: Partial<ChannelLimits> = {}) {
    this.hub = new Hub(limits);
  }
  agent(run = "r1", keptOctets?: number): Agent {
    const agent = new Agent(this.hub, run, keptOctets);
    this.parties.push(agent);
    return agent;
  }
  client(id: string, role?: "client" | "watcher", watches?: boolean): Client {
    const client = new Client(this.hub, id, role, watches);
    this.parties.push(client);
    return client;
  }
  /** Delivers until nothing is in flight. */
  settle(): void {
    for (let some = true, rounds = 0; some; rounds++) {
      if (rounds > 10_000) throw new Error("messages never stop");
      some = false;
      for (const party of this.parties) if (party.step(this.now)) some = true;
    }
  }
  later(ms: number): void {
    this.now = instant(this.now + ms);
    this.hub.tick(this.now);
  }
}
