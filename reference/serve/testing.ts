import { once } from "node:events";
import {
  connect as http2Connect,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type Http2Server,
  type OutgoingHttpHeaders,
} from "node:http2";
import { type AddressInfo, connect as tcp, type Server as NetServer, type Socket } from "node:net";
import type { Handler } from "./handler.ts";
import type { Server, ServeOptions } from "./server/options.ts";
import { serve } from "./server/serve.ts";

/** What the tests of this folder share: a client that is not ours, and octets as they are. */

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly body: string;
  readonly interim: number[];
};

/** One request of `node:http2`, and all that comes of it; rejects with the error of its stream, where that breaks off. */
export async function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, content?: string | Uint8Array): Promise<Answer> {
  const stream = session.request(headers, { endStream: content === undefined });
  let head: IncomingHttpHeaders = {};
  let trailers: IncomingHttpHeaders = {};
  const interim: number[] = [];
  const chunks: Buffer[] = [];
  stream.on("response", (got) => (head = got));
  stream.on("headers", (got) => interim.push(Number(got[":status"])));
  stream.on("trailers", (got) => (trailers = got));
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  if (content !== undefined) stream.end(content);
  await once(stream, "close");
  return { status: Number(head[":status"]), headers: head, trailers, body: Buffer.concat(chunks).toString(), interim };
}

/** Connects with `node:http2`, and closes it when the test is done with it. */
export async function nodeClient(url: string, options: object = {}): Promise<AsyncDisposable & { readonly session: ClientHttp2Session }> {
  const session = http2Connect(url, { rejectUnauthorized: false, ...options });
  session.on("error", () => {});
  await once(session, "connect");
  return {
    session,
    [Symbol.asyncDispose]: async () => {
      session.destroy();
      await Promise.resolve();
    },
  };
}

/** A server with this handler, and a connected client of `node:http2`. */
export async function pairOf(
  handler: Handler,
  options: ServeOptions = {},
): Promise<AsyncDisposable & { readonly server: Server; readonly session: ClientHttp2Session }> {
  const server = await serve(handler, { graceMs: 500, ...options });
  const client = await nodeClient(server.url);
  return {
    server,
    session: client.session,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

/** Starts another server on a free port; `stop` also drops its sockets. */
export async function listenOn(server: NetServer | Http2Server, host = "127.0.0.1"): Promise<{ readonly port: number; stop(): void }> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})));
  server.listen(0, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends octets over TCP, and returns what comes until the other end is done, or `ms` have passed. */
export function talk(port: number, octets: Uint8Array | string, ms = 5_000): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = tcp(port, "127.0.0.1", () => socket.write(octets));
    socket.setTimeout(ms, () => socket.destroy());
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(Buffer.concat(chunks)));
  });
}
