import { instant, type Instant } from "../../../reference/core/index.ts";
import {
  AgentSide,
  type ChannelLimits,
  ClientSide,
  Hub,
  type Member,
  type NewScreen,
  type Peer,
  type Role,
  type Sizing,
} from "../../../reference/websocket/channel/index.ts";
import { hexOf } from "./draw.ts";

export type Message = string | Uint8Array;
const saidMessage = (message: Message): string => (typeof message === "string" ? message : hexOf(message));

/** A hub with agents, clients and strangers; the lines tell all that passes between them. */
export class World {
  readonly hub: Hub;
  readonly lines: string[];
  now: Instant = instant(1_000);
  /** Screens that interpret later. */
  readonly late: (() => void)[] = [];

  constructor(limits: Partial<ChannelLimits>, terminals: { readonly sizing?: Sizing; readonly screen?: boolean }, lines: string[]) {
    this.lines = lines;
    const { sizing, screen } = terminals;
    this.hub = new Hub(limits, {
      ...(sizing === undefined ? {} : { sizing }),
      ...(screen === true ? { screen: this.#screen } : {}),
    });
  }
  /** A screen that draws how much it has interpreted, at which size. */
  readonly #screen: NewScreen = (cols, rows) => {
    let [written, size] = [0, `${cols}x${rows}`];
    this.lines.push(`screen ${size}`);
    return {
      write: (octets, done) => {
        this.late.push(() => {
          written += octets.length;
          done();
        });
      },
      resize: (newCols, newRows) => {
        size = `${newCols}x${newRows}`;
        this.lines.push(`screen is ${size}`);
      },
      draw: () => (written % 7 === 6 ? undefined : Buffer.from(`drawn ${written} ${size}`)),
      close: () => void this.lines.push("screen closed"),
    };
  };
  interpret(count: number): void {
    for (const done of this.late.splice(0, count)) done();
  }
  pass(at: Instant): void {
    this.now = at;
    this.lines.push(`at ${at}`);
    this.hub.tick(at);
  }
  /** The public properties of the hub. */
  tell(): string {
    const { hub } = this;
    const sessions = ["main", "other", "third"].flatMap((id) => {
      const session = hub.session(id);
      if (session === undefined) return [];
      const { agent, hasAgent, run, acked, exit, abandonedAt, clients, replay, deadline } = session;
      return [
        `${id}: ${agent} ${hasAgent} ${run} ${acked} ${JSON.stringify(exit)} ${abandonedAt} ${clients.size} ${replay.start} ${replay.end} ${deadline}`,
      ];
    });
    return `${hub.size} ${hub.deadline} ${sessions.join("; ")}`;
  }
}

/** One connection to the hub, whose messages wait in both directions. */
export class Line {
  readonly world: World;
  readonly name: string;
  readonly up: Message[] = [];
  readonly down: Message[] = [];
  member: Member | undefined;
  code: number | undefined;

  constructor(world: World, name: string) {
    this.world = world;
    this.name = name;
  }
  enter(role: Role, session: string, query: string): boolean {
    const { lines, hub, now } = this.world;
    const found = hub.admit(role, session, new URLSearchParams(query));
    lines.push(
      `${this.name} ${role} ${session}?${query}: ${"status" in found ? `${found.status} ${found.why}` : `admitted to ${found.session}`}`,
    );
    if ("status" in found) return false;
    this.member = found.enter(this.#peer, now);
    return true;
  }
  /** Enters when the place may be gone. */
  enterLate(role: Role, session: string, query: string): (() => void) | undefined {
    const found = this.world.hub.admit(role, session, new URLSearchParams(query));
    if ("status" in found) return undefined;
    return () => {
      this.world.lines.push(`${this.name} enters late`);
      this.member = found.enter(this.#peer, this.world.now);
    };
  }
  get #peer(): Peer {
    return {
      send: (message) => {
        this.world.lines.push(`${this.name} < ${saidMessage(message)}`);
        this.down.push(typeof message === "string" ? message : message.slice());
      },
      close: (code, reason) => {
        this.world.lines.push(`${this.name} closed ${code} ${reason}`);
        this.code ??= code;
      },
    };
  }
  deliver(message: Message): void {
    const { lines, now } = this.world;
    lines.push(`${this.name} > ${saidMessage(message)}`);
    if (typeof message === "string") this.member?.text(message, now);
    else this.member?.binary(message, now);
    const due = this.member?.deadline;
    lines.push(`${this.name} due ${due}`);
  }
  gone(): void {
    this.world.lines.push(`${this.name} is gone`);
    this.member?.closed(this.world.now);
    this.member = undefined;
  }
}

/** An agent or a client of the reference, over successive connections. */
export abstract class Party {
  readonly world: World;
  readonly name: string;
  line: Line | undefined;
  constructor(world: World, name: string) {
    this.world = world;
    this.name = name;
  }
  abstract enter(line: Line): boolean;
  abstract connected(peer: Peer): void;
  abstract lost(code: number): void;
  abstract hear(message: Message): void;
  abstract beat(now: number): boolean;
  abstract tell(): string;

