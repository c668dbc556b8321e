import { serveChannel } from "../../../reference/serve/channel/index.ts";
import type { StartedSubject } from "../../harness/suite.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";

type Sizing = NonNullable<Parameters<typeof serveChannel>[0]["sizing"]>;
const TOKENS = {
  agent: "agents-of-the-conformance-suite",
  client: "clients-of-the-conformance-suite",
  watcher: "watchers-of-the-conformance-suite",
};

/** Each performance takes a session, which ends some time after it. */
const LIMITS = { sessions: 100_000, goneMs: 2_000, keepMs: 2_000 };
/** A case may wait for what such a hub does when nothing happens. */
const HASTY = { ...LIMITS, goneMs: 1_500, keepMs: 1_500, askMs: 1_500, deadMs: 1_500, stallMs: 1_500 };

/** Our own hub, with its tokens, and short times that it has, in the fragment of its address. */
export async function startHub({
  sizing = "owner",
  isHasty = false,
}: { readonly sizing?: Sizing; readonly isHasty?: boolean } = {}): Promise<StartedSubject<ServerSubject> & { stop(): Promise<void> }> {
  const server = await serveChannel({ tokens: TOKENS, limits: isHasty ? HASTY : LIMITS, sizing });
  const times = isHasty ? { asks: `${HASTY.askMs}`, ends: `${HASTY.goneMs}`, stalls: `${HASTY.stallMs}` } : {};
  return {
    subject: { url: `${server.url}#${new URLSearchParams({ ...TOKENS, ...times }).toString()}` },
    stop: () => server.close(),
  };
}
