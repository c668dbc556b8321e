import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { type Head, Line } from "../driver/line.ts";
import { SUBPROTOCOL } from "../driver/performance.ts";
import { portOf } from "../../peers/index.ts";

/** A relay in front of a hub of the reference, or behind an agent or client of it, that makes one kind of mistake. */

export type Json = Readonly<Record<string, unknown>>;
/** A message on its way: text as an object, or as it is if it is no object, or octets. */
export type Passing = Json | string | Uint8Array;
export type Memory = Record<string, unknown> & { readonly role: "agent" | "client" };

/** What an impostor does with what passes; by default it passes. */
export type Flaw = {
  /** The target of the request, and its fields, before they go on. */
  readonly request?: (target: string, fields: Map<string, string>) => string;
  /** The status of a refusal; 101 accepts without the other side. */
  readonly refusal?: (status: number) => number;
  readonly subprotocol?: string;
  /** Messages towards the party that the harness plays, and away from it. The memory is that of the connection. */
  readonly out?: (message: Passing, memory: Memory) => readonly Passing[];
  readonly in?: (message: Passing, memory: Memory) => readonly Passing[];
  /** The code of a Close towards the harness; undefined for none. */
  readonly close?: (code: number) => number | undefined;
};

const isJson = (text: string): Json | string => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : text;
  } catch {
    return text;
  }
};
function send(line: Line, message: Passing): void {
  if (message instanceof Uint8Array) line.octets(message);
  else line.text(typeof message === "string" ? message : JSON.stringify(message));
}

/** Listens, and relays to `port`. The harness connects to the relay (`front`), or listens behind it (`back`). */
export async function relay(
  port: number,
  flaw: Flaw,
  harnessIs: "front" | "back",
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((socket) => pass(keep(socket), keep(connect(port, "127.0.0.1")), flaw, harnessIs));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(front: Socket, back: Socket, flaw: Flaw, harnessIs: "front" | "back"): void {
  const memory: { now: Memory } = { now: { role: "client" } };
  let request: Head | undefined;
  const early: Passing[] = [];
  // What goes to the harness is changed by `out`, what comes from it by `in`.
  const [down, up] = harnessIs === "front" ? ([flaw.out, flaw.in] as const) : ([flaw.in, flaw.out] as const);
  const through = (change: Flaw["out"], message: Passing): readonly Passing[] => change?.(message, memory.now) ?? [message];
  const toBack = (message: Passing): void => {
    if (far.isOpen) for (const one of through(up, message)) send(far, one);
    else early.push(message);
  };
  const toFront = (message: Passing): void => {
    for (const one of through(down, message)) send(near, one);
  };
  const near: Line = new Line(front, false, {
    head: (head) => {
      request = head;
      const fields = new Map(head.fields);
      const target = head.start.split(" ")[1] ?? "/";
      const role = new URL(target, "ws://a").searchParams.has("run") && !target.includes("client=") ? "agent" : "client";
      memory.now = { role };
      const changed = flaw.request?.(target, fields) ?? target;
      for (const name of ["sec-websocket-extensions", "sec-websocket-key", "upgrade", "connection"]) fields.delete(name);
      far.request(changed, Object.fromEntries(fields));
    },
    text: (text) => toBack(isJson(text)),
    octets: (octets) => toBack(octets),
    ended: (code) => (code === 1006 ? far.drop() : far.close(code === 1005 ? 1000 : code)),
  });
  const far: Line = new Line(back, true, {
    head: ({ start }) => {
      const status = Number(start.split(" ")[1]);
      const shown = status === 101 ? 101 : (flaw.refusal?.(status) ?? status);
      if (shown !== 101) return near.refuse(shown);
      if (request !== undefined) near.accept(request, flaw.subprotocol ?? SUBPROTOCOL);
      for (const message of early.splice(0)) toBack(message);
      return undefined;
    },
    text: (text) => toFront(isJson(text)),
    octets: (octets) => toFront(octets),
    ended: (code) => {
      const shown = flaw.close === undefined ? code : flaw.close(code);
      if (shown === undefined) return;
      if (shown === 1006 || shown === 1005) near.drop();
      else near.close(shown);
    },
  });
}
