import { describe, expect, test } from "vitest";
import { instant, NEVER } from "../core/index.ts";
import { Connection } from "./connection.ts";
import { CLIENT_PREFACE } from "./receive/preface.ts";
import { get, id, join, octets, raw, sayEvent, sayFrame, server, settings, SETTINGS_ACK, T0, windowUpdate, wire } from "./testing.ts";
import { readFrames } from "./frame/index.ts";

const limits = { prefaceMs: 100, settingsMs: 200, blockMs: 50, stallMs: 300 };
const at = (c: Connection, ms: number): string[] => c.tick(instant(ms)).map(sayEvent);
const said = (c: Connection): string[] => readFrames(join(c.take())).map(sayFrame);

describe("deadlines", () => {
  test("a preface that does not arrive, or not completely", () => {
    for (const part of [octets(0), CLIENT_PREFACE.subarray(0, 23), CLIENT_PREFACE, wire(CLIENT_PREFACE, wire(settings()).subarray(0, 8))]) {
      const c = new Connection({ side: "server", limits }, T0);
      c.take();
      c.receive(part, T0);
      expect([c.deadline, at(c, 99), at(c, 100), said(c)]).toEqual([100, [], ["closed prefaceLate"], ["GOAWAY 0 PROTOCOL_ERROR"]]);
    }
  });
  test("a server's SETTINGS that do not arrive", () => {
    const c = new Connection({ side: "client", limits }, T0);
    expect([c.deadline, at(c, 100)]).toEqual([100, ["closed prefaceLate"]]);
  });
  test("SETTINGS that are not acknowledged: the oldest counts", () => {
    const c = new Connection({ side: "server", limits }, T0);
    c.receive(wire(CLIENT_PREFACE, settings()), instant(50));
    c.settings({ maxConcurrentStreams: 5 });
    expect([c.deadline, at(c, 199)]).toEqual([200, []]);
    c.receive(wire(SETTINGS_ACK), instant(199));
    c.take();
    expect([c.deadline, at(c, 249), at(c, 250), said(c)]).toEqual([250, [], ["closed settingsAckLate"], ["GOAWAY 0 SETTINGS_TIMEOUT"]]);
  });
  test("a block that is not completed", () => {
    const rig = server({ limits });
    rig.events(raw(1, 0, 1, "82"));
    expect([rig.c.deadline, rig.tick(49), rig.tick(50), rig.frames()]).toEqual([
      50,
      [],
      ["closed blockLate"],
      ["GOAWAY 0 ENHANCE_YOUR_CALM"],
    ]);
  });
  test("nothing is pending on a connection at rest", () => {
    const rig = server({ limits });
    rig.events(get(1));
    expect([rig.c.deadline, rig.tick(1e9)]).toEqual([NEVER, []]);
  });
});

describe("content without credit", () => {
  const stalled = ["RST_STREAM 1 ENHANCE_YOUR_CALM"];
  const answered = (window: number) => {
    const rig = server({ limits });
    rig.events(settings([4, window]), get(1));
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets(100_000), true);
    rig.frames();
    return rig;
  };
  test("of its stream: the stream is reset after a while, and the connection goes on", () => {
    const rig = answered(0);
    expect([rig.c.deadline, rig.tick(299)]).toEqual([300, []]);
    expect([rig.tick(300), rig.frames()]).toEqual([["reset 1 ENHANCE_YOUR_CALM by us streamStalled"], stalled]);
    expect([rig.c.deadline, rig.events(get(3))]).toEqual([NEVER, ["request 3 end"]]);
  });
  test("of the connection: the stream is reset as well", () => {
    const rig = answered(1_000_000);
    expect([rig.c.deadline, rig.tick(299)]).toEqual([300, []]);
    expect([rig.tick(300), rig.frames()]).toEqual([["reset 1 ENHANCE_YOUR_CALM by us streamStalled"], stalled]);
  });
  test("enough credit begins the wait anew", () => {
    const rig = answered(0);
    rig.tick(250);
    rig.events(windowUpdate(1, 4_096));
    expect(rig.frames()).toEqual(["DATA 1 4096"]);
    expect([rig.tick(549), rig.tick(550)]).toEqual([[], ["reset 1 ENHANCE_YOUR_CALM by us streamStalled"]]);
  });
  test("a trickle of credit for the stream does not end the wait", () => {
    const rig = answered(0);
    for (let at = 50; at < 300; at += 50) {
      rig.tick(at);
      rig.events(windowUpdate(1, 1));
      expect(rig.frames()).toEqual(["DATA 1 1"]);
    }
    expect([rig.tick(299), rig.tick(300)]).toEqual([[], ["reset 1 ENHANCE_YOUR_CALM by us streamStalled"]]);
  });
  test("a trickle adds up", () => {
    const rig = answered(0);
    for (let at = 50; at < 300; at += 50) {
      rig.tick(at);
      rig.events(windowUpdate(1, 1_024));
      rig.frames();
    }
    // 4,096 bytes had left at 200; the wait that counts began then.
    expect([rig.tick(300), rig.tick(499), rig.tick(500)]).toEqual([[], [], ["reset 1 ENHANCE_YOUR_CALM by us streamStalled"]]);
  });
  test("a trickle of credit for the connection does not end the wait", () => {
    const rig = answered(1_000_000);
    for (let at = 50; at < 300; at += 50) {
      rig.tick(at);
      rig.events(windowUpdate(0, 1));
      expect(rig.frames()).toEqual(["DATA 1 1"]);
    }
    expect([rig.tick(299), rig.tick(300)]).toEqual([[], ["reset 1 ENHANCE_YOUR_CALM by us streamStalled"]]);
  });
  test("a wait for the connection's credit that has ended is forgotten", () => {
    const rig = answered(1_000_000);
    rig.tick(250);
    rig.events(windowUpdate(0, 100_000));
    rig.frames();
    rig.events(get(3));
    rig.c.respond(id(3), 200, [], false);
    rig.c.data(id(3), octets(100_000), true);
    rig.frames();
    expect([rig.tick(549), rig.tick(550)]).toEqual([[], ["reset 3 ENHANCE_YOUR_CALM by us streamStalled"]]);
  });
  test("a stream that is blocked later has its own deadline", () => {
    const rig = answered(0);
    rig.tick(200);
    rig.events(get(3));
    rig.c.respond(id(3), 200, [], false);
    rig.c.data(id(3), octets(10), true);
    expect(rig.tick(300)).toEqual(["reset 1 ENHANCE_YOUR_CALM by us streamStalled"]);
    expect([rig.c.deadline, rig.tick(499), rig.tick(500)]).toEqual([500, [], ["reset 3 ENHANCE_YOUR_CALM by us streamStalled"]]);
  });
  test("a stream that has ended meanwhile has no deadline", () => {
    const rig = answered(0);
    rig.c.reset(id(1), "CANCEL");
    expect([rig.tick(300), rig.c.deadline]).toEqual([[], NEVER]);
  });
});
