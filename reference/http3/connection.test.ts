import { describe, expect, test } from "vitest";
import { concatenated, NEVER } from "../core/index.ts";
import { Abuse } from "./abuse.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { INITIAL_SETTINGS } from "./settings.ts";
import { fieldsOf, frameOf, GET, headers, id, POST, Rig, text, varints } from "./testing.ts";

const hex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");
const OK = fieldsOf([]);

describe("the streams of a connection", () => {
  test("control stream and QPACK streams open when the transport is established, SETTINGS first", () => {
    const { transport } = new Rig("server").feed({ is: "established" });
    // The decoder's table, the limit of sections, and streams that may wait.
    expect(hex(transport.octets(3))).toBe("00" + "04" + "0a" + "015000" + "0680010000" + "0710");
    expect([hex(transport.octets(7)), hex(transport.octets(11))]).toEqual(["02", "03"]);
  });
  test("a server sends SETTINGS as soon as it can, a client that remembers some as early data; both once", () => {
    const server = new Rig("server").feed({ is: "parameters" });
    const early = new Rig("client", { remembered: INITIAL_SETTINGS });
    for (const rig of [server, early]) {
      const before = [...rig.transport.sent.keys()];
      rig.feed({ is: "parameters" }).feed({ is: "established" });
      expect([before.length, rig.transport.sent.get(before[0]!)?.length, rig.transport.sent.size]).toEqual([3, 2, 3]);
    }
    for (const rig of [new Rig("client"), new Rig("server", { awaitsClient: true })])
      expect([rig.feed({ is: "parameters" }).transport.sent.size, rig.feed({ is: "established" }).transport.sent.size]).toEqual([0, 3]);
  });
  test("early requests keep to the settings of before, and then to the new ones", () => {
    const rig = new Rig("client", { remembered: { ...INITIAL_SETTINGS, maxFieldSectionSize: 300 } });
    const long = fieldsOf([...GET, ["x", "y".repeat(200)]]);
    expect(rig.connection.request(fieldsOf(GET), true)).toEqual({ stream: 0 });
    expect(() => rig.connection.request(long, true)).toThrow("the peer accepts 300");
    rig.ready(frameOf("SETTINGS", varints(6, 1_000)));
    expect(rig.connection.request(long, true)).toEqual({ stream: 4 });
  });
  test("they open later if the peer allows them later", () => {
    const rig = new Rig("client");
    rig.transport.allowed.unidirectional = 1;
    rig.feed({ is: "established" });
    expect([...rig.transport.sent.keys()]).toEqual([2]);
    rig.transport.allowed.unidirectional = 3;
    rig.feed({ is: "streams" });
    expect([...rig.transport.sent.keys()]).toEqual([2, 6, 10]);
  });
  test("grease: a reserved setting and a reserved stream, which we ignore ourselves", () => {
    const rig = new Rig("client", { grease: 3 }).feed({ is: "established" });
    const server = new Rig("server").feed({ is: "established" });
    for (const [stream, parts] of rig.transport.sent) server.data(stream, concatenated(parts));
    expect(server.find("settings")?.settings.qpackMaxTableCapacity).toBe(4_096);
    expect(server.transport.log).toEqual(["stop 14 H3_STREAM_CREATION_ERROR"]);
  });
});

