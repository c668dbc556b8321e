import { field, instant } from "../../reference/core/index.ts";
import { Decoder } from "../../reference/hpack/index.ts";
import {
  CLIENT_PREFACE,
  Connection,
  ErrorCode,
  type Event as Reported,
  type Frame,
  HEAD_LENGTH,
  readFrames,
  readHead,
  streamId,
} from "../../reference/http2/index.ts";
import { type ConnectionVector, type Event, frame, type Pairs, type Sent, settings, type Step } from "./source/craft.ts";

/** Plays the vectors of connections on our own, and reports in their words. */

const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));
const toHex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");
const pairs = (fields: readonly { readonly name: string; readonly value: string }[]): Pairs =>
  fields.map(({ name, value }) => [name, value]);
const fieldsOf = (given: Pairs): ReturnType<typeof field>[] => given.map(([name, value]) => field(name, value));
const CODES = Object.keys(ErrorCode) as ErrorCode[];
const codeOf = (code: number): string => CODES.find((name) => ErrorCode[name] === code) ?? String(code);

const OCTET = 0x61;
const T0 = instant(0);
const NAMES = { ENABLE_PUSH: "enablePush", MAX_CONCURRENT_STREAMS: "maxConcurrentStreams" } as const;
function settingsOf(given: Readonly<Record<string, number>>): Record<string, number | boolean> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const own = NAMES[name as keyof typeof NAMES];
      return [own, own === "enablePush" ? value === 1 : value];
    }),
  );
}

export type Played = { readonly events: readonly Event[]; readonly sends: readonly Sent[] };

/** Whether the octets are frames from their beginning to their end; `readFrames` takes what is there for the last one. */
function areWhole(octets: Uint8Array): boolean {
  let at = 0;
  while (at + HEAD_LENGTH <= octets.length) at += HEAD_LENGTH + readHead(octets, at).length;
  return at === octets.length;
}

/** A connection after the exchange of prefaces and SETTINGS. */
export class Player {
  readonly #connection: Connection;
  readonly #decoder = new Decoder();
  /** The tickets of requests that waited, in their order. */
  readonly #tickets: number[] = [];
  readonly #cut: number;

  /** `cut`: octets in one read. */
  constructor({ side, settings: given = {} }: Pick<ConnectionVector, "side" | "settings">, cut: number) {
    this.#cut = cut;
    this.#connection = new Connection({ side, settings: settingsOf(given) }, T0);
    const preface = side === "server" ? toHex(CLIENT_PREFACE) : "";
    this.play({ receive: preface + settings() + frame(4, 1, 0) });
  }

