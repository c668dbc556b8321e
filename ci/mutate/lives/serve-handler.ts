import type { Body, FieldsInit, Request, Response } from "../../../reference/http/index.ts";
import type { Exchange, Handler, Switched } from "../../../reference/serve/handler.ts";
import type { Draw } from "./http1-draw.ts";
import { brief } from "./serve-wire.ts";
import { content } from "./serve-words.ts";
import { errorText, type World } from "./serve-world.ts";

/** Handlers that do all that a handler can do, and record what they see. */

export const fieldsText = (fields: Iterable<readonly [string, string]>): string =>
  [...fields].map(([name, value]) => `${name}=${name === "date" ? value.slice(-12) : value}`).join("|");
const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
export const latin1 = (octets: Uint8Array): string => Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString("latin1");

/** Reads content in one of the ways that callers have. */
export const read = (world: World, what: string, body: Body): Promise<void> =>
  readSomehow(world, what, body).catch((error: unknown) => world.say(`${what}: ${errorText(error)}`));
async function readSomehow(world: World, what: string, body: Body): Promise<void> {
  const { d } = world;
  switch (d.below(9)) {
    case 0:
      return world.tell(`${what} trailers`, body.trailers, fieldsText);
    case 1:
      return world.tell(`${what} few`, body.bytes(d.between(0, 20)), (octets) => brief(latin1(octets)));
    case 2:
    case 3: {
      const most = d.of([1, 2, 99]);
      const wait = d.of([0, 0, 5, 200]);
      return world.tell(`${what} pieces`, pieces(body, most, wait), (text) => brief(text));
    }
    case 4:
      void world.tell(`${what} text`, body.text(), brief);
      return world.tell(`${what} twice`, body.text(), brief);
    case 5:
      await world.tell(`${what} text`, body.text(), brief);
      return world.tell(`${what} trailers`, body.trailers, fieldsText);
    case 6: {
      const iterator = body[Symbol.asyncIterator]();
      const both = [iterator.next(), iterator.next()].map((step) =>
        world.tell(`${what} next`, step, ({ value }) => (value === undefined ? "end" : brief(latin1(value)))),
      );
      await Promise.all(both);
      return world.tell(`${what} left`, Promise.resolve(iterator.return?.()), () => "left");
    }
    default:
      return world.tell(`${what} text`, body.text(), brief);
  }
}
async function pieces(body: Body, most: number, waitMs: number): Promise<string> {
  let text = "";
  let count = 0;
  for await (const chunk of body) {
    text += latin1(chunk);
    if (++count >= most) break;
    if (waitMs > 0) await sleep(waitMs);
  }
  return text;
}

/** Content that comes later, in strings and octets; it may fail. */
export async function* stream(world: World): AsyncGenerator<Uint8Array | string> {
  const { d } = world;
  try {
    for (let more = d.below(5); more > 0; more--) {
      if (d.once(3)) await sleep(d.of([1, 30, 300]));
      if (d.once(24)) throw new Error("the content fails");
      const text = content(d);
      yield d.once(60) ? (7 as unknown as string) : d.once(2) ? text : Buffer.from(text);
    }
  } finally {
    world.say("the content ends");
  }
}
export const trailersOf = (d: Draw): FieldsInit =>
  d
    .list(2, () =>
      d.of([
        ["t", "1"],
        ["T2", "2"],
        ["content-length", "1"],
        ["bad name", "x"],
      ] as const),
    )
    .filter(([name]) => name !== "bad name" || d.once(6));

const FIELDS: readonly (readonly [string, string])[] = [
  ["Content-Type", "text/plain"],
  ["connection", "close"],
  ["Connection", "x"],
  ["date", "today"],
  ["X-A", "1"],
  ["trailer", "t"],
  ["content-length", "5"],
  ["transfer-encoding", "chunked"],
  ["a", "b\r\nc"],
  ["set-cookie", "s"],
];
function response(world: World, method: string): Response {
  const { d } = world;
  const status = d.often<number>([
    [20, 200],
    [2, 201],
    [3, 204],
    [3, 304],
    [2, 404],
    [1, 499],
    [2, 500],
    [1, 101],
    [1, 100],
    [1, 1_000],
    [1, 205],
  ]);
  const fields = d
    .list(d.once(2) ? 0 : 2, () => d.of(FIELDS))
    .filter(([name]) => !["content-length", "transfer-encoding", "a"].includes(name) || d.once(4));
  const isEmpty = (status === 204 || status === 304 || status < 200) && !d.once(4);
  const body = isEmpty
    ? undefined
    : d.often<() => Response["body"]>([
        [2, () => undefined],
        [4, () => content(d)],
        [4, () => Buffer.from(content(d))],
        [method === "CONNECT" ? 12 : 5, () => stream(world)],
      ])();
  const trailers = d.once(4) ? (d.once(2) ? trailersOf(d) : () => trailersOf(d)) : undefined;
  return {
    status,
    ...(d.once(3) && fields.length === 0 ? {} : { fields }),
    ...(body !== undefined && { body }),
    ...(trailers !== undefined && { trailers }),
  };
}

