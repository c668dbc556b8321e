import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import { seeded } from "../../../reference/core/index.ts";
import { cryptoIn, openInitial, packetsIn, serverHelloIn, type Packet, type ServerHello } from "./observe.ts";

/** What a link does to datagrams, in each direction alike. */
export type Link = {
  /** Milliseconds one way. */
  readonly delayMs: number;
  readonly mbps: number;
  /** Datagrams that wait for the line; further ones are dropped. */
  readonly queue: number;
  /** Shares of datagrams, from 0 to 1: lost, and with a changed octet. */
  readonly loss?: number;
  readonly corruption?: number;
  /** The client appears at another port, or at another address, after so many milliseconds; and again after as many as `everyMs`. */
  readonly rebind?: { readonly what: "port" | "address"; readonly afterMs: number; readonly everyMs: number };
  /** For so many milliseconds everything passes, then for so many nothing, and so on. */
  readonly blackhole?: { readonly onMs: number; readonly offMs: number };
  /** Datagrams to the server that are lost, by their ordinal from 1. */
  readonly drops?: readonly number[];
};

/** What was seen of one handshake. */
export type Seen = {
  /** The versions of its packets. */
  readonly versions: Set<number>;
  hasRetry: boolean;
  hasToken: boolean;
  hello: ServerHello | undefined;
  /** Octets of the client in 0-RTT packets, and of the server in 1-RTT packets before a Handshake packet of the client has reached it. */
  earlyOctets: number;
  answeredEarly: number;
  hasFinished: boolean;
};
type Handshake = Seen & { keysFrom: string; isRetried: boolean; readonly crypto: Map<number, Uint8Array> };

type Way = {
  freeAt: number;
  waiting: { at: number; bytes: Uint8Array; send: (bytes: Uint8Array) => void }[];
  timer: NodeJS.Timeout | undefined;
};
/** A client behind the relay: its own address, and the sockets that the server sees it at. */
type Client = { readonly port: number; upstream: Socket; began: number; rebound: number };

