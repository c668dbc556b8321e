import { after, concatenated, instant, NEVER, seeded, Writer, type Instant } from "../../core/index.ts";
import { QUIC_PRIMITIVES } from "../../io/index.ts";
import type { Datagram, Event } from "../contract.ts";
import { Endpoint, type EndpointOptions } from "../endpoint.ts";
import { TransportError } from "../error-code.ts";
import { writeFrame, type Frame } from "../frame/index.ts";
import type { Handshake, HandshakeEvent, Level } from "../handshake.ts";
import { Draft } from "../packet/draft.ts";
import { readHeader } from "../packet/header.ts";
import { Keys } from "../packet/keys.ts";
import type { Parameters as Values } from "../params.ts";
import type { Address } from "../path/path.ts";
import type { Primitives } from "../primitives.ts";
import type { Side } from "../stream-id.ts";
import { V1 } from "../version.ts";
import type { Connection } from "./connection.ts";

/** Two endpoints on a simulated network with virtual time, and a handshake that has the messages of TLS without its cryptography. */

const HELLO = 1;
const PARAMETERS = 8;
const FINISHED = 20;
const REFUSED = 99;

/** What becomes of 0-RTT. */
export type Early = "none" | "accepted" | "rejected";
/** 1 is the client. */
const secretOf = (level: "early" | "handshake" | "application", by: 1 | 2): Uint8Array =>
  new Uint8Array(32).fill({ early: 48, handshake: 16, application: 32 }[level] + by);

