import { describe, expect, test } from "vitest";
import { instant } from "../core/index.ts";
import { Connection } from "./connection.ts";
import { readFrames } from "./frame/index.ts";
import {
  client,
  data,
  fieldList,
  get,
  GET,
  id,
  join,
  octets,
  ping,
  post,
  sayEvent,
  sayFrame,
  server,
  settings,
  SETTINGS_ACK,
  T0,
  wire,
} from "./testing.ts";

describe("Connection: options", () => {
  test("settings that no peer would accept throw Misuse", () => {
    expect(() => new Connection({ side: "server", settings: { initialWindowSize: -1 } }, T0)).toThrow("initialWindowSize");
    expect(() => new Connection({ side: "server", settings: { enablePush: true } }, T0)).toThrow("enablePush");
  });
  test("only settings that differ from the initial ones are announced", () => {
    const plain = new Connection(
      {
        side: "server",
        settings: { initialWindowSize: 65_535, maxConcurrentStreams: Number.POSITIVE_INFINITY, maxHeaderListSize: 0xffff_ffff },
      },
      T0,
    );
    expect(readFrames(join(plain.take())).map(sayFrame)[0]).toBe("SETTINGS 6=4294967295");
    const all = { enableConnectProtocol: true, noRfc7540Priorities: true, headerTableSize: 0, maxFrameSize: 65_536 };
    const other = new Connection({ side: "server", settings: all }, T0);
    expect(readFrames(join(other.take())).map(sayFrame)[0]).toBe("SETTINGS 1=0 3=100 4=262144 5=65536 6=16384 8=1 9=1");
  });
  test("a connection window of the initial size needs no WINDOW_UPDATE", () => {
    const c = new Connection({ side: "server", limits: { connectionWindow: 65_535 } }, T0);
    expect(readFrames(join(c.take())).map((frame) => frame.is)).toEqual(["SETTINGS"]);
  });
});

describe("Connection: outputs", () => {
  test("each event is returned once, in order", () => {
    const rig = server();
    rig.events(get(1));
    rig.c.respond(id(1), 204, [], true);
    expect(rig.c.receive(wire(get(3)), T0).map(sayEvent)).toEqual(["done 1", "request 3 end"]);
    expect(rig.c.events()).toEqual([]);
  });
  test("bytes are handed over once, and never written to again", () => {
    const rig = server();
    rig.events(ping(false, 1));
    const [first] = rig.c.take();
    const copy = first!.slice();
    rig.events(ping(false, 2), get(1));
    rig.c.respond(id(1), 200, fieldList([["x", "y"]]), true);
    rig.c.take();
    expect(first).toEqual(copy);
    expect(rig.c.take()).toEqual([]);
  });
  test("queued counts bytes not yet taken, without the content in stream queues", () => {
    const rig = server();
    expect(rig.c.queued).toBe(0);
    rig.events(ping());
    expect(rig.c.queued).toBe(17);
    rig.events(get(1));
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets(10_000), true);
    expect(rig.c.queued).toBe(17 + 10);
  });
  test("a server throws Misuse for request()", () => {
    expect([client().c.accepting, server().c.accepting]).toEqual([true, false]);
  });
  test("views of content are valid until the next read", () => {
    const rig = server();
    const [, event] = rig.c.receive(wire(post(1), data(1, octets(3, 7))), T0);
    expect(event).toMatchObject({ is: "data", bytes: octets(3, 7) });
  });
});

describe("auto-tuned receive windows", () => {
  /** Sends content as the window allows, every `ms`; returns the increments announced for the stream. */
  function increments(autoTune: boolean, ms: number): number[] {
    const c = new Connection({ side: "server", autoTune, settings: { initialWindowSize: 1_000 }, limits: { maxWindow: 4_000 } }, T0);
    c.receive(wire(new TextEncoder().encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), settings()), T0);
    c.receive(wire(SETTINGS_ACK, post(1)), instant(100));
    c.take();
    let window = 1_000;
    const seen: number[] = [];
    for (let at = 200; seen.length < 5; at += ms) {
      c.receive(wire(data(1, window)), instant(at));
      c.consumed(id(1), window);
      const given = readFrames(join(c.take())).flatMap((frame) =>
        frame.is === "WINDOW_UPDATE" && frame.stream === 1 ? [frame.increment] : [],
      );
      window = given.reduce((sum, by) => sum + by, 0);
      seen.push(window);
    }
    return seen;
  }
  test("double while they are used up within two round trips, up to the limit", () => {
    expect(increments(true, 150)).toEqual([1_000, 2_000, 4_000, 4_000, 4_000]);
  });
  test("stay as they are if large enough, or without autoTune", () => {
    expect(increments(true, 200)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
    expect(increments(false, 1)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
  });
});

test("a client's request arrives at a server", () => {
  const rig = client();
  rig.c.request(fieldList([...GET, ["accept", "*/*"]]), true);
  expect(rig.fields()).toEqual([[":method: GET", ":scheme: http", ":authority: localhost", ":path: /", "accept: */*"]]);
});