/** A path between clients and a server on loopback, which loses, damages and delays what passes, and notes what everybody could read. */
export class Relay {
  readonly seen: Handshake[] = [];
  /** Datagrams that the server has sent to an address of a client after the first. */
  answersAfterRebinding = 0;
  readonly #link: Link;
  #lastAt = 0;
  readonly #server: number;
  readonly #socket = createSocket({ type: "udp4", recvBufferSize: 2_097_152, sendBufferSize: 2_097_152 });
  readonly #clients = new Map<number, Client>();
  readonly #random: () => number;
  readonly #ways: Record<"up" | "down", Way> = {
    up: { freeAt: 0, waiting: [], timer: undefined },
    down: { freeAt: 0, waiting: [], timer: undefined },
  };
  readonly #open: Socket[] = [];
  #began: number | undefined;
  #sentUp = 0;
  #isClosed = false;

  constructor(link: Link, server: number, seed: number) {
    this.#link = link;
    this.#server = server;
    this.#random = seeded(seed);
  }
  async start(): Promise<number> {
    this.#socket.on("message", (bytes, from) => this.#fromClient(bytes, from));
    this.#socket.bind(0, "127.0.0.1");
    await once(this.#socket, "listening");
    return this.#socket.address().port;
  }
  /** From the first datagram of a client to the last of the server. */
  get transferSeconds(): number {
    return (this.#lastAt - (this.#began ?? 0)) / 1_000;
  }
  close(): void {
    this.#isClosed = true;
    for (const { timer } of Object.values(this.#ways)) clearTimeout(timer);
    for (const socket of [this.#socket, ...this.#open]) socket.close();
  }

  #fromClient(bytes: Buffer, { port }: RemoteInfo): void {
    const now = performance.now();
    this.#began ??= now;
    let client = this.#clients.get(port);
    if (client === undefined) {
      client = { port, upstream: this.#upstream(port, "127.0.0.1", 0), began: now, rebound: 0 };
      this.#clients.set(port, client);
    }
    this.#rebind(client, now);
    if (this.#link.drops?.includes(++this.#sentUp) === true) return;
    const { upstream } = client;
    this.#pass("up", bytes, (octets) => {
      this.#noteUp(octets);
      upstream.send(octets, this.#server, "127.0.0.1");
    });
  }
  #upstream(client: number, host: string, rebound: number): Socket {
    const socket = createSocket({ type: "udp4", recvBufferSize: 2_097_152, sendBufferSize: 2_097_152 });
    this.#open.push(socket);
    socket.bind(0, host);
    socket.on("message", (bytes) => {
      // A mapping of before leads nowhere.
      if (this.#clients.get(client)?.rebound !== rebound) return;
      if (rebound > 0) this.answersAfterRebinding++;
      this.#noteDown(bytes);
      this.#pass("down", bytes, (octets) => {
        this.#lastAt = performance.now();
        this.#socket.send(octets, client, "127.0.0.1");
      });
    });
    return socket;
  }
  #rebind(client: Client, now: number): void {
    const { rebind } = this.#link;
    if (rebind === undefined || now - client.began < rebind.afterMs + client.rebound * rebind.everyMs) return;
    client.rebound++;
    client.upstream = this.#upstream(client.port, rebind.what === "port" ? "127.0.0.1" : `127.0.1.${client.rebound}`, client.rebound);
  }

  /** Puts a datagram on the line. */
  #pass(to: "up" | "down", bytes: Uint8Array, send: (bytes: Uint8Array) => void): void {
    const { delayMs, mbps, queue, loss = 0, corruption = 0, blackhole } = this.#link;
    const way = this.#ways[to];
    const now = performance.now();
    if (blackhole !== undefined && (now - this.#began!) % (blackhole.onMs + blackhole.offMs) >= blackhole.onMs) return;
    if (this.#random() < loss) return;
    const octets = bytes.slice();
    if (this.#random() < corruption) octets[Math.floor(this.#random() * octets.length)]! ^= 1 + Math.floor(this.#random() * 255);
    const lineMs = (octets.length * 8) / (mbps * 1_000);
    const starts = Math.max(now, way.freeAt);
    if (starts - now > queue * lineMs) return;
    way.freeAt = starts + lineMs;
    way.waiting.push({ at: way.freeAt + delayMs, bytes: octets, send });
    this.#arm(way);
  }
  #arm(way: Way): void {
    const [next] = way.waiting;
    if (way.timer !== undefined || next === undefined || this.#isClosed) return;
    way.timer = setTimeout(
      () => {
        way.timer = undefined;
        const now = performance.now();
        while (way.waiting[0] !== undefined && way.waiting[0].at <= now) {
          const { bytes, send } = way.waiting.shift()!;
          send(bytes);
        }
        this.#arm(way);
      },
      Math.max(0, next.at - performance.now()),
    );
  }

  /** The handshake of a client's packet: by the ID that the client has chosen for itself. */
  readonly #bySource = new Map<string, Handshake>();
  #last: Handshake | undefined;

  #noteUp(datagram: Uint8Array): void {
    for (const packet of packetsIn(datagram)) {
      if (packet.type === "short" || packet.type === "unknown" || packet.type === "negotiation") continue;
      let handshake = this.#bySource.get(packet.source);
      if (handshake === undefined) {
        if (packet.type !== "initial") continue;
        handshake = {
          versions: new Set(),
          hasRetry: false,
          hasToken: false,
          hello: undefined,
          earlyOctets: 0,
          answeredEarly: 0,
          hasFinished: false,
          keysFrom: packet.destination,
          isRetried: false,
          crypto: new Map(),
        };
        this.#bySource.set(packet.source, handshake);
        this.seen.push(handshake);
      }
      this.#last = handshake;
      handshake.versions.add(packet.version);
      if (packet.type === "0-RTT") handshake.earlyOctets += packet.bytes.length;
      if (packet.type === "handshake") handshake.hasFinished = true;
      if (packet.type !== "initial" || !packet.hasToken) continue;
      handshake.hasToken = true;
      if (handshake.hasRetry && !handshake.isRetried) {
        handshake.keysFrom = packet.destination;
        handshake.isRetried = true;
      }
    }
  }
  #noteDown(datagram: Uint8Array): void {
    for (const packet of packetsIn(datagram)) {
      // A short header does not name the client, whose handshakes do not overlap.
      if (packet.type === "short") {
        if (this.#last?.hasFinished === false) this.#last.answeredEarly += packet.bytes.length;
        continue;
      }
      const handshake = this.#bySource.get(packet.destination);
      if (handshake === undefined) continue;
      handshake.versions.add(packet.version);
      if (packet.type === "retry") handshake.hasRetry = true;
      if (packet.type === "initial" && handshake.hello === undefined) this.#readHello(handshake, packet);
    }
  }
  #readHello(handshake: Handshake, packet: Packet): void {
    for (const [offset, octets] of cryptoIn(openInitial(packet, handshake.keysFrom) ?? new Uint8Array(0)))
      handshake.crypto.set(offset, octets);
    const parts: Uint8Array[] = [];
    for (let at = 0, part = handshake.crypto.get(0); part !== undefined && part.length > 0; part = handshake.crypto.get(at)) {
      parts.push(part);
      at += part.length;
    }
    handshake.hello = serverHelloIn(Buffer.concat(parts));
  }
}
