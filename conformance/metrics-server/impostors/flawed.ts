import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { serveMetrics } from "../../../reference/serve/metrics/index.ts";
import type { Started } from "../../harness/impostors/catch.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import { closed } from "../../harness/subject/closed.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { ServerDriver } from "../driver/client.ts";
import { LIFECYCLE } from "../driver/session.ts";
import type { Case } from "../vocabulary.ts";
import { type Ask, type Flaw, FLAWS, type Shown } from "./flaws.ts";

/** Our server behind one that changes what it is asked or what it shows. */

const PATIENCE = { startupMs: 30_000, untilMs: 2_000 } as const;
const SILENT = { startupMs: 300, untilMs: 300 } as const;

/** `runs`: how often servers were started; the first one is probed. */
const clientOf =
  (flaw: Flaw, runs: { count: number }): InProcessClient =>
  async (_url, signal, { program }) => {
    if (program === undefined) throw new Error("a server needs a configuration");
    if (flaw.isSilent === true) return void (signal.aborted || (await once(signal, "abort")));
    const isProbe = runs.count++ === 0;
    const hasLifecycle = program.flags?.includes(LIFECYCLE) === true;
    const quit = new AbortController();
    const server = await serveMetrics({
      directory: program.directory,
      port: 0,
      graceMs: 100,
      storage: { walSync: "never" },
      flags: { "config.file": program.config },
      scrape: { file: program.config, lifecycle: hasLifecycle || flaw.isOpen === true, onNotice: () => {}, onQuit: () => quit.abort() },
    });
    const front = frontOf(flaw, server.url, { hasLifecycle, isProbe });
    front.listen(program.port, "127.0.0.1");
    const ended = AbortSignal.any([signal, quit.signal]);
    if (!ended.aborted) await once(ended, "abort");
    await closed(front);
    await server.close();
  };

/** Forwards requests to the real server, and returns its answers with the flaw. */
function frontOf(flaw: Flaw, behind: string, about: Pick<Ask, "hasLifecycle" | "isProbe">): Server {
  let isSpoiled = false;
  return createServer((request, response) => {
    void (async () => {
      const ask: Ask = { url: new URL(request.url ?? "", behind), method: request.method ?? "GET", ...about };
      const { instead } = flaw;
      const own = instead?.(ask);
      if (own === undefined) flaw.ask?.(ask);
      const came = own ?? (await forwarded(ask));
      if (flaw.isSpoiled === true && ask.url.pathname === "/-/reload") isSpoiled = came.status !== 200;
      const spoiled = isSpoiled ? spoil(came, ask) : came;
      const { status, contentType, text } = flaw.answer?.(spoiled, ask) ?? spoiled;
      response.writeHead(status, { "content-type": contentType }).end(text);
    })().catch(() => response.destroy());
  });
}

async function forwarded({ url, method }: Ask): Promise<Shown> {
  const came = await fetch(url, { method });
  return { status: came.status, contentType: came.headers.get("content-type") ?? "", text: await came.text() };
}

/** What is shown after a reload that failed. */
function spoil(shown: Shown, { url }: Ask): Shown {
  if (url.pathname === "/-/reload") return { ...shown, text: "no" };
  const data = url.pathname.endsWith("/config")
    ? { yaml: "" }
    : url.pathname.endsWith("/targets")
      ? { activeTargets: [], droppedTargets: [] }
      : { groups: [], reloadConfigSuccess: true };
  return url.pathname.startsWith("/api/") ? { ...shown, text: JSON.stringify({ status: "success", data }) } : shown;
}

/** Starts the impostor with this name. */
export async function startImpostor(name: string): Promise<Started<Case>> {
  const flaw = flawOf(FLAWS, name);
  const driver = new ServerDriver({ client: clientOf(flaw, { count: 0 }), ...(flaw.isSilent === true ? SILENT : PATIENCE) });
  return { driver, stop: () => driver.close() };
}