describe("messages", () => {
  test("a request with content and trailers, cut anywhere, gives the same events", () => {
    const whole = concatenated([
      frameOf(0x21, text("x")),
      headers(POST),
      frameOf("DATA", text("hello")),
      frameOf("DATA", text("you")),
      headers([["x", "y"]]),
    ]);
    const read = (pieces: readonly Uint8Array[]): unknown => {
      const rig = new Rig("server").ready().open(0);
      for (const [at, piece] of pieces.entries()) rig.data(0, piece, at === pieces.length - 1);
      const content = rig.events.flatMap((event) => (event.is === "data" ? [...event.bytes] : []));
      const credit = rig.transport.given.get(0)!;
      expect(credit + content.length).toBe(whole.length);
      return [rig.find("request")?.fields, Buffer.from(content).toString(), rig.find("trailers")?.fields, rig.verdict];
    };
    const once = read([whole]);
    expect(once).toEqual([fieldsOf(POST), "helloyou", fieldsOf([["x", "y"]]), "none"]);
    for (let cut = 0; cut <= whole.length; cut++) expect(read([whole.subarray(0, cut), whole.subarray(cut)])).toEqual(once);
    expect(read(Array.from(whole, (octet) => Uint8Array.of(octet)))).toEqual(once);
  });
  test("the end comes with the head, with content, or after it", () => {
    expect(new Rig("server").ready().request(0, headers(GET)).find("request")?.end).toBe(true);
    const rig = new Rig("server").ready().request(0, concatenated([headers(POST), frameOf("DATA", text("hello"))]));
    expect(rig.events.filter(({ is }) => is === "data")).toEqual([{ is: "data", stream: 0, bytes: text("hello"), end: true }]);
    const late = new Rig("server").ready().request(0, headers(POST), false).data(0, new Uint8Array(0), true);
    expect(late.find("data")).toEqual({ is: "data", stream: 0, bytes: new Uint8Array(0), end: true });
  });
  test("a response with an interim one, content and trailers reaches the client", () => {
    const server = new Rig("server").ready().request(0, headers(GET));
    server.connection.interim(id(0), 103, fieldsOf([["link", "<a>"]]));
    server.connection.respond(id(0), 200, fieldsOf([["server", "x"]]), false);
    server.connection.data(id(0), text("hello"), false);
    server.connection.data(id(0), new Uint8Array(5_000), false);
    server.connection.trailers(id(0), fieldsOf([["x", "y"]]));
    expect(server.transport.log).toEqual(["end 0"]);
    const client = new Rig("client").ready();
    expect(client.connection.request(fieldsOf(GET), true)).toEqual({ stream: 0 });
    client.data(0, server.transport.octets(0), true);
    expect(client.find("interim")).toMatchObject({ status: 103, fields: fieldsOf([["link", "<a>"]]) });
    expect(client.find("response")).toMatchObject({ status: 200, fields: fieldsOf([["server", "x"]]), end: false });
    expect(client.events.flatMap((event) => (event.is === "data" ? [event.bytes.length] : []))).toEqual([5, 5_000]);
    expect(client.find("trailers")?.fields).toEqual(fieldsOf([["x", "y"]]));
    expect(client.feed({ is: "done", stream: 0 }).find("done")).toBeDefined();
  });
  test("a section that waits for insertions is read after them, and so is what follows it", () => {
    const rig = new Rig("server")
      .ready()
      .request(
        0,
        concatenated([frameOf("HEADERS", Uint8Array.of(2, 0, 0x80, 0xd1, 0xd7, 0xc1, 0x50, 1, 0x61)), frameOf("DATA", text("x"))]),
      );
    expect(rig.find("request")).toBeUndefined();
    // Capacity 220, then `x: y`.
    rig.data(rig.uni(1), Uint8Array.of(2, 0x3f, 0xbd, 0x01, 0x41, 0x78, 0x01, 0x79));
    expect(rig.verdict).toBe("stream H3_MESSAGE_ERROR pseudoFieldLate rfc9114#4.3");
  });
  describe("a response that waits for insertions while its stream is done in the transport", () => {
    const waiting = (): Rig => {
      const rig = new Rig("client").ready();
      rig.connection.request(fieldsOf(GET), true);
      // `:status: 200` of the static table, and the first entry of the dynamic one.
      rig.data(0, frameOf("HEADERS", Uint8Array.of(2, 0, 0xd9, 0x80)), true).feed({ is: "done", stream: 0 });
      expect([rig.events.some(({ is }) => is === "response" || is === "done"), rig.connection.streams]).toEqual([false, 1]);
      return rig;
    };
    test("is read when they have come", () => {
      const rig = waiting();
      rig.data(rig.uni(1), Uint8Array.of(2, 0x3f, 0xbd, 0x01, 0x41, 0x78, 0x01, 0x79));
      expect(rig.find("response")).toMatchObject({ status: 200, fields: fieldsOf([["x", "y"]]), end: true });
      expect([rig.events.at(-1)?.is, rig.connection.streams]).toEqual(["done", 0]);
    });
    test("is forgotten when the owner gives it up", () => {
      const rig = waiting();
      rig.connection.reset(id(0), "H3_REQUEST_CANCELLED");
      expect([rig.drain().connection.streams, rig.verdict]).toEqual([0, "none"]);
    });
  });
  test("fields beyond the limit are answered with 431", () => {
    const rig = new Rig("server", { settings: { maxFieldSectionSize: 200 } })
      .ready()
      .request(0, headers([...GET, ["x", "y".repeat(200)]]), false);
    const client = new Rig("client").ready();
    client.connection.request(fieldsOf(GET), true);
    expect(client.data(0, rig.transport.octets(0), true).find("response")?.status).toBe(431);
    expect(rig.transport.log).toEqual(["end 0", "stop 0 H3_NO_ERROR"]);
  });
});