/** Hello, then parameters and Finished of the server, then Finished of the client. Everybody knows the secrets. */
export class ToyHandshake implements Handshake {
  readonly #side: Side;
  readonly #parameters: Uint8Array;
  readonly #padding: number;
  readonly #early: Early;
  readonly #waiting: Record<Level, Uint8Array> = {
    initial: new Uint8Array(0),
    early: new Uint8Array(0),
    handshake: new Uint8Array(0),
    application: new Uint8Array(0),
  };
  #out: { readonly level: Level; readonly octets: Uint8Array }[] = [];
  #events: HandshakeEvent[] = [];

  constructor(side: Side, parameters: Uint8Array, padding = 0, early: Early = "none") {
    this.#early = early;
    this.#side = side;
    this.#parameters = parameters;
    this.#padding = padding;
    if (side !== "client") return;
    if (early !== "none") this.#secret("early", "write");
    this.#say("initial", HELLO, parameters);
  }

  receive(level: Level, octets: Uint8Array): readonly HandshakeEvent[] {
    this.#waiting[level] = concatenated([this.#waiting[level], octets]);
    for (let rest = this.#waiting[level]; rest.length >= 4; rest = this.#waiting[level]) {
      const length = (rest[1]! << 16) | (rest[2]! << 8) | rest[3]!;
      if (rest.length < 4 + length) break;
      this.#waiting[level] = rest.subarray(4 + length);
      this.#handle(level, rest[0]!, rest.subarray(4, 4 + length));
    }
    return this.events();
  }
  events(): readonly HandshakeEvent[] {
    return this.#events.splice(0);
  }
  take(): readonly { readonly level: Level; readonly octets: Uint8Array }[] {
    return this.#out.splice(0);
  }
  /** As if the certificate were refused. */
  refuse(): void {
    this.#events.push({ is: "closed", fault: { name: "certificateUntrusted", error: 0x100 + 42 } });
  }

  #handle(level: Level, type: number, body: Uint8Array): void {
    if (type === REFUSED) return this.refuse();
    if (this.#side === "server") {
      if (type === HELLO && level === "initial") {
        this.#events.push({ is: "parameters", octets: body.slice(0, body.length - this.#padding) });
        if (this.#early === "accepted") this.#secret("early", "read");
        this.#secret("handshake", "read");
        this.#secret("handshake", "write");
        this.#secret("application", "write");
        this.#say("initial", HELLO, new Uint8Array(0));
        this.#say("handshake", PARAMETERS, this.#parameters);
        this.#say("handshake", FINISHED, new Uint8Array(0));
      } else if (type === FINISHED) {
        this.#secret("application", "read");
        this.#events.push({ is: "complete", alpn: "toy" });
      }
      return;
    }
    if (type === HELLO) {
      this.#secret("handshake", "read");
      this.#secret("handshake", "write");
    } else if (type === PARAMETERS) {
      if (this.#early !== "none") this.#events.push({ is: "earlyData", accepted: this.#early === "accepted" });
      this.#events.push({ is: "parameters", octets: body.slice(0, body.length - this.#padding) });
    }
    if (type === FINISHED) {
      this.#secret("application", "read");
      this.#secret("application", "write");
      this.#events.push({ is: "complete", alpn: "toy" });
      this.#say("handshake", FINISHED, new Uint8Array(0));
    }
  }
  #say(level: Level, type: number, body: Uint8Array): void {
    const writer = new Writer();
    writer
      .u8(type)
      .u24(body.length + this.#padding)
      .bytes(body)
      .bytes(new Uint8Array(this.#padding));
    this.#out.push({ level, octets: writer.take() });
  }
  #secret(level: "early" | "handshake" | "application", direction: "read" | "write"): void {
    const by = (direction === "write") === (this.#side === "client") ? 1 : 2;
    const secret = secretOf(level, by);
    this.#events.push({ is: "secret", level, direction, suite: "TLS_AES_128_GCM_SHA256", secret });
  }
}

/** What the network does to datagrams; rates from 0 to 1. */
export type Weather = {
  readonly delayMs: number;
  readonly jitterMs: number;
  readonly loss: number;
  readonly duplication: number;
  readonly corruption: number;
};
const CALM: Weather = { delayMs: 10, jitterMs: 0, loss: 0, duplication: 0, corruption: 0 };

type Flying = { readonly at: Instant; readonly bytes: Uint8Array; readonly from: Address; readonly to: Address };
const SERVER: Address = { host: "192.0.2.1", port: 443 };
export const CLIENT: Address = { host: "198.51.100.7", port: 5000 };

export type Options = {
  readonly seed?: number;
  readonly weather?: Partial<Weather>;
  readonly server?: Partial<EndpointOptions>;
  readonly client?: Partial<EndpointOptions>;
  readonly padding?: number;
  readonly early?: Early;
  readonly remembered?: Values;
};

/** A client and a server, joined. */
export class Rig {
  now: Instant = instant(1_000);
  weather: Weather;
  clientAddress: Address = CLIENT;
  readonly primitives: Primitives;
  readonly client: Endpoint;
  server: Endpoint;
  readonly connection: Connection;
  readonly clientEvents: Event[] = [];
  readonly serverEvents: Event[] = [];
  accepted: Connection | undefined;
  handle: (side: Side, connection: Connection, event: Event) => void = () => {};
  /** Datagrams as they are sent: returns what goes on, or undefined to drop it. */
  meddle: (from: Side, bytes: Uint8Array, to: Address) => Uint8Array | undefined = (_, bytes) => bytes;
  /** Octets and datagrams that each side has sent. */
  readonly sent = { client: { octets: 0, datagrams: 0 }, server: { octets: 0, datagrams: 0 } };
  readonly #random: () => number;
  readonly #padding: number;
  readonly #early: Early;
  #flying: Flying[] = [];

  constructor({ seed = 1, weather, server, client, padding = 0, early = "none", remembered }: Options = {}) {
    this.#random = seeded(seed);
    this.weather = { ...CALM, ...weather };
    this.#padding = padding;
    this.#early = early;
    this.primitives = {
      ...QUIC_PRIMITIVES,
      random: (into) => {
        for (let at = 0; at < into.length; at++) into[at] = Math.floor(this.#random() * 256);
        return into;
      },
    };
    this.server = this.newServer(server);
    this.client = new Endpoint({ primitives: this.primitives, ...client });
    this.connection = this.connect(remembered === undefined ? {} : { remembered });
  }
  newServer(options: Partial<EndpointOptions> = {}): Endpoint {
    return new Endpoint({
      primitives: this.primitives,
      accept: (parameters) => new ToyHandshake("server", parameters, this.#padding, this.#early),
      resetKey: new Uint8Array(32).fill(5),
      ...options,
    });
  }
  connect(options: Partial<Parameters<Endpoint["connect"]>[1]> = {}): Connection {
    return this.client.connect(
      SERVER,
      { handshake: (parameters) => new ToyHandshake("client", parameters, this.#padding, this.#early), ...options },
      this.now,
    );
  }

  /** Runs until nothing happens any more, `isEnough` says so, or `ms` have passed. */
  run(ms = 60_000, isEnough: () => boolean = () => false): void {
    const until = after(this.now, ms);
    for (let steps = 0; steps < 200_000 && !isEnough(); steps++) {
      this.#flush();
      const next = Math.min(this.#flying[0]?.at ?? NEVER, this.client.deadline, this.server.deadline);
      if (next > until || next === NEVER) {
        if (next !== NEVER) this.now = until;
        return;
      }
      this.now = instant(Math.max(this.now, next));
      if (this.#flying[0] !== undefined && this.#flying[0].at <= this.now) this.#arrive(this.#flying.shift()!);
      this.#tell("client", this.client.tick(this.now));
      this.#tell("server", this.server.tick(this.now));
    }
  }
  /** Runs until both sides have confirmed the handshake. */
  establish(): this {
    this.run(
      60_000,
      () => this.clientEvents.some(({ is }) => is === "confirmed") && this.serverEvents.some(({ is }) => is === "confirmed"),
    );
    return this;
  }

  #flush(): void {
    this.#tell("client", this.client.events());
    this.#tell("server", this.server.events());
    for (const datagram of this.client.take(this.now)) this.#send("client", datagram, this.clientAddress);
    for (const datagram of this.server.take(this.now)) this.#send("server", datagram, SERVER);
  }
  #send(side: Side, { bytes: original, to }: Datagram, from: Address): void {
    this.sent[side].octets += original.length;
    this.sent[side].datagrams++;
    const bytes = this.meddle(side, original, to);
    if (bytes === undefined) return;
    const { delayMs, jitterMs, loss, duplication, corruption } = this.weather;
    const copies = this.#random() < loss ? 0 : this.#random() < duplication ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      const sent = bytes.slice();
      if (this.#random() < corruption) sent[Math.floor(this.#random() * sent.length)]! ^= 1 << Math.floor(this.#random() * 8);
      this.#flying.push({ at: after(this.now, delayMs + this.#random() * jitterMs), bytes: sent, from, to });
    }
    this.#flying.sort((a, b) => a.at - b.at);
  }
  #arrive({ bytes, from, to }: Flying): void {
    if (to.port === SERVER.port) this.#tell("server", this.server.receive(bytes, from, this.now));
    else if (to.host === this.clientAddress.host && to.port === this.clientAddress.port)
      this.#tell("client", this.client.receive(bytes, from, this.now));
  }
  /** Octets from nowhere. */
  inject(to: Side, bytes: Uint8Array): void {
    if (to === "server") this.#tell("server", this.server.receive(bytes, this.clientAddress, this.now));
    else this.#tell("client", this.client.receive(bytes, SERVER, this.now));
  }
  #tell(side: Side, events: ReturnType<Endpoint["events"]>): void {
    for (const one of events) {
      if (one.is === "accepted") this.accepted = one.connection;
      else {
        (side === "client" ? this.clientEvents : this.serverEvents).push(one.event);
        this.handle(side, one.connection, one.event);
      }
    }
  }
}

/** How a connection ended, in one line. */
export function ending(events: readonly Event[]): string {
  const closed = events.find((event) => event.is === "closed");
  return closed === undefined ? "open" : `${closed.by} ${closed.layer} ${closed.code} ${closed.reason}`.trimEnd();
}

/** How both sides ended. */
export const endings = (rig: Rig): string => `${ending(rig.clientEvents)} / ${ending(rig.serverEvents)}`;

/** The octets that arrive on each side. */
export function count(rig: Rig): { readonly client: () => number; readonly server: () => number } {
  const got = { client: 0, server: 0 };
  rig.handle = (side, connection, event) => {
    if (event.is !== "data") return;
    got[side] += event.octets.length;
    connection.consumed(event.stream, event.octets.length);
  };
  return { client: () => got.client, server: () => got.server };
}

/** A peer that breaks one rule: packets of our making, with the keys that both sides have. */
export class Liar extends Rig {
  /** The IDs that packets to each side have. */
  readonly #ids: Partial<Record<Side, Uint8Array>> = {};
  #number = 5_000;

  constructor(options: Options = {}) {
    super(options);
    this.meddle = (side, bytes) => {
      const header = readHeader(bytes, 0, 8);
      if (header.is === "short") this.#ids[side === "client" ? "server" : "client"] = header.destination.slice();
      return bytes;
    };
    this.establish();
    this.connection.ping();
    this.accepted!.ping();
    this.run(200);
  }
  /** Frames, or octets of a payload, as if the other side had sent them in a 1-RTT packet. */
  lie(to: Side, frames: readonly Frame[] | Uint8Array, change: (packet: Uint8Array) => void = () => {}): this {
    const draft = new Draft({ type: "1-RTT", destination: this.#ids[to]!, phase: 0 }, { number: this.#number++, length: 4 }, 1_200);
    if (frames instanceof Uint8Array) draft.payload.bytes(frames);
    else for (const frame of frames) writeFrame(draft.payload, frame);
    const writer = new Writer();
    const secret = secretOf("application", to === "server" ? 1 : 2);
    const keys = new Keys({ primitives: this.primitives, suite: "TLS_AES_128_GCM_SHA256", version: V1 }, secret);
    draft.seal(writer, keys);
    const packet = writer.take();
    change(packet);
    this.inject(to, packet);
    return this;
  }
  verdict(on: Side): string {
    const event = (on === "client" ? this.clientEvents : this.serverEvents).find(({ is }) => is === "closed");
    if (event?.is !== "closed") return "open";
    const code = Object.keys(TransportError)[event.code];
    return `${event.fault?.name} ${code} ${event.fault?.scope === "connection" ? (event.fault.frame ?? "") : ""}`.trimEnd();
  }
}
