import { describe, expect, test } from "vitest";
import {
  id,
  client,
  continuation,
  data,
  fieldList,
  get,
  GET,
  goaway,
  headers,
  named,
  play,
  post,
  raw,
  request,
  rst,
  server,
  windowUpdate,
  type Case,
} from "../testing.ts";

const PRIORITY = "0000000000";
const GET_FIELDS = fieldList(GET);
const errors = (code: string): string[] => [`GOAWAY 1 ${code}`];

/** rfc9113#5.1 at a server: each frame in each state that a client can cause. */
describe("stream states (rfc9113#5.1)", () => {
  const idle: Case[] = [
    ["DATA", [data(1, 1)], ["closed frameOnIdleStream"], ["GOAWAY 0 PROTOCOL_ERROR"]],
    ["RST_STREAM", [rst(1)], ["closed frameOnIdleStream"], ["GOAWAY 0 PROTOCOL_ERROR"]],
    ["WINDOW_UPDATE", [windowUpdate(1, 1)], ["closed frameOnIdleStream"], ["GOAWAY 0 PROTOCOL_ERROR"]],
    ["WINDOW_UPDATE of the server's own stream", [windowUpdate(2, 1)], ["closed frameOnIdleStream"], ["GOAWAY 0 PROTOCOL_ERROR"]],
    ["CONTINUATION", [continuation(1, new Uint8Array())], ["closed continuationUnexpected"], ["GOAWAY 0 PROTOCOL_ERROR"]],
    ["HEADERS of an even stream", [get(2)], ["closed streamIdWrongParity"], ["GOAWAY 0 PROTOCOL_ERROR"]],
    ["PRIORITY", [raw(2, 0, 1, PRIORITY), get(1)], ["request 1 end"], []],
    ["PRIORITY of a wrong length", [raw(2, 0, 1, "00")], ["closed priorityLengthNot5"], ["GOAWAY 0 FRAME_SIZE_ERROR"]],
    ["an unknown frame", [raw(0xff, 0, 1, "00"), get(1)], ["request 1 end"], []],
  ];
  test.each(named(idle))("idle: $name", ({ line }) => {
    expect(play("server", line)).toEqual([line[2], line[3]]);
  });

  const open: Case[] = [
    ["DATA", [data(1, 1)], ["data 1 1"], []],
    ["RST_STREAM", [rst(1)], ["reset 1 CANCEL by peer"], []],
    ["an unknown reset code", [raw(3, 0, 1, "000000ff")], ["reset 1 INTERNAL_ERROR by peer"], []],
    ["WINDOW_UPDATE", [windowUpdate(1, 1)], [], []],
    [
      "PRIORITY of a wrong length",
      [raw(2, 0, 1, "00")],
      ["reset 1 FRAME_SIZE_ERROR by us priorityLengthNot5"],
      ["RST_STREAM 1 FRAME_SIZE_ERROR"],
    ],
    [
      "a request of a lower stream",
      [headers(5, request()), get(3)],
      ["request 5 end", "closed streamIdNotRising"],
      ["GOAWAY 5 PROTOCOL_ERROR"],
    ],
  ];
  test.each(named(open))("open: $name", ({ line }) => {
    expect(play("server", line, (rig) => rig.events(post(1)))).toEqual([line[2], line[3]]);
  });

  const ended = ["reset 1 STREAM_CLOSED by us frameAfterEndStream"];
  const halfClosed: Case[] = [
    ["DATA", [data(1, 1)], ended, ["RST_STREAM 1 STREAM_CLOSED"]],
    ["HEADERS", [get(1)], ended, ["RST_STREAM 1 STREAM_CLOSED"]],
    ["DATA after the refusal", [data(1, 1), data(1, 1)], ended, ["RST_STREAM 1 STREAM_CLOSED"]],
    ["RST_STREAM", [rst(1)], ["reset 1 CANCEL by peer"], []],
    ["WINDOW_UPDATE", [windowUpdate(1, 1)], [], []],
    ["PRIORITY", [raw(2, 0, 1, PRIORITY)], [], []],
  ];
  test.each(named(halfClosed))("half-closed (remote): $name", ({ line }) => {
    expect(play("server", line, (rig) => rig.events(get(1)))).toEqual([line[2], line[3]]);
  });

  const closed: Case[] = [
    ["DATA", [data(1, 1)], ["closed frameOnClosedStream"], errors("STREAM_CLOSED")],
    ["HEADERS", [get(1)], ["closed frameOnClosedStream"], errors("STREAM_CLOSED")],
    ["RST_STREAM", [rst(1)], [], []],
    ["WINDOW_UPDATE", [windowUpdate(1, 1)], [], []],
    ["PRIORITY", [raw(2, 0, 1, PRIORITY)], [], []],
  ];
  test.each(named(closed))("closed by both ends: $name", ({ line }) => {
    const answered = (rig: ReturnType<typeof server>): void => {
      rig.events(get(1));
      rig.c.respond(id(1), 204, [], true);
      expect(rig.told()).toEqual(["done 1"]);
      rig.frames();
    };
    expect(play("server", line, answered)).toEqual([line[2], line[3]]);
  });

  const afterTheirReset: Case[] = [
    ["DATA", [data(1, 1)], [], ["RST_STREAM 1 STREAM_CLOSED"]],
    ["DATA again and again", [data(1, 1), data(1, 1), windowUpdate(1, 0)], [], ["RST_STREAM 1 STREAM_CLOSED"]],
    ["HEADERS", [get(1)], [], ["RST_STREAM 1 STREAM_CLOSED"]],
    ["RST_STREAM", [rst(1)], [], []],
    ["WINDOW_UPDATE", [windowUpdate(1, 1)], [], []],
  ];
  test.each(named(afterTheirReset))("closed by their RST_STREAM: $name", ({ line }) => {
    expect(play("server", line, (rig) => rig.events(post(1), rst(1)))).toEqual([line[2], line[3]]);
  });

  test("closed by our RST_STREAM: late frames are discarded, and the connection goes on", () => {
    const rig = server();
    rig.events(post(1));
    rig.c.reset(id(1), "CANCEL");
    expect(rig.frames()).toEqual(["RST_STREAM 1 CANCEL"]);
    expect(rig.events(data(1, 10), windowUpdate(1, 5), headers(1, [["x", "y"]]), rst(1), get(3))).toEqual(["request 3 end"]);
    expect(rig.frames()).toEqual([]);
  });

  test("a skipped stream is closed", () => {
    const rig = server();
    rig.events(get(5));
    expect(rig.events(windowUpdate(1, 1), rst(3), data(1, 1))).toEqual([]);
    expect(rig.frames()).toEqual(["RST_STREAM 1 STREAM_CLOSED"]);
  });
});

