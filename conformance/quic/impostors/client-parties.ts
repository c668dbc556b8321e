import type { Party, Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { loadCases } from "../cases/load.ts";
import { ClientDriver } from "../driver/index.ts";
import type { Case } from "../vocabulary.ts";
import { runClient } from "./client.ts";
import { CLIENT_FLAWS } from "./client-flaws.ts";

export const HINTS = new URL("client-hints.json", import.meta.url);
/** How long to wait for silence: short, because everything is in one process. */
const SILENCE_MS = 300;

/** Impostors that must pass nothing fail every case. They are judged separately. */
export const MUTE = ["silent", "slams", "leaves-at-once", "fails-at-once"] as const;

const client = async (name: string): Promise<Started<Case>> => {
  const driver = new ClientDriver({ client: (url, signal) => runClient(name, url, signal), timeout: SILENCE_MS });
  return { driver, stop: () => driver.close() };
};

/** An impostor does at once what it does wrong, so that no wait need be long. */
const hastened = (steps: Case["steps"]): Case["steps"] =>
  steps.map((step) => (step.do === "wait" ? { ...step, ms: Math.min(step.ms, SILENCE_MS / 4) } : step));

/** The cases for clients, with the impostors that must fail them. */
export async function clientParty(): Promise<Party<Case>> {
  const cases = (await loadCases("client")).map((c) => ({ ...c, steps: hastened(c.steps), control: hastened(c.control) }));
  return {
    cases,
    names: Object.keys(CLIENT_FLAWS).filter((name) => !MUTE.some((mute) => mute === name)),
    start: client,
    concurrency: 8,
  };
}

if (import.meta.main) await writeHints(HINTS, [await clientParty()]);
