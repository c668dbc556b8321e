import { describe, expect, test } from "vitest";
import { client, data, fieldList, headers, id, octets, rst, server, settings, type Rig } from "../testing.ts";

const CONNECT = [
  [":method", "CONNECT"],
  [":authority", "example.com:443"],
] as const;
const WEBSOCKET = [
  [":method", "CONNECT"],
  [":protocol", "websocket"],
  [":scheme", "https"],
  [":path", "/chat"],
  [":authority", "example.com"],
] as const;
const open = { end: false };
const extended = { settings: { enableConnectProtocol: true } };

describe("CONNECT at a server (rfc9113#8.5)", () => {
  test("opens a tunnel: content flows in both directions until each ends", () => {
    const rig = server();
    expect(rig.events(headers(1, CONNECT, open))).toEqual(["request 1"]);
    rig.c.respond(id(1), 200, [], false);
    rig.c.data(id(1), octets(3), false);
    expect(rig.events(data(1, 5), data(1, 0, { end: true }))).toEqual(["data 1 5", "data 1 0 end"]);
    rig.c.data(id(1), octets(0), true);
    expect(rig.frames()).toEqual(["HEADERS 1", "DATA 1 3", "DATA 1 0 end"]);
    expect(rig.told()).toEqual(["done 1"]);
  });
  test("ignores content-length", () => {
    const rig = server();
    rig.events(headers(1, [...CONNECT, ["content-length", "1"]], open));
    expect(rig.events(data(1, 5))).toEqual(["data 1 5"]);
  });
  test("trailers in a tunnel are a stream error; our own throw Misuse", () => {
    const rig = server();
    rig.events(headers(1, CONNECT, open));
    rig.c.respond(id(1), 200, [], false);
    expect(() => rig.c.trailers(id(1), [])).toThrow("no trailers");
    expect(rig.events(headers(1, [["x", "y"]]))).toEqual(["reset 1 PROTOCOL_ERROR by us headersInTunnel"]);
  });
  test("an error response opens no tunnel: trailers belong to the message", () => {
    const rig = server();
    rig.events(headers(1, CONNECT, open));
    rig.c.respond(id(1), 403, [], true);
    expect(rig.events(headers(1, [["x", "y"]]))).toEqual(["trailers 1 x=y", "done 1"]);
  });
  test.each([
    ["without a port", [CONNECT[0], [":authority", "example.com"]]],
    ["with a path", [...CONNECT, [":path", "/"]]],
    ["with a scheme", [...CONNECT, [":scheme", "https"]]],
    ["without authority", [CONNECT[0]]],
  ] as [string, [string, string][]][])("%s is malformed", (_, fields) => {
    expect(server().events(headers(1, fields, open))).toEqual(["reset 1 PROTOCOL_ERROR by us connectMalformed"]);
  });
});

describe("extended CONNECT at a server (rfc8441)", () => {
  test("is accepted after it was announced", () => {
    const rig = server(extended);
    expect(rig.events(headers(1, WEBSOCKET, open), data(1, 2))).toEqual(["request 1", "data 1 2"]);
  });
  test("is malformed if it was not announced", () => {
    expect(server().events(headers(1, WEBSOCKET, open))).toEqual(["reset 1 PROTOCOL_ERROR by us protocolNotEnabled"]);
  });
  test("is malformed with another method", () => {
    const fields = WEBSOCKET.map(([name, value]) => [name, name === ":method" ? "GET" : value] as const);
    expect(server(extended).events(headers(1, fields, open))).toEqual(["reset 1 PROTOCOL_ERROR by us protocolWithoutConnect"]);
  });
  test("may be announced later", () => {
    const rig = server();
    rig.c.settings({ enableConnectProtocol: true });
    expect(rig.frames()).toEqual(["SETTINGS 8=1"]);
    expect(rig.events(headers(1, WEBSOCKET, open))).toEqual(["request 1"]);
  });
});

describe("CONNECT of a client", () => {
  const asked = (fields: readonly (readonly [string, string])[], before?: (rig: Rig) => void): Rig => {
    const rig = client();
    before?.(rig);
    rig.c.request(fieldList(fields), false);
    rig.frames();
    return rig;
  };
  test("is a tunnel after a 2xx response", () => {
    const rig = asked(CONNECT);
    expect(
      rig.events(
        headers(
          1,
          [
            [":status", "200"],
            ["content-length", "1"],
          ],
          open,
        ),
        data(1, 5),
      ),
    ).toEqual(["response 1 200", "data 1 5"]);
    expect(rig.events(headers(1, [["x", "y"]]))).toEqual(["reset 1 PROTOCOL_ERROR by us headersInTunnel"]);
  });
  test("is an ordinary request after an error response", () => {
    const rig = asked(CONNECT);
    expect(rig.events(headers(1, [[":status", "403"]], open), data(1, 5), headers(1, [["x", "y"]]))).toEqual([
      "response 1 403",
      "data 1 5",
      "trailers 1 x=y",
    ]);
  });
  test("a broken tunnel is reset", () => {
    const rig = asked(CONNECT);
    rig.events(headers(1, [[":status", "200"]], open));
    expect(rig.events(rst(1, "CONNECT_ERROR"))).toEqual(["reset 1 CONNECT_ERROR by peer"]);
  });
  test("is refused in its extended form until the server announces it", () => {
    expect(() => asked(WEBSOCKET)).toThrow("protocolNotEnabled");
    const rig = asked(WEBSOCKET, (early) => early.events(settings([8, 1])));
    expect(rig.events(headers(1, [[":status", "200"]], open), data(1, 2))).toEqual(["response 1 200", "data 1 2"]);
  });
});
