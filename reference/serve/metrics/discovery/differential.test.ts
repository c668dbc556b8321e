import { describe, expect, test } from "vitest";
import { oursWith, peerWith, presentPeers } from "./peers.ts";
import { apiServer } from "./testing.ts";

/** Other servers and ours, pointed at the same API server, find the same targets with the same labels. */

const PEERS = presentPeers();
/** The peers begin to use what they have found five seconds after their start, and look every 500 ms. */
const SLOW = { timeout: 30_000, interval: 200 };

const sections: readonly { readonly name: string; readonly serve: () => Promise<Api> }[] = [{ name: "http", serve: serveHttp }];
type Api = AsyncDisposable & { readonly section: string; readonly count: number };

async function serveHttp(): Promise<Api> {
  const list = [
    { targets: ["127.0.0.1:1", "127.0.0.1:2"], labels: { __meta_datacenter: "london", zone: "x", empty: "" } },
    { targets: ["127.0.0.1:3"] },
    { targets: [], labels: { a: "b" } },
  ];
  const api = await apiServer((_, response) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(list)));
  return { section: `http_sd_configs: [{url: "${api.url}/t?a=b"}]`, count: 3, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

describe.each(PEERS)("$name", ({ program }) => {
  test.each(sections)("the same targets by $name", async ({ serve }) => {
    await using api = await serve();
    const config = `global: {scrape_interval: 1h}\nscrape_configs: [{job_name: j, ${api.section}}]\n`;
    await using ours = await oursWith(config);
    await using peer = await peerWith(program, config);
    await expect.poll(() => ours.targets(), SLOW).toHaveLength(api.count);
    await expect.poll(() => peer.targets(), SLOW).toHaveLength(api.count);
    expect(await ours.targets()).toEqual(await peer.targets());
  });
});
