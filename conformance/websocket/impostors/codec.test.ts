import { describe, expect, test } from "vitest";
import type { CodecCase } from "../codec-vocabulary.ts";
import { codecCases } from "../cases/codec/load.ts";
import { CodecDriver } from "../driver/codec.ts";
import { fates, passedBy, type Started, uncaught } from "../../harness/impostors/catch.ts";
import { WEBSOCKET_CODEC_FLAWS } from "./codec.ts";

const cases = codecCases();
const command = (file: string, name = ""): string => `'${process.execPath}' ${file} ${name}`;
const started = (command: string): Started<CodecCase> => {
  const driver = new CodecDriver({ command, timeout: 20_000 });
  return { driver, stop: () => driver.close() };
};
const impostor = (name: string): Started<CodecCase> => started(command("conformance/websocket/impostors/codec.ts", name));
const start = (name: string): Promise<Started<CodecCase>> => Promise.resolve(impostor(name));
/** A case that only impostors without any right behaviour fail counts as uncaught. */
const MUTE = ["refuses"];

/** The requirements whose cases each must fail at least. */
const FAILS: Readonly<Record<string, readonly string[]>> = {
  "any-length": ["rfc6455#5.2/minimal-length", "rfc6455#5.2/length-top-bit"],
  "ignores-reserved": ["rfc6455#5.2/rsv", "rfc6455#5.2/reserved-opcode", "rfc7692#6/rsv1-continuation", "rfc7692#6/rsv1-control"],
  "any-mask": ["rfc6455#5.1/unmasked", "rfc6455#5.1/masked"],
  "wrong-mask": ["rfc6455#5.2/lengths", "rfc6455#5.4/fragments"],
  "any-text": ["rfc6455#8.1/utf-8", "rfc6455#8.1/reason", "rfc7692#7.2.2/utf-8"],
  "any-code": ["rfc6455#7.4.1/reserved", "rfc6455#7.4.2/below-1000", "rfc6455#7.4.2/unregistered", "rfc6455#7.4.2/above"],
  "any-order": ["rfc6455#5.4/interleaved", "rfc6455#5.4/stray-continuation"],
  "long-controls": ["rfc6455#5.5/control-length", "rfc6455#5.4/control-fragmented"],
  "any-block": ["rfc7692#7.2.2/corrupt", "rfc7692#7.2.2/distance"],
  "own-key": ["rfc6455#1.3/accept"],
  "any-accept": ["rfc6455#4.1/answer-accept", "rfc6455#4.1/answer-upgrade", "rfc6455#4.1/answer-connection"],
};

describe("codecs of WebSocket that are wrong on purpose", () => {
  test("every case is failed by an impostor that reads its control", async () => {
    expect(cases.length).toBeGreaterThan(500);
    const names = Object.keys(WEBSOCKET_CODEC_FLAWS).filter((name) => !MUTE.includes(name));
    expect(await uncaught({ cases, names, start, concurrency: 1, abreast: 4 }, {})).toEqual([]);
  });

  // Each has a child process of its own.
  test.concurrent.each(Object.entries(FAILS))("%s fails its own cases, and passes most others", async (name, refs) => {
    const subject = impostor(name);
    const found = await fates(subject.driver, cases, 1);
    await subject.stop();
    const failed = cases.filter(({ id }) => found.get(id) === "fails");
    for (const ref of refs)
      expect(
        failed.some(({ covers }) => (covers as readonly string[]).includes(ref)),
        ref,
      ).toBe(true);
    expect(failed.length).toBeLessThan(cases.length / 2);
  });

  test("the impostor that refuses everything passes nothing", async () => {
    expect(await passedBy({ cases, start, concurrency: 1 }, "refuses")).toEqual([]);
  });

  test("our own reader passes every case strictly", async () => {
    const subject = started(command("vectors/websocket/adapter.ts"));
    const { features } = await subject.driver.probe();
    expect([...features.values()].every(({ has }) => has)).toBe(true);
    for (const c of cases) expect(await subject.driver.play(c), c.id).toMatchObject({ is: "allowed", index: 0 });
    await subject.stop();
  });
});
