import { FAULTS } from "../../../reference/serve/faults/index.ts";
import type { OnOpen, OpenWebSocket, WebSocketOptions } from "../../../reference/serve/websocket/index.ts";
import { latin1 } from "./serve-handler.ts";
import { brief } from "./serve-wire.ts";
import { errorText, type World } from "./serve-world.ts";

/** Programs that use a WebSocket in every way that it offers, and record what they see. */

const shown = (data: string | Uint8Array): string => (typeof data === "string" ? brief(data) : `octets ${brief(latin1(data))}`);
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** A message that a program sends: in every type that may be sent, and in some that may not. */
function given(world: World): unknown {
  const { d } = world;
  const octets = d.octets(d.of([0, 1, 5, 125, 126, 300]));
  return d.often<() => unknown>([
    [6, () => "é".repeat(d.of([0, 1, 30, 63, 700]))],
    [3, () => octets],
    [1, () => octets.buffer],
    [1, () => new DataView(octets.buffer, octets.length >> 1)],
    [d.once(6) ? 1 : 0, () => d.of([7, null, undefined, {}, new Blob(["a"])])],
  ])();
}

/** One action of a program. */
export function act(world: World, name: string, socket: OpenWebSocket): void {
  const { d } = world;
  const send = (): unknown => socket.send(given(world) as string, d.once(4) ? d.of(["text", "utf8", "binary"] as const) : undefined);
  const isEnd = d.once(2);
  d.often<() => void>([
    [8, () => world.try(`${name} sends`, send)],
    [3, () => world.try(`${name} sends a part, ${isEnd}`, () => socket.sendPart(given(world) as string, isEnd))],
    [2, () => world.try(`${name} pings`, () => socket.ping(d.once(2) ? undefined : d.octets(3)))],
    [
      1,
      () =>
        world.try(`${name} closes`, () =>
          socket.close(...d.of<[number?, string?]>([[], [1000, "bye"], [4000], [1005], [1001, "x".repeat(124)]])),
        ),
    ],
    [d.once(4) ? 1 : 0, () => world.try(`${name} aborts`, () => socket.abort())],
    [2, () => world.try(`${name} pauses`, () => socket.pause())],
    [2, () => world.try(`${name} resumes`, () => socket.resume())],
    [2, () => void world.tell(`${name} drained`, socket.drained())],
    [2, () => void world.tell(`${name} closed`, socket.closed, (ending) => JSON.stringify(ending))],
    [1, () => reads(world, name, socket)],
    [1, () => world.try(`${name} no longer listens`, () => void (socket.onMessage = undefined))],
    [
      1,
      () =>
        world.try(
          `${name} listens`,
          () => void (socket.onMessage = (data, kind) => world.say(`${name} hears later ${kind} ${shown(data)}`)),
        ),
    ],
  ])();
  about(world, name, socket);
}
export function about(world: World, name: string, socket: OpenWebSocket): void {
  const { state, queued, dropped, isPaused, subprotocol, extensions } = socket;
  world.say(
    `${name}: ${state} ${queued} ${dropped} ${isPaused} ${subprotocol} ${extensions} ${typeof socket.onMessage} ${typeof socket.onClose}`,
  );
}

/** A loop that reads the messages, at its own pace, and may leave. */
function reads(world: World, name: string, socket: OpenWebSocket): void {
  const { d } = world;
  const wait = d.of([0, 0, 1, 50]);
  const most = d.of([1, 3, 99, 99]);
  const isEcho = d.once(2);
  const loop = async (): Promise<void> => {
    let left = most;
    for await (const data of socket) {
      world.say(`${name} reads ${shown(data)}`);
      if (wait > 0) await pause(wait);
      if (isEcho) world.try(`${name} echoes`, () => socket.send(data));
      left -= 1;
      if (left === 0) break;
    }
  };
  void world.tell(`${name} has read`, loop());
}

/** A program for a new connection. */
export function opened(world: World, name: string, socket: OpenWebSocket): void {
  const { d } = world;
  if (!d.once(4)) socket.onClose = (ending) => world.say(`${name} ended ${JSON.stringify(ending)} ${socket.state}`);
  if (d.once(3)) socket.onPong = (data) => world.say(`${name} pong ${latin1(data)}`);
  if (d.once(12)) socket.onClose = () => world.try(`${name}`, () => void act(world, name, socket));
  const wrong = d.once(12) ? 2 : -1;
  let count = 0;
  d.often<() => void>([
    [
      6,
      () => {
        socket.onMessage = (data, kind) => {
          world.say(`${name} hears ${kind} ${shown(data)}`);
          count += 1;
          if (count === wrong) throw new Error("a program that fails");
          world.try(`${name} echoes`, () => socket.send(data, kind));
        };
      },
    ],
    [3, () => reads(world, name, socket)],
    [2, () => (socket.onMessage = (data, kind) => (world.say(`${name} hears ${kind} ${shown(data)}`), act(world, name, socket)))],
    [1, () => {}],
  ])();
  if (d.once(4)) act(world, name, socket);
}
/** The same for servers; the program may fail, at once or later. */
export const serving =
  (world: World, sockets: OpenWebSocket[]): OnOpen =>
  (socket) => {
    const { d } = world;
    sockets.push(socket);
    about(world, "server", socket);
    if (d.once(30)) throw new Error("it fails at once");
    opened(world, "server", socket);
    if (d.once(30)) return Promise.reject(new Error("it fails later"));
    return d.once(3) ? Promise.resolve() : undefined;
  };

type Common = Omit<WebSocketOptions, "origins" | "subprotocols" | "onRefused">;
/** Options that servers and clients have in common. */
export function options(world: World): Common {
  const { d } = world;
  const isSlow = d.once(4);
  const limits = Object.fromEntries(
    Object.entries({
      messageOctets: d.of([1, 20, 300]),
      frames: d.of([1, 3]),
      controls: d.of([1, 2]),
      pongs: d.of([0, 1]),
      highWater: d.of([0, 20, 100]),
      queuedOctets: d.of([0, 60, 300]),
      pingMs: 1_000,
      pongMs: 300,
      closeMs: 700,
      endMs: 50,
    }).filter(() => d.once(5)),
  );
  return {
    ...(d.once(3) && {
      deflate: d.once(3) || {
        ...(d.once(3) && { serverTakeover: d.once(2) }),
        ...(d.once(3) && { clientTakeover: d.once(2) }),
        ...(d.once(3) && { serverBits: d.of([9, 12, 15]) }),
        ...(d.once(3) && { clientBits: d.of([9, 12, 15]) }),
        ...(d.once(3) && { offersClientBits: d.once(2) }),
        ...(d.once(3) && { level: d.of([1, 9]) }),
        ...(d.once(3) && { memLevel: d.of([1, 9]) }),
        ...(d.once(2) && { threshold: d.of([0, 20]) }),
      },
    }),
    ...(isSlow
      ? { slowReader: d.of(["close", "drop"] as const), limits: { ...limits, highWater: d.of([0, 20]), queuedOctets: d.of([0, 10, 60]) } }
      : d.once(2) && { limits }),
    ...(d.once(4) && { text: d.of(["octets", "string"] as const) }),
    ...(d.once(10) && { faults: [d.of(NAMES)] }),
    onError: (error) => world.say(`onError ${errorText(error)}`),
  };
}
const NAMES = FAULTS.websocket.map(({ name }) => name);
