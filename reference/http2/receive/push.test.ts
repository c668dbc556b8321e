import { describe, expect, test } from "vitest";
import { Connection } from "../connection.ts";
import {
  client,
  fieldList,
  get,
  GET,
  headers,
  id,
  named,
  play,
  promise,
  raw,
  request,
  rst,
  sayEvent,
  server,
  settings,
  SETTINGS_ACK,
  T0,
  wire,
  windowUpdate,
  data,
  type Case,
  type Rig,
} from "../testing.ts";

const wanting = { settings: { enablePush: true } };
const asked = (rig: Rig): void => {
  rig.c.request(fieldList(GET), true);
  rig.frames();
};
const refused = (name: string, code = "PROTOCOL_ERROR"): [string[], string[]] => [
  [`reset 2 ${code} by us ${name}`],
  [`RST_STREAM 2 ${code}`],
];
const over = (name: string, last = 0): [string[], string[]] => [[`closed ${name}`], [`GOAWAY ${last} PROTOCOL_ERROR`]];

describe("PUSH_PROMISE at a client that wants it (rfc9113#6.6, #8.4)", () => {
  const cases: Case[] = [
    ["is reported", [promise(1, 2)], ["pushed 1 2"], []],
    ["then its response", [promise(1, 2), headers(2, [[":status", "200"]])], ["pushed 1 2", "response 2 200 end", "done 2"], []],
    ["an odd stream", [promise(1, 3)], ...over("pushPromiseIdNotIdle")],
    ["stream 0", [promise(1, 0)], ...over("pushPromiseIdNotIdle")],
    [
      "a stream already promised",
      [promise(1, 2), promise(1, 2)],
      ["pushed 1 2", "closed pushPromiseIdNotIdle"],
      ["GOAWAY 2 PROTOCOL_ERROR"],
    ],
    ["a stream passed over", [promise(1, 4), promise(1, 2)], ["pushed 1 4", "closed pushPromiseIdNotIdle"], ["GOAWAY 4 PROTOCOL_ERROR"]],
    ["on stream 0", [promise(0, 2)], ...over("pushPromiseOnConnection")],
    ["on an idle stream", [promise(3, 2)], ...over("pushPromiseOnWrongStream")],
    [
      "on a promised stream",
      [promise(1, 2), promise(2, 4)],
      ["pushed 1 2", "closed pushPromiseOnWrongStream"],
      ["GOAWAY 2 PROTOCOL_ERROR"],
    ],
    [
      "on a stream that has ended",
      [headers(1, [[":status", "204"]]), promise(1, 2)],
      ["response 1 204 end", "done 1", "closed pushPromiseOnWrongStream"],
      ["GOAWAY 0 PROTOCOL_ERROR"],
    ],
    ["of a method that is not safe", [promise(1, 2, request({ ":method": "POST" }))], ...refused("promiseNotSafe")],
    ["of a method that is not cacheable", [promise(1, 2, request({ ":method": "OPTIONS" }))], ...refused("promiseNotSafe")],
    ["of a request with content", [promise(1, 2, request({}, ["content-length", "1"]))], ...refused("promiseWithContent")],
    ["of a request without authority", [promise(1, 2, request({ ":authority": undefined }))], ...refused("authorityMissing")],
    ["of another origin", [promise(1, 2, request({ ":authority": "example.com" }))], ...refused("promiseNotAuthoritative")],
    ["of another scheme", [promise(1, 2, request({ ":scheme": "https" }))], ...refused("promiseNotAuthoritative")],
    ["of the same origin, spelled differently", [promise(1, 2, request({ ":authority": "LOCALHOST:80" }))], ["pushed 1 2"], []],
    ["of a malformed request", [promise(1, 2, request({ ":path": undefined }))], ...refused("pseudoFieldMissing")],
    ["DATA before its response", [promise(1, 2), data(2, 1)], ["pushed 1 2", "closed frameOnReservedStream"], ["GOAWAY 2 PROTOCOL_ERROR"]],
    [
      "WINDOW_UPDATE before its response",
      [promise(1, 2), windowUpdate(2, 1)],
      ["pushed 1 2", "closed frameOnReservedStream"],
      ["GOAWAY 2 PROTOCOL_ERROR"],
    ],
    ["taken back", [promise(1, 2), rst(2)], ["pushed 1 2", "reset 2 CANCEL by peer"], []],
    ["too short", [raw(5, 4, 1, "000002")], ["closed pushPromiseTooShort"], ["GOAWAY 0 FRAME_SIZE_ERROR"]],
  ];
  test.each(named(cases))("$name", ({ line }) => {
    expect(play("client", [line[0], line[1], line[2], line[3], wanting], asked)).toEqual([line[2], line[3]]);
  });

  test("for an origin that speaksFor() accepts, and for no other, whatever was requested", () => {
    const asking: string[] = [];
    const speaksFor = (origin: string): boolean => asking.push(origin) > 0 && origin === "https://example.com";
    const of = (authority: string) => promise(1, 2, request({ ":scheme": "https", ":authority": authority }));
    const line: Case = ["", [of("EXAMPLE.com:443")], ["pushed 1 2"], [], { ...wanting, speaksFor }];
    expect(play("client", line, asked)).toEqual([line[2], line[3]]);
    for (const frame of [of("example.com:444"), promise(1, 2)]) {
      expect(play("client", ["", [frame], [], [], { ...wanting, speaksFor }], asked)).toEqual(refused("promiseNotAuthoritative"));
    }
    expect([...new Set(asking)]).toEqual(["https://example.com", "https://example.com:444", "http://localhost"]);
  });

  test.each([
    ["of a method that is not safe", request({ ":method": "POST" }), "promiseNotSafe"],
    ["of a request with content", request({}, ["content-length", "1"]), "promiseWithContent"],
  ])("%s is refused even if speaksFor() drives another connection, or this one", (_name, promised, fault) => {
    const other = client(wanting);
    asked(other);
    const own: { rig?: Rig } = {};
    const answers: readonly ((() => void) | undefined)[] = [
      () => other.events(promise(1, 2)),
      () => own.rig!.c.request(fieldList(GET), true),
    ];
    for (const answer of answers) {
      const rig = client({ ...wanting, speaksFor: () => (answer?.(), true) });
      own.rig = rig;
      asked(rig);
      expect(rig.events(promise(1, 2, promised))).toEqual([`reset 2 PROTOCOL_ERROR by us ${fault}`]);
      expect(rig.frames()).toContain("RST_STREAM 2 PROTOCOL_ERROR");
    }
  });

  test("a promise while speaksFor() ends the connection causes no event after `closed`", () => {
    const own: { rig?: Rig } = {};
    const rig = client({ ...wanting, speaksFor: () => (own.rig!.c.abort("CANCEL"), true) });
    own.rig = rig;
    asked(rig);
    expect(rig.events(promise(1, 2))).toEqual(["closed"]);
    expect(rig.frames()).toEqual(["GOAWAY 2 CANCEL"]);
  });

  test("in several frames", () => {
    const whole = wire(promise(1, 2)).subarray(13);
    const payload = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
    const line: Case = [
      "",
      [raw(5, 0, 1, "00000002" + payload(whole.subarray(0, 2))), raw(9, 4, 1, payload(whole.subarray(2)))],
      ["pushed 1 2"],
      [],
      wanting,
    ];
    expect(play("client", line, asked)).toEqual([line[2], line[3]]);
  });

  test("on a stream that the client has reset is decoded and refused", () => {
    const rig = client(wanting);
    asked(rig);
    rig.c.reset(id(1), "CANCEL");
    rig.frames();
    expect(rig.events(promise(1, 2), headers(2, [[":status", "200"]]))).toEqual(["reset 2 REFUSED_STREAM by us pushPromiseUnwanted"]);
    expect(rig.frames()).toEqual(["RST_STREAM 2 REFUSED_STREAM"]);
  });

  test("the application may refuse it", () => {
    const rig = client(wanting);
    asked(rig);
    rig.events(promise(1, 2));
    rig.c.reset(id(2), "CANCEL");
    expect(rig.frames()).toEqual(["RST_STREAM 2 CANCEL"]);
    expect(rig.events(headers(2, [[":status", "200"]]))).toEqual([]);
  });

  test("promises beyond the limit, and pushes beyond the limit of streams, are refused", () => {
    const rig = client({ ...wanting, limits: { promises: 2 }, settings: { enablePush: true, maxConcurrentStreams: 1 } });
    asked(rig);
    expect(rig.events(promise(1, 2), promise(1, 4), promise(1, 6))).toEqual([
      "pushed 1 2",
      "pushed 1 4",
      "reset 6 REFUSED_STREAM by us tooManyPromises",
    ]);
    const open = { end: false };
    expect(rig.events(headers(2, [[":status", "200"]], open), headers(4, [[":status", "200"]], open))).toEqual([
      "response 2 200",
      "reset 4 REFUSED_STREAM by us tooManyStreams",
    ]);
  });
});

