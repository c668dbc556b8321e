import type { Party } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { routerCases } from "../cases/load.ts";
import type { Case } from "../vocabulary.ts";
import { startRouter } from "./router.ts";
import { ROUTER_FLAWS } from "./router-flaws.ts";

export const ROUTER_HINTS = new URL("./router-hints.json", import.meta.url);

/** The impostors of routers. The silent one fails every case that has no mistake, which proves nothing of the case. */
export const routers: Party<Case> = {
  cases: await routerCases(),
  names: Object.keys(ROUTER_FLAWS).filter((name) => name !== "silent"),
  start: startRouter,
  concurrency: 512,
  abreast: 8,
};

if (import.meta.main) await writeHints(ROUTER_HINTS, [routers]);
