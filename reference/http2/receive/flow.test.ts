import { describe, expect, test } from "vitest";
import {
  client,
  data,
  fieldList,
  get,
  id,
  named,
  octets,
  play,
  POST,
  post,
  raw,
  rst,
  server,
  windowUpdate,
  type Case,
} from "../testing.ts";

const small = { settings: { initialWindowSize: 100 }, limits: { connectionWindow: 65_535 } };

describe("WINDOW_UPDATE (rfc9113#6.9)", () => {
  const cases: Case[] = [
    ["zero on a stream", [windowUpdate(1, 0)], ["reset 1 PROTOCOL_ERROR by us windowIncrementZero"], ["RST_STREAM 1 PROTOCOL_ERROR"]],
    ["zero on the connection", [windowUpdate(0, 0)], ["closed windowIncrementZero"], ["GOAWAY 1 PROTOCOL_ERROR"]],
    [
      "a stream's window beyond the maximum",
      [windowUpdate(1, 0x7fff_ffff)],
      ["reset 1 FLOW_CONTROL_ERROR by us windowOverflow"],
      ["RST_STREAM 1 FLOW_CONTROL_ERROR"],
    ],
    [
      "the connection's window beyond the maximum",
      [windowUpdate(0, 0x7fff_ffff)],
      ["closed windowOverflow"],
      ["GOAWAY 1 FLOW_CONTROL_ERROR"],
    ],
    ["up to the maximum", [windowUpdate(1, 0x7fff_ffff - 65_535), windowUpdate(0, 0x7fff_ffff - 65_535)], [], []],
    ["of a wrong length", [raw(8, 0, 1, "000001")], ["closed windowUpdateLengthNot4"], ["GOAWAY 1 FRAME_SIZE_ERROR"]],
  ];
  test.each(named(cases))("$name", ({ line }) => {
    expect(play("server", line, (rig) => rig.events(post(1)))).toEqual([line[2], line[3]]);
  });
});

describe("received content uses the windows (rfc9113#6.9.1)", () => {
  const over = ["reset 1 FLOW_CONTROL_ERROR by us windowExceeded"];
  const cases: Case[] = [
    ["the last byte of the stream's window", [data(1, 100)], ["data 1 100"], []],
    ["one byte more", [data(1, 101)], over, ["RST_STREAM 1 FLOW_CONTROL_ERROR"]],
    ["one byte more in a second frame", [data(1, 100), data(1, 1)], ["data 1 100", ...over], ["RST_STREAM 1 FLOW_CONTROL_ERROR"]],
    ["padding counts", [data(1, 90, { pad: 9 }), data(1, 0, { end: true })], ["data 1 90", "data 1 0 end"], []],
    ["padding counts beyond the window", [data(1, 90, { pad: 10 })], over, ["RST_STREAM 1 FLOW_CONTROL_ERROR"]],
    ["an end without content needs no window", [data(1, 100), data(1, 0, { end: true })], ["data 1 100", "data 1 0 end"], []],
  ];
  test.each(named(cases))("$name", ({ line }) => {
    expect(play("server", [line[0], line[1], line[2], line[3], small], (rig) => rig.events(post(1)))).toEqual([line[2], line[3]]);
  });

  test("the connection's window limits all streams together", () => {
    const options = { settings: { initialWindowSize: 50_000 }, limits: { connectionWindow: 65_535 } };
    const rig = server(options);
    rig.events(post(1), post(3), data(1, 16_000), data(1, 16_000), data(3, 16_000), data(3, 16_000));
    expect(rig.events(data(3, 1_535))).toEqual(["data 3 1535"]);
    expect(rig.events(data(1, 1))).toEqual(["closed connectionWindowExceeded"]);
    expect(rig.frames()).toEqual(["GOAWAY 3 FLOW_CONTROL_ERROR"]);
  });

  test("credit goes back when the application has consumed half a window", () => {
    const rig = server(small);
    rig.events(post(1), data(1, 100));
    rig.c.consumed(id(1), 49);
    expect(rig.frames()).toEqual([]);
    rig.c.consumed(id(1), 1);
    expect(rig.frames()).toEqual(["WINDOW_UPDATE 1 50"]);
    expect(rig.events(data(1, 50))).toEqual(["data 1 50"]);
  });

  test("padding is credited at once", () => {
    const rig = server(small);
    rig.events(post(1), data(1, 10, { pad: 49 }));
    expect(rig.frames()).toEqual(["WINDOW_UPDATE 1 50"]);
  });

  test("a stream after END_STREAM gets no more credit, the connection does", () => {
    const rig = server({ settings: { initialWindowSize: 65_535 }, limits: { connectionWindow: 65_535 } });
    rig.events(post(1), data(1, 16_384), data(1, 16_384, { end: true }));
    rig.c.consumed(id(1), 32_768);
    expect(rig.frames()).toEqual(["WINDOW_UPDATE 0 32768"]);
  });

  test("DATA on a stream that is reset, refused or ended uses the connection's window and is credited at once", () => {
    const rig = server({ limits: { connectionWindow: 65_535 } });
    rig.events(post(1), post(3), rst(3));
    rig.c.reset(id(1), "CANCEL");
    rig.frames();
    expect(rig.events(data(1, 16_384), data(1, 16_384))).toEqual([]);
    expect(rig.frames()).toEqual(["WINDOW_UPDATE 0 32768"]);
    rig.events(data(3, 16_384), data(1, 16_384));
    expect(rig.frames()).toEqual(["RST_STREAM 3 STREAM_CLOSED", "WINDOW_UPDATE 0 32768"]);
  });

  test("content of an ended stream is credited to the connection when consumed", () => {
    const rig = server({ limits: { connectionWindow: 65_535 } });
    rig.events(post(1), data(1, 16_384), data(1, 16_384), rst(1));
    rig.c.consumed(id(1), 32_768);
    expect(rig.frames()).toEqual(["WINDOW_UPDATE 0 32768"]);
  });
});

