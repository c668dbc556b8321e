import type { Socket } from "node:net";
import { Waiting } from "../../harness/connection/waiting.ts";
import type { TranscriptLine } from "../../harness/result.ts";
import type { Message, Octets, Sight, Step } from "../vocabulary.ts";
import type { Json } from "./line.ts";
import { isWellFormed } from "./messages.ts";
import { Party } from "./party.ts";

export const SUBPROTOCOL = "touchstone.channel";
/** Connections of a subject that no step has accepted yet. */
const MOST_WAITING = 16;

/** It belongs to the connection, and may come at any time. */
const isHeartbeat = ({ type }: { readonly type?: unknown }): boolean => type === "ping" || type === "pong";

/** A step that the subject did not let happen. */
export class Hindered extends Error {
  override readonly name = "Hindered";
}

/** How a role opens connections. */
export type Opening = (performance: Performance, step: Extract<Step, { do: "connect" | "accept" }>) => Promise<void>;

/** One performance of a case: its connections, and what was seen on them. */
export class Performance {
  readonly waiting = new Waiting();
  readonly parties = new Map<string, Party>();
  readonly all: Party[] = [];
  readonly transcript: TranscriptLine[] = [];
  readonly timeout: number;
  /** Texts for the braces in messages. */
  readonly words: Readonly<Record<string, string>>;
  readonly #open: Opening;
  readonly #began = performance.now();
  /** Connections of the subject that wait for a step. */
  readonly coming: Party[] = [];

  constructor({
    timeout,
    words,
    open,
  }: {
    readonly timeout: number;
    readonly words: Readonly<Record<string, string>>;
    readonly open: Opening;
  }) {
    this.timeout = timeout;
    this.words = words;
    this.#open = open;
  }

