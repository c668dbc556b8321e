import { spawn } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test } from "vitest";
import { instant, type Instant } from "../../core/index.ts";
import { QUIC_PRIMITIVES } from "../../io/index.ts";
import { pythonWith } from "../../io/testing.ts";
import { clientOptions, pemOf, rootPem, serverOptions } from "../../io/crypto/handshake/testing.ts";
import { Client, Server } from "../../tls/index.ts";
import type { Event } from "../contract.ts";
import type { Connection } from "../connection/connection.ts";
import { Endpoint, type EndpointOptions } from "../endpoint.ts";
import { pattern } from "../testing.ts";
import { V1, V2 } from "../version.ts";

/** Our ends with real TLS over UDP: with each other, and with aioquic in both directions. */

const python = pythonWith("aioquic");
if (python === undefined) console.log("QUIC is not compared with aioquic: it is not installed (bash ci/peers.sh).");
const PEER = join(import.meta.dirname, "peer.py");

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** An endpoint on a socket of its own. */
class Live {
  readonly endpoint: Endpoint;
  readonly events: Event[] = [];
  readonly #socket: Socket = createSocket("udp4");
  readonly #handle: (connection: Connection, event: Event) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Partial<EndpointOptions>, handle: (connection: Connection, event: Event) => void) {
    this.endpoint = new Endpoint({ primitives: QUIC_PRIMITIVES, ...options });
    this.#handle = handle;
    this.#socket.on("message", (bytes, { address, port }) => {
      this.#tell(this.endpoint.receive(bytes, { host: address, port }, Live.now()));
      this.flush();
    });
    open.push(() => {
      clearTimeout(this.#timer);
      this.#socket.close();
    });
  }
  static now(): Instant {
    return instant(performance.now());
  }
  async listen(): Promise<number> {
    await new Promise<void>((done) => void this.#socket.bind(0, "127.0.0.1", done));
    return this.#socket.address().port;
  }
  flush(): void {
    this.#tell(this.endpoint.events());
    for (const { bytes, to } of this.endpoint.take(Live.now())) this.#socket.send(bytes, to.port, to.host);
    clearTimeout(this.#timer);
    const wait = this.endpoint.deadline - Live.now();
    if (wait === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(
      () => {
        this.#tell(this.endpoint.tick(Live.now()));
        this.flush();
      },
      Math.max(0, Math.min(wait, 60_000)),
    );
  }
  #tell(events: ReturnType<Endpoint["events"]>): void {
    for (const one of events) {
      if (one.is === "accepted") continue;
      this.events.push(one.event);
      this.#handle(one.connection, one.event);
    }
  }
}

function echoServer(options: Partial<EndpointOptions> = {}): Live {
  const accept = (parameters: Uint8Array): Server =>
    new Server(serverOptions({ alpn: ["echo"], parameters: () => parameters }), Live.now());
  return new Live({ accept, ...options }, (connection, event) => {
    if (event.is !== "data") return;
    connection.consumed(event.stream, event.octets.length);
    connection.send(event.stream, event.octets, event.end);
  });
}

type Asked = { readonly streams: number; readonly octets: number; readonly version?: typeof V1; readonly update?: boolean };
/** Sends octets on some streams to an echo server, and says how many came back whole. */
async function ask(port: number, { streams, octets, version = V1, update = false }: Asked): Promise<string> {
  const data = pattern(0, octets);
  const got = new Map<number, Uint8Array[]>();
  let whole = 0;
  const { promise, resolve } = Promise.withResolvers<string>();
  const live = new Live({}, (connection, event) => {
    if (event.is === "closed") resolve(`${event.by} ${event.code} ${event.reason}`);
    if (event.is === "confirmed" && update) connection.ping();
    if (event.is === "established") for (let at = 0; at < streams; at++) connection.send(connection.open("bidirectional")!, data, true);
    if (event.is !== "data") return;
    connection.consumed(event.stream, event.octets.length);
    const parts = [...(got.get(event.stream) ?? []), event.octets];
    got.set(event.stream, parts);
    if (update) connection.updateKeys();
    if (!event.end || !Buffer.concat(parts).equals(data) || ++whole < streams) return;
    connection.close(0, "thanks");
    resolve(`${whole} whole`);
  });
  await live.listen();
  const handshake = (parameters: Uint8Array): Client => new Client(clientOptions({ alpn: ["echo"], parameters }), Live.now());
  live.endpoint.connect({ host: "127.0.0.1", port }, { handshake, version }, Live.now());
  live.flush();
  return promise;
}

describe("our own ends over UDP", () => {
  test.each([V1, V2])("version $name", async (version) => {
    const port = await echoServer().listen();
    expect(await ask(port, { streams: 3, octets: 200_000, version, update: true })).toBe("3 whole");
  });
});

const peerConfig = (is: "server" | "client", more: object): string =>
  JSON.stringify({ is, version: "v1", retry: false, update: false, change_id: false, ...more });

describe.runIf(python !== undefined)("our client and a server of aioquic", () => {
  test.each([
    ["version 1", "v1", {}, {}],
    ["version 2", "v2", {}, {}],
    ["Retry", "v1", { retry: true }, {}],
    ["key updates", "v1", {}, { update: true }],
  ] as const)("%s", async (_, version, theirs, ours) => {
    const peer = spawn(python!, [PEER, peerConfig("server", { version, pem: pemOf("p256"), ...theirs })], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    open.push(() => void peer.kill());
    const port = await new Promise<number>(
      (done) => void createInterface({ input: peer.stdout }).once("line", (line) => done(Number(line))),
    );
    expect(await ask(port, { streams: 4, octets: 100_000, version: version === "v1" ? V1 : V2, ...ours })).toBe("4 whole");
  });
});

describe.runIf(python !== undefined)("a client of aioquic and our server", () => {
  test.each([
    ["version 1", "v1", {}, {}],
    ["version 2", "v2", {}, {}],
    ["Retry", "v1", {}, { retry: "always" }],
    ["a key update", "v1", { update: true }, {}],
    ["another connection ID", "v1", { change_id: true }, {}],
  ] as const)("%s", async (_, version, theirs, ours) => {
    const server = echoServer(ours);
    const port = await server.listen();
    const config = peerConfig("client", { version, pem: rootPem, port, streams: 4, octets: 100_000, ...theirs });
    const peer = spawn(python!, [PEER, config], { stdio: ["ignore", "pipe", "inherit"] });
    open.push(() => void peer.kill());
    let last = "";
    createInterface({ input: peer.stdout }).on("line", (line) => (last = line));
    await new Promise((done) => void peer.once("close", done));
    expect(JSON.parse(last)).toMatchObject({ same: 4, version: version === "v1" ? V1.number : V2.number });
  });
});
