import { appendFileSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { isMainThread, Worker } from "node:worker_threads";
import { applied } from "./applied.ts";
import { HOOK, type Hooked } from "./hooked.ts";
import type { Watched } from "./watch.ts";

/**
 * Loaded before a subject (`--import`): replaces one file by its mutated text, and records the names of all loaded files. It reads its order
 * from a file named in the environment, so that child processes of the subject have the same mistake.
 */
const order = process.env[HOOK];
if (order !== undefined) {
  const { mutated, reached, owner } = JSON.parse(readFileSync(order, "utf8")) as Hooked;
  // A mutant that loops forever reads no message, so a thread of its own watches for the end of the run.
  if (isMainThread)
    new Worker(new URL("watch.ts", import.meta.url), { execArgv: [], env: {}, workerData: { owner } satisfies Watched }).unref();
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (url.startsWith("file:")) appendFileSync(reached, `${url}\n`);
      return mutated !== undefined && url === mutated.url ? { ...loaded, source: applied(String(loaded.source), mutated.edit) } : loaded;
    },
  });
}
