import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agree } from "./differential/compare.ts";
import { DIFFERENCES } from "./differential/differences.ts";
import { type Answered, send } from "./differential/exchange.ts";
import { Peer, PROMETHEUS_INSTALL, prometheusVersion } from "./differential/peer.ts";
import { type Asked, page, REQUESTS } from "./differential/requests.ts";
import { loadPage, serveMetrics, type MetricsServer } from "./index.ts";

const version = prometheusVersion();
if (version === undefined) console.warn(PROMETHEUS_INSTALL);

type Compared = { readonly asked: Asked; readonly ours: Answered; readonly theirs: Answered };

describe.skipIf(version === undefined)("the query interface beside the installed Prometheus, on one data directory", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-differential-"));
  const differing: Compared[] = [];
  let server: MetricsServer;
  let peer: Peer;

  beforeAll(async () => {
    const [mine, theirs] = [join(folder, "ours"), join(folder, "theirs")];
    const writer = await serveMetrics({ directory: mine });
    loadPage(Buffer.from(page()), writer.database);
    await writer.close();
    cpSync(mine, theirs, { recursive: true });
    [server, peer] = await Promise.all([serveMetrics({ directory: mine, admin: true }), Peer.start(theirs)]);
    const agent = new Agent({ keepAlive: true });
    for (const asked of REQUESTS) {
      const [ours, answered] = await Promise.all([send(agent, server.url, asked), send(agent, peer.url, asked)]);
      if (!agree(ours, answered)) differing.push({ asked, ours, theirs: answered });
    }
    agent.destroy();
  }, 120_000);
  afterAll(async () => {
    await Promise.all([server.close(), peer.stop()]);
    rmSync(folder, { recursive: true });
  });

  test("answers over a thousand requests as it does, but where a passage of the specification says otherwise", () => {
    expect(REQUESTS.length).toBeGreaterThan(1_000);
    const unexplained = differing.filter(({ asked, ours, theirs }) => !DIFFERENCES.some(({ when }) => when(asked, ours, theirs)));
    expect(unexplained).toEqual([]);
  });

  test.each(DIFFERENCES.filter(() => version?.startsWith("2.42") === true))("differs still: $reason ($where)", ({ when }) => {
    expect(differing.some(({ asked, ours, theirs }) => when(asked, ours, theirs))).toBe(true);
  });
});
