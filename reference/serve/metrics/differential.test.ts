import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agree } from "./differential/compare.ts";
import { DIFFERENCES } from "./differential/differences.ts";
import { type ApiResponse, send } from "./differential/exchange.ts";
import { Peer, PROMETHEUS_INSTALL, prometheusVersion } from "./differential/peer.ts";
import { type ApiRequest, page, REQUESTS } from "./differential/requests.ts";
import { loadPage, serveMetrics, type MetricsServer } from "./index.ts";

const version = prometheusVersion();
if (version === undefined) console.warn(PROMETHEUS_INSTALL);

type Compared = { readonly request: ApiRequest; readonly ours: ApiResponse; readonly theirs: ApiResponse };

describe.skipIf(version === undefined)("the query API, compared with the installed Prometheus on the same data", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-differential-"));
  const differing: Compared[] = [];
  let server: MetricsServer;
  let peer: Peer;

  beforeAll(async () => {
    const directories = { ours: join(folder, "ours"), theirs: join(folder, "theirs") };
    const writer = await serveMetrics({ directory: directories.ours });
    loadPage(Buffer.from(page()), writer.database);
    await writer.close();
    cpSync(directories.ours, directories.theirs, { recursive: true });
    [server, peer] = await Promise.all([serveMetrics({ directory: directories.ours, admin: true }), Peer.start(directories.theirs)]);
    const agent = new Agent({ keepAlive: true });
    for (const request of REQUESTS) {
      const [ours, theirs] = await Promise.all([send(agent, server.url, request), send(agent, peer.url, request)]);
      if (!agree(ours, theirs)) differing.push({ request, ours, theirs });
    }
    agent.destroy();
  });
  afterAll(async () => {
    await Promise.all([server.close(), peer.stop()]);
    rmSync(folder, { recursive: true });
  });

  test("more than a thousand requests: same responses, except for the listed differences", () => {
    expect(REQUESTS.length).toBeGreaterThan(1_000);
    const unexplained = differing.filter(({ request, ours, theirs }) => !DIFFERENCES.some(({ when }) => when(request, ours, theirs)));
    expect(unexplained).toEqual([]);
  });

  test.each(DIFFERENCES.filter(() => version?.startsWith("2.42") === true))(
    "listed difference still occurs: $reason ($where)",
    ({ when }) => {
      expect(differing.some(({ request, ours, theirs }) => when(request, ours, theirs))).toBe(true);
    },
  );
});
