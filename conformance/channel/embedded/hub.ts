import { serveChannel } from "../../../reference/serve/channel/index.ts";
import type { StartedSubject } from "../../harness/suite.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";

type Sizing = NonNullable<Parameters<typeof serveChannel>[0]["sizing"]>;
const TOKENS = {
  agent: "agents-of-the-conformance-suite",
  client: "clients-of-the-conformance-suite",
  watcher: "watchers-of-the-conformance-suite",
};

/** Short times: each performance takes a session, which ends some time after it; and a case may wait for a heartbeat. */
const LIMITS = { sessions: 100_000, goneMs: 2_000, keepMs: 2_000, askMs: 1_500, deadMs: 1_500 };

/** Our own hub, with its tokens in the fragment of its address. */
export async function startHub(sizing: Sizing = "owner"): Promise<StartedSubject<ServerSubject> & { stop(): Promise<void> }> {
  const server = await serveChannel({ tokens: TOKENS, limits: LIMITS, sizing });
  return {
    subject: { url: `${server.url}#${new URLSearchParams({ ...TOKENS, asks: String(LIMITS.askMs) }).toString()}` },
    stop: () => server.close(),
  };
}