  note(line: Omit<TranscriptLine, "at">): void {
    this.transcript.push({ at: Math.round((performance.now() - this.#began) * 10) / 10, ...line });
  }
  party(name: string, socket: Socket, masks: boolean): Party {
    const party = new Party(name, { socket, masks }, { note: (line) => this.note(line), poke: () => this.waiting.poke() });
    this.all.push(party);
    return party;
  }
  /** A connection of the subject. */
  incoming(socket: Socket): void {
    if (this.coming.length >= MOST_WAITING) {
      socket.destroy();
      return;
    }
    this.coming.push(this.party(`connection ${this.all.length + 1}`, socket, false));
  }
  until(test: () => boolean): Promise<boolean> {
    return this.waiting.until(test, this.timeout);
  }
  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.#perform(step);
  }

  async #perform(step: Step): Promise<void> {
    switch (step.do) {
      case "connect":
      case "accept":
        return this.#open(this, step);
      case "say": {
        const { message } = step;
        this.get(step.name).say(typeof message === "string" ? this.fill(message) : this.fill(JSON.stringify(message)));
        return undefined;
      }
      case "octets":
        this.get(step.name).send(Buffer.from(octetsOf(step.octets), "latin1"), step.whole);
        return undefined;
      case "until":
        if (!(await this.until(() => this.isSeen(step.sight)))) throw new Hindered(`it was waited for in vain: ${inWords(step.sight)}`);
        return undefined;
      case "drop":
        this.get(step.name).drop();
        return undefined;
      case "close":
        this.get(step.name).line.close(step.code);
        return undefined;
      case "wait":
        await this.waiting.until(() => step.until !== undefined && this.isSeen(step.until), step.ms);
        return undefined;
      case "fence":
        await this.fence();
        await this.fence();
        return undefined;
    }
  }
  /** Waits until every open connection has answered a ping, or ended. */
  async fence(names: Iterable<string> = this.parties.keys()): Promise<boolean> {
    let all = true;
    for (const name of names) {
      const party = this.parties.get(name);
      if (party === undefined || !party.line.isOpen) continue;
      const answered = party.ping();
      const met = await this.until(() => answered() || party.code !== undefined);
      all &&= met;
    }
    return all;
  }
  get(name: string): Party {
    const party = this.parties.get(name);
    if (party === undefined) throw new Hindered(`there is no connection ${name}`);
    return party;
  }
  fill(text: string): string {
    return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => this.words[name] ?? whole);
  }

  isSeen(sight: Sight): boolean {
    if (sight.see === "all") return sight.of.every((one) => this.isSeen(one));
    const party = this.parties.get(sight.on);
    if (party === undefined) return false;
    const like = (message: Json | undefined, pattern: Message): boolean =>
      message !== undefined &&
      Object.entries(pattern).every(([name, value]) => JSON.stringify(message[name]) === this.fill(JSON.stringify(value)));
    switch (sight.see) {
      case "message": {
        const count = party.messages.filter((message) => like(message, sight.like)).length;
        return sight.only === true ? count === (sight.times ?? 1) : count >= (sight.times ?? 1);
      }
      case "no-message":
        return !party.messages.some((message) => like(message, sight.like));
      case "last":
        return like(
          party.messages.findLast(({ type }) => type === sight.like["type"]),
          sight.like,
        );
      case "first":
        return like(
          party.messages.find((message) => isHeartbeat(sight.like) || !isHeartbeat(message)),
          sight.like,
        );
      case "octets":
        return party.octets === octetsOf(sight.octets);
      case "rest":
        return party.octets === octetsOf(sight.octets).slice(Number(party.messages.find(({ type }) => type === "state")?.["from"]));
      case "holding":
        return party.octets.split(sight.text).length - 1 >= (sight.times ?? 1);
      case "count":
        return party.octets.length >= sight.least && party.octets.length <= sight.most;
      case "no-longer":
        return party.longest <= sight.most;
      case "screen":
        return party.screen.includes(sight.text);
      case "query":
        return Object.entries(sight.members).every(
          ([name, value]) => (party.query.get(name) === this.fill(value)) !== (sight.differs === true),
        );
      case "offers":
        return party.protocols.includes(sight.name);
      case "one-token":
        return party.tokens === 1;
      case "well-formed":
        return party.messages.every((message) => isWellFormed(message, party.sender));
      case "again":
      case "alone":
        return this.coming.length > 0 === (sight.see === "again");
      case "acknowledged": {
        const offsets = party.messages.filter(({ type }) => type === "ack").map((one) => Number(one["offset"]));
        return offsets.length > 0 && Math.max(...offsets) === sight.offset;
      }
      case "open":
        return party.line.isOpen;
      case "subprotocol":
        return party.head?.fields.get("sec-websocket-protocol") === sight.name;
      case "field":
        return party.head?.fields.has(sight.name) === true;
      case "status":
        return party.status === sight.status;
      case "closed": {
        const { error } = sight;
        const said = party.messages.findLast(({ type }) => type === "error");
        return party.code === sight.code && (error === undefined || said?.["code"] === error);
      }
    }
  }
  /** Ends all connections; our agents end their shells first, so that the hub can forget the session. */
  close(): void {
    for (const { line, isAgent } of this.all) {
      if (isAgent && line.isOpen) {
        line.text(JSON.stringify({ type: "exit", code: 0, signal: null, again: false }));
        line.finish();
      } else line.drop();
    }
  }
}

const octetsOf = ({ text, count = 1 }: Octets): string => text.repeat(count);

/** What can still come after a fence, such as a screen that is drawn, is waited for; what must not come is judged after it. */
export const isNegative = (sight: Sight): boolean =>
  sight.see === "all"
    ? sight.of.some(isNegative)
    : ["no-message", "open", "octets", "rest", "count", "acknowledged", "well-formed"].includes(sight.see) ||
      (sight.see === "message" && sight.only === true);

export function inWords(sight: Sight): string {
  if (sight.see === "all") return sight.of.map(inWords).join(" and ");
  const { see, on, ...rest } = sight;
  return `${see} on ${on}${Object.keys(rest).length === 0 ? "" : ` ${JSON.stringify(rest)}`}`;
}

/** The connections of a sight. */
export const namesIn = (sight: Sight): string[] => (sight.see === "all" ? sight.of.flatMap(namesIn) : [sight.on]);
