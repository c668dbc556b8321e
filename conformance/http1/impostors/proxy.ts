import { connect, createServer, type Socket } from "node:net";
import { fromLatin1, toLatin1 } from "../../wire/octets.ts";
import { HTTP1_PROXY_FLAWS } from "./proxy-flaws.ts";
import { downgrade } from "./proxy-http2.ts";
import { listening, type RunningImpostor } from "../../harness/impostors/listening.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import type { Way, ProxyFlaw } from "./flaw.ts";

const PREFACE = "PRI * HTTP/2.0";

/** Starts a wrong proxy before an origin (host and port). */
export async function startWrongProxy(name: string, origin: string): Promise<RunningImpostor> {
  const flaw = flawOf(HTTP1_PROXY_FLAWS, name);
  const dialled = new Set<Socket>();
  const [host = "", port = ""] = origin.split(":");
  const dial = (): Socket => {
    const socket = connect({ host, port: Number(port), allowHalfOpen: true, noDelay: true });
    dialled.add(socket);
    // The tunnel treats a reset by the origin as a close.
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

/** Forwards both directions, changed only by the flaw. */
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
