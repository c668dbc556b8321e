import { expect, test } from "vitest";
import { makeAuthority } from "../../reference/io/testing.ts";
import { serve } from "../../reference/serve/index.ts";
import { fuzzPeer as fuzzHttp1 } from "../http1/network.ts";
import { fuzzPeer as fuzzHttp2 } from "../http2/network.ts";

test.each([
  ["http1", fuzzHttp1],
  ["http2", fuzzHttp2],
])("%s: a peer that requires client certificates is fuzzed with one, and cannot be without", async (_, fuzz) => {
  const authority = await makeAuthority();
  const tls = { ...(await authority.issue({ purpose: "server" })), ca: authority.cert };
  let handled = 0;
  const handler = () => {
    handled++;
    return { status: 200, body: "touchstone" };
  };
  await using server = await serve(handler, { graceMs: 0, onError: () => {}, tls });
  const options = { seed: 1, seconds: 20, sequences: 2 };
  const report = await fuzz(server.url, { ...options, credentials: await authority.issue() });
  expect([report.unreachable, report.sequences]).toEqual([undefined, 2]);
  expect(handled).toBeGreaterThan(0);
  handled = 0;
  await fuzz(server.url, options);
  expect(handled).toBe(0);
});
