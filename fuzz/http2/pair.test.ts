import fc, { assert } from "fast-check";
import { expect, test } from "vitest";
import { field, instant, type Field } from "../../reference/core/index.ts";
import { Connection, type Event, type StreamId } from "../../reference/http2/index.ts";
import { GET, POST, fieldList } from "../../reference/http2/testing.ts";
import { deliveries } from "../lib/pair-acts.ts";

/** Two ends joined by octets, cut at random: whatever both do, all content arrives in order, and neither reports a fault. */

const T0 = instant(0);
const octetAt = (stream: number, at: number): number => (stream * 7 + at * 31) & 0xff;

class End {
  readonly c: Connection;
  /** Octets in transit to the other end. */
  wire: Uint8Array = new Uint8Array();
  /** Octets of content by stream: sent, received, and received but not yet consumed. */
  readonly sent = new Map<StreamId, number>();
  readonly received = new Map<StreamId, number>();
  readonly unread = new Map<StreamId, number>();
  readonly open = new Set<StreamId>();
  readonly heads = new Set<StreamId>();
  readonly ended = new Set<StreamId>();
  readonly resets = new Set<StreamId>();
  pongs = 0;

  constructor(c: Connection) {
    this.c = c;
  }
  hear(events: readonly Event[]): void {
    for (const event of events) {
      if (event.is === "request" || event.is === "opened") this.open.add(event.stream);
      if (event.is === "request" || event.is === "response") this.heads.add(event.stream);
      if (event.is === "pong") this.pongs++;
      if ((event.is === "request" || event.is === "response" || event.is === "data") && event.end) this.ended.add(event.stream);
      if (event.is === "trailers") this.ended.add(event.stream);
      if (event.is === "data") this.#content(event.stream, event.bytes);
      if (event.is === "reset") {
        if (event.fault !== undefined) throw new Error(`found fault: ${event.fault.name}`);
        this.resets.add(event.stream);
      }
      if (event.is === "closed") throw new Error(`the connection ended: ${event.fault?.name ?? "without a fault"}`);
    }
  }
  #content(stream: StreamId, bytes: Uint8Array): void {
    const at = this.received.get(stream) ?? 0;
    for (let i = 0; i < bytes.length; i++) {
      if (bytes[i] !== octetAt(stream, at + i)) throw new Error(`octet ${at + i} of stream ${stream} differs`);
    }
    this.received.set(stream, at + bytes.length);
    this.unread.set(stream, (this.unread.get(stream) ?? 0) + bytes.length);
  }
  /** `size` octets of content, each derived from its stream and position. */
  content(stream: StreamId, size: number): Uint8Array {
    const at = this.sent.get(stream) ?? 0;
    this.sent.set(stream, at + size);
    return Uint8Array.from({ length: size }, (_, i) => octetAt(stream, at + i));
  }
  read(): void {
    for (const [stream, octets] of this.unread) this.c.consumed(stream, octets);
    this.unread.clear();
  }
  collect(): void {
    const pieces = [this.wire, ...this.c.take()];
    const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    this.wire = all;
    this.hear(this.c.events());
  }
}

/** Windows small enough that content often fills them. */
const NARROW = {
  autoTune: true,
  settings: { initialWindowSize: 3_000 },
  limits: { connectionWindow: 65_535, takeOctets: 5_000, maxWindow: 100_000 },
};

class Pair {
  readonly client = new End(new Connection({ side: "client", ...NARROW }, T0));
  readonly server = new End(new Connection({ side: "server", ...NARROW }, T0));
  /** Streams that each end has started to send and not yet ended. */
  readonly writing = { client: new Set<StreamId>(), server: new Set<StreamId>() };
  readonly trailed = new Set<StreamId>();

  /** Delivers some octets to the other end. */
  carry(from: End, to: End, octets: number): void {
    from.collect();
    const part = from.wire.slice(0, octets);
    from.wire = from.wire.slice(octets);
    to.hear(to.c.receive(part, T0));
    to.hear(to.c.events());
  }
  settle(): void {
    for (let round = 0; round < 2_000; round++) {
      this.client.read();
      this.server.read();
      this.carry(this.client, this.server, Number.POSITIVE_INFINITY);
      this.carry(this.server, this.client, Number.POSITIVE_INFINITY);
      this.client.collect();
      this.server.collect();
      if (this.client.wire.length + this.server.wire.length === 0 && this.client.unread.size + this.server.unread.size === 0) return;
    }
    throw new Error("the two ends never become idle");
  }
}

type Act = (pair: Pair) => void;
const pick = <Item>(from: Iterable<Item>, at: number): Item | undefined => {
  const all = [...from];
  return all[at % Math.max(all.length, 1)];
};
const gone = (end: End, stream: StreamId): boolean => end.resets.has(stream);

const ask =
  (method: "GET" | "POST", more: readonly Field[]): Act =>
  (pair) => {
    const { client } = pair;
    const fields = [...fieldList(method === "GET" ? GET : POST), ...more];
    const opened = client.c.request(fields, method === "GET");
    if (!("stream" in opened)) return;
    client.open.add(opened.stream);
    if (method === "POST") pair.writing.client.add(opened.stream);
  };
