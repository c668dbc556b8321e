import { connect } from "../../../reference/serve/client/connect.ts";
import type { ClientResponse } from "../../../reference/serve/client/exchange.ts";
import type { ClientOptions } from "../../../reference/serve/client/options.ts";
import { createClient } from "../../../reference/serve/client/pool.ts";
import type { ClientRequest } from "../../../reference/serve/client/request.ts";
import { fieldsText, latin1, read, stream, trailersOf } from "./serve-handler.ts";
import { brief } from "./serve-wire.ts";
import { answer, content, pieces } from "./serve-words.ts";
import type { World } from "./serve-world.ts";

/** One thing that a raw origin does on one of the connections that we have opened. */
export async function originActs(world: World): Promise<void> {
  const { d } = world;
  if (world.far.length === 0) return;
  const wire = d.once(3) ? d.of(world.far) : world.far.at(-1)!;
  const fresh = wire.all.slice(wire.answered);
  if (fresh.includes("\r\n\r\n") && !d.once(5)) {
    wire.answered = wire.all.length;
    const text = answer(d, fresh) + (d.once(30) ? "HTTP/1.1 200 late\r\n\r\n" : "");
    for (const piece of pieces(d, text)) {
      world.say(`${wire.name} > ${brief(piece)}`);
      wire.send(piece);
      if (d.once(10)) await world.advance(d.of([20, 90, 300]));
      else if (!d.once(4)) await world.settle();
    }
    if (!/content-length|chunked/i.test(text) && !d.once(4)) wire.end();
  } else {
    await d.often<() => unknown>([
      [2, () => (world.say("origin ends"), wire.end())],
      [d.once(2) ? 1 : 0, () => (world.say("origin leaves"), wire.leave())],
      [d.once(2) ? 1 : 0, () => (world.say("origin breaks"), wire.break())],
      [1, () => (world.say("origin stalls"), wire.stall(true))],
      [2, () => (world.say("origin reads"), wire.stall(false))],
      [d.once(3) ? 1 : 0, () => (world.say("origin talks"), wire.send("more"))],
      [6, () => world.advance(d.of([1, 20, 100, 400]))],
    ])();
  }
  await world.settle();
}

function wanted(world: World, isStopped: (stop: () => void) => void): ClientRequest {
  const { d } = world;
  const method = d.often<string | undefined>([
    [4, undefined],
    [2, "GET"],
    [2, "HEAD"],
    [5, "POST"],
    [2, "PUT"],
    [1, "CONNECT"],
    [d.once(4) ? 1 : 0, "G T"],
  ]);
  const hasBody = method === "POST" || method === "PUT" || d.once(10);
  const stop = new AbortController();
  if (d.once(5)) isStopped(() => stop.abort(d.once(2) ? undefined : new Error("the user left")));
  const upgrade = d.once(10)
    ? ([
        ["connection", "upgrade"],
        ["upgrade", "websocket"],
      ] as const)
    : [];
  return {
    ...(method !== undefined && { method }),
    ...(d.once(2) && { path: d.of(["/a", "/b?c", "*"]) }),
    ...(d.once(10) && { authority: "b:1" }),
    ...(d.once(16) && { target: "http://c/d" }),
    ...(d.once(40) && { protocol: "websocket" }),
    fields: [
      ...d.list(2, () =>
        d.of([
          ["A", "b"],
          ["x", "y"],
          ["host", "h"],
          ["connection", "close"],
          ["expect", "100-continue"],
          ["content-length", "3"],
        ] as const),
      ),
      ...upgrade,
    ].filter(([name]) => !["host", "connection", "content-length"].includes(name) || upgrade.length > 0 || d.once(3)),
    ...(hasBody && { body: d.of([() => content(d), () => Buffer.from(content(d)), () => stream(world)])() }),
    ...(d.once(6) && { trailers: d.once(2) ? trailersOf(d) : () => trailersOf(d) }),
    ...(d.once(4) && { expectMs: d.of([0, 50, 300]) }),
    ...(d.once(12) && { priority: "u=1" }),
    ...(d.once(2) && { onInterim: ({ status, fields }) => world.say(`interim ${status} ${fieldsText(fields)}`) }),
    ...(d.once(6) && { timeoutMs: d.of([50, 300, 3_000]) }),
    ...(d.once(6) && { headersMs: d.of([50, 300]) }),
    signal: stop.signal,
  };
}

