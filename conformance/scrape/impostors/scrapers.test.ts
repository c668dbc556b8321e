import { expect, test } from "vitest";
import { passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { HINTS, scrapers } from "./scraper-parties.ts";

test.concurrent("every case for scrapers is failed by an impostor that is wrong about one thing", async () => {
  expect(await uncaught(scrapers, readHints(HINTS))).toEqual([]);
});

test.concurrent("a scraper that scrapes nothing passes nothing", async () => {
  expect(await passedBy(scrapers, "silent")).toEqual([]);
});
