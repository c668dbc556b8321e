import type { Party, Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { subjectCases } from "../cases/load.ts";
import { ChannelDriver } from "../driver/driver.ts";
import { SubjectParty } from "../driver/subject.ts";
import { agent, client, hastyClient } from "../embedded/subjects.ts";
import type { ChannelCase } from "../vocabulary.ts";
import { type Flaw, relay } from "./relay.ts";
import { AGENT_FLAWS, CLIENT_FLAWS, MUTE_FLAWS } from "./subjects.ts";

export const HINTS = new URL("subject-hints.json", import.meta.url);
/** `leaves` ends at once. */
export const MUTE = [...Object.keys(MUTE_FLAWS), "leaves"] as const;

/** An agent or a client of ours behind a relay with this flaw. */
const behind =
  (subject: InProcessClient, flaws: Readonly<Record<string, Flaw>>) =>
  (name: string): InProcessClient =>
  async (url, signal, request) => {
    if (name === "leaves") return;
    const there = new URL(url);
    const { port, stop } = await relay(Number(there.port), flawOf(flaws, name), "back");
    there.port = String(port);
    try {
      await subject(there.href, signal, request);
    } finally {
      await stop();
    }
  };

/** Short, because everything is on loopback. */
const SILENCE_MS = 400;

function party(subject: InProcessClient, flaws: Readonly<Record<string, Flaw>>, takes: (c: ChannelCase) => boolean): Party<ChannelCase> {
  const all = { ...flaws, ...MUTE_FLAWS };
  return {
    cases: subjectCases().filter(takes),
    names: Object.keys(flaws),
    start: (name): Promise<Started<ChannelCase>> => {
      const driver = new ChannelDriver(new SubjectParty({ client: behind(subject, all)(name), timeout: SILENCE_MS }));
      return Promise.resolve({ driver, stop: () => Promise.resolve() });
    },
    concurrency: 8,
    abreast: 2,
  };
}
const needs =
  (feature: string) =>
  ({ needs: all = [] }: ChannelCase): boolean =>
    all.includes(feature);

const without =
  (...features: readonly string[]) =>
  (c: ChannelCase): boolean =>
    !features.some((feature) => needs(feature)(c));
type Kind = "agents" | "agents that start another shell" | "clients" | "agents that notice a dead line" | "clients that do";

/** The cases for each kind of subject, with the impostors that must fail them. */
export const subjects = (): Readonly<Record<Kind, Party<ChannelCase>>> => ({
  agents: party(agent(false), AGENT_FLAWS, (c) => needs("agent")(c) && without("again", "asks")(c)),
  "agents that start another shell": party(agent(true), AGENT_FLAWS, needs("again")),
  clients: party(client, CLIENT_FLAWS, (c) => needs("client")(c) && without("asks")(c)),
  "agents that notice a dead line": party(agent(false, true), AGENT_FLAWS, (c) => needs("agent")(c) && needs("asks")(c)),
  "clients that do": party(hastyClient, CLIENT_FLAWS, (c) => needs("client")(c) && needs("asks")(c)),
});

if (import.meta.main) await writeHints(HINTS, Object.values(subjects()));