  connect(): void {
    if (this.line !== undefined) return;
    const line = new Line(this.world, this.name);
    if (!this.enter(line)) return;
    this.line = line;
    this.connected({
      send: (message) => {
        this.world.lines.push(`${this.name} says ${saidMessage(message)}`);
        line.up.push(typeof message === "string" ? message : message.slice());
      },
      close: () => {},
    });
  }
  break(code = 1006): void {
    const { line } = this;
    if (line === undefined) return;
    this.line = undefined;
    line.gone();
    this.lost(code);
  }
  /** Delivers a message up, and one down; `false` if there was none. */
  step(): boolean {
    const { line } = this;
    if (line === undefined) return false;
    const [up, down] = [line.up.shift(), line.down.shift()];
    if (up !== undefined) line.deliver(up);
    if (down !== undefined) this.hear(down);
    else if (line.code !== undefined && this.line === line) {
      this.break(line.code);
      return true;
    }
    if (up !== undefined || down !== undefined) this.world.lines.push(`${this.name} is ${this.tell()}`);
    return up !== undefined || down !== undefined;
  }
}

export class AgentParty extends Party {
  readonly side: AgentSide;
  readonly run: string;
  isPaused = false;
  constructor(world: World, name: string, run: string, keptOctets: number | undefined) {
    super(world, name);
    this.run = run;
    const say = (line: string): void => void world.lines.push(`${name}'s shell ${line}`);
    const shell = {
      write: (octets: Uint8Array) => say(`reads ${hexOf(octets)}`),
      resize: (cols: number, rows: number) => say(`is ${cols}x${rows}`),
      pause: () => {
        this.isPaused = true;
        say("pauses");
      },
      resume: () => {
        this.isPaused = false;
        say("goes on");
      },
      restart: () => say("starts again"),
    };
    this.side = new AgentSide(shell, { cols: 80, rows: 24 }, ...(keptOctets === undefined ? [] : [keptOctets]));
  }
  enter(line: Line): boolean {
    return line.enter("agent", "main", `run=${this.run}`);
  }
  connected(peer: Peer): void {
    this.side.connected(peer, this.world.now);
  }
  lost(code: number): void {
    this.side.lost(code);
  }
  hear(message: Message): void {
    this.side.heard(this.world.now);
    if (typeof message !== "string") return this.side.binary(message);
    const trouble = this.side.text(message);
    if (trouble !== undefined) this.world.lines.push(`${this.name} finds ${trouble}`);
    return undefined;
  }
  beat(now: number): boolean {
    return this.side.beat(now);
  }
  tell(): string {
    const { isDone, size } = this.side;
    return `${isDone} ${size.cols}x${size.rows}`;
  }
}

export class ClientParty extends Party {
  readonly side: ClientSide;
  readonly #role: Role;
  /** Shows what it receives at once. */
  shows = true;
  #end = 0;
  constructor(world: World, name: string, role: Role, watches: boolean) {
    super(world, name);
    this.#role = role;
    this.side = watches ? new ClientSide(name, true) : new ClientSide(name);
  }
  enter(line: Line): boolean {
    return line.enter(this.#role, "main", this.side.query);
  }
  connected(peer: Peer): void {
    this.side.connected(peer, this.world.now);
  }
  lost(): void {
    this.side.lost();
  }
  hear(message: Message): void {
    this.side.heard(this.world.now);
    if (typeof message === "string") {
      this.world.lines.push(`${this.name} sees ${JSON.stringify(this.side.text(message))}`);
      return;
    }
    this.#end = this.side.binary(message);
    if (this.shows) this.side.shown(this.#end);
  }
  show(less: number): void {
    this.side.shown(this.#end - less);
  }
  beat(now: number): boolean {
    return this.side.beat(now);
  }
  tell(): string {
    const { received, untaken, watches, isOwner, query } = this.side;
    return `${received} ${untaken} ${watches} ${isOwner} ${query}`;
  }
}