describe("PUSH_PROMISE where it is not wanted", () => {
  test("a client that has disabled push, and got the acknowledgement, ends the connection", () => {
    const line: Case = ["", [promise(1, 2)], ...over("pushPromiseDisabled")];
    expect(play("client", line, asked)).toEqual([line[2], line[3]]);
  });
  test("before the acknowledgement, only the promise is refused", () => {
    const c = new Connection({ side: "client" }, T0);
    c.request(fieldList(GET), true);
    expect(c.receive(wire(settings(), promise(1, 2), SETTINGS_ACK), T0).map(sayEvent)).toEqual([
      "settings",
      "reset 2 REFUSED_STREAM by us pushPromiseUnwanted",
      "settingsAcknowledged",
    ]);
  });
  test("a server ends the connection: clients do not push", () => {
    const line: Case = ["", [get(1), promise(1, 2)], ["request 1 end", "closed pushPromiseByClient"], ["GOAWAY 1 PROTOCOL_ERROR"]];
    expect(play("server", line)).toEqual([line[2], line[3]]);
  });
});

describe("a server that pushes", () => {
  const answering = (rig: Rig): void => {
    rig.events(get(1));
  };
  test("promises on the request's stream, then responds on the promised one", () => {
    const rig = server();
    answering(rig);
    expect(rig.c.push(id(1), fieldList(GET))).toBe(2);
    rig.c.respond(id(2), 200, [], false);
    rig.c.data(id(2), new Uint8Array(3), true);
    expect(rig.frames()).toEqual(["PUSH_PROMISE 1 2", "HEADERS 2", "DATA 2 3 end"]);
    expect(rig.told()).toEqual(["done 2"]);
    expect(rig.c.push(id(1), fieldList(GET))).toBe(4);
  });
  test("does not push if the client forbids it, allows no streams, or is leaving", () => {
    for (const frame of [settings([2, 0]), settings([3, 0]), raw(7, 0, 0, "0000000000000000")]) {
      const rig = server();
      answering(rig);
      rig.events(frame);
      expect(rig.c.push(id(1), fieldList(GET))).toBeUndefined();
    }
  });
  test("counts promises and pushes against what the client allows", () => {
    const rig = server();
    answering(rig);
    rig.events(settings([3, 2]));
    expect([1, 2, 3].map(() => rig.c.push(id(1), fieldList(GET)))).toEqual([2, 4, undefined]);
    rig.events(rst(2));
    expect(rig.c.push(id(1), fieldList(GET))).toBe(6);
  });
  test("a client may reset the promise, and later actions on it are ignored", () => {
    const rig = server();
    answering(rig);
    rig.c.push(id(1), fieldList(GET));
    rig.frames();
    expect(rig.events(rst(2, "REFUSED_STREAM"))).toEqual(["reset 2 REFUSED_STREAM by peer"]);
    rig.c.respond(id(2), 200, [], true);
    expect(rig.frames()).toEqual([]);
  });
  test("HEADERS from the client on a promised stream end the connection", () => {
    const rig = server();
    answering(rig);
    rig.c.push(id(1), fieldList(GET));
    expect(rig.events(headers(2, [["x", "y"]]))).toEqual(["closed frameOnReservedStream"]);
  });
  test("an invalid promise throws Misuse", () => {
    const rig = server();
    answering(rig);
    expect(() => rig.c.push(id(1), fieldList(request({ ":path": undefined })))).toThrow("pseudoFieldMissing");
    rig.c.push(id(1), fieldList(GET));
    expect(() => rig.c.push(id(2), fieldList(GET))).toThrow("cannot carry a promise");
    expect(() => client().c.push(id(1), fieldList(GET))).toThrow("client cannot push");
  });
});
