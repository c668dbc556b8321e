import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Party, type Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { loadCases } from "../cases/load.ts";
import { ServerDriver } from "../driver/index.ts";
import type { Case } from "../vocabulary.ts";
import { FLAWS } from "./flaws.ts";
import { startServer } from "./server.ts";

export const HINTS = new URL("server-hints.json", import.meta.url);
/** How long to wait for silence: short, because everything is on loopback. */
const SILENCE_MS = 1_000;

/** Impostors that must pass nothing fail every case. They are judged separately. */
export const MUTE = ["silent", "slams"] as const;

export async function server(name: string): Promise<Started<Case>> {
  const { url, stop } = await startServer(name);
  return { driver: new ServerDriver({ url, timeout: SILENCE_MS }), stop };
}

/** An impostor does at once what it does wrong, so that no wait need be long. */
const hastened = (steps: Case["steps"]): Case["steps"] =>
  steps.map((step) => (step.do === "wait" ? { ...step, ms: Math.min(step.ms, SILENCE_MS) } : step));

/** The cases for servers, with the impostors that must fail them. */
export async function serverParty(): Promise<Party<Case>> {
  const cases = (await loadCases("server"))
    .filter(({ group }) => group === undefined)
    .map((c) => ({ ...c, steps: hastened(c.steps), control: hastened(c.control) }));
  return {
    cases,
    names: Object.keys(FLAWS).filter((name) => name !== "wastes" && !MUTE.some((mute) => mute === name)),
    start: server,
    concurrency: 4,
  };
}

/** The cases of abuse: an impostor without limits, in a process of its own whose cost is measured, must fail all of them. */
export async function floodParty(): Promise<Party<Case>> {
  const cases = (await loadCases("server")).filter(({ group }) => group === "abuse");
  return { cases, names: ["lenient", "wastes"], start: apart, concurrency: 1 };
}
async function apart(name: string): Promise<Started<Case>> {
  const child = spawn(process.execPath, [fileURLToPath(new URL("server.ts", import.meta.url)), name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`the impostor ${name} did not start`)));
    child.stdout.once("data", (text: Buffer) => resolve(text.toString().trim()));
  });
  return {
    driver: new ServerDriver({ url, timeout: FLOOD_MS, ...(child.pid === undefined ? {} : { pid: child.pid }) }),
    stop: async () => void child.kill(),
  };
}
/** How long the answer to what follows a flood may take. */
const FLOOD_MS = 5_000;

if (import.meta.main) await writeHints(HINTS, [await serverParty()]);
