import timers from "node:timers/promises";
import { syncBuiltinESMExports } from "node:module";
import { type AnyMethod, CallFailed } from "../../../reference/rpc/index.ts";
import { openChannel, type Channel } from "../../../reference/serve/rpc/client.ts";
import type { ChannelOptions } from "../../../reference/serve/rpc/options.ts";
import { Draw } from "./http1-draw.ts";
import { FarServer } from "./rpc-client-server.ts";
import { World } from "./serve-world.ts";

/** How a program waits now: a function in the module for good, because taking it out would cost as much as a life. */
const STAGE = { original: timers.setTimeout, wait: timers.setTimeout as (...given: Parameters<typeof timers.setTimeout>) => unknown };
const fake = ((...given: Parameters<typeof timers.setTimeout>) => STAGE.wait(...given)) as typeof timers.setTimeout;

/** In virtual time: the wait of `node:timers/promises` by the timers of the world. */
const waiting = (ms = 0, value?: unknown, { signal }: { readonly signal?: AbortSignal } = {}): Promise<unknown> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(new Error("aborted"));
    const timer = setTimeout(() => resolve(value), ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new Error("aborted"));
    });
    return undefined;
  });

const OCTETS = {
  encode: (octets: unknown) => octets as Uint8Array,
  decode: (octets: Uint8Array) => Uint8Array.from(octets),
};
const methodOf = (d: Draw): AnyMethod => ({
  path: d.of(["/a.B/C", "/a.B/C", "/a.B/D"]),
  requestStream: d.once(3),
  responseStream: d.once(3),
  request: OCTETS,
  response: OCTETS,
});

function configOf(d: Draw): unknown {
  const codes = () => d.of([["UNAVAILABLE"], ["UNAVAILABLE", "ABORTED"]]);
  const attempts = d.of([
    () => ({}),
    () => ({
      retryPolicy: {
        maxAttempts: d.between(2, 5),
        initialBackoff: d.of(["0.01s", "0.1s", "2s"]),
        maxBackoff: "1s",
        backoffMultiplier: 2,
        retryableStatusCodes: codes(),
      },
    }),
    () => ({ hedgingPolicy: { maxAttempts: d.between(2, 4), hedgingDelay: d.of(["0s", "0.05s", "1s"]), nonFatalStatusCodes: codes() } }),
  ])();
  const policy = d.of(["pick_first", "round_robin", "weighted_round_robin"]);
  const detecting = { interval: "0.3s", failurePercentageEjection: { threshold: 50, minimumHosts: 1, requestVolume: 1 } };
  return {
    methodConfig: [
      {
        name: [d.once(3) ? { service: "a.B", method: "C" } : {}],
        ...attempts,
        ...(d.once(4) && { timeout: d.of(["0.05s", "0.5s", "20s"]) }),
        ...(d.once(4) && { waitForReady: d.once(2) }),
      },
    ],
    loadBalancingConfig: [d.once(4) ? { outlier_detection: { ...detecting, childPolicy: [{ [policy]: {} }] } } : { [policy]: {} }],
    ...(d.once(4) && { retryThrottling: { maxTokens: d.between(1, 4), tokenRatio: 0.5 } }),
    ...(d.once(3) && { connectionScaling: { maxConnectionsPerSubchannel: d.between(1, 4) } }),
    ...(d.once(4) && { healthCheckConfig: { serviceName: "a.B" } }),
  };
}

const errorText = (error: unknown): string =>
  error instanceof CallFailed
    ? `${error.status} ${error.message} ${[...error.metadata].map(({ name, value }) => `${name}=${String(value)}`).join()}`
    : `${String(error)}`;

