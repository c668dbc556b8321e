import type { Party } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { cases } from "../cases/load.ts";
import type { Case } from "../vocabulary.ts";
import { startScraper } from "./flawed.ts";
import { FLAWS } from "./flaws.ts";

export const HINTS = new URL("./scraper-hints.json", import.meta.url);

/** The impostors of scrapers. The silent one fails every case that has no mistake, which proves nothing of the case. */
export const scrapers: Party<Case> = {
  cases: await cases(),
  names: Object.keys(FLAWS).filter((name) => name !== "silent"),
  start: startScraper,
  concurrency: 512,
  abreast: 8,
};

if (import.meta.main) await writeHints(HINTS, [scrapers]);
