import { describe, expect, test } from "vitest";
import { fates, passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { senderCases } from "../cases/load.ts";
import { FLAWS, startSender } from "./sender.ts";

const party = { cases: await senderCases(), names: Object.keys(FLAWS), start: startSender, concurrency: 64, abreast: 3 };

test.concurrent("every case for senders is failed by an impostor", async () => {
  expect(await uncaught(party, {})).toEqual([]);
});

test.concurrent("a small sender that does nothing wrong passes every case", async () => {
  const { driver, stop } = await startSender("honest");
  // Waits that are compared with each other are measured again alone: a busy machine adds to each of them.
  let { cases } = party;
  for (const concurrency of [64, 1, 1, 1]) {
    const found = await fates(driver, cases, concurrency);
    cases = cases.filter(({ id }) => found.get(id) !== "passes");
  }
  await stop();
  expect(cases.map(({ id }) => id)).toEqual([]);
});

describe.concurrent("each flaw is caught by the case that is made for it", () => {
  test.each([
    ["forgetful", "again-after-503-one"],
    ["stubborn", "never-after-400-two"],
    ["steady-pace", "backs-off-one"],
    ["stubborn", "waits-for-retry-after-two"],
    ["gives-up", "goes-on-after-404-one"],
    ["confused", "order-one"],
    ["unsorted", "sorted-one"],
    ["talkative", "not-reserved-two"],
    ["seconds", "milliseconds-two"],
    ["together", "native-values-two"],
    ["together", "native-apart-two"],
    ["together", "marks-native-two"],
  ])("%s: %s", async (name, id) => {
    const wanted = `remotewrite/sender-${id}`;
    const fate = async (): Promise<string | undefined> => {
      const { driver, stop } = await startSender(name);
      const found = await fates(
        driver,
        party.cases.filter((c) => c.id === wanted),
        1,
      );
      await stop();
      return found.get(wanted);
    };
    // On a busy machine an impostor may do wrong too late to be seen.
    await expect.poll(fate).toBe("fails");
  });
});

test.concurrent("a sender that sends nothing passes nothing", async () => {
  expect(await passedBy(party, "silent")).toEqual([]);
});
