import type { Server } from "node:net";
import type { Handler } from "../../../reference/serve/handler.ts";
import { Connections } from "../../../reference/serve/server/connections.ts";
import type { ServeOptions } from "../../../reference/serve/server/options.ts";
import { handler } from "./serve-handler.ts";
import { brief, type Wire } from "./serve-wire.ts";
import { asked, pieces } from "./serve-words.ts";
import { errorText, type World } from "./serve-world.ts";

/** What a raw client can do besides sending. */
async function disturb(world: World, wire: Wire): Promise<void> {
  const { d } = world;
  await d.often<() => unknown>([
    [6, () => world.advance(d.of([1, 10, 50, 100, 300, 500, 1_100]))],
    [1, () => world.advance(d.of([9_900, 10_000, 10_100, 30_000, 61_000]))],
    [2, () => (world.say("stalls"), wire.stall(true))],
    [3, () => (world.say("reads"), wire.stall(false))],
    [1, () => (world.say("ends"), wire.end())],
    [d.once(3) ? 1 : 0, () => (world.say("leaves"), wire.leave())],
    [d.once(3) ? 1 : 0, () => (world.say("breaks"), wire.break())],
  ])();
}

const SETTINGS = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
/** What a raw client sends on one connection. */
function lines(world: World, isMixed: boolean): string {
  const { d } = world;
  if (isMixed && d.once(3)) return SETTINGS.slice(0, d.once(2) ? d.below(30) : 99) + (d.once(4) ? "x" : "");
  return Array.from(
    {
      length: d.often<number>([
        [6, 1],
        [4, 2],
        [2, 3],
        [1, 6],
      ]),
    },
    () => asked(d),
  ).join("");
}

/** Raw clients of a server with this handler. `between` is called between two steps. */
export async function clients(world: World, handle: Handler, between: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  const { d } = world;
  const isMixed = d.once(6);
  const isAlone = !isMixed && d.once(40);
  const small = <Value>(value: () => Value): Partial<{ value: Value }> => (d.once(4) ? { value: value() } : {});
  const limits = Object.fromEntries(
    Object.entries({
      highWater: small(() => d.of([0, 1, 20, 100])),
      unreadOctets: small(() => d.of([1, 10, 30])),
      discardOctets: small(() => d.of([0, 5, 30])),
      heldOctets: small(() => d.of([1, 20, 60])),
      pipelined: small(() => d.of([1, 2])),
      requests: small(() => d.of([1, 2])),
      idleMs: small(() => d.of([100, 300])),
      headMs: small(() => d.of([100, 300])),
      contentMs: small(() => d.of([100, 300])),
    }).flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]])),
  );
  const options: ServeOptions = {
    alpn: isMixed ? ["h2", "http/1.1"] : isAlone ? ["h2"] : ["http/1.1"],
    http1: { limits, ...(d.once(3) && { halfClose: "ignore" as const }) },
    ...(d.once(4) && { date: false }),
    ...(d.once(8) && { stallMs: d.of([50, 500]) }),
    ...(d.once(8) && { idleMs: d.of([50, 500]) }),
    onError: (error, request) => world.say(`onError ${errorText(error)} ${request?.path ?? ""}`),
  };
  world.say(JSON.stringify(options));
  const server = new Connections(handle, options);
  const open = Array.from({ length: d.once(4) ? 2 : 1 }, () => {
    const wire = world.wire("client");
    server.accept(wire.socket);
    return { wire, pieces: pieces(d, lines(world, isMixed || isAlone)) };
  });
  await world.settle();
  for (let step = 0; step < 40 && open.some((one) => one.pieces.length > 0); step++) {
    const { wire, pieces: left } = d.of(open);
    const piece = left.shift();
    if (piece === undefined) continue;
    world.say(`${wire.name} > ${brief(piece)}`);
    wire.send(piece);
    if (!d.once(5)) await world.settle();
    if (d.once(6)) await disturb(world, wire);
    await between();
  }
  for (let more = d.between(1, 6); more > 0; more--) {
    const { wire } = d.of(open);
    await disturb(world, wire);
    if (d.once(3)) wire.send(asked(d));
    await world.settle();
    await between();
  }
  if (d.once(4)) {
    const listener = { close: (closed: () => void) => closed() } as unknown as Server;
    void world.tell("server closed", server.close(listener, d.of([100, 1_000])));
    world.say(`${server.size} are open`);
    await world.settle();
    await world.advance(d.of([50, 200, 1_500]));
  }
  world.say(`${server.size} are open`);
}

/** A server and its clients. */
export async function serverLife(world: World): Promise<void> {
  await clients(world, handler(world));
}
