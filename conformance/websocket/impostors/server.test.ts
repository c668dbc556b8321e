import { describe, expect, test } from "vitest";
import { passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { HINTS, MUTE, websocketServer, websocketServers } from "./server-parties.ts";
import { startWebSocketServer } from "./server.ts";

const { servers, overHttp3, floods } = await websocketServers();
const hints = readHints(HINTS);

describe("no case without a culprit: an impostor that passes the control and fails the case", () => {
  test("every case for WebSocket servers is failed by an impostor", async () => {
    expect(servers.cases.length).toBeGreaterThan(1_000);
    expect(await uncaught(servers, hints)).toEqual([]);
  });

  test("every case for WebSocket servers over HTTP/3 is failed by an impostor", async () => {
    expect(overHttp3.cases.length).toBeGreaterThan(100);
    expect(await uncaught(overHttp3, hints)).toEqual([]);
  });

  test("every case of abuse of WebSocket servers is failed by an impostor", async () => {
    expect(floods.cases.length).toBeGreaterThan(10);
    expect(await uncaught(floods, hints)).toEqual([]);
  });
});

describe("no credit for hanging up or keeping silent", () => {
  test.each(MUTE)("the WebSocket server that %s passes nothing", async (name) => {
    expect(
      await passedBy({ cases: [...servers.cases, ...overHttp3.cases, ...floods.cases], start: websocketServer(), concurrency: 64 }, name),
    ).toEqual([]);
  });

  test("the lenient server passes only the cases that ask for patience", async () => {
    const some = servers.cases.filter(({ id }) => id === "websocket/fragments-two" || id === "websocket/rsv1-on-text");
    expect(await passedBy({ ...servers, cases: some }, "lenient")).toEqual(["websocket/fragments-two"]);
  });
});

test("an unknown WebSocket impostor is refused with the names of the known ones", async () => {
  await expect(startWebSocketServer("nobody")).rejects.toThrow(/Known: lenient, silent, slams/);
});
