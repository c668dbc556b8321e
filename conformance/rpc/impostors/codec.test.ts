import { describe, expect, test } from "vitest";
import { fates, passedBy, type Started, uncaught } from "../../harness/impostors/catch.ts";
import { codecCases } from "../cases/codec/load.ts";
import type { CodecCase } from "../codec-vocabulary.ts";
import { CODEC_FEATURES, CodecDriver } from "../driver/codec.ts";
import { RPC_CODEC_FLAWS } from "./codec.ts";

const cases = codecCases("rpc");
const started = (file: string, name = "", dialect: "rpc" | "grpc" = "rpc"): Started<CodecCase> => {
  const driver = new CodecDriver({ command: `'${process.execPath}' ${file} ${name}`, timeout: 20_000 }, dialect);
  return { driver, stop: () => driver.close() };
};
const impostor = (name: string): Started<CodecCase> => started("conformance/rpc/impostors/codec.ts", name);
const start = (name: string): Promise<Started<CodecCase>> => Promise.resolve(impostor(name));
/** A case that only impostors without any right behaviour fail counts as uncaught. */
const MUTE = ["refuses"];

/** The requirements whose cases each must fail at least. */
const FAILS: Readonly<Record<string, readonly string[]>> = {
  "frame-by-frame": ["rpc-http2#data-frames/boundaries"],
  "ignores-flags": ["rpc-http2#requests/flags-reserved"],
  "any-end": ["rpc-http2#requests/cut-short"],
  "no-limit": ["rpc-status#codes/too-large"],
  "limit-before": ["rpc-status#codes/too-large"],
  "wrong-status": ["rpc-status#codes/too-large", "rpc-compression#test-cases/flag-alone", "rpc-compression#asymmetry/server-unknown"],
  "any-flag": ["rpc-compression#test-cases/flag-alone"],
  "any-encoding": ["rpc-compression#asymmetry/server-unknown", "rpc-compression#asymmetry/client-unknown"],
  "any-data": ["rpc-status#codes/decompression"],
  "always-compressed": ["rpc-http2#requests/compressed-flag", "rpc-http2#requests/compression-context"],
  "cuts-messages": ["rpc-http2#requests/messages"],
  seconds: ["rpc-http2#requests/timeout-units"],
  "any-timeout": ["rpc-http2#requests/timeout-form"],
  "long-timeouts": ["rpc-http2#requests/timeout-form"],
  "whole-hours": ["rpc-http2#requests/timeout-units"],
  "plus-is-space": ["rpc-http2#responses/message-encoding"],
  "raw-messages": ["rpc-http2#responses/message-encoding", "rpc-http2#responses/message-digits"],
  "strict-messages": ["rpc-http2#responses/message-invalid"],
  "small-digits": ["rpc-http2#responses/message-digits"],
  "first-value": ["rpc-http2#requests/base64-list"],
  padded: ["rpc-http2#requests/base64-padding"],
  unpadded: ["rpc-http2#requests/base64-padding"],
  "any-base64": ["rpc-http2#requests/base64-alphabet"],
  "reversed-values": ["rpc-http2#requests/duplicate-order", "rpc-http2#requests/base64-list"],
  "strict-text": ["rpc-http2#requests/ascii-value-lenient"],
  "raw-octets": ["rpc-http2#requests/binary-suffix"],
  "any-metadata": ["rpc-http2#requests/metadata-name", "rpc-http2#requests/ascii-value", "rpc-http2#requests/reserved-names"],
  "all-ok": ["rpc-status#codes/set", "rpc-status#codes/unparsable", "rpc-http-status#table/others"],
  "all-unknown": ["rpc-status#codes/set", "rpc-http-status#table/mapping"],
  "http-first": ["rpc-http-status#table/given"],
  "all-internal": ["rpc-http2#errors/reset-codes"],
  "all-cancelled": ["rpc-http2#errors/reset-codes"],
  "any-content-type": ["rpc-http2#requests/content-type-415"],
  "other-dialect": ["rpc-http2#requests/content-type-form", "rpc-http2#requests/content-type-415"],
  "retries-at-once": ["rpc-retries#pushback/form", "rpc-retries#pushback/stop"],
  "never-retries": ["rpc-retries#pushback/form"],
  "any-choice": ["rpc-compression#asymmetry/not-supported"],
};

describe("codecs of RPC that are wrong on purpose", () => {
  test("every case is failed by an impostor that answers its control", async () => {
    expect(cases.length).toBeGreaterThan(400);
    const names = Object.keys(RPC_CODEC_FLAWS).filter((name) => !MUTE.includes(name));
    expect(await uncaught({ cases, names, start, concurrency: 1, abreast: 4 }, {})).toEqual([]);
  });

  // Each has a child process of its own.
  test.concurrent.each(Object.entries(FAILS))("%s fails its own cases, and passes most others", async (name, refs) => {
    const subject = impostor(name);
    const isOwn = ({ covers }: CodecCase): boolean => covers.some((ref) => refs.includes(ref));
    const others = cases.filter((c, at) => at % 10 === 0 && !isOwn(c));
    const found = await fates(subject.driver, [...cases.filter(isOwn), ...others], 1);
    await subject.stop();
    const failed = cases.filter(({ id }) => found.get(id) === "fails");
    const broken = new Set(failed.flatMap(({ covers }) => covers as readonly string[]));
    expect(refs.filter((ref) => !broken.has(ref))).toEqual([]);
    expect(others.filter(({ id }) => found.get(id) === "passes").length).toBeGreaterThan(others.length / 2);
  });

  test("the impostor that refuses everything passes nothing", async () => {
    expect(await passedBy({ cases, start, concurrency: 1 }, "refuses")).toEqual([]);
  });

  test.each(["rpc", "grpc"] as const)("our own codec passes every case strictly in the dialect %s", async (dialect) => {
    const subject = started("vectors/rpc/adapter.ts", "", dialect);
    const { features } = await subject.driver.probe();
    expect([...features].filter(([, { has }]) => !has)).toEqual([]);
    expect([...features.keys()]).toEqual(Object.keys(CODEC_FEATURES));
    for (const c of codecCases(dialect)) {
      const { is } = await subject.driver.control(c);
      expect([c.id, is, (await subject.driver.play(c)).is]).toEqual([c.id, "accepted", "allowed"]);
    }
    await subject.stop();
  });

  test("the cases of both dialects have the same ids, and other names", () => {
    const grpc = codecCases("grpc");
    expect(grpc.map(({ id }) => id)).toEqual(cases.map(({ id }) => id));
    expect(JSON.stringify(grpc.map(({ steps }) => steps))).not.toMatch(/"rpc-(?!messages|read|write)/);
  });
});