const upload =
  (at: number, size: number, end: boolean): Act =>
  (pair) => {
    const stream = pick(pair.writing.client, at);
    if (stream === undefined) return;
    pair.client.c.data(stream, pair.client.content(stream, size), end);
    if (end) pair.writing.client.delete(stream);
  };
const answer =
  (at: number, interim: boolean): Act =>
  (pair) => {
    const waiting = [...pair.server.heads].filter((stream) => !pair.server.sent.has(stream) && !gone(pair.server, stream));
    const stream = pick(waiting, at);
    if (stream === undefined) return;
    if (interim) pair.server.c.interim(stream, 103, [field("link", "</a>")]);
    pair.server.c.respond(stream, 200, [field("x-stream", String(stream))], false);
    pair.server.sent.set(stream, 0);
    pair.writing.server.add(stream);
  };
const download =
  (at: number, size: number, end: "data" | "trailers" | "no"): Act =>
  (pair) => {
    const stream = pick(pair.writing.server, at);
    if (stream === undefined) return;
    pair.server.c.data(stream, pair.server.content(stream, size), end === "data");
    if (end === "trailers") pair.server.c.trailers(stream, [field("sum", "1")]);
    if (end !== "no") pair.writing.server.delete(stream);
  };
const drop =
  (side: "client" | "server", at: number): Act =>
  (pair) => {
    const end = pair[side];
    const stream = pick(side === "client" ? end.open : end.heads, at);
    if (stream === undefined) return;
    end.c.reset(stream, "CANCEL");
    end.resets.add(stream);
    pair.writing[side].delete(stream);
  };
const size = fc.oneof(fc.nat(100), fc.nat(40_000), fc.constant(0));
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("GET" as const, "POST" as const).map((method) => ask(method, [])) },
  { weight: 1, arbitrary: fc.constantFrom("u=0", "u=7, i", "i").map((value) => ask("GET", [field("priority", value)])) },
  { weight: 4, arbitrary: fc.tuple(fc.nat(), size, fc.boolean()).map(([at, octets, end]) => upload(at, octets, end)) },
  { weight: 4, arbitrary: fc.tuple(fc.nat(), fc.boolean()).map(([at, interim]) => answer(at, interim)) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.nat(), size, fc.constantFrom("data", "trailers", "no") as fc.Arbitrary<"data" | "trailers" | "no">)
      .map(([at, octets, end]) => download(at, octets, end)),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom("client" as const, "server" as const), fc.nat()).map(([side, at]) => drop(side, at)) },
  ...deliveries<End>(5_000),
  {
    weight: 1,
    arbitrary: fc.constantFrom(0, 1, 1_000, 65_535, 200_000).map(
      (initialWindowSize): Act =>
        (pair) =>
          pair.client.c.settings({ initialWindowSize }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0, 4_096, 100).map(
      (headerTableSize): Act =>
        (pair) =>
          pair.server.c.settings({ headerTableSize }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(1, 3, 100).map(
      (maxConcurrentStreams): Act =>
        (pair) =>
          pair.server.c.settings({ maxConcurrentStreams }),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Act>((pair) => pair.client.c.ping(new Uint8Array(8))) },
);

test("two ends joined: all content arrives in order, and neither reports a fault", () => {
  assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const pair = new Pair();
      for (const one of acts) one(pair);
      // Windows may be at zero: open them, so that everything can end.
      pair.client.c.settings({ initialWindowSize: 1_000_000 });
      pair.settle();
      for (const [from, to] of [
        [pair.client, pair.server],
        [pair.server, pair.client],
      ] as const) {
        for (const [stream, octets] of from.sent) {
          if (gone(from, stream) || gone(to, stream)) continue;
          if ((to.received.get(stream) ?? 0) !== octets)
            throw new Error(`stream ${stream}: ${to.received.get(stream) ?? 0} of ${octets} octets`);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("a graceful end: open requests are answered, then both close", () => {
  const pair = new Pair();
  pair.settle();
  for (let i = 0; i < 3; i++) ask("GET", [])(pair);
  pair.carry(pair.client, pair.server, Number.POSITIVE_INFINITY);
  pair.server.c.shutdown();
  pair.settle();
  expect(pair.client.c.accepting).toBe(false);
  const closed: string[] = [];
  for (const stream of pair.server.heads) pair.server.c.respond(stream, 204, [], true);
  for (let round = 0; round < 5; round++) {
    for (const piece of pair.server.c.take()) closed.push(...pair.client.c.receive(piece, T0).map(({ is }) => `client ${is}`));
    closed.push(...pair.server.c.events().map(({ is }) => `server ${is}`));
  }
  expect(closed.filter((line) => line.endsWith("done"))).toHaveLength(6);
  expect(closed.filter((line) => line.endsWith("closed"))).toEqual(["client closed", "server closed"]);
});
