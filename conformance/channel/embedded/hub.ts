import { serveChannel } from "../../../reference/serve/channel/index.ts";
import type { StartedSubject } from "../../harness/suite.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";

const TOKENS = {
  agent: "agents-of-the-conformance-suite",
  client: "clients-of-the-conformance-suite",
  watcher: "watchers-of-the-conformance-suite",
};

/** Our own hub, with its tokens in the fragment of its address. Each performance takes a session, which ends some time after it. */
export async function startHub(): Promise<StartedSubject<ServerSubject> & { stop(): Promise<void> }> {
  const server = await serveChannel({ tokens: TOKENS, limits: { sessions: 100_000, goneMs: 2_000, keepMs: 2_000 } });
  return { subject: { url: `${server.url}#${new URLSearchParams(TOKENS).toString()}` }, stop: () => server.close() };
}
