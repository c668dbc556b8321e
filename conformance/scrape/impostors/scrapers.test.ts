import { describe, expect, test } from "vitest";
import { fates, passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { startScraper } from "./flawed.ts";
import { HINTS, scrapers } from "./scraper-parties.ts";

test.concurrent("every case for scrapers is failed by an impostor", async () => {
  expect(await uncaught(scrapers, readHints(HINTS))).toEqual([]);
});

describe.concurrent("each flaw is caught by the cases that are made for it", () => {
  test.each([
    [
      "credulous",
      ["type-missing", "coding-of-a-lie", "size-once-unpacked", "late-drip", "redirect-elsewhere-without-bearer", "tls-unknown-authority"],
    ],
    ["mumbling", ["accept-parameters", "coding-off", "parameters", "credentials-basic"]],
    ["contrary", ["conflict-job", "honor-instance", "time-ignored", "redirect-not-followed", "fallback-type-missing", "relabel-drop"]],
    ["strict", ["samples-at-limit", "name-length-at-limit", "size-under-limit", "targets-at-limit"]],
    ["untracked", ["own-times-tracked"]],
    ["undying", ["ends-series", "ends-on-hang", "ends-removed-target"]],
    ["mortal", ["ends-nothing-else", "shows-series-again", "own-times-go-on"]],
    ["fabricating", ["up-one", "extra-size", "time-of-page", "relabel-hidden-labels"]],
  ])("%s", async (name, ids) => {
    const { driver, stop } = await startScraper(name);
    const wanted = scrapers.cases.filter(({ id }) => ids.includes(id.slice("scrape/".length)));
    const found = await fates(driver, wanted, wanted.length);
    await stop();
    expect(
      [...found]
        .filter(([, fate]) => fate === "fails")
        .map(([id]) => id.slice("scrape/".length))
        .sort(),
    ).toEqual(ids.toSorted());
  });
});

test.concurrent("a scraper that scrapes nothing passes nothing", async () => {
  expect(await passedBy(scrapers, "silent")).toEqual([]);
});
