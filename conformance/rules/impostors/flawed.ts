import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { serveMetrics } from "../../../reference/serve/metrics/index.ts";
import type { Started } from "../../harness/impostors/catch.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { closed } from "../../harness/subject/closed.ts";
import { RulesDriver } from "../driver/client.ts";
import type { Case, Group } from "../vocabulary.ts";
import { type Ask, type Flaw, FLAWS, type Json } from "./flaws.ts";

/** Our server with a flaw in its rule files, or behind a server that changes what it shows. */

/** A case that does not go on fails soon. */
const PATIENCE = { stillMs: 4_000, startupMs: 20_000 } as const;
const SILENT = { stillMs: 300, startupMs: 300 } as const;

/** `runs`: how often the server was started. */
const clientOf =
  (flaw: Flaw, runs: { count: number }): InProcessClient =>
  async (_url, signal, { program }) => {
    if (program === undefined) throw new Error("a server needs a configuration");
    if (flaw.isSilent === true) return void (signal.aborted || (await once(signal, "abort")));
    const isProbe = runs.count++ === 0;
    if (flaw.forgets === true) rmSync(program.directory, { recursive: true, force: true });
    const { rule_files: files } = JSON.parse(readFileSync(program.config, "utf8")) as { rule_files: readonly string[] };
    if (!isProbe) for (const file of files) rewrite(file, flaw);
    const server = await serveMetrics({
      directory: program.directory,
      port: 0,
      graceMs: 100,
      storage: { walSync: "never" },
      scrape: { file: program.config, onNotice: () => {} },
    });
    const front = frontOf(flaw, server.url, isProbe);
    front.listen(program.port, "127.0.0.1");
    if (!signal.aborted) await once(signal, "abort");
    await closed(front);
    await server.close();
  };

function rewrite(file: string, { group = (one) => [one], rule = (one) => one }: Flaw): void {
  const { groups } = JSON.parse(readFileSync(file, "utf8")) as { groups: readonly Group[] };
  const changed = groups.flatMap(group).map((one) => ({ ...one, rules: one.rules.map(rule) }));
  writeFileSync(file, JSON.stringify({ groups: changed }));
}

/** Forwards requests to the real server, and returns its answers with the flaw. */
function frontOf(flaw: Flaw, behind: string, isProbe: boolean): Server {
  return createServer((request, response) => {
    void (async () => {
      const asked: Ask = { url: new URL(request.url ?? "", behind), isProbe };
      const url = new URL(asked.url);
      flaw.ask?.({ url, isProbe });
      const came = await fetch(url);
      const answer = (await came.json()) as { data?: Json };
      const data = answer.data === undefined ? undefined : await changed(flaw, asked, answer.data, behind);
      response.writeHead(came.status, { "content-type": "application/json" }).end(JSON.stringify({ ...answer, data }));
    })().catch(() => response.destroy());
  });
}

async function changed(flaw: Flaw, ask: Ask, data: Json, behind: string): Promise<Json> {
  const { pathname } = ask.url;
  if (pathname.endsWith("/query")) return { ...data, result: flaw.series?.(data["result"] as readonly Json[], ask) ?? data["result"] };
  if (pathname.endsWith("/alerts") && flaw.alerts !== undefined) {
    const all = (await (await fetch(new URL("/api/v1/rules", behind))).json()) as {
      data: { groups: readonly { rules: readonly Json[] }[] };
    };
    return {
      ...data,
      alerts: flaw.alerts(
        data["alerts"] as readonly Json[],
        all.data.groups.flatMap(({ rules }) => rules),
      ),
    };
  }
  if (!pathname.endsWith("/rules") || ask.isProbe) return data;
  const groups = data["groups"] as readonly Json[];
  const shown = (flaw.groups?.(groups, ask) ?? groups).map((group) => ({
    ...group,
    rules: (group["rules"] as readonly Json[]).map((rule) => flaw.rules?.(rule, ask) ?? rule),
  }));
  const rest = { ...data, groups: shown };
  return flaw.data?.(rest, ask) ?? rest;
}

/** Starts the impostor with this name. */
export async function startImpostor(name: string): Promise<Started<Case>> {
  const flaw = flawOf(FLAWS, name);
  const driver = new RulesDriver({ client: clientOf(flaw, { count: 0 }), api: undefined, ...(flaw.isSilent === true ? SILENT : PATIENCE) });
  return { driver, stop: () => driver.close() };
}