describe("the end of a stream before its time", () => {
  test("the client gives up: our response is reset", () => {
    const rig = new Rig("server").ready().request(0, headers(GET)).feed({ is: "stopped", stream: 0, code: 0x10c });
    expect(rig.find("reset")).toMatchObject({ stream: 0, by: "peer", code: "H3_REQUEST_CANCELLED" });
    rig.connection.respond(id(0), 200, OK, true);
    expect(rig.transport.octets(0).length).toBe(0);
  });
  test("a request that is reset takes its response with it", () => {
    const rig = new Rig("server").ready().request(0, headers(POST), false).feed({ is: "reset", stream: 0, code: 0x10c });
    expect(rig.transport.log).toEqual(["reset 0 H3_REQUEST_CANCELLED"]);
  });
  test("H3_NO_ERROR refuses the rest of a request that is answered", () => {
    const rig = new Rig("server").ready().request(0, headers(POST), false);
    rig.connection.respond(id(0), 200, OK, true);
    rig.connection.reset(id(0), "H3_NO_ERROR");
    expect(rig.transport.log).toEqual(["end 0", "stop 0 H3_NO_ERROR"]);
  });
  test("a client whose upload is refused with H3_NO_ERROR still reads the response", () => {
    const rig = new Rig("client").ready();
    rig.connection.request(fieldsOf(POST), false);
    rig.feed({ is: "stopped", stream: 0, code: 0x100 }).data(0, headers([[":status", "200"]]), true);
    expect(rig.connection.data(id(0), text("more"), false)).toBe(true);
    expect(rig.find("response")).toMatchObject({ status: 200, end: true });
    expect(rig.find("reset")).toBeUndefined();
  });
});

describe("shutdown", () => {
  test("a server warns, refuses what comes after its last GOAWAY, and closes once the rest is done", () => {
    const rig = new Rig("server").ready().request(0, headers(GET));
    rig.connection.shutdown();
    expect(hex(rig.transport.octets(3))).toMatch(/0708fffffffffffffe00$/);
    rig.request(4, headers(GET)).tick(100);
    expect(hex(rig.transport.octets(3))).toMatch(/070108$/);
    rig.request(8, headers(GET));
    expect(rig.verdict).toBe("stream H3_REQUEST_REJECTED requestAfterGoaway rfc9114#5.2");
    for (const stream of [0, 4, 8]) rig.feed({ is: "done", stream });
    expect(rig.transport.log.at(-1)).toBe("close H3_NO_ERROR");
    expect(rig.find("closed")).toEqual({ is: "closed" });
  });
  test("a client learns which of its requests are not processed", () => {
    const rig = new Rig("client").ready();
    rig.transport.allowed.bidirectional = 2;
    const places = [1, 2, 3].map(() => rig.connection.request(fieldsOf(GET), true));
    expect(places).toEqual([{ stream: 0 }, { stream: 4 }, { ticket: 1 }]);
    rig.control(frameOf("GOAWAY", varints(4)));
    expect(rig.events.filter(({ is }) => is !== "settings")).toEqual([
      { is: "unopened", ticket: 1 },
      { is: "reset", stream: 4, code: "H3_REQUEST_REJECTED", by: "peer" },
      { is: "goaway", last: 4 },
    ]);
    expect(rig.connection.accepting).toBe(false);
    rig.feed({ is: "done", stream: 0 }).feed({ is: "done", stream: 4 });
    expect(rig.find("closed")).toEqual({ is: "closed" });
  });
  test("requests wait for the transport, and for streams", () => {
    const rig = new Rig("client");
    rig.transport.allowed.bidirectional = 1;
    expect([1, 2].map(() => rig.connection.request(fieldsOf(GET), true))).toEqual([{ ticket: 1 }, { ticket: 2 }]);
    rig.ready();
    rig.transport.allowed.bidirectional = 2;
    rig.feed({ is: "streams" });
    expect(rig.events.filter(({ is }) => is === "opened")).toEqual([
      { is: "opened", ticket: 1, stream: 0 },
      { is: "opened", ticket: 2, stream: 4 },
    ]);
  });
});