  /** What a step makes the program learn, and what it makes the peer get. */
  play(step: Step): Played {
    const heard: Reported[] = [];
    const sent: Uint8Array[] = [];
    const drain = (): void => {
      for (let isMore = true; isMore;) {
        const pieces = this.#connection.take();
        const events = this.#connection.events();
        sent.push(...pieces);
        heard.push(...events);
        isMore = pieces.length + events.length > 0;
      }
    };
    if ("receive" in step) {
      const octets = fromHex(step.receive);
      for (let at = 0; at < octets.length; at += this.#cut) {
        heard.push(...this.#connection.receive(octets.slice(at, at + this.#cut), T0));
        drain();
      }
    } else this.#act(step);
    drain();
    return { events: heard.flatMap((event) => this.#say(event)), sends: this.#frames(Buffer.concat(sent)) };
  }

  #act(step: Exclude<Step, { readonly receive: string }>): void {
    const c = this.#connection;
    switch (step.do) {
      case "request": {
        const made = c.request(fieldsOf(step.fields), step.end);
        if ("ticket" in made) this.#tickets.push(made.ticket);
        return;
      }
      case "interim":
        c.interim(streamId(step.stream), step.status, fieldsOf(step.fields));
        return;
      case "respond":
        c.respond(streamId(step.stream), step.status, fieldsOf(step.fields), step.end === true);
        return;
      case "data":
        c.data(streamId(step.stream), new Uint8Array(step.octets).fill(OCTET), step.end);
        return;
      case "trailers":
        c.trailers(streamId(step.stream), fieldsOf(step.fields));
        return;
      case "push":
        c.push(streamId(step.stream), fieldsOf(step.fields));
        return;
      case "reset":
        c.reset(streamId(step.stream), step.code as ErrorCode);
        return;
      case "ping":
        c.ping(fromHex(step.octets));
        return;
      case "abort":
        c.abort(step.code as ErrorCode);
        return;
    }
  }

  /** An event in the words of the vectors; SETTINGS and room for content are left out. */
  #say(event: Reported): readonly Event[] {
    switch (event.is) {
      case "request":
        return [{ request: event.stream, fields: pairs(event.fields), end: event.end }];
      case "interim":
        return [{ interim: event.stream, status: event.status, fields: pairs(event.fields) }];
      case "response":
        return [{ response: event.stream, status: event.status, fields: pairs(event.fields), end: event.end }];
      case "data":
        return [{ data: event.stream, octets: event.bytes.every((octet) => octet === OCTET) ? event.bytes.length : -1, end: event.end }];
      case "trailers":
        return [{ trailers: event.stream, fields: pairs(event.fields) }];
      case "pushed":
        return [{ pushed: event.promised, on: event.stream, fields: pairs(event.fields) }];
      case "opened":
        return [{ opened: event.stream, request: this.#tickets.indexOf(event.ticket) }];
      case "unopened":
        return [{ unopened: this.#tickets.indexOf(event.ticket) }];
      case "reset":
        return [{ reset: event.stream, code: event.code, by: event.by }];
      case "done":
        return [{ done: event.stream }];
      case "pong":
        return [{ pong: toHex(event.data) }];
      case "goaway":
        return [{ goaway: event.last, code: codeOf(event.code), debug: toHex(event.debug) }];
      case "closed":
        return [{ closed: event.fault?.code ?? null }];
      case "writable":
      case "settings":
      case "settingsAcknowledged":
        return [];
      default:
        throw new Error(`no such event: ${JSON.stringify(event)}`);
    }
  }

  #frames(octets: Uint8Array): readonly Sent[] {
    const found: Sent[] = [];
    const all = toHex(octets).startsWith(toHex(CLIENT_PREFACE)) ? octets.subarray(CLIENT_PREFACE.length) : octets;
    if (!areWhole(all)) throw new Error("the lengths of the frames sent do not fit their octets");
    for (const one of readFrames(all)) {
      const said = one.is === "fault" ? undefined : this.#frame(one);
      const before = found.at(-1);
      if (said !== undefined && "DATA" in said && before !== undefined && "DATA" in before && before.DATA === said.DATA && !before.end)
        found[found.length - 1] = { DATA: said.DATA, octets: before.octets + said.octets, end: said.end };
      else if (said !== undefined) found.push(said);
      if (one.is === "fault") throw new Error(`a malformed frame is sent: ${one.name}`);
    }
    return found;
  }
  #frame(one: Frame): Sent | undefined {
    switch (one.is) {
      case "HEADERS":
        return { HEADERS: one.stream, fields: this.#fields(one.block), end: one.endStream };
      case "DATA":
        return { DATA: one.stream, octets: one.data.length, end: one.endStream };
      case "RST_STREAM":
        return { RST_STREAM: one.stream, code: codeOf(one.code) };
      case "PUSH_PROMISE":
        return { PUSH_PROMISE: one.promised, on: one.stream, fields: this.#fields(one.block) };
      case "PING":
        return { PING: toHex(one.data), ack: one.ack };
      case "GOAWAY":
        return { GOAWAY: one.last, code: codeOf(one.code) };
      case "SETTINGS":
        return one.ack ? { SETTINGS: "ack" } : undefined;
      case "WINDOW_UPDATE":
        return undefined;
      default:
        throw new Error(`an unexpected frame is sent: ${one.is}`);
    }
  }
  #fields(block: Uint8Array): Pairs {
    const decoded = this.#decoder.decode(block);
    if (decoded.is !== "fields") throw new Error(`a block is sent that cannot be decoded: ${decoded.is}`);
    return pairs(decoded.fields);
  }
}
