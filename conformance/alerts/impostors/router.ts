import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { serveRouter } from "../../../reference/serve/metrics/index.ts";
import type { Started } from "../../harness/impostors/catch.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { RouterDriver } from "../driver/driver.ts";
import { closed } from "../../harness/subject/closed.ts";
import type { Case } from "../vocabulary.ts";
import { frontOf } from "./front.ts";
import { eachWebhook, type RouterConfig } from "./router-config.ts";
import { type Flaw, ROUTER_FLAWS } from "./router-flaws.ts";
import { startRelay } from "./webhook-relay.ts";
import { SILENT, WAITS } from "./waits.ts";

/** Our router with a flaw. */

const subjectOf =
  (flaw: Flaw): InProcessClient =>
  async (_url, signal, { program }) => {
    if (program === undefined) throw new Error("a router needs a configuration");
    if (flaw.isSilent === true) return void (signal.aborted || (await once(signal, "abort")));
    const around: Server[] = [];
    const read = JSON.parse(readFileSync(program.config, "utf8")) as RouterConfig;
    let config = flaw.config?.(read) ?? read;
    if (flaw.relay !== undefined) {
      const urls = config.receivers.flatMap(({ webhook_configs: all }) => all.map(({ url }) => new URL(String(url))));
      const relay = await startRelay(
        flaw.relay,
        urls[0]?.host ?? "",
        urls.map(({ pathname }) => pathname),
      );
      around.push(relay.server);
      config = eachWebhook(config, (webhook) => ({
        ...webhook,
        url: `http://${relay.address}${new URL(String(webhook["url"])).pathname}`,
      }));
    }
    writeFileSync(program.config, JSON.stringify(config));
    const port = flaw.front === undefined ? program.port : 0;
    const server = await serveRouter({ file: program.config, directory: program.directory, port, graceMs: 100, onNotice: () => {} });
    if (flaw.front !== undefined) {
      const front = frontOf(flaw.front, server.url);
      around.push(front.listen(program.port, "127.0.0.1"));
    }
    if (!signal.aborted) await once(signal, "abort");
    await Promise.all(around.map((one) => closed(one)));
    await server.close();
  };

/** Starts the impostor with this name. */
export async function startRouter(name: string): Promise<Started<Case>> {
  const flaw = flawOf(ROUTER_FLAWS, name);
  const driver = new RouterDriver({ subject: subjectOf(flaw), ...(flaw.isSilent ? SILENT : WAITS) });
  return { driver, stop: () => driver.close() };
}
