import { describe, expect, test } from "vitest";
import {
  client,
  data,
  fieldList,
  get,
  GET,
  headers,
  id,
  named,
  play,
  post,
  request,
  server,
  T0,
  windowUpdate,
  wire,
  type Case,
  type Rig,
} from "../testing.ts";
import type { Frame } from "../frame/index.ts";

const refused = (name: string): [string[], string[]] => [[`reset 1 PROTOCOL_ERROR by us ${name}`], ["RST_STREAM 1 PROTOCOL_ERROR"]];
/** A malformed head is answered before the stream is reset (rfc9113#8.2.1). */
const badRequest = (name: string): [string[], string[]] => [refused(name)[0], ["HEADERS 1", ...refused(name)[1]]];
const broken = (name: string): [string[], string[]] => [["request 1", ...refused(name)[0]], refused(name)[1]];

describe("requests (rfc9113#8.1)", () => {
  const cases: Case[] = [
    ["without content", [get(1)], ["request 1 end"], []],
    ["with content", [post(1), data(1, 3), data(1, 2, { end: true })], ["request 1", "data 1 3", "data 1 2 end"], []],
    ["with trailers", [post(1), data(1, 3), headers(1, [["x", "y"]])], ["request 1", "data 1 3", "trailers 1 x=y"], []],
    ["with empty trailers", [post(1), headers(1, [])], ["request 1", "trailers 1"], []],
    ["a second head without END_STREAM", [post(1), headers(1, [["x", "y"]], { end: false })], ...broken("headersWithoutEndStream")],
    ["pseudo-fields in trailers", [post(1), headers(1, [[":path", "/"]])], ...broken("pseudoFieldInTrailers")],
    ["capitals in trailers", [post(1), headers(1, [["X", "y"]])], ...broken("fieldNameInvalid")],
    ["a malformed head", [headers(1, request({ ":path": "" }))], ...badRequest("pathInvalid")],
    ["content-length and no content", [get(1, ["content-length", "1"])], ...badRequest("contentLengthWrong")],
    [
      "a correct content-length",
      [post(1, ["content-length", "5"]), data(1, 2), data(1, 3, { end: true })],
      ["request 1", "data 1 2", "data 1 3 end"],
      [],
    ],
    ["padding is not content", [post(1, ["content-length", "2"]), data(1, 2, { end: true, pad: 9 })], ["request 1", "data 1 2 end"], []],
    ["too much content", [post(1, ["content-length", "2"]), data(1, 3)], ...broken("contentLengthWrong")],
    ["too little content", [post(1, ["content-length", "2"]), data(1, 1, { end: true })], ...broken("contentLengthWrong")],
    ["too little content, then trailers", [post(1, ["content-length", "2"]), headers(1, [])], ...broken("contentLengthWrong")],
    ["END_STREAM on an empty frame", [post(1, ["content-length", "0"]), data(1, 0, { end: true })], ["request 1", "data 1 0 end"], []],
  ];
  test.each(named(cases))("$name", ({ line }) => {
    expect(play("server", line)).toEqual([line[2], line[3]]);
  });

  test("a malformed request does not affect the next one", () => {
    const rig = server();
    expect(rig.events(headers(1, request({ ":method": undefined })), get(3))).toEqual([
      "reset 1 PROTOCOL_ERROR by us pseudoFieldMissing",
      "request 3 end",
    ]);
    rig.c.respond(id(3), 204, [], true);
    expect(rig.fields()).toEqual([[":status: 400"], [":status: 204"]]);
  });

  test("cookie crumbs are one field for the application (rfc9113#8.2.3)", () => {
    const rig = server();
    const [event] = rig.c.receive(wire(get(1, ["cookie", "a=1"], ["x", "y"], ["cookie", "b=2"])), T0);
    expect(event).toMatchObject({
      fields: fieldList([...GET, ["cookie", "a=1; b=2"], ["x", "y"]]).map(({ name, value }) => ({ name, value })),
    });
  });
});

describe("a field section over the limit (rfc9113#10.5.1)", () => {
  const large = ["x", "~".repeat(20_000)] as const;
  test("is answered with 431, and the connection keeps its compression state", () => {
    const rig = server();
    const part = wire(get(1, large));
    expect(part.length).toBeGreaterThan(16_384);
    const block = part.subarray(9);
    const split = [
      { is: "HEADERS", stream: id(1), endStream: true, endHeaders: false, block: block.subarray(0, 16_000) },
      { is: "CONTINUATION", stream: id(1), endHeaders: true, block: block.subarray(16_000) },
    ] as const;
    expect(rig.events(...split)).toEqual([]);
    expect(rig.frames()).toEqual(["HEADERS 1 end"]);
    expect(rig.events(get(3))).toEqual(["request 3 end"]);
  });
  test("with content still to come, RST_STREAM(NO_ERROR) follows", () => {
    const rig = server({ settings: { maxHeaderListSize: 220 } });
    expect(rig.events(post(1, ["x", "~".repeat(100)]), data(1, 5))).toEqual([]);
    expect(rig.frames()).toEqual(["HEADERS 1 end", "RST_STREAM 1 NO_ERROR"]);
    expect(rig.events(post(3, ["x", "y"]))).toEqual(["request 3"]);
  });
  test("carries status 431", () => {
    const rig = server({ settings: { maxHeaderListSize: 220 } });
    rig.events(get(1, ["x", "~".repeat(100)]));
    expect(rig.fields()).toEqual([[":status: 431", "content-length: 0"]]);
  });
  test("in trailers or in a response resets the stream", () => {
    const rig = server({ settings: { maxHeaderListSize: 220 } });
    rig.events(post(1));
    expect(rig.events(headers(1, [["x", "~".repeat(200)]]))).toEqual(["reset 1 CANCEL by us fieldSectionTooLarge"]);
    const other = client({ settings: { maxHeaderListSize: 100 } });
    other.c.request(fieldList(GET), true);
    expect(other.events(headers(1, [[":status", "200"]]))).toEqual(["response 1 200 end", "done 1"]);
    other.c.request(fieldList(GET), true);
    expect(
      other.events(
        headers(3, [
          [":status", "200"],
          ["x", "~".repeat(100)],
        ]),
      ),
    ).toEqual(["reset 3 CANCEL by us fieldSectionTooLarge"]);
  });
});

