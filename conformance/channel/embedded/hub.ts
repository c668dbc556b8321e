import { serveChannel } from "../../../reference/serve/channel/index.ts";
import type { StartedSubject } from "../../harness/suite.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";

type Sizing = NonNullable<Parameters<typeof serveChannel>[0]["sizing"]>;
const TOKENS = {
  agent: "agents-of-the-conformance-suite",
  client: "clients-of-the-conformance-suite",
  watcher: "watchers-of-the-conformance-suite",
};

/** A page that may attach, besides those of the hub. */
const ORIGIN = "https://friend.example";
const NAME = "hub.example";
const HOST = "127.0.0.1";

/** Each performance takes a session, which ends some time after it. */
const LIMITS = { sessions: 100_000, goneMs: 2_000, keepMs: 2_000 };
/** A case may wait for what such a hub does when nothing happens. It waits longer for an answer than a busy machine takes. */
const HASTY = { ...LIMITS, goneMs: 1_500, keepMs: 1_500, askMs: 1_500, deadMs: 3_000, stallMs: 1_500 };
/** So little output is kept that a message may be longer. */
const FORGETFUL = { ...LIMITS, replayOctets: 1_000 };
const LIMITS_OF = { usual: LIMITS, hasty: HASTY, forgetful: FORGETFUL };

type HubOptions = {
  readonly sizing?: Sizing;
  readonly kind?: keyof typeof LIMITS_OF;
  /** Without a token for watchers, another name, and pages of other origins. */
  readonly isPlain?: boolean;
};

/** Our own hub. The fragment of its address has its tokens, and what it does otherwise than by default. */
export async function startHub({ sizing = "owner", kind = "usual", isPlain = false }: HubOptions = {}): Promise<
  StartedSubject<ServerSubject> & { stop(): Promise<void> }
> {
  const { watcher, ...needed } = TOKENS;
  const tokens = isPlain ? needed : { ...needed, watcher };
  const known = isPlain ? {} : { origins: [ORIGIN], hosts: [NAME] };
  const server = await serveChannel({ tokens, limits: LIMITS_OF[kind], sizing, host: HOST, ...known });
  const more = {
    usual: {},
    hasty: { asks: `${HASTY.askMs}`, ends: `${HASTY.goneMs}`, stalls: `${HASTY.stallMs}` },
    forgetful: { keeps: `${FORGETFUL.replayOctets}` },
  }[kind];
  const fragment = new URLSearchParams({ ...tokens, ...more, ...(!isPlain && { origin: ORIGIN, name: NAME }) });
  return { subject: { url: `${server.url}#${fragment.toString()}` }, stop: () => server.close() };
}
