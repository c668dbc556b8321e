import { serve, type ServeOptions } from "../../../reference/serve/index.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";
import type { StartedSubject } from "../../harness/suite.ts";
import { peer, startPeer } from "../../peers/index.ts";

/** More than the windows that cases give. */
const TEXT = "Touchstone asks whether network software speaks its protocol. ".repeat(100);

/** Our server in its own process, so that the cost of a flood can be measured. */
export async function startApart(): Promise<StartedSubject<ServerSubject>> {
  const { url, pid, stop } = await startPeer(peer("touchstone"), { protocol: "http3", tls: true });
  return { subject: { url }, pid, stop };
}

async function started(http3: ServeOptions["http3"]): Promise<StartedSubject<ServerSubject>> {
  const server = await serve(() => ({ status: 200, body: TEXT }), { alpn: ["h3"], graceMs: 100, http3: http3 ?? {} });
  return { subject: { url: server.url }, stop: () => server.close() };
}

/** Our server. */
export const startPlain = (): Promise<StartedSubject<ServerSubject>> => started({ earlyData: "safe" });
/** Our server that sends Retry to every client without a token. */
export const startRetrying = (): Promise<StartedSubject<ServerSubject>> => started({ retry: "always" });
