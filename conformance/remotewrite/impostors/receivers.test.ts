import { describe, expect, test } from "vitest";
import { fates, passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { receiverCases } from "../cases/load.ts";
import { FLAWS, startReceiver } from "./receiver.ts";

const party = { cases: await receiverCases(), names: Object.keys(FLAWS), start: startReceiver, concurrency: 8 };

/** The case that is made for each flaw. */
const CULPRITS: Readonly<Record<keyof typeof FLAWS, string>> = {
  lenient: "refuses-block-torn-one",
  closed: "accepts-one-sample-one",
  literal: "content-type-quoted-parameter-two",
  chatty: "status-204-two",
  "refuses-500": "refuses-message-torn-two",
  "refuses-400": "unknown-type-json-two",
  forgetful: "stores-several-samples-one",
  "counts-more": "accepts-one-sample-two",
  "counts-success": "partial-write-two",
  "counts-text": "accepts-several-series-two",
  mute: "partial-write-says-why-two",
  "any-labels": "refuses-labels-unsorted-one",
  "any-order": "does-not-lose-older-two",
  "any-type": "other-message-two",
  "any-coding": "unknown-coding-zstd-one",
  "any-reference": "refuses-reference-beyond-two",
  twice: "same-request-twice-one",
};

test("every case for receivers is failed by an impostor", async () => {
  expect(await uncaught(party, {})).toEqual([]);
});

describe("each flaw is caught by the case that is made for it", () => {
  test.each(Object.entries(CULPRITS))("%s: %s", async (name, id) => {
    const { driver, stop } = await startReceiver(name);
    const found = await fates(
      driver,
      party.cases.filter((c) => c.id === `remotewrite/${id}`),
      1,
    );
    await stop();
    expect(found.get(`remotewrite/${id}`)).toMatch(/^(?:fails|control refused)$/);
  });
  test("none is without one", () => {
    expect([...Object.keys(CULPRITS), "silent", "slams"]).toEqual(party.names);
  });
});

test.each(["silent", "slams"])("the receiver that is %s passes nothing", async (name) => {
  expect(await passedBy(party, name)).toEqual([]);
});
