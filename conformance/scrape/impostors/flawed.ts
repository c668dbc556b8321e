import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { serveMetrics } from "../../../reference/serve/metrics/index.ts";
import type { Started } from "../../harness/impostors/catch.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { ScraperDriver } from "../driver/client.ts";
import { closed } from "../../harness/subject/closed.ts";
import type { Case } from "../vocabulary.ts";
import { type Flaw, type FlawedJob, FLAWS } from "./flaws.ts";
import { type RelayFlaw, startRelay } from "./relay.ts";

/** Our scraper with a flaw: in its configuration, between it and its targets, or in what it shows of what it stored. */

type Found = {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: readonly [number, string];
  readonly values?: readonly (readonly [number, string])[];
};
type List = { readonly targets: readonly string[]; readonly labels: Readonly<Record<string, string>> };

/** Nothing ever comes of it. */
const SILENT = { stillMs: 1_000, startupMs: 1_000 } as const;

const clientOf =
  (flaw: Flaw): InProcessClient =>
  async (_url, signal, { program }) => {
    if (program === undefined) throw new Error("a scraper needs a configuration");
    if (flaw.isSilent === true) return void (signal.aborted || (await once(signal, "abort")));
    const relays: { stop(): Promise<void> }[] = [];
    const { scrape_configs: jobs } = JSON.parse(readFileSync(program.config, "utf8")) as { scrape_configs: FlawedJob[] };
    const changed = jobs.map((job) => flaw.job?.(job) ?? job);
    const relayed = await Promise.all(changed.map((job) => (flaw.relay === undefined ? job : throughRelays(job, flaw.relay, relays))));
    writeFileSync(program.config, JSON.stringify({ scrape_configs: relayed }));
    const server = await serveMetrics({
      directory: program.directory,
      port: 0,
      graceMs: 100,
      storage: { walSync: "never" },
      scrape: { file: program.config, onNotice: () => {} },
    });
    const front = frontOf(flaw, server.url);
    front.listen(program.port, "127.0.0.1");
    if (!signal.aborted) await once(signal, "abort");
    await Promise.all([closed(front), ...relays.map((one) => one.stop())]);
    await server.close();
  };

/** The job with a relay before each of its targets; their labels stay. */
async function throughRelays(job: FlawedJob, relay: RelayFlaw, relays: { stop(): Promise<void> }[]): Promise<FlawedJob> {
  const lists = job["static_configs"] as readonly List[] | undefined;
  if (lists === undefined || job["scheme"] === "https") return job;
  const all = await Promise.all(
    lists.flatMap(({ targets, labels }) =>
      targets.map(async (target) => {
        const started = await startRelay(relay, target);
        relays.push(started);
        return { targets: [started.address], labels: { ...labels, instance: target } };
      }),
    ),
  );
  return { ...job, static_configs: all };
}

/** Forwards queries to the real server, and returns its answers with the flaw. */
function frontOf({ shows }: Flaw, behind: string): Server {
  return createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? "", behind);
      const isLast = url.searchParams.has("time");
      // All that ever was there is in a range.
      const query = url.searchParams.get("query") ?? "";
      if (shows === "everything" && query !== "stage" && !query.endsWith("]"))
        url.searchParams.set("query", `last_over_time(${query}[1h])`);
      const answer = (await (await fetch(url)).json()) as { data: { result: readonly Found[] } };
      if (shows === "nothing" && isLast) answer.data.result = [];
      if (shows === "inventions") answer.data.result = answer.data.result.map(invented);
      return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    })().catch(() => response.destroy());
  });
}

function invented(found: Found): Found {
  const { metric, values } = found;
  const { __name__: name, job: _, instance: __, env: ___, ...labels } = metric;
  if (name === "stage" || values === undefined) return found;
  const moved = values.map(
    ([time, value]) => [name === "up" ? time : time + 1, name === "up" ? String(1 - Number(value)) : `${value}1`] as const,
  );
  return { metric: { __name__: name ?? "", ...labels, __invented: "x" }, values: moved };
}

/** Starts the impostor with this name. */
export async function startScraper(name: string): Promise<Started<Case>> {
  const flaw = flawOf(FLAWS, name);
  const driver = new ScraperDriver({ client: clientOf(flaw), api: undefined, template: undefined, ...(flaw.isSilent && SILENT) });
  return { driver, stop: () => driver.close() };
}