describe("stream states of a client", () => {
  const asked = (rig: ReturnType<typeof client>): void => {
    rig.c.request(GET_FIELDS, true);
    rig.frames();
  };
  const cases: Case[] = [
    ["a response", [headers(1, [[":status", "200"]])], ["response 1 200 end", "done 1"], []],
    ["HEADERS of a stream never opened", [headers(3, [[":status", "200"]])], ["closed frameOnIdleStream"], ["GOAWAY 0 PROTOCOL_ERROR"]],
    ["HEADERS of a stream never promised", [headers(2, [[":status", "200"]])], ["closed frameOnIdleStream"], ["GOAWAY 0 PROTOCOL_ERROR"]],
    ["DATA of a stream never opened", [data(3, 1)], ["closed frameOnIdleStream"], ["GOAWAY 0 PROTOCOL_ERROR"]],
    ["RST_STREAM", [rst(1, "REFUSED_STREAM")], ["reset 1 REFUSED_STREAM by peer"], []],
    [
      "GOAWAY that leaves the stream out",
      [goaway(0)],
      ["goaway 0 NO_ERROR", "reset 1 REFUSED_STREAM by peer", "closed"],
      ["GOAWAY 0 NO_ERROR"],
    ],
  ];
  test.each(named(cases))("half-closed (local): $name", ({ line }) => {
    expect(play("client", line, asked)).toEqual([line[2], line[3]]);
  });

  test("an early response, then RST_STREAM(NO_ERROR): the response is complete", () => {
    const rig = client();
    rig.c.request(GET_FIELDS, false);
    rig.frames();
    expect(rig.events(headers(1, [[":status", "413"]], { end: false }), data(1, 3, { end: true }))).toEqual([
      "response 1 413",
      "data 1 3 end",
    ]);
    expect(rig.events(rst(1, "NO_ERROR"))).toEqual(["done 1"]);
    expect([rig.c.data(id(1), new Uint8Array(5), true), rig.frames()]).toEqual([true, []]);
  });
});
