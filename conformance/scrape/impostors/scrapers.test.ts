import { describe, expect, test } from "vitest";
import { fates, passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { cases } from "../cases/load.ts";
import { startScraper } from "./flawed.ts";
import { FLAWS } from "./flaws.ts";

// The silent one fails every case that has no mistake, which proves nothing of the case.
const names = Object.keys(FLAWS).filter((name) => name !== "silent");
const party = { cases: await cases(), names, start: startScraper, concurrency: 512, abreast: 4 };

test.concurrent("every case for scrapers is failed by an impostor", async () => {
  expect(await uncaught(party, {})).toEqual([]);
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
    const wanted = new Set(ids.map((id) => `scrape/${id}`));
    const found = await fates(
      driver,
      party.cases.filter(({ id }) => wanted.has(id)),
      512,
    );
    await stop();
    expect([...found].filter(([, fate]) => fate === "fails").map(([id]) => id)).toEqual([...found.keys()]);
    expect(found.size).toBe(wanted.size);
  });
});

test.concurrent("a scraper that scrapes nothing passes nothing", async () => {
  expect(await passedBy(party, "silent")).toEqual([]);
});
