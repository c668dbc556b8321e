import { describe, expect, test } from "vitest";
import { Connection, settingsPayload, type Options } from "./connection.ts";
import type { Event } from "./contract.ts";
import { readFrames } from "./frame/index.ts";
import { CLIENT_PREFACE } from "./receive/preface.ts";
import { streamId } from "./stream/id.ts";
import { fieldList, fromHex, GET, octets, request, T0 } from "./testing.ts";

/** Connections that began in HTTP/1.1: the request that was sent there is stream 1 (rfc7540#3.2). */

const FIRST = streamId(1);
const joined = (pieces: readonly Uint8Array[]): Uint8Array => Buffer.concat(pieces);
/** A server after its client's preface. */
function pair(server: Partial<Options> = {}, client: Partial<Options> = {}, fields = fieldList(GET)) {
  const settings = settingsPayload(client.settings);
  const made = new Connection({ side: "server", ...server, upgraded: { settings, fields } }, T0);
  return {
    server: made,
    begun: made.receive(CLIENT_PREFACE, T0),
    client: new Connection({ side: "client", ...client, upgraded: { fields } }, T0),
  };
}
/** What the client sends after its preface. */
const behindPreface = (client: Connection): Uint8Array => joined(client.take()).subarray(CLIENT_PREFACE.length);
/** Passes bytes back and forth until both sides are silent; returns the events of both. */
function settle(server: Connection, client: Connection, isFirst = true): { readonly toServer: Event[]; readonly toClient: Event[] } {
  const toServer: Event[] = [...server.events()];
  const toClient: Event[] = [...client.events()];
  for (;;) {
    const up = isFirst ? behindPreface(client) : joined(client.take());
    isFirst = false;
    const down = joined(server.take());
    if (up.length + down.length === 0) return { toServer, toClient };
    toServer.push(...server.receive(up, T0));
    toClient.push(...client.receive(down, T0));
  }
}
const words = (events: readonly Event[]): string[] => events.map(({ is }) => is);

describe("an upgraded connection", () => {
  test("the request follows the client's preface, is answered on stream 1, and the next one is stream 3", () => {
    const { server, begun, client } = pair();
    expect(begun).toEqual([{ is: "request", stream: FIRST, fields: fieldList(GET), end: true }]);
    server.respond(FIRST, 200, [], false);
    server.data(FIRST, octets(3), true);
    const { toServer, toClient } = settle(server, client);
    expect(words(toServer)).toEqual(["done", "settings", "settingsAcknowledged"]);
    expect(words(toClient).filter((word) => !word.startsWith("settings"))).toEqual(["response", "data", "done"]);
    expect(client.request(fieldList(GET), true)).toEqual({ stream: 3 });
    expect(words(settle(server, client, false).toServer)).toEqual(["request"]);
  });

  test("the values of HTTP2-Settings hold at once, without an acknowledgement", () => {
    const { server, client } = pair({}, { settings: { initialWindowSize: 10 } });
    server.respond(FIRST, 200, [], false);
    server.data(FIRST, octets(30), true);
    const frames = readFrames(joined(server.take()));
    expect(frames.filter((frame) => frame.is === "SETTINGS" && frame.ack)).toEqual([]);
    expect(frames.flatMap((frame) => (frame.is === "DATA" ? [frame.data.length] : []))).toEqual([10]);
    client.take();
  });

  test("the server may use the window of HTTP2-Settings before it receives SETTINGS", () => {
    const { server, client } = pair({}, { settings: { initialWindowSize: 200_000 }, limits: { connectionWindow: 65_535 } });
    server.respond(FIRST, 200, [], false);
    server.data(FIRST, octets(65_535), true);
    const events = client.receive(joined(server.take()), T0);
    expect(words(events).filter((word) => !word.startsWith("settings") && word !== "data")).toEqual(["response", "done"]);
  });

  test("a response to HEAD has no content, whatever its content-length", () => {
    const { server, client } = pair({}, {}, fieldList(request({ ":method": "HEAD" })));
    server.respond(FIRST, 200, fieldList([["content-length", "5"]]), true);
    expect(words(settle(server, client).toClient).filter((word) => !word.startsWith("settings"))).toEqual(["response", "done"]);
  });

  test.each([
    ["no whole number of them", "000400"],
    ["a window beyond the largest", "000480000000"],
  ])("settings that break the rules end the connection: %s", (_, hex) => {
    const server = new Connection({ side: "server", upgraded: { settings: fromHex(hex), fields: fieldList(GET) } }, T0);
    expect(words(server.receive(CLIENT_PREFACE, T0))).toEqual(["closed"]);
    expect(readFrames(joined(server.take())).at(-1)?.is).toBe("GOAWAY");
  });

  test("before the client's preface only SETTINGS are sent, and a wrong preface ends the connection", () => {
    const server = new Connection({ side: "server", upgraded: { fields: fieldList(GET) } }, T0);
    expect(readFrames(joined(server.take())).map(({ is }) => is)).toEqual(["SETTINGS", "WINDOW_UPDATE"]);
    expect(server.receive(CLIENT_PREFACE.subarray(0, 23), T0)).toEqual([]);
    expect(words(server.receive(Buffer.from("x"), T0))).toEqual(["closed"]);
  });
});
