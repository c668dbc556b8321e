import type { Party } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { cases } from "../cases/load.ts";
import type { Case } from "../vocabulary.ts";
import { startImpostor } from "./flawed.ts";
import { FLAWS } from "./flaws.ts";

export const HINTS = new URL("./server-hints.json", import.meta.url);

/** The impostors of metrics servers. The silent one fails every case, which proves nothing of the case. */
export const servers: Party<Case> = {
  cases: await cases(),
  names: Object.keys(FLAWS).filter((name) => name !== "silent"),
  start: startImpostor,
  concurrency: 512,
  abreast: 4,
};

if (import.meta.main) await writeHints(HINTS, [servers]);
