import { beforeAll, describe, expect, test } from "vitest";
import type { Case } from "../vocabulary.ts";
import { type Party, passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { HINTS, MUTE_CLIENTS, websocketClients, wrongWebSocketClient } from "./client-parties.ts";
import { WEBSOCKET_CLIENT_FLAWS } from "./client-flaws.ts";
import { runWebSocketClient } from "./client.ts";

const hints = readHints(HINTS);
let clients: Party<Case>;
let floods: Party<Case>;
beforeAll(async () => {
  ({ clients, floods } = await websocketClients());
});

describe("WebSocket clients that are wrong on purpose", () => {
  test("every case for clients is failed by one of them", async () => {
    expect(clients.cases.length).toBeGreaterThan(500);
    expect(await uncaught(clients, hints)).toEqual([]);
  });

  test("every case of abuse of clients is failed by one of them", async () => {
    expect(floods.cases.length).toBe(7);
    expect(await uncaught(floods, hints)).toEqual([]);
  });

  test.each(MUTE_CLIENTS)("the client %j passes nothing", async (name) => {
    const cases = [...clients.cases, ...floods.cases];
    expect(await passedBy({ cases, start: wrongWebSocketClient(), concurrency: 64 }, name)).toEqual([]);
  });

  test("the lenient client passes only the cases that ask for patience", async () => {
    const some = clients.cases.filter(({ id }) => id === "websocket/client-fragments-two" || id === "websocket/client-answer-status-200");
    expect(await passedBy({ ...clients, cases: some }, "lenient")).toEqual(["websocket/client-fragments-two"]);
  });

  test("an unknown impostor is refused with the names of the known ones", async () => {
    await expect(runWebSocketClient("nobody", "ws://127.0.0.1:1/")).rejects.toThrow(/Known: lenient, silent/);
    expect(Object.values(WEBSOCKET_CLIENT_FLAWS).every(({ about }) => about.length > 0)).toBe(true);
  });
});