/** Begins a call, and records all that comes of it. */
function call(world: World, channel: Channel, number: number): () => void {
  const { d } = world;
  const method = methodOf(d);
  const stop = new AbortController();
  const say = (words: string): void => world.say(`call ${number} ${words}`);
  const count = d.below(4);
  const failsAt = d.once(10) ? d.below(3) : undefined;
  const pauses = d.once(3);
  async function* requests(): AsyncGenerator<Uint8Array> {
    try {
      for (let at = 0; at < count; at++) {
        if (pauses) await waiting(d.of([1, 60]));
        if (at === failsAt) throw new Error("no more");
        yield Uint8Array.of(number, at);
      }
    } finally {
      say("reads no more");
    }
  }
  const options = {
    ...(d.once(3) && { timeoutMs: d.of([0, 30, 300, 5_000]) }),
    ...(d.once(4) && { waitForReady: d.once(2) }),
    ...(d.once(6) && { metadata: { "x-n": String(number) } }),
    signal: stop.signal,
    onHeaders: () => say("headers"),
    onTrailers: () => say("trailers"),
  };
  const { signal: _, ...shown } = options;
  say(`${method.path} ${method.requestStream} ${method.responseStream} ${JSON.stringify(shown)}`);
  const isLazy = d.once(4);
  const run = async (): Promise<void> => {
    try {
      const result = channel.call(method, method.requestStream ? requests() : Uint8Array.of(number), options);
      if (!method.responseStream) say(`= ${Buffer.from((await result) as Uint8Array).toString()}`);
      else
        for await (const one of result as AsyncIterable<Uint8Array>) {
          say(`> ${Buffer.from(one).toString()}`);
          if (isLazy) break;
        }
      say("is over");
    } catch (error) {
      say(`fails: ${errorText(error)}`);
    }
  };
  void run();
  return () => stop.abort();
}

/** A channel with far servers in memory, on virtual time. */
export async function channelScene(seed: number): Promise<string> {
  if (timers.setTimeout !== fake) {
    timers.setTimeout = fake;
    syncBuiltinESMExports();
  }
  const d = new Draw(seed);
  const world = new World(d);
  const { random } = Math;
  const { error } = console;
  const dice = new Draw(seed + 1);
  Math.random = () => dice.below(1_000) / 1_000;
  console.error = (words: string) => world.say(words);
  STAGE.wait = waiting as typeof STAGE.wait;
  try {
    await life(world);
    return await world.end();
  } finally {
    world.leave();
    STAGE.wait = STAGE.original;
    Math.random = random;
    console.error = error;
  }
}

async function life(world: World): Promise<void> {
  const { d } = world;
  const serviceConfig = configOf(d);
  const options: ChannelOptions = {
    serviceConfig,
    ...(d.once(3) && { graceMs: d.of([0, 100]) }),
    ...(d.once(4) && { connectMs: d.of([50, 400]) }),
    ...(d.once(6) && { maxConnectionsPerSubchannel: d.between(1, 2) }),
    ...(d.once(8) && { maxMessageOctets: 4 }),
    ...(d.once(8) && { keepalive: { timeMs: 10_000, timeoutMs: 500, withoutCalls: d.once(2) } }),
  };
  world.say(JSON.stringify(options));
  const reach = (): World["reached"] =>
    d.often<World["reached"]>([
      [12, "connected"],
      [2, "refused"],
      [1, "silent"],
    ]);
  world.reached = reach();
  const targets = Array.from({ length: d.between(1, 3) }, (_, at) => ({ url: `http://10.0.0.${at + 1}:80/`, weight: d.between(1, 3) }));
  const channel = openChannel(targets, options);
  const servers = new Map<object, FarServer>();
  const settle = async (): Promise<void> => {
    for (let rounds = 0; rounds < 3; rounds++) {
      await world.time.quiet();
      for (const wire of world.far) {
        if (!servers.has(wire)) servers.set(wire, new FarServer(world, wire));
        servers.get(wire)!.hear();
      }
    }
  };
  const stops: (() => void)[] = [];
  let count = 0;
  for (let step = d.between(8, 30); step > 0; step--) {
    const what = d.weighed({ call: count < 2 ? 8 : 3, act: 9, pass: 4, stop: 0.5, reach: 1, connect: 0.3, close: 0.15 });
    if (what === "call") stops.push(call(world, channel, ++count));
    else if (what === "act") d.any([...servers.values()])?.act();
    else if (what === "stop") d.any(stops)?.();
    else if (what === "reach") world.reached = reach();
    else if (what === "connect") channel.connect();
    else if (what === "close") void world.tell("close", channel.close());
    else {
      const ms = d.of([1, 20, 60, 300, 1_100, 12_000]);
      world.say(`+ ${ms} ms`);
      await world.time.advance(ms);
    }
    await settle();
    if (d.once(3)) world.say(channel.state);
  }
  for (let rounds = 8; rounds > 0; rounds--) {
    for (const server of servers.values()) server.act();
    await settle();
    await world.time.advance(100);
  }
  void world.tell("close", channel.close());
  await settle();
}
