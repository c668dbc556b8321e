import { describe, expect, test } from "vitest";
import { Connection } from "../connection.ts";
import { CLIENT_PREFACE } from "./preface.ts";
import {
  client,
  fieldList,
  get,
  GET,
  headers,
  id,
  POST,
  post,
  rst,
  sayEvent,
  server,
  settings,
  SETTINGS_ACK,
  T0,
  wire,
} from "../testing.ts";

const answer = (stream: number) => headers(stream, [[":status", "204"]]);

describe("MAX_CONCURRENT_STREAMS at a server (rfc9113#5.1.2)", () => {
  const two = { settings: { maxConcurrentStreams: 2 } };
  test("a stream over the limit is refused, the others go on", () => {
    const rig = server(two);
    expect(rig.events(post(1), post(3), post(5))).toEqual(["request 1", "request 3", "reset 5 REFUSED_STREAM by us tooManyStreams"]);
    expect(rig.frames()).toEqual(["RST_STREAM 5 REFUSED_STREAM"]);
    expect(rig.events(headers(1, []))).toEqual(["trailers 1"]);
  });
  test("half-closed streams count until they end; a reset makes room at once", () => {
    const rig = server(two);
    rig.events(get(1), post(3));
    expect(rig.events(get(5))).toEqual(["reset 5 REFUSED_STREAM by us tooManyStreams"]);
    expect(rig.events(rst(3), get(7))).toEqual(["reset 3 CANCEL by peer", "request 7 end"]);
    rig.c.respond(id(1), 204, [], true);
    expect(rig.events(get(9))).toEqual(["done 1", "request 9 end"]);
  });
  test("100 streams are allowed by default", () => {
    const rig = server();
    const all = Array.from({ length: 101 }, (_, at) => get(at * 2 + 1));
    expect(rig.events(...all).filter((line) => line.startsWith("request"))).toHaveLength(100);
    expect(rig.frames()).toEqual(["RST_STREAM 201 REFUSED_STREAM"]);
  });
  test("a lower limit holds once it is acknowledged", () => {
    const rig = server(two);
    rig.c.settings({ maxConcurrentStreams: 3 });
    rig.c.settings({ maxConcurrentStreams: 1 });
    expect(rig.events(post(1), post(3), post(5), post(7)).slice(2)).toEqual(["request 5", "reset 7 REFUSED_STREAM by us tooManyStreams"]);
    expect(rig.events(rst(5), SETTINGS_ACK, post(9)).slice(2)).toEqual(["request 9"]);
    expect(rig.events(rst(9), rst(3), SETTINGS_ACK, post(11)).slice(3)).toEqual(["reset 11 REFUSED_STREAM by us tooManyStreams"]);
  });
  test("refusals before the client can know the limit are not counted as errors", () => {
    const c = new Connection({ side: "server", settings: { maxConcurrentStreams: 1 }, limits: { errors: { burst: 5, perSecond: 0 } } }, T0);
    const burst = Array.from({ length: 20 }, (_, at) => get(at * 2 + 1));
    expect(c.receive(wire(CLIENT_PREFACE, settings(), ...burst), T0).map(sayEvent)).toHaveLength(21);
    const late = Array.from({ length: 6 }, (_, at) => get(at * 2 + 101));
    expect(
      c
        .receive(wire(SETTINGS_ACK, ...late), T0)
        .map(sayEvent)
        .at(-1),
    ).toBe("closed floodOfErrors");
  });
});

describe("requests of a client", () => {
  test("wait while the limit is reached, and open in order", () => {
    const rig = client();
    rig.events(settings([3, 2]));
    const taken = [1, 2, 3, 4].map(() => rig.c.request(fieldList(GET), true));
    expect(taken).toEqual([{ stream: 1 }, { stream: 3 }, { ticket: 1 }, { ticket: 2 }]);
    expect(rig.frames()).toEqual(["SETTINGS ack", "HEADERS 1 end", "HEADERS 3 end"]);
    expect(rig.events(answer(3))).toEqual(["response 3 204 end", "opened 1 5", "done 3"]);
    expect(rig.frames()).toEqual(["HEADERS 5 end"]);
    rig.c.reset(id(1), "CANCEL");
    expect(rig.told()).toEqual(["opened 2 7"]);
    expect(rig.frames()).toEqual(["RST_STREAM 1 CANCEL", "HEADERS 7 end"]);
  });
  test("that wait keep their methods: a response to HEAD has a length without content", () => {
    const rig = client();
    rig.events(settings([3, 0]));
    const head = fieldList(GET.map(([name, value]) => (name === ":method" ? [name, "HEAD"] : [name, value])));
    rig.c.request(head, true);
    rig.c.request(fieldList(GET), true);
    rig.events(settings([3, 2]));
    const sized = (stream: number) =>
      headers(stream, [
        [":status", "200"],
        ["content-length", "5"],
      ]);
    expect(rig.events(sized(1))).toEqual(["response 1 200 end", "done 1"]);
    expect(rig.events(sized(3))).toEqual([expect.stringMatching(/^reset 3 PROTOCOL_ERROR/)]);
  });
  test("before the server's SETTINGS, 100 streams are assumed", () => {
    const c = new Connection({ side: "client" }, T0);
    const taken = Array.from({ length: 101 }, () => c.request(fieldList(GET), true));
    expect(taken.slice(99)).toEqual([{ stream: 199 }, { ticket: 1 }]);
    expect(c.receive(wire(settings()), T0).map(sayEvent)).toEqual(["settings", "opened 1 201"]);
  });
  test("the queue is limited", () => {
    const rig = client({ limits: { queuedRequests: 1 } });
    rig.events(settings([3, 0]));
    rig.c.request(fieldList(GET), true);
    expect(() => rig.c.request(fieldList(GET), true)).toThrow("too many requests");
  });
  test("open streams finish after the limit is lowered", () => {
    const rig = client();
    rig.c.request(fieldList(GET), true);
    rig.c.request(fieldList(GET), true);
    rig.events(settings([3, 1]));
    expect(rig.c.request(fieldList(GET), true)).toEqual({ ticket: 1 });
    expect(rig.events(answer(1)).at(-1)).toBe("done 1");
    expect(rig.events(answer(3))).toContain("opened 1 5");
  });
  test("a malformed request throws Misuse, and nothing is sent", () => {
    const rig = client();
    expect(() => rig.c.request(fieldList([...GET, ["Accept", "x"]]), true)).toThrow("fieldNameInvalid");
    expect(() => rig.c.request(fieldList([...GET, ["content-length", "1"]]), true)).toThrow("there is none");
    expect(() =>
      rig.c.request(
        fieldList([
          [":method", "CONNECT"],
          [":protocol", "websocket"],
        ]),
        false,
      ),
    ).toThrow("protocolNotEnabled");
    expect(() => server().c.request(fieldList(GET), true)).toThrow("server sends no requests");
    expect(rig.frames()).toEqual([]);
    expect(rig.c.request(fieldList(POST), false)).toEqual({ stream: 1 });
  });
});
