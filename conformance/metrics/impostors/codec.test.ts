import { describe, expect, test } from "vitest";
import type { CodecCase } from "../codec-vocabulary.ts";
import { codecCases } from "../cases/codec/load.ts";
import { CodecDriver } from "../driver/codec.ts";
import { fates, passedBy, type Started, uncaught } from "../../harness/impostors/catch.ts";
import { METRICS_CODEC_FLAWS } from "./codec.ts";

const cases = codecCases();
const command = (file: string, name = ""): string => `'${process.execPath}' ${file} ${name}`;
const started = (command: string): Started<CodecCase> => {
  const driver = new CodecDriver({ command, timeout: 20_000 });
  return { driver, stop: () => driver.close() };
};
const impostor = (name: string): Started<CodecCase> => started(command("conformance/metrics/impostors/codec.ts", name));
const start = (name: string): Promise<Started<CodecCase>> => Promise.resolve(impostor(name));
/** An impostor that fails every case does not show that a case checks its own subject. */
const MUTE = ["refuses"];

/** The cases that each impostor must fail, at least. */
const FAILS: Readonly<Record<string, readonly string[]>> = {
  "any-line": ["text-line-unended", "om-eof-missing", "om-crlf", "om-line-empty", "om-blank-tab-before-value"],
  "any-name": ["text-name-digit-first", "om-name-hyphen", "text-name-quoted-twice"],
  "any-label": ["text-label-value-unquoted", "om-label-twice", "om-comma-trailing"],
  "any-escape": ["text-escape-unknown", "text-help-escape-cut", "om-help-escape-cut"],
  "any-octet": ["text-utf8-octet-ff", "text-utf8-surrogate", "om-utf8-cut"],
  "any-number": ["text-value-overflow-refused", "text-timestamp-fraction", "om-value-hexadecimal-refused", "om-timestamp-nan"],
  "any-metadata": ["text-type-twice", "text-type-behind-sample", "om-unit-not-suffix", "om-comment"],
  "any-order": ["text-group-torn", "om-families-interleaved", "om-metrics-interleaved", "om-points-interleaved", "om-clash-created"],
  "any-bucket": ["text-histogram-infinite-missing", "om-histogram-not-cumulative", "om-summary-quantile-above-one"],
  "any-value": ["om-counter-nan", "om-info-zero", "om-stateset-value", "om-counter-without-total"],
  "any-exemplar": ["om-exemplar-of-129", "om-exemplar-on-gauge", "om-exemplar-beyond-bucket"],
  "drops-labels": ["text-labels-two", "om-labels-two"],
  "drops-timestamps": ["text-timestamp", "om-timestamp-fraction"],
  "seconds-for-milliseconds": ["text-timestamp", "om-timestamp"],
  "keeps-escapes": ["text-escapes-in-a-row", "om-escapes"],
  "one-octet-a-character": ["text-utf8-in-value", "om-utf8"],
  "floats-of-32-bits": ["text-value-hard", "om-value-fraction"],
  "integers-only": ["text-value-fraction", "om-value-exponent"],
  "no-infinity": ["text-value-minus-inf", "om-value-nan"],
  "first-sample": ["text-samples-two", "om-families-two"],
  "drops-suffixes": ["text-histogram", "om-counter"],
  "wrong-exemplars": ["om-exemplar", "om-exemplar-on-bucket"],
  "refuses-the-empty": ["text-page-empty", "om-page-empty", "om-type-info"],
  "refuses-metadata": ["text-comment", "om-metadata"],
  "refuses-quoted-names": ["text-name-quoted", "text-label-name-quoted"],
  "refuses-blanks": ["text-blanks-around", "text-tab-before-value"],
  "refuses-signs": ["text-value-plus", "om-value-plus"],
};

describe("readers of pages that are wrong on purpose", () => {
  test("every case is failed by an impostor that reads its control", async () => {
    expect(cases.length).toBeGreaterThan(450);
    const names = Object.keys(METRICS_CODEC_FLAWS).filter((name) => !MUTE.includes(name));
    expect(await uncaught({ cases, names, start, concurrency: 1, abreast: 4 }, {})).toEqual([]);
  });

  // Each has a child process of its own.
  test.concurrent.each(Object.entries(FAILS))("%s fails its own cases, and passes most others", async (name, ids) => {
    const subject = impostor(name);
    const found = await fates(subject.driver, cases, 1);
    await subject.stop();
    const failed = cases.filter(({ id }) => found.get(id) === "fails").map(({ id }) => id as string);
    expect(ids.filter((id) => !failed.includes(`metrics/${id}`))).toEqual([]);
    expect(failed.length).toBeLessThan(cases.length / 2);
  });

  test("the impostor that refuses everything passes nothing", async () => {
    expect(await passedBy({ cases, start, concurrency: 1 }, "refuses")).toEqual([]);
  });

  test("our own reader passes every case strictly", async () => {
    const subject = started(command("vectors/exposition/adapter.ts"));
    const { features } = await subject.driver.probe();
    expect([...features.values()].every(({ has }) => has)).toBe(true);
    for (const c of cases) expect(await subject.driver.play(c), c.id).toMatchObject({ is: "allowed", index: 0 });
    await subject.stop();
  });

  test("every flaw has cases that it must fail", () => {
    expect(Object.keys(METRICS_CODEC_FLAWS).filter((name) => FAILS[name] === undefined)).toEqual(["lenient", "refuses", "timid"]);
  });
});
