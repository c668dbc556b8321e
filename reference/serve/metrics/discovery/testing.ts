import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { loadConfig, type ScrapeConfig } from "../../../metrics/config/index.ts";
import type { Group } from "../../../metrics/discovery/index.ts";
import { Provider } from "./provider.ts";
import type { Discoverer, Report } from "./report.ts";

/** An API server of a test, and all requests that it has had. */
export type ApiServer = AsyncDisposable & { readonly url: string; readonly host: string; readonly requests: IncomingMessage[] };

/** Starts an API server on loopback. */
export async function apiServer(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<ApiServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer(((request, response) => {
    requests.push(request);
    listener(request, response);
  }) satisfies RequestListener);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The first entry of a section `<…_sd_config>` that is written in YAML. */
export function configOf<Field extends keyof ScrapeConfig>(
  field: Field,
  yaml: string,
): ScrapeConfig[Field] extends readonly (infer One)[] ? One : never {
  const { config, problems } = loadConfig(`scrape_configs: [{job_name: j, ${field}: [${yaml}]}]`, { file: "metrics.yml" });
  if (config === undefined) throw new Error(JSON.stringify(problems));
  return (config.scrape_configs[0]![field] as readonly never[])[0]!;
}

/** A discoverer that runs, with the notices about it. */
export type Running = AsyncDisposable & { readonly provider: Provider; readonly notices: readonly string[] };

export function run(start: (report: Report) => Discoverer): Running {
  const notices: string[] = [];
  const provider = new Provider({ mechanism: "m", owner: "j", place: "j: x_sd_configs[0]", start, onNotice: (one) => notices.push(one) });
  return { provider, notices, [Symbol.asyncDispose]: () => provider.close() };
}

/** The labels of all targets of groups, in the order of their addresses. */
export const targetsOf = (groups: readonly Group[]): Record<string, string>[] =>
  groups
    .flatMap(({ targets, labels }) => targets.map((target): Record<string, string> => ({ ...labels, ...target })))
    .sort((a, b) => ((a["__address__"] ?? "") < (b["__address__"] ?? "") ? -1 : 1));