describe("sent content respects the windows", () => {
  const answered = (octetCount: number) => {
    const rig = server();
    rig.events(get(1));
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets(octetCount), true);
    return rig;
  };
  test("a stream stops at the end of its window, and goes on with credit", () => {
    const rig = answered(70_000);
    rig.events(windowUpdate(0, 100_000));
    expect(rig.frames().slice(1)).toEqual(["DATA 1 16384", "DATA 1 16384", "DATA 1 16384", "DATA 1 16383"]);
    rig.events(windowUpdate(1, 4_464));
    expect(rig.frames()).toEqual(["DATA 1 4464"]);
    rig.events(windowUpdate(1, 1_000));
    expect(rig.frames()).toEqual(["DATA 1 1 end"]);
    expect(rig.told()).toEqual(["done 1"]);
  });
  test("all streams stop at the end of the connection's window", () => {
    const rig = answered(60_000);
    rig.frames();
    rig.events(get(3));
    rig.c.respond(id(3), 200, [], false);
    rig.c.data(id(3), octets(10_000), true);
    expect(rig.frames()).toEqual(["HEADERS 3", "DATA 3 5535"]);
    rig.events(windowUpdate(3, 10_000));
    expect(rig.frames()).toEqual([]);
    rig.events(windowUpdate(0, 4_465));
    expect(rig.frames()).toEqual(["DATA 3 4465 end"]);
  });
  test("small content waits for credit too, an end without content does not", () => {
    const rig = answered(65_535);
    rig.frames();
    rig.events(get(3), get(5));
    rig.c.respond(id(3), 200, [], false);
    rig.c.data(id(3), octets(1), true);
    rig.c.respond(id(5), 200, [], false);
    rig.c.data(id(5), octets(0), true);
    expect(rig.frames()).toEqual(["HEADERS 3", "HEADERS 5", "DATA 5 0 end"]);
  });
  test("data() returns false above the high-water mark; writable follows below half of it", () => {
    const rig = server({ limits: { highWater: 1_000, takeOctets: 400 } });
    rig.events(get(1));
    rig.c.respond(id(1), 200, [], false);
    expect(rig.c.data(id(1), octets(1_000), false)).toBe(true);
    expect(rig.c.data(id(1), octets(5_000, 1), false)).toBe(false);
    rig.c.take();
    rig.c.take();
    expect(rig.told()).toEqual([]);
    rig.frames();
    expect(rig.told()).toEqual(["writable 1"]);
  });
  test("a client's uploads respect them as well", () => {
    const rig = client();
    rig.c.request(fieldList(POST), false);
    rig.c.data(id(1), octets(70_000), true);
    expect(rig.frames().at(-1)).toBe("DATA 1 16383");
    rig.events(windowUpdate(1, 5_000), windowUpdate(0, 5_000));
    expect(rig.frames()).toEqual(["DATA 1 4465 end"]);
  });
});