describe("responses (rfc9113#8.1, #8.3.2)", () => {
  const asked =
    (method: string) =>
    (rig: Rig): void => {
      rig.c.request(fieldList(request({ ":method": method })), true);
      rig.frames();
    };
  const status = (code: string, ...more: (readonly [string, string])[]) => [[":status", code] as const, ...more];
  const open = { end: false };
  const cases: Case[] = [
    ["without content", [headers(1, status("204"))], ["response 1 204 end", "done 1"], []],
    ["with content", [headers(1, status("200"), open), data(1, 3, { end: true })], ["response 1 200", "data 1 3 end", "done 1"], []],
    ["with trailers", [headers(1, status("200"), open), headers(1, [["x", "y"]])], ["response 1 200", "trailers 1 x=y", "done 1"], []],
    [
      "after interim ones",
      [headers(1, status("100"), open), headers(1, status("103", ["link", "</a>"]), open), headers(1, status("200"))],
      ["interim 1 100", "interim 1 103", "response 1 200 end", "done 1"],
      [],
    ],
    ["101", [headers(1, status("101"), open)], ...refused("statusSwitching")],
    ["an interim one with END_STREAM", [headers(1, status("100"))], ...refused("interimWithEndStream")],
    [
      "content after an interim one",
      [headers(1, status("100"), open), data(1, 1)],
      ["interim 1 100", ...refused("dataBeforeHeaders")[0]],
      refused("x")[1],
    ],
    ["content before any", [data(1, 1)], ...refused("dataBeforeHeaders")],
    ["without a status", [headers(1, [["x", "y"]])], ...refused("statusMissing")],
    ["a status of letters", [headers(1, status("2xx"))], ...refused("statusInvalid")],
    ["a request's pseudo-field", [headers(1, status("200", [":path", "/"]))], ...refused("pseudoFieldUnknown")],
    [
      "a second final one",
      [headers(1, status("200"), open), headers(1, status("200"))],
      ["response 1 200", ...refused("pseudoFieldInTrailers")[0]],
      refused("x")[1],
    ],
    [
      "an interim one after it",
      [headers(1, status("200"), open), headers(1, status("100"), open)],
      ["response 1 200", ...refused("headersWithoutEndStream")[0]],
      refused("x")[1],
    ],
    ["content-length without content", [headers(1, status("200", ["content-length", "1"]))], ...refused("contentLengthWrong")],
    ["304 with a content-length", [headers(1, status("304", ["content-length", "9"]))], ["response 1 304 end", "done 1"], []],
    [
      "204 with content",
      [headers(1, status("204"), open), data(1, 1)],
      ["response 1 204", ...refused("contentForbidden")[0]],
      refused("x")[1],
    ],
    [
      "204 with an end alone",
      [headers(1, status("204"), open), data(1, 0, { end: true })],
      ["response 1 204", "data 1 0 end", "done 1"],
      [],
    ],
    [
      "too little content",
      [headers(1, status("200", ["content-length", "2"]), open), data(1, 1, { end: true })],
      ["response 1 200", ...refused("contentLengthWrong")[0]],
      refused("x")[1],
    ],
  ];
  test.each(named(cases))("$name", ({ line }) => {
    expect(play("client", line, asked("GET"))).toEqual([line[2], line[3]]);
  });

  const toHead: Case[] = [
    ["a content-length without content", [headers(1, status("200", ["content-length", "9"]))], ["response 1 200 end", "done 1"], []],
    ["content", [headers(1, status("200"), open), data(1, 1)], ["response 1 200", ...refused("contentForbidden")[0]], refused("x")[1]],
  ];
  test.each(named(toHead))("to HEAD: $name", ({ line }) => {
    expect(play("client", line, asked("HEAD"))).toEqual([line[2], line[3]]);
  });
});

test("events of responses carry their fields, without :status", () => {
  const rig = client();
  rig.c.request(fieldList(GET), true);
  const head = (status: string, name: string): Frame =>
    headers(
      1,
      [
        [":status", status],
        [name, "1"],
      ],
      { end: false },
    );
  const events = rig.c.receive(wire(head("103", "link"), head("200", "server")), T0);
  expect(events).toMatchObject([
    { is: "interim", status: 103, fields: [{ name: "link", value: "1" }] },
    { is: "response", status: 200, fields: [{ name: "server", value: "1" }] },
  ]);
});

test("a stream error on an idle stream is reported as one of the connection", () => {
  const events = server().c.receive(wire(windowUpdate(1, 0)), T0);
  expect(events.at(-1)).toMatchObject({ is: "closed", fault: { scope: "connection" } });
});
