import { connect, createServer, type Socket } from "node:net";
import { fromLatin1, toLatin1 } from "../../wire/octets.ts";
import { HTTP1_PROXY_FLAWS } from "./proxy-flaws.ts";
import { downgrade } from "./proxy-http2.ts";
import { listening, type RunningImpostor } from "../../harness/impostors/listening.ts";
import { flawOf } from "../../harness/impostors/named.ts";

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

const PREFACE = "PRI * HTTP/2.0";

/** Starts a wrong proxy before an origin (host and port). */
export async function startWrongProxy(name: string, origin: string): Promise<RunningImpostor> {
  const flaw = flawOf(HTTP1_PROXY_FLAWS, name);
  const dialled = new Set<Socket>();
  const [host = "", port = ""] = origin.split(":");
  const dial = (): Socket => {
    const socket = connect({ host, port: Number(port), allowHalfOpen: true, noDelay: true });
    dialled.add(socket);
    // An origin that resets has closed, and so the tunnel takes it.
    socket.on("error", () => {});
    return socket.once("close", () => dialled.delete(socket));
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (flaw.greets === "slams") client.resetAndDestroy();
    else if (flaw.greets === "silent") client.resume();
    else client.once("data", (first: Buffer) => begin(client, first, flaw, dial));
  });
  server.on("close", () => {
    for (const socket of dialled) socket.destroy();
  });
  return listening(server, "http");
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