/** Uses a socket after a switch. */
function take(world: World, what: string): (switched: Switched) => void {
  const { d } = world;
  const plan = d.below(5);
  return ({ socket, rest }) => {
    world.say(`${what} has the socket, ${brief(latin1(rest))} paused ${socket.isPaused()}`);
    if (plan === 0) throw new Error("no use for the socket");
    socket.on("error", (error) => world.say(`${what} socket: ${error.message}`));
    socket.on("close", () => world.say(`${what} socket closed`));
    socket.on("data", (bytes: Uint8Array) => {
      world.say(`${what} hears ${brief(latin1(bytes))}`);
      if (plan === 2) socket.write(bytes);
    });
    socket.on("end", () => (plan === 3 ? undefined : socket.end("bye")));
    if (plan === 4) socket.end("first");
    else socket.write("hello");
  };
}

export function handler(world: World): Handler {
  const { d } = world;
  let count = 0;
  const act = async (request: Request, exchange: Exchange, what: string): Promise<Response> => {
    for (let more = d.below(3); more > 0; more--) {
      await d.often<() => unknown>([
        [6, () => read(world, what, request.body)],
        [2, () => void read(world, what, request.body)],
        [2, () => sleep(d.of([1, 40, 400]))],
        [2, () => world.try(`${what} interim`, () => exchange.interim(d.of([103, 102, 100]), d.once(2) ? undefined : [["Link", "l"]]))],
      ])();
    }
    return finish(request, exchange, what);
  };
  const finish = (request: Request, exchange: Exchange, what: string): Response =>
    d.often<() => Response>([
      [24, () => response(world, request.method)],
      [2, () => failing()],
      [1, () => (exchange.reset(d.of(["NO_ERROR", "CANCEL", "INTERNAL_ERROR"])), { status: 200 })],
      [1, () => (exchange.connection.shutdown(), response(world, request.method))],
      [1, () => (exchange.connection.destroy(), { status: 200 })],
      [1, () => (exchange.connection.abort("NO_ERROR"), { status: 200 })],
      [
        exchange.upgrade.length > 0 || request.method === "CONNECT" ? 24 : 1,
        () =>
          exchange.switchTo(
            request.method === "CONNECT" ? d.of([200, 200, 299, 300, 101]) : d.of([101, 101, 101, 200]),
            [["Upgrade", "x"]],
            take(world, what),
          ),
      ],
      [1, () => (world.try(`${what} push`, () => exchange.push({ path: "/p" }, { status: 200 })), response(world, request.method))],
      [1, () => undefined as unknown as Response],
    ])();
  return (request, exchange) => {
    const what = `#${++count}`;
    const { version, method, scheme, authority, path, target, fields } = request as Request & { target: string };
    const { connection, stream: id, upgrade } = exchange;
    world.say(
      `${what} ${id} on ${connection.id}: ${version} ${method} ${scheme} ${authority} ${path} ${target} ${fieldsText(fields)} [${upgrade.join()}]`,
    );
    if (d.once(12)) world.say(`${what} from ${connection.remoteAddress} ${connection.remotePort} ${connection.tls}`);
    if (d.once(2)) {
      const signal = (): AbortSignal => exchange.signal;
      const watch = (): void => signal().addEventListener("abort", () => world.say(`${what} aborted: ${errorText(signal().reason)}`));
      if (d.once(4)) setTimeout(() => (world.say(`${what} is aborted: ${signal().aborted}`), watch()), d.of([5, 50, 500]));
      else watch();
    }
    if (d.once(30)) setTimeout(() => world.try(`${what} late`, () => exchange.interim(103)), d.of([1, 100]));
    return d.once(3) ? finish(request, exchange, what) : act(request, exchange, what);
  };
}
function failing(): never {
  throw new Error("the handler fails");
}
