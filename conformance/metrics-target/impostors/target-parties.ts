import { createServer } from "node:net";
import type { Party, Started } from "../../harness/impostors/catch.ts";
import { listening } from "../../harness/impostors/listening.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import { ServerDriver } from "../driver/server.ts";
import { startTarget } from "../embedded/target.ts";
import type { Case } from "../vocabulary.ts";
import { FLAWS } from "./flaws.ts";

const driverOf = (url: string, timeout: number): ServerDriver =>
  new ServerDriver({ url, timeout, verify: false, scrapes: 3, intervalMs: 0 });

/** Starts the impostor with this name; `faultless` is none. */
export async function startImpostor(name: string): Promise<Started<Case>> {
  const { url, stop } = await startTarget("exemplary", name === "faultless" ? {} : flawOf(FLAWS, name).wrong);
  const driver = driverOf(url, name === "late" ? 200 : 5_000);
  return {
    driver,
    stop: async () => {
      await driver.close();
      await stop();
    },
  };
}

/** One case at a time: some impostors are wrong only about several requests at once. */
export const targets = (cases: readonly Case[]): Party<Case> => ({
  cases,
  names: Object.keys(FLAWS),
  start: startImpostor,
  concurrency: 1,
});

export const SILENT = ["silent", "hanging up"] as const;
/** Starts a server that does not answer. */
export async function closed(name: string): Promise<Started<Case>> {
  const { url, stop } = await listening(
    createServer((socket) => (name === "silent" ? socket.resume() : socket.destroy())),
    "http",
  );
  return { driver: driverOf(url, 50), stop };
}
