import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { fromLatin1, toLatin1 } from "../wire/octets.ts";
import { HTTP1_PROXY_FLAWS } from "./http1-proxy-flaws.ts";
import { downgrade } from "./http1-proxy-http2.ts";

/** What a wrong proxy can do on the way, beside what its flaw says. */
export type Way = {
  /** Octets to the client, as if they were an answer. */
  reply(text: string): void;
  /** Octets to the origin, as if the client had sent them. */
  ask(text: string): void;
  /** From here on what the client sends goes to the origin on a new connection. */
  redial(): void;
  /** Ends the connection to the client, and the one to the origin. */
  hangUp(): void;
  leave(): void;
  /** What it remembers of this connection. */
  readonly seen: Map<string, string>;
};

/**
 * What a proxy does wrong. Without any of these it is a tunnel: each connection of a client has one to the origin, and octets go
 * through unread, in HTTP/2 as lines of HTTP/1.1 with whatever stood in the fields.
 */
export type ProxyFlaw = {
  readonly about: string;
  /** Answers nothing; ends every connection at once. */
  readonly greets?: "silent" | "slams";
  /** Other octets than those that the client sent, a read at a time. */
  readonly asks?: (text: string, way: Way) => string;
  /** Other octets than those that the origin sent. */
  readonly answers?: (text: string, way: Way) => string;
  /** The origin's end is not the client's; what is written to the client in its place. */
  readonly onOriginEnd?: (way: Way) => void;
  /** The client's end is not the origin's; what is written to the origin in its place. */
  readonly onClientEnd?: (way: Way) => void;
  /** In HTTP/2: other fields than those that came. */
  readonly fields?: (fields: (readonly [string, string])[]) => (readonly [string, string])[];
  /** In HTTP/2: a stream is ended, or left open, or its response has other fields. */
  readonly response?: (fields: (readonly [string, string])[]) => (readonly [string, string])[];
};

export type RunningProxyImpostor = { readonly url: string; stop(): Promise<void> };

const PREFACE = "PRI * HTTP/2.0";

/** Starts a wrong proxy before an origin (host and port). */
export async function startWrongProxy(name: string, origin: string): Promise<RunningProxyImpostor> {
  const flaw = HTTP1_PROXY_FLAWS[name];
  if (flaw === undefined) throw new Error(`There is no impostor "${name}". Known: ${Object.keys(HTTP1_PROXY_FLAWS).join(", ")}.`);
  const open = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    open.add(socket);
    socket.setNoDelay(true).on("error", () => {});
    return socket.once("close", () => open.delete(socket));
  };
  const [host = "", port = ""] = origin.split(":");
  const dial = (): Socket => keep(connect({ host, port: Number(port), allowHalfOpen: true }));
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    keep(client);
    if (flaw.greets === "slams") client.resetAndDestroy();
    else if (flaw.greets === "silent") client.resume();
    else client.once("data", (first: Buffer) => begin(client, first, flaw, dial));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function begin(client: Socket, first: Buffer, flaw: ProxyFlaw, dial: () => Socket): void {
  if (toLatin1(first).startsWith(PREFACE)) downgrade(client, first, flaw, dial);
  else tunnel(client, first, flaw, dial);
}

/** Both directions, unread but for what the flaw does to them. */
function tunnel(client: Socket, first: Buffer, flaw: ProxyFlaw, dial: () => Socket): void {
  let origin: Socket;
  const write = (socket: Socket, text: string): void => {
    if (text !== "" && socket.writable) socket.write(fromLatin1(text));
  };
  const way: Way = {
    reply: (text) => write(client, text),
    ask: (text) => write(origin, text),
    redial: () => void (origin = reach()),
    hangUp: () => void client.end(),
    leave: () => void origin.end(),
    seen: new Map(),
  };
  const reach = (): Socket => {
    const made = dial();
    made.on("data", (octets: Buffer) => write(client, flaw.answers === undefined ? toLatin1(octets) : flaw.answers(toLatin1(octets), way)));
    made.on("end", () => {
      if (made !== origin) return;
      if (flaw.onOriginEnd === undefined) client.end();
      else flaw.onOriginEnd(way);
    });
    made.on("close", () => {
      if (made === origin && flaw.onOriginEnd === undefined) client.end();
    });
    return made;
  };
  origin = reach();
  const hear = (octets: Buffer): void => write(origin, flaw.asks === undefined ? toLatin1(octets) : flaw.asks(toLatin1(octets), way));
  client.on("data", hear);
  client.on("end", () => {
    if (flaw.onClientEnd === undefined) origin.end();
    else flaw.onClientEnd(way);
  });
  client.on("close", () => {
    if (flaw.onClientEnd === undefined) origin.destroy();
    else if (!client.readableEnded) flaw.onClientEnd(way);
  });
  hear(first);
}
