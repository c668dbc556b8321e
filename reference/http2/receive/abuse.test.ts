import { describe, expect, test } from "vitest";
import type { Frame } from "../frame/index.ts";
import type { Limits } from "../limits.ts";
import {
  block,
  client,
  continuation,
  data,
  fieldList,
  get,
  GET,
  goaway,
  headers,
  id,
  octets,
  ping,
  post,
  priorityUpdate,
  raw,
  rst,
  server,
  settings,
  windowUpdate,
} from "../testing.ts";

const one = { burst: 10, perSecond: 1 };
const times = <Item>(count: number, make: (at: number) => Item): Item[] => Array.from({ length: count }, (_, at) => make(at));
type Flood = readonly [what: string, limits: Partial<Limits>, frames: (count: number) => (Frame | Uint8Array)[], fault: string];

/** Each flood: ten of a kind pass, the eleventh ends the connection with ENHANCE_YOUR_CALM (rfc9113#10.5). */
const FLOODS: readonly Flood[] = [
  ["rapid reset", { resets: one }, (n) => times(n, (at) => [get(at * 2 + 1), rst(at * 2 + 1)]).flat(), "floodOfResets"],
  [
    "resets that the peer provokes",
    { errors: one },
    (n) => times(n, (at) => [post(at * 2 + 1), windowUpdate(at * 2 + 1, 0)]).flat(),
    "floodOfErrors",
  ],
  ["malformed requests", { errors: one }, (n) => times(n, (at) => headers(at * 2 + 1, [[":method", "GET"]])), "floodOfErrors"],
  [
    "requests over the limit of fields",
    { errors: one },
    (n) => times(n, (at) => raw(1, 5, at * 2 + 1, `828684410161${"be".repeat(1_000)}`)),
    "floodOfErrors",
  ],
  ["PING", { pings: one }, (n) => times(n, () => ping()), "floodOfPings"],
  ["answers to PINGs never sent", { pings: one }, (n) => times(n, () => ping(true)), "floodOfPings"],
  ["SETTINGS", { settings: one }, (n) => times(n, () => settings()), "floodOfSettings"],
  ["PRIORITY", { priorities: one }, (n) => times(n, () => raw(2, 0, 99, "0000000000")), "floodOfPriorities"],
  ["PRIORITY_UPDATE", { priorities: one }, (n) => times(n, () => priorityUpdate(1, "u=1")), "floodOfPriorities"],
  ["DATA without content", { emptyFrames: one }, (n) => [post(1), ...times(n, () => data(1, 0))], "floodOfEmptyFrames"],
  ["DATA of padding alone", { emptyFrames: one }, (n) => [post(1), ...times(n, () => data(1, 0, { pad: 3 }))], "floodOfEmptyFrames"],
  [
    "DATA without content on a stream that is over",
    { emptyFrames: one, errors: { burst: 99, perSecond: 1 } },
    (n) => [post(1), data(1, 1), rst(1), ...times(n, () => data(1, 0))],
    "floodOfEmptyFrames",
  ],
  ["WINDOW_UPDATE", { windowUpdates: one }, (n) => times(n, () => windowUpdate(0, 1)), "floodOfWindowUpdates"],
  ["unknown frames", { unknownFrames: one }, (n) => times(n, () => raw(0xff, 0, 0)), "floodOfUnknownFrames"],
  [
    "RST_STREAM on a stream that is over",
    { unknownFrames: one },
    (n) => [get(1), rst(1), ...times(n, () => rst(1))],
    "floodOfUnknownFrames",
  ],
];

