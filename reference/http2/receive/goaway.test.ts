import { describe, expect, test } from "vitest";
import { Connection } from "../connection.ts";
import { readFrames } from "../frame/index.ts";
import {
  client,
  data,
  fieldList,
  get,
  GET,
  goaway,
  headers,
  id,
  join,
  named,
  ping,
  play,
  post,
  raw,
  sayFrame,
  server,
  T0,
  wire,
  type Case,
  type Rig,
} from "../testing.ts";

const asked = (rig: Rig): void => {
  rig.c.request(fieldList(GET), true);
  rig.c.request(fieldList(GET), true);
  rig.frames();
};
const answer = (stream: number) => headers(stream, [[":status", "204"]]);

describe("GOAWAY from a server (rfc9113#6.8)", () => {
  const cases: Case[] = [
    ["that excludes no stream", [goaway(3), answer(1)], ["goaway 3 NO_ERROR", "response 1 204 end", "done 1"], []],
    [
      "until the last has ended",
      [goaway(3), answer(1), answer(3)],
      ["goaway 3 NO_ERROR", "response 1 204 end", "done 1", "response 3 204 end", "done 3", "closed"],
      ["GOAWAY 0 NO_ERROR"],
    ],
    ["that excludes one", [goaway(1)], ["goaway 1 NO_ERROR", "reset 3 REFUSED_STREAM by peer"], []],
    [
      "in two steps",
      [goaway(0x7fff_ffff), goaway(1)],
      ["goaway 2147483647 NO_ERROR", "goaway 1 NO_ERROR", "reset 3 REFUSED_STREAM by peer"],
      [],
    ],
    [
      "with a higher last stream",
      [goaway(1), goaway(3)],
      ["goaway 1 NO_ERROR", "reset 3 REFUSED_STREAM by peer", "closed goawayLastRises"],
      ["GOAWAY 0 PROTOCOL_ERROR"],
    ],
    ["with an error", [goaway(3, "INTERNAL_ERROR")], ["goaway 3 INTERNAL_ERROR"], []],
    ["on a stream", [raw(7, 0, 1, "0000000000000000")], ["closed goawayOnStream"], ["GOAWAY 0 PROTOCOL_ERROR"]],
    ["too short", [raw(7, 0, 0, "00000000000000")], ["closed goawayTooShort"], ["GOAWAY 0 FRAME_SIZE_ERROR"]],
  ];
  test.each(named(cases))("$name", ({ line }) => {
    expect(play("client", line, asked)).toEqual([line[2], line[3]]);
  });

  test("waiting requests are unopened, and no more are accepted", () => {
    const rig = client({ limits: { assumedStreams: 1 } });
    rig.events({ is: "SETTINGS", ack: false, settings: [{ id: 3, value: 1 }] });
    asked(rig);
    expect(rig.events(goaway(1))).toEqual(["goaway 1 NO_ERROR", "unopened 1"]);
    expect(rig.c.accepting).toBe(false);
    expect(() => rig.c.request(fieldList(GET), true)).toThrow("accepts no further requests");
  });

  test("its debug data is in the event", () => {
    const rig = client();
    const debug = new TextEncoder().encode("why");
    expect(rig.c.receive(wire({ is: "GOAWAY", last: id(0), code: 0, debug }), T0)[0]).toMatchObject({ is: "goaway", debug });
  });
});

describe("GOAWAY from a client", () => {
  test("stops pushes; current and later requests are served", () => {
    const rig = server();
    expect(rig.events(get(1), goaway(0), get(3))).toEqual(["request 1 end", "goaway 0 NO_ERROR", "request 3 end"]);
    expect(rig.c.push(id(1), fieldList(GET))).toBeUndefined();
    rig.c.respond(id(1), 204, [], true);
    rig.c.respond(id(3), 204, [], true);
    expect(rig.told()).toEqual(["done 1", "done 3"]);
  });
});

