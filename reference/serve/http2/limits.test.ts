import { once } from "node:events";
import http2 from "node:http2";
import { expect, test, vi } from "vitest";
import type { Handler } from "../handler.ts";
import { serve } from "../server/serve.ts";
import { ask, nodeClient } from "../testing.ts";

test("a field section that is too large: 431 without a call of the handler, and the connection continues", async () => {
  const handler = vi.fn<Handler>(() => ({ status: 200, body: "fine" }));
  await using server = await serve(handler, { graceMs: 0, http2: { settings: { maxHeaderListSize: 1_000 } } });
  await using client = await nodeClient(server.url);
  expect((await ask(client.session, { ":path": "/", "x-large": "x".repeat(2_000) })).status).toBe(431);
  expect(handler).not.toHaveBeenCalled();
  expect((await ask(client.session, { ":path": "/" })).body).toBe("fine");
});

test("close: GOAWAY with NO_ERROR, while requests in progress continue", async () => {
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  await using server = await serve(async () => {
    begun.resolve();
    await go.promise;
    return { status: 200, body: "after all" };
  });
  await using client = await nodeClient(server.url);
  const answer = ask(client.session, { ":path": "/" });
  await begun.promise;
  const goodbye = once(client.session, "goaway") as Promise<[number]>;
  const closed = server.close();
  expect((await goodbye)[0]).toBe(http2.constants.NGHTTP2_NO_ERROR);
  expect(server.connections).toBe(1);
  go.resolve();
  expect((await answer).body).toBe("after all");
  await closed;
  expect(server.connections).toBe(0);
});
