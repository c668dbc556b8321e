import { describe, expect, test } from "vitest";
import {
  client,
  fieldList,
  get,
  GET,
  id,
  named,
  octets,
  play,
  priorityUpdate,
  promise,
  raw,
  server,
  settings,
  windowUpdate,
  type Case,
  type Rig,
} from "../testing.ts";

/** Answers requests with `size` octets each, all before the connection has any window, and opens it then. */
function order(rig: Rig, streams: readonly number[], size = 20_000): string[] {
  for (const stream of streams) {
    rig.c.respond(id(stream), 200, [], false);
    rig.c.data(id(stream), octets(size), true);
  }
  return rig.frames().filter((line) => line.startsWith("DATA"));
}
const roomy = (): Rig => {
  const rig = server();
  rig.events(windowUpdate(0, 10_000_000), settings([4, 1_000_000]));
  rig.frames();
  return rig;
};
const streamsOf = (lines: readonly string[]): string => lines.map((line) => line.split(" ")[1]).join(" ");

describe("priorities of responses (rfc9218)", () => {
  test("by default, one after the other in the order of the requests", () => {
    const rig = roomy();
    rig.events(get(1), get(3), get(5));
    expect(streamsOf(order(rig, [5, 1, 3]))).toBe("1 1 3 3 5 5");
  });
  test("by urgency, from the Priority field", () => {
    const rig = roomy();
    rig.events(get(1, ["priority", "u=5"]), get(3, ["priority", "u=1"]), get(5));
    expect(streamsOf(order(rig, [1, 3, 5]))).toBe("3 3 5 5 1 1");
  });
  test("in turns, if incremental", () => {
    const rig = roomy();
    rig.events(get(1, ["priority", "i"]), get(3, ["priority", "i"]));
    expect(streamsOf(order(rig, [1, 3]))).toBe("1 3 1 3");
  });
  test("PRIORITY_UPDATE before the request overrides its field", () => {
    const rig = roomy();
    rig.events(priorityUpdate(3, "u=7"), priorityUpdate(3, "u=0"), get(1), get(3, ["priority", "u=6"]));
    expect(streamsOf(order(rig, [1, 3]))).toBe("3 3 1 1");
  });
  test("PRIORITY_UPDATE while the response waits", () => {
    const rig = server({ limits: { takeOctets: 16_384 } });
    rig.events(windowUpdate(0, 10_000_000), get(1), get(3));
    rig.frames();
    for (const stream of [1, 3]) {
      rig.c.respond(id(stream), 200, [], false);
      rig.c.data(id(stream), octets(40_000), true);
    }
    rig.c.take();
    rig.events(priorityUpdate(3, "u=1"));
    expect(streamsOf(rig.frames())).toBe("3 3 3 1 1");
  });
  test("prioritize() on the server changes the order as well", () => {
    const rig = roomy();
    rig.events(get(1), get(3));
    rig.c.prioritize(id(3), "u=0");
    expect(streamsOf(order(rig, [1, 3]))).toBe("3 3 1 1");
  });
  test("small content does not overtake queued content", () => {
    const rig = roomy();
    rig.events(get(1, ["priority", "u=0"]), get(3));
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets(20_000), true);
    rig.c.respond(id(3), 200, [], false);
    rig.c.data(id(3), octets(5), true);
    expect(rig.frames()).toEqual(["HEADERS 1", "HEADERS 3", "DATA 1 16384", "DATA 1 3616 end", "DATA 3 5 end"]);
  });
});

describe("PRIORITY_UPDATE (rfc9218#7.1)", () => {
  const over = (name: string, code = "PROTOCOL_ERROR"): [string[], string[]] => [[`closed ${name}`], [`GOAWAY 0 ${code}`]];
  const cases: Case[] = [
    [
      "of a stream that has ended",
      [get(1), raw(3, 0, 1, "00000008"), priorityUpdate(1, "u=1")],
      ["request 1 end", "reset 1 CANCEL by peer"],
      [],
    ],
    ["with an invalid value", [priorityUpdate(1, "===="), get(1)], ["request 1 end"], []],
    ["on a stream", [raw(0x10, 0, 1, "00000001")], ...over("priorityUpdateOnStream")],
    ["too short", [raw(0x10, 0, 0, "000001")], ...over("priorityUpdateTooShort", "FRAME_SIZE_ERROR")],
    ["of stream 0", [priorityUpdate(0, "u=1")], ...over("priorityUpdateOfConnection")],
    ["of a push that is idle", [priorityUpdate(2, "u=1")], ...over("priorityUpdateOfIdlePush")],
  ];
  test.each(named(cases))("$name", ({ line }) => {
    expect(play("server", line)).toEqual([line[2], line[3]]);
  });
  test("for more requests than may be open", () => {
    const rig = server({ settings: { maxConcurrentStreams: 3 } });
    expect(rig.events(get(1), priorityUpdate(3, "u=1"), priorityUpdate(5, "u=1"), priorityUpdate(5, "u=2"))).toEqual(["request 1 end"]);
    expect(rig.events(priorityUpdate(7, "u=1"))).toEqual(["closed priorityUpdateOfTooMany"]);
  });
  test("for skipped requests is forgotten", () => {
    const rig = server({ settings: { maxConcurrentStreams: 3 } });
    rig.events(priorityUpdate(1, "u=1"), priorityUpdate(3, "u=1"), priorityUpdate(5, "u=1"), get(7));
    expect(rig.events(priorityUpdate(9, "u=1"), priorityUpdate(11, "u=1"))).toEqual([]);
    expect(rig.events(priorityUpdate(13, "u=1"))).toEqual(["closed priorityUpdateOfTooMany"]);
  });
  test("for a promised push", () => {
    const rig = roomy();
    rig.events(get(1));
    rig.c.push(id(1), fieldList(GET));
    rig.events(priorityUpdate(2, "u=0"));
    rig.frames();
    expect(streamsOf(order(rig, [1, 2]))).toBe("2 2 1 1");
  });
  test("received by a client ends the connection", () => {
    const line: Case = ["", [priorityUpdate(1, "u=1")], ["closed priorityUpdateByServer"], ["GOAWAY 0 PROTOCOL_ERROR"]];
    expect(play("client", line)).toEqual([line[2], line[3]]);
  });
  test("is sent by a client when its owner calls prioritize()", () => {
    const rig = client({ settings: { enablePush: true } });
    rig.c.request(fieldList(GET), true);
    rig.c.prioritize(id(1), "u=0, i");
    rig.events(promise(1, 2));
    rig.c.prioritize(id(2), "u=7");
    expect(rig.frames()).toEqual(["HEADERS 1 end", "PRIORITY_UPDATE 1 u=0, i", "PRIORITY_UPDATE 2 u=7"]);
  });
});

describe("the deprecated priority signals (rfc9113#5.3)", () => {
  test("weights from 1 to 256 are accepted, and change nothing", () => {
    const rig = roomy();
    rig.events(get(1), get(3), raw(2, 0, 3, "80000001ff"), raw(2, 0, 1, "0000000300"));
    expect(streamsOf(order(rig, [1, 3]))).toBe("1 1 3 3");
  });
});
