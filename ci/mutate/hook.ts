import { appendFileSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { applied } from "./applied.ts";
import { HOOK, type Hooked } from "./hooked.ts";

/**
 * Loaded before a subject (`--import`): one file is read with a mistake in it, and the names of all files read are noted. Reads its order
 * from a file that the environment names, so that the processes that a subject starts have the same mistake.
 */
const order = process.env[HOOK];
if (order !== undefined) {
  const { mutated, reached } = JSON.parse(readFileSync(order, "utf8")) as Hooked;
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (reached !== undefined && url.startsWith("file:")) appendFileSync(reached, `${url}\n`);
      return mutated !== undefined && url === mutated.url ? { ...loaded, source: applied(String(loaded.source), mutated.edit) } : loaded;
    },
  });
}