describe("floods", () => {
  test.each(FLOODS)("%s", (_, limits, frames, fault) => {
    const calm = server({ limits });
    expect(calm.events(...frames(10)).some((line) => line.startsWith("closed"))).toBe(false);
    const rig = server({ limits });
    expect(rig.events(...frames(11)).at(-1)).toBe(`closed ${fault}`);
    expect(rig.frames().at(-1)).toMatch(/^GOAWAY \d+ ENHANCE_YOUR_CALM$/);
  });

  test("none is tolerated for long by default", () => {
    for (const [what, , frames, fault] of FLOODS) {
      const rig = server();
      expect(rig.events(...frames(1_100)).at(-1), what).toBe(`closed ${fault}`);
    }
  });

  test("endless CONTINUATION, in number and in bytes", () => {
    const first: Frame = { is: "HEADERS", stream: id(1), endStream: true, endHeaders: false, block: block(GET) };
    const empty = server();
    expect(empty.events(first, ...times(33, () => continuation(1, octets(0), false)))).toEqual(["closed floodOfContinuations"]);
    const full = server();
    expect(full.events(first, ...times(8, () => continuation(1, octets(16_384), false)))).toEqual(["closed blockTooLarge"]);
    expect(full.frames()).toEqual(["GOAWAY 0 ENHANCE_YOUR_CALM"]);
  });

  test("a header bomb: many references to one large entry cost no more than the limit", () => {
    const rig = server();
    const entry = "400161" + "7f" + "a11e" + "7a".repeat(4_000);
    rig.events(raw(1, 5, 1, "828684410161" + entry));
    rig.frames();
    expect(rig.events(raw(1, 5, 3, "828684410161" + "be".repeat(10_000)))).toEqual([]);
    expect(rig.frames()).toEqual(["HEADERS 3 end"]);
  });

  test("a peer that does not read: pending replies are limited", () => {
    const rig = server({ limits: { queuedOctets: 1_000, pings: { burst: 1_000, perSecond: 1 } } });
    expect(rig.events(...times(58, () => ping()))).toEqual([]);
    expect(rig.c.queued).toBe(58 * 17);
    expect(rig.events(ping())).toEqual(["closed repliesNotRead"]);
    const reading = server({ limits: { queuedOctets: 1_000, pings: { burst: 1_000, perSecond: 1 } } });
    for (let round = 0; round < 10; round++) {
      expect(reading.events(...times(58, () => ping()))).toEqual([]);
      expect(reading.frames()).toHaveLength(58);
    }
  });
});

describe("floods from a server", () => {
  const interims = (count: number) => times(count, () => headers(1, [[":status", "103"]], { end: false }));
  test("endless interim responses", () => {
    const rig = client();
    rig.c.request(fieldList(GET), true);
    expect(rig.events(...interims(200))).toHaveLength(200);
    expect(rig.events(...interims(1))).toEqual(["closed floodOfInterims"]);
  });
  test("repeated GOAWAY", () => {
    const rig = client({ limits: { unknownFrames: one } });
    rig.c.request(fieldList(GET), true);
    expect(rig.events(...times(11, () => goaway(1))).at(-1)).toBe("closed floodOfUnknownFrames");
  });
});

describe("what is not a flood", () => {
  test("WINDOW_UPDATE for content that was sent", () => {
    const rig = server({ limits: { windowUpdates: { burst: 4, perSecond: 0.001 } } });
    rig.events(get(1));
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets(3_000_000), true);
    let sent = 0;
    for (let rounds = 0; rounds < 400; rounds++) {
      const frames = rig.frames();
      if (frames.length === 0) break;
      sent += frames.length;
      rig.told();
      expect(rig.events(windowUpdate(0, 16_384), windowUpdate(1, 16_384))).toEqual([]);
    }
    expect(sent).toBeGreaterThan(180);
  });
  test("tiny credits do not earn further ones", () => {
    const rig = server({ limits: { windowUpdates: { burst: 20, perSecond: 0.001 } } });
    rig.events(settings([4, 0]), get(1));
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets(1_000), true);
    const drops = times(21, () => {
      rig.frames();
      return rig.events(windowUpdate(1, 1));
    });
    expect(drops.at(-1)).toEqual(["closed floodOfWindowUpdates"]);
  });
  test("priorities of requests that arrive", () => {
    const rig = server({ limits: { priorities: { burst: 4, perSecond: 0.001 } } });
    for (let stream = 1; stream < 60; stream += 2) {
      expect(rig.events(...times(4, () => priorityUpdate(stream, "u=1")), get(stream))).toEqual([`request ${stream} end`]);
    }
  });
  test("resets after a response are not counted", () => {
    const rig = server({ limits: { resets: { burst: 1, perSecond: 0.001 }, unknownFrames: { burst: 100, perSecond: 1 } } });
    for (let stream = 1; stream < 60; stream += 2) {
      rig.events(get(stream));
      rig.c.respond(id(stream), 204, [], true);
      rig.told();
      expect(rig.events(rst(stream))).toEqual([]);
    }
  });
  test("the fields of a refused request are not abuse: the next request is served", () => {
    const rig = server({ limits: { errors: { burst: 5, perSecond: 1 } } });
    rig.events(headers(1, [[":method", "GET"]]));
    expect(rig.events(get(3))).toEqual(["request 3 end"]);
    expect(fieldList(GET)).toHaveLength(4);
  });
});
