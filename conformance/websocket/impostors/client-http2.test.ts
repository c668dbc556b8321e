import { beforeAll, describe, expect, test } from "vitest";
import { type Party, passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import type { Case } from "../vocabulary.ts";
import { HINTS, MUTE_CLIENTS, websocketClients, wrongWebSocketClient } from "./client-parties.ts";

const hints = readHints(HINTS);
let streams: Party<Case>;
let floodedStreams: Party<Case>;
beforeAll(async () => {
  ({ streams, floodedStreams } = await websocketClients());
});

describe("WebSocket clients over HTTP/2 that are wrong on purpose", () => {
  test("every case is failed by one of them", async () => {
    expect(streams.cases.length).toBeGreaterThan(500);
    expect(await uncaught(streams, hints)).toEqual([]);
  });

  test("every case of abuse is failed by one of them", async () => {
    expect(floodedStreams.cases.length).toBe(7);
    expect(await uncaught(floodedStreams, hints)).toEqual([]);
  });

  test.each(MUTE_CLIENTS)("the client %j passes nothing", async (name) => {
    const cases = [...streams.cases, ...floodedStreams.cases];
    expect(await passedBy({ cases, start: wrongWebSocketClient(undefined, "http2"), concurrency: 64 }, name)).toEqual([]);
  });
});