describe("shutdown, in two steps", () => {
  const acked = { is: "PING", ack: true, data: new Uint8Array(8).fill(0x5a) } as const;
  test("warns first, then names the last stream, and ends with it", () => {
    const rig = server();
    rig.events(post(1));
    rig.c.shutdown();
    expect(rig.frames()).toEqual(["GOAWAY 2147483647 NO_ERROR", "PING 5a5a5a5a5a5a5a5a"]);
    expect(rig.events(get(3))).toEqual(["request 3 end"]);
    expect(rig.events(ping(true, 1))).toEqual(["pong 0101010101010101"]);
    expect(rig.events(acked)).toEqual([]);
    expect(rig.frames()).toEqual(["GOAWAY 3 NO_ERROR"]);
    expect(rig.events(get(5), data(5, 1))).toEqual([]);
    rig.c.respond(id(3), 204, [], true);
    expect(rig.told()).toEqual(["done 3"]);
    rig.c.respond(id(1), 204, [], true);
    expect(rig.told()).toEqual([]);
    expect(rig.events(data(1, 0, { end: true }))).toEqual(["data 1 0 end", "done 1", "closed"]);
    expect(rig.frames()).toEqual(["HEADERS 3 end", "HEADERS 1 end"]);
  });
  test("a client warns with the highest identifier of a server: peers refuse one that is not theirs", () => {
    const rig = client();
    rig.frames();
    rig.c.shutdown();
    expect(rig.frames()).toEqual(["GOAWAY 2147483646 NO_ERROR", "PING 5a5a5a5a5a5a5a5a"]);
  });
  test("an idle connection ends when the warning is answered", () => {
    const rig = server();
    rig.c.shutdown();
    rig.c.shutdown();
    expect(rig.frames()).toEqual(["GOAWAY 2147483647 NO_ERROR", "PING 5a5a5a5a5a5a5a5a"]);
    expect(rig.events(acked)).toEqual(["closed"]);
    expect(rig.frames()).toEqual(["GOAWAY 0 NO_ERROR"]);
  });
  test("a peer that does not answer in time is not waited for", () => {
    const rig = server({ limits: { goawayMs: 50 } });
    rig.c.shutdown();
    rig.frames();
    expect([rig.tick(49), rig.frames(), rig.c.deadline]).toEqual([[], [], 50]);
    expect([rig.tick(50), rig.frames()]).toEqual([["closed"], ["GOAWAY 0 NO_ERROR"]]);
  });
  test("the PING's payload comes from the random source", () => {
    const c = new Connection({ side: "server", random: (into) => into.fill(9) }, T0);
    c.take();
    c.shutdown();
    expect(readFrames(join(c.take())).map(sayFrame)[1]).toBe("PING 0909090909090909");
  });
  test("a client finishes its open requests", () => {
    const rig = client();
    asked(rig);
    rig.c.shutdown();
    expect(() => rig.c.request(fieldList(GET), true)).toThrow("accepts no further requests");
    rig.events(acked);
    expect(rig.events(answer(1), answer(3)).at(-1)).toBe("closed");
  });
  test("of a client: its waiting requests are unopened, and no more are accepted", () => {
    const rig = client();
    rig.events({ is: "SETTINGS", ack: false, settings: [{ id: 3, value: 1 }] });
    asked(rig);
    rig.c.shutdown();
    expect([rig.told(), rig.c.accepting]).toEqual([["unopened 1"], false]);
  });
});

describe("abort", () => {
  test("sends GOAWAY with the code, and ends", () => {
    const rig = server();
    rig.events(get(1));
    rig.c.abort("INADEQUATE_SECURITY");
    rig.c.abort("NO_ERROR");
    expect(rig.told()).toEqual(["closed"]);
    expect(rig.frames()).toEqual(["GOAWAY 1 INADEQUATE_SECURITY"]);
    expect([rig.c.data(id(1), new Uint8Array(), true), rig.c.deadline]).toEqual([true, Number.POSITIVE_INFINITY]);
  });
  test("after the end, actions are ignored", () => {
    const rig = server();
    rig.events(get(1));
    rig.c.abort("NO_ERROR");
    rig.frames();
    rig.told();
    rig.c.respond(id(1), 200, [], true);
    rig.c.reset(id(1), "CANCEL");
    rig.c.ping(new Uint8Array(8));
    rig.c.settings({ maxConcurrentStreams: 1 });
    rig.c.shutdown();
    expect([rig.frames(), rig.told()]).toEqual([[], []]);
  });
});

test("a fault during a graceful shutdown does not raise the last stream", () => {
  const rig = server();
  rig.events(get(1));
  rig.c.shutdown();
  rig.events({ is: "PING", ack: true, data: new Uint8Array(8).fill(0x5a) });
  rig.events(get(3));
  rig.frames();
  expect(rig.events(raw(6, 0, 0, "00"))).toEqual(["closed pingLengthNot8"]);
  expect(rig.frames()).toEqual(["GOAWAY 1 FRAME_SIZE_ERROR"]);
});
