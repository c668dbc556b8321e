import { connect as tcp, type Socket } from "node:net";
import { connect } from "../http2/index.ts";
import type { Server } from "../server/options.ts";
import type { OnOpen } from "./accept.ts";
import { connectWebSocket } from "./client.ts";
import type { ConnectWebSocketOptions, WebSocketServeOptions } from "./options.ts";
import { serveWebSocket } from "./server.ts";
import type { OpenWebSocket } from "./open-websocket.ts";

/** Shared by the tests of this folder: servers and clients that are closed with the test, and a raw client. */

/** The carrier of a test's WebSockets: HTTP/1.1 or HTTP/2 (rfc8441), without or with TLS, or HTTP/3 (rfc9220). */
export type How = "ws" | "wss" | "h2" | "h2 over TLS" | "h3";
export const HOWS: readonly How[] = ["ws", "wss", "h2", "h2 over TLS", "h3"];

/** Everything that one test has opened; `clear` closes it, the last first. */
export class Fixture {
  readonly #left: (() => Promise<void> | void)[] = [];

  onEnd(clean: () => Promise<void> | void): void {
    this.#left.push(clean);
  }
  async clear(): Promise<void> {
    for (const clean of this.#left.splice(0).reverse()) await clean();
  }

  async server(open: OnOpen, options: WebSocketServeOptions = {}): Promise<Server> {
    const server = await serveWebSocket(open, { graceMs: 200, onError: () => {}, ...options });
    this.onEnd(() => server.close());
    return server;
  }
  async client(how: How, server: Server, wishes: ConnectWebSocketOptions = {}): Promise<OpenWebSocket> {
    const { certificate } = server;
    const tls = certificate === undefined ? {} : { tls: { ca: certificate } };
    if (how === "ws" || how === "wss") {
      const socket = await connectWebSocket(server.url, { ...tls, ...wishes });
      this.onEnd(() => socket.abort());
      return socket;
    }
    const alpn = how === "h3" ? (["h3"] as const) : (["h2"] as const);
    const client = await connect(server.url.replace(/^ws/, "http"), { alpn, graceMs: 0, ...tls });
    this.onEnd(() => client.close());
    return connectWebSocket(server.url, { ...wishes, over: client });
  }
  async pair(how: How, open: OnOpen, options: WebSocketServeOptions = {}, wishes: ConnectWebSocketOptions = {}): Promise<OpenWebSocket> {
    const server = await this.server(open, { ...options, ...listeningFor(how) });
    return this.client(how, server, wishes);
  }

  /** A raw client after its handshake; `took` returns what has arrived since. */
  async raw(server: Server): Promise<{ readonly socket: Socket; took(): Buffer; readonly ended: Promise<void> }> {
    const socket = tcp(server.port, "127.0.0.1");
    this.onEnd(() => void socket.destroy());
    socket.on("error", () => {});
    let octets = Buffer.alloc(0);
    const { promise, resolve } = Promise.withResolvers<number>();
    socket.on("data", (more: Buffer) => {
      octets = Buffer.concat([octets, more]);
      const end = octets.indexOf("\r\n\r\n");
      if (end >= 0) resolve(end + 4);
    });
    const ended = new Promise<void>((done) => void socket.once("close", () => done()));
    socket.write(
      `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    );
    const head = await promise;
    return { socket, took: () => octets.subarray(head), ended };
  }
}

/** What a server needs for the carrier. */
export function listeningFor(how: How): WebSocketServeOptions {
  if (how === "h3") return { alpn: ["h3"] };
  return how === "wss" || how === "h2 over TLS" ? { tls: true } : {};
}

/** A frame of a client, masked with zeros. */
export const frame = (first: number, payload: string | Uint8Array): Buffer => {
  const octets = typeof payload === "string" ? Buffer.from(payload) : Buffer.from(payload);
  return Buffer.concat([Buffer.of(first, 0x80 | octets.length, 0, 0, 0, 0), octets]);
};

/** Resolves when the condition holds; the test's own time limit ends the wait. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
}
