import { describe, expect, test } from "vitest";
import { fates, uncaught } from "../../harness/impostors/catch.ts";
import { codecs } from "./parties.ts";

/** Cases that each impostor must fail, and with it the mistake that the case is about. */
const FAILS: Readonly<Record<string, readonly string[]>> = {
  "unmarks-fields": ["qpack/decoder-sections-each-literal-with-the-n-bit"],
  "wide-table": ["qpack/decoder-instructions-a-capacity-one-octet-beyond-the-limit"],
  "patient-with-all": [
    "qpack/decoder-blocked-one-more-blocked-stream-than-announced",
    "qpack/decoder-blocked-a-blocked-stream-where-none-is-permitted",
  ],
  "patient-with-one-more": ["qpack/decoder-blocked-one-more-blocked-stream-than-announced"],
  impatient: ["qpack/decoder-blocked-a-section-before-its-insertion", "qpack/decoder-blocked-as-many-blocked-streams-as-announced"],
  "silent-decoder": ["qpack/decoder-blocked-each-section-of-a-stream-is-acknowledged"],
  "confirms-twice": ["qpack/decoder-blocked-each-section-of-a-stream-is-acknowledged"],
  "confirms-too-much": ["qpack/decoder-appendix-b-an-entry-that-no-section-refers-to-b-3"],
  "confirms-nothing": ["qpack/decoder-appendix-b-an-entry-that-no-section-refers-to-b-3"],
  "cancels-nothing": ["qpack/decoder-blocked-a-stream-that-is-given-up-without-a-section"],
  "confirms-cancellations": ["qpack/decoder-blocked-a-stream-that-is-given-up-where-no-table-is-permitted"],
  "reverses-lists": ["qpack/encoder-round-trip"],
  "sends-utf8": ["qpack/encoder-odd-values"],
  "tires-of-values": ["qpack/encoder-long-connection"],
  "large-table": ["qpack/encoder-without-table", "qpack/encoder-capacity-within-maximum", "qpack/encoder-entry-fits"],
  "zero-capacity": ["qpack/encoder-without-table"],
  "risks-all": [
    "qpack/encoder-risks-none",
    "qpack/encoder-risks-one",
    "qpack/encoder-risks-again",
    "qpack/encoder-risk-after-cancellation",
  ],
  "risks-one-more": ["qpack/encoder-risks-none", "qpack/encoder-risks-one"],
  "assumes-arrival": [
    "qpack/encoder-evicts-nothing-unacknowledged",
    "qpack/encoder-evicts-nothing-until-it-hears",
    "qpack/encoder-risks-none",
  ],
  "increments-release": ["qpack/encoder-evicts-nothing-referenced"],
  "cancellations-acknowledge": ["qpack/encoder-evicts-after-cancellation", "qpack/encoder-risk-after-cancellation"],
  "counts-high": ["qpack/encoder-lowest-count"],
  "base-below-zero": ["qpack/encoder-base-not-negative"],
  "indexes-known-secrets": ["qpack/encoder-never-indexed"],
  "accepts-any-answer": ["qpack/encoder-increment-zero", "qpack/encoder-acknowledgment-twice"],
  "refuses-with-another-code": ["qpack/encoder-increment-zero", "qpack/encoder-increment-huge"],
  "reads-whole-answers": ["qpack/encoder-answers-in-pieces"],
};

describe("codecs of QPACK that are wrong on purpose", () => {
  test("every case is failed by an impostor that answers its control", async () => {
    expect(await uncaught(await codecs(), {})).toEqual([]);
  });

  test.each(Object.entries(FAILS))("%s fails its own cases, and passes most others", async (name, ids) => {
    const { cases, start } = await codecs();
    const subject = await start(name);
    const chosen = cases.filter(({ id }, at) => ids.includes(id) || at % 12 === 0);
    const found = await fates(subject.driver, chosen, 1);
    await subject.stop();
    expect(ids.filter((id) => found.get(id as (typeof chosen)[number]["id"]) !== "fails")).toEqual([]);
    const others = chosen.filter(({ id }) => !ids.includes(id));
    expect(others.filter(({ id }) => found.get(id) === "passes").length).toBeGreaterThan(others.length / 2);
  });
});