async function answered(world: World, what: string, response: Promise<ClientResponse>): Promise<void> {
  const { d } = world;
  let got: ClientResponse | undefined;
  await world.tell(what, response, (one) => {
    got = one;
    const { version, status, fields, interim, pushes } = one;
    return `${version} ${status} ${fieldsText(fields)} ${interim.map((each) => `${each.status} ${fieldsText(each.fields)}`).join()} ${pushes.length}`;
  });
  if (got === undefined) return;
  const { switched, body } = got;
  if (switched === undefined || d.once(3)) {
    if (!d.once(8)) void read(world, what, body);
  } else {
    const { socket, rest } = switched;
    world.say(`${what} switched ${brief(latin1(rest))} ${socket.isPaused()}`);
    socket.on("data", (bytes: Uint8Array) => world.say(`${what} hears ${latin1(bytes)}`));
    socket.on("close", () => world.say(`${what} closed`));
    if (d.once(2)) socket.end("from client");
    else socket.write("from client");
  }
}

/** A client of a raw server: one connection or a pool. */
export async function clientLife(world: World): Promise<void> {
  const { d } = world;
  const hasPool = d.once(2);
  const small = d.once(2);
  const options: ClientOptions = {
    alpn: d.once(6) ? ["h2", "http/1.1"] : ["http/1.1"],
    ...(small && { http1: { limits: { highWater: d.of([0, 10, 60]), unreadOctets: d.of([1, 10, 50]), interims: d.of([0, 1, 2]) } } }),
    ...(d.once(30) && { http1: { lenient: { obsFold: false } } }),
    ...(d.once(4) && { connectMs: d.of([100, 300]) }),
    ...(d.once(4) && { graceMs: d.of([0, 100, 300]) }),
    ...(d.once(8) && { stallMs: d.of([50, 500]) }),
    ...(d.once(3) && { unreadMs: d.of([50, 500]) }),
    ...(hasPool && d.once(2) && { maxConnections: d.of([1, 1, 2]) }),
    ...(hasPool && d.once(4) && { maxWaiting: d.of([0, 1]) }),
    ...(hasPool && d.once(2) && { keepMs: d.of([50, 500]) }),
    ...(d.once(24) && { http1: { limits: { fieldOctets: 40 } } }),
  };
  world.say(JSON.stringify(options));
  world.reached = d.often<World["reached"]>([
    [20, "connected"],
    [1, "refused"],
    [1, "silent"],
  ]);
  const stops: (() => void)[] = [];
  let count = 0;
  let ask: (what: string) => void;
  let close: () => Promise<void>;
  let about: () => string;
  if (hasPool) {
    const pool = createClient(options);
    ask = (what) =>
      void answered(
        world,
        what,
        pool.request(
          d.once(20) ? "http://other:81/x" : "http://a/p?q",
          wanted(world, (stop) => stops.push(stop)),
        ),
      );
    close = () => pool.close();
    about = () => `${pool.connections} connections`;
  } else {
    const dialled = connect("http://a/", options);
    let client: Awaited<typeof dialled> | undefined;
    void world.tell("connect", dialled, (made) => {
      client = made;
      void world.tell("closed", made.closed);
      return made.version;
    });
    await world.settle();
    if (client === undefined) await world.advance(400);
    const made = client;
    ask = (what) => void (made === undefined ? undefined : answered(world, what, made.request(wanted(world, (stop) => stops.push(stop)))));
    close = () => made?.close() ?? Promise.resolve();
    about = () => `${made?.accepting} ${made?.version} ${made?.settings === undefined}`;
    if (d.once(30) && made !== undefined) void world.tell("ping", made.ping());
  }
  for (let step = d.between(3, 14); step > 0; step--) {
    await d.often<() => unknown>([
      [count < 2 ? 8 : 3, () => ask(`request ${++count}`)],
      [6, () => originActs(world)],
      [2, () => world.advance(d.of([1, 50, 100, 500]))],
      [2, () => stops.shift()?.()],
      [d.once(3) ? 1 : 0, () => void world.tell("close", close())],
      [d.once(6) ? 1 : 0, () => (world.reached = d.of(["connected", "refused", "silent"]))],
    ])();
    if (!d.once(4)) await world.settle();
    if (d.once(3)) world.say(about());
  }
  for (let more = d.below(4); more > 0; more--) await originActs(world);
  for (const stop of stops) if (d.once(2)) stop();
  await world.advance(d.of([60, 600, 11_000]));
  if (d.once(2)) void world.tell("close", close());
  await world.settle();
  world.say(about());
}