describe("limits", () => {
  test("a head that does not come is refused, a complete one is not", () => {
    const slow = new Rig("server").ready().request(0, varints(1), false);
    expect(slow.connection.deadline).toBe(10_000);
    expect(slow.tick(10_000).verdict).toBe("stream H3_REQUEST_REJECTED headLate rfc9114#10.5");
    const good = new Rig("server").ready().request(0, headers(GET), false);
    expect(good.connection.deadline).toBe(NEVER);
  });
  describe("a response without credit", () => {
    const answered = (left: number): Rig => {
      const rig = new Rig("server").ready().request(0, headers(GET));
      rig.tick(50_000);
      rig.connection.respond(id(0), 200, OK, false);
      rig.connection.data(id(0), new Uint8Array(8_000), true);
      rig.transport.left.set(0, left);
      // The time of an action is that of the next input.
      expect(rig.connection.deadline).toBe(50_000);
      return rig.tick(51_000);
    };
    test("is given up, even if it is complete", () => {
      const rig = answered(8_000);
      expect(rig.connection.deadline).toBe(81_000);
      expect(rig.tick(81_000).verdict).toBe("stream H3_EXCESSIVE_LOAD streamStalled rfc9114#10.5");
      expect(rig.transport.log).toContain("reset 0 H3_EXCESSIVE_LOAD");
    });
    test("is given up if the credit is an octet now and then, and not if it is enough", () => {
      const rig = answered(8_000);
      rig.transport.left.set(0, 7_999);
      expect(rig.tick(81_000).verdict).toBe("stream H3_EXCESSIVE_LOAD streamStalled rfc9114#10.5");
      const good = answered(8_000);
      good.transport.left.set(0, 3_000);
      expect(good.tick(81_000).verdict).toBe("none");
      expect(good.connection.deadline).toBe(111_000);
    });
    test("that has left completely is waited for no longer", () => {
      const rig = answered(0);
      expect([rig.connection.deadline, rig.verdict]).toEqual([NEVER, "none"]);
    });
  });
  describe("announced content", () => {
    const POSTED = headers([...POST, ["content-length", "100000"]]);
    const begun = (head = POSTED): Rig => new Rig("server").ready().request(0, head, false);
    const LATE = "stream H3_EXCESSIVE_LOAD contentLate rfc9114#10.5";
    const octets = (count: number): Uint8Array => frameOf("DATA", new Uint8Array(count));
    test("that does not come is given up; without content-length it may be silent", () => {
      const rig = begun();
      expect(rig.connection.deadline).toBe(30_000);
      expect(rig.tick(30_000).verdict).toBe(LATE);
      expect(begun(headers(POST)).connection.deadline).toBe(NEVER);
    });
    test("that comes an octet now and then is given up, and not at the least rate", () => {
      const trickle = (rate: number): Rig => {
        const rig = begun();
        for (let second = 1; second <= 120 && rig.verdict === "none"; second++) {
          rig.tick(second * 1_000);
          rig.data(0, octets(rate));
          rig.connection.consumed(id(0), rate);
          rig.tick(second * 1_000);
        }
        return rig;
      };
      expect(trickle(1).verdict).toBe(LATE);
      expect(trickle(240).verdict).toBe("none");
    });
    test("that the owner does not read is waited for", () => {
      const rig = begun().data(0, octets(10));
      expect(rig.connection.deadline).toBe(NEVER);
      rig.tick(100_000).connection.consumed(id(0), 10);
      expect(rig.tick(100_000).connection.deadline).toBe(130_000);
    });
    test("that waits for 100 is not late before it", () => {
      const rig = begun(headers([...POST, ["content-length", "10"], ["expect", "100-continue"]]));
      expect(rig.tick(100_000).connection.deadline).toBe(NEVER);
      rig.connection.interim(id(0), 100, []);
      expect(rig.tick(101_000).connection.deadline).toBe(131_000);
      expect(rig.data(0, octets(10), true).connection.deadline).toBe(NEVER);
    });
  });
  test.each([
    ["floodOfUnknownFrames", (rig: Rig) => rig.control(frameOf(0x21)), 1_000],
    ["floodOfUnknownStreams", (rig: Rig, at: number) => rig.data(rig.uni(at + 1), varints(0x21)), 100],
    ["floodOfEmptyFrames", (rig: Rig, at: number) => (at === 0 ? rig.request(0, headers(POST), false) : rig).data(0, frameOf("DATA")), 100],
    [
      "floodOfResets",
      (rig: Rig, at: number) => rig.request(at * 4, headers(POST), false).feed({ is: "reset", stream: at * 4, code: 0x10c }),
      200,
    ],
    ["floodOfErrors", (rig: Rig, at: number) => rig.request(at * 4, new Uint8Array(0)), 100],
    ["floodOfPriorities", (rig: Rig, at: number) => rig.control(frameOf("PRIORITY_UPDATE", varints(at * 4))), 500],
    ["floodOfControls", (rig: Rig) => rig.control(frameOf("GOAWAY", varints(0))), 100],
    ["floodOfControls", (rig: Rig) => rig.control(frameOf("MAX_PUSH_ID", varints(1))), 100],
    ["floodOfInstructions", (rig: Rig, at: number) => rig.data(rig.uni(9), at === 0 ? varints(2, 0x20) : varints(0x20)), 4_000],
  ] as const)("%s", (name, act, allowed) => {
    const rig = new Rig("server").ready();
    for (let at = 0; at < allowed; at++) act(rig, at);
    expect(rig.find("closed")).toBeUndefined();
    act(rig, allowed);
    expect(rig.find("closed")?.fault?.name).toBe(name);
  });
  test("time refills a budget", () => {
    const abuse = new Abuse({ ...DEFAULT_LIMITS, errors: { burst: 1, perSecond: 2 } });
    const spend = (ms: number): string | undefined => abuse.spend("errors", ms as never)?.name;
    expect([0, 499, 999, 1_000].map(spend)).toEqual([undefined, "floodOfErrors", undefined, "floodOfErrors"]);
  });
});

test("a datagram finds its request", () => {
  const rig = new Rig("server", { settings: { h3Datagram: true } }).ready(frameOf("SETTINGS", varints(0x33, 1))).request(4, headers(GET));
  rig.feed({ is: "datagram", octets: concatenated([varints(1), text("hi")]) });
  expect(rig.find("datagram")).toEqual({ is: "datagram", stream: 4, bytes: text("hi") });
  expect(rig.connection.datagram(id(4), text("ho"))).toBe(true);
  expect(hex(rig.transport.datagrams[0]!)).toBe("01686f");
  expect(rig.feed({ is: "datagram", octets: new Uint8Array(0) }).verdict).toBe("connection H3_DATAGRAM_ERROR datagramInvalid rfc9297#2.1");
});
