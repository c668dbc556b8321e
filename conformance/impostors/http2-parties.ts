import { CodecDriver, loadCases as loadCodecCases } from "../hpack/index.ts";
import type { Case as CodecCase } from "../hpack/vocabulary.ts";
import { type Case, ClientDriver, loadCases, ServerDriver } from "../http2/index.ts";
import type { Party, Started } from "./catch.ts";
import { writeHints } from "./hints.ts";
import { CODEC_FLAWS } from "./hpack-codec.ts";
import { CLIENT_FLAWS } from "./http2-client-flaws.ts";
import { runClient } from "./http2-client.ts";
import { SERVER_FLAWS } from "./http2-server-flaws.ts";
import { startServer } from "./http2-server.ts";

/** Which impostors are asked which cases of HTTP/2 and HPACK, and how they are started. */

/** A peer that is silent is silent for so long; all of it is on loopback. */
const SILENCE_MS = 300;
/** A peer in this very process is busy with a flood for longer. */
const FLOOD_MS = 1_000;
const FLOOD = 300;
/** Those that must pass nothing catch everything: they are asked apart, and catch no case for another's sake. */
const MUTE = ["silent", "slams", "leaves-at-once", "fails-at-once"];
const culprits = (flaws: Readonly<Record<string, unknown>>): string[] => Object.keys(flaws).filter((name) => !MUTE.includes(name));

/** An impostor knows neither deadlines nor budgets: one that lets a short wait or a small flood pass lets the long and the large one pass too. */
const hastened = (steps: Case["steps"]): Case["steps"] =>
  steps.map((step) => {
    if (step.do === "wait") return { ...step, ms: Math.min(step.ms, SILENCE_MS) };
    return step.do === "repeat" ? { ...step, times: Math.min(step.times, FLOOD) } : step;
  });

export const server =
  (tls: boolean, timeout = SILENCE_MS) =>
  async (name: string): Promise<Started<Case>> => {
    const { url, stop } = await startServer(name, { tls });
    return { driver: new ServerDriver({ url, timeout }), stop };
  };
export const client = async (name: string, tls = false): Promise<Started<Case>> => ({
  driver: new ClientDriver({ client: (url, signal) => runClient(name, url, signal), timeout: SILENCE_MS, tls }),
  stop: async () => {},
});
const codec = async (name: string): Promise<Started<CodecCase>> => {
  const driver = new CodecDriver({ command: `'${process.execPath}' conformance/impostors/hpack-codec.ts ${name}`, timeout: 2000 });
  return { driver, stop: () => driver.close() };
};

/** The cases of each kind, with the impostors that are to fail them. */
export async function parties(): Promise<{
  servers: Party<Case>;
  floods: Party<Case>;
  tls: Party<Case>;
  clients: Party<Case>;
  tlsClients: Party<Case>;
  codecs: Party<CodecCase>;
}> {
  const all = (await loadCases()).map((c) => ({ ...c, steps: hastened(c.steps), control: hastened(c.control) }));
  const needsTls = (c: Case): boolean => (c.needs ?? []).includes("tls");
  const servers = all.filter((c) => c.role === "server" && !needsTls(c));
  const clients = all.filter((c) => c.role === "client");
  const names = culprits(SERVER_FLAWS);
  return {
    servers: { cases: servers.filter((c) => c.group === undefined), names, start: server(false), concurrency: 16 },
    floods: { cases: servers.filter((c) => c.group !== undefined), names: ["lenient"], start: server(false, FLOOD_MS), concurrency: 4 },
    tls: { cases: all.filter((c) => c.role === "server" && needsTls(c)), names, start: server(true), concurrency: 16 },
    clients: { cases: clients.filter((c) => !needsTls(c)), names: culprits(CLIENT_FLAWS), start: client, concurrency: 16 },
    tlsClients: {
      cases: clients.filter(needsTls),
      names: culprits(CLIENT_FLAWS),
      start: (name) => client(name, true),
      concurrency: 16,
    },
    codecs: { cases: await loadCodecCases(), names: culprits(CODEC_FLAWS), start: codec, concurrency: 1 },
  };
}

if (import.meta.main) {
  const { servers, tls, clients, tlsClients, codecs } = await parties();
  await writeHints("http2", [servers, tls, clients, tlsClients, codecs]);
}
