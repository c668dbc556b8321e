import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FAULTS, HANDSHAKE_FAULTS, type FaultName, type HandshakeFaultName } from "../../reference/websocket/index.ts";
import { linter } from "../lint.ts";
import { kindOf, loadVectors, vectorFiles, type Vector } from "../load.ts";
import { fileOf, SOURCES } from "./make.ts";
import { judgeReading } from "./question.ts";
import { readFrames, readRequest, readResponse } from "./read.ts";
import type { AnyVector, FramesVector, RequestVector, ResponseVector } from "./source/craft.ts";

/** Our own connection and handshake against the vectors of WebSocket, which were written from the text of the specifications. */

const files = vectorFiles().filter((name) => name.startsWith("websocket/"));
const ofKind = <V extends Vector>(kind: string): { name: string; vector: V }[] =>
  files.flatMap((name) => {
    const file = loadVectors<V>(name);
    return kindOf(file) === kind ? file.vectors.map((vector) => ({ name: `${name} ${vector.id}: ${vector.note}`, vector })) : [];
  });
const frames = ofKind<FramesVector>("websocket-frames");
const requests = ofKind<RequestVector>("websocket-request");
const responses = ofKind<ResponseVector>("websocket-response");

test("every file is valid by its schema and up to date with its source", () => {
  const lint = linter();
  expect(files.flatMap((name) => lint(name))).toEqual([]);
  expect(files.filter((name) => name !== "websocket/connections")).toEqual(
    Object.keys(SOURCES)
      .map((name) => `websocket/${name}`)
      .sort(),
  );
  for (const [name, source] of Object.entries(SOURCES))
    expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8"), `node vectors/websocket/make.ts (${name})`).toBe(
      fileOf(source),
    );
  expect([frames.length >= 350, requests.length >= 80, responses.length >= 40]).toEqual([true, true, true]);
});

test("names are unique in their file", () => {
  for (const file of files.filter((name) => name !== "websocket/connections")) {
    const names = loadVectors<AnyVector>(file).vectors.map(({ name }) => name);
    expect(new Set(names).size, file).toBe(names.length);
  }
});

describe.each([
  ["in one piece", undefined],
  ["in reads of three octets", 3],
  ["octet by octet", 1],
])("frames %s", (_, cut) => {
  // Reading long vectors octet by octet would take too long.
  const some = frames.filter(({ vector }) => cut === undefined || vector.wire.length < 4_000);
  test.each(some)("$name", ({ vector }) => {
    const reading = readFrames({ ...vector, ...(cut === undefined ? {} : { cut }) });
    expect(judgeReading(vector, reading)).toBeUndefined();
    expect([reading.error, reading.code]).toEqual([vector.fault, vector.code]);
    expect(vector.fault === undefined || FAULTS[vector.fault as FaultName].code === vector.code, "the code of that fault").toBe(true);
    expect(cut !== 1 || vector.at === undefined || reading.at === vector.at, `refused at ${reading.at} instead of ${vector.at}`).toBe(true);
  });
});

test.each(requests)("$name", ({ vector }) => {
  const reading = readRequest(vector);
  expect(judgeReading(vector, reading)).toBeUndefined();
  expect([reading.error, reading.status]).toEqual([vector.fault, vector.status]);
  expect(vector.fault === undefined || HANDSHAKE_FAULTS[vector.fault as HandshakeFaultName].status === vector.status).toBe(true);
});
test.each(responses)("$name", ({ vector }) => {
  const reading = readResponse(vector);
  expect(judgeReading(vector, reading)).toBeUndefined();
  expect(reading.error).toBe(vector.fault);
});

describe("every fault that octets can show has a vector", () => {
  const faults = (list: readonly { readonly vector: { readonly fault?: string } }[]): Set<string | undefined> =>
    new Set(list.map(({ vector }) => vector.fault));
  /** Faults that show only with many frames or over time. */
  const notHere = new Set(["tooManyFrames", "tooManyControls", "readerSlow", "peerSilent", "closeLate"]);
  test("frames", () => {
    expect(Object.keys(FAULTS).filter((name) => !faults(frames).has(name) && !notHere.has(name))).toEqual([]);
  });
  test("handshakes over HTTP/1.1", () => {
    const seen = new Set([...faults(requests), ...faults(responses)]);
    expect(Object.keys(HANDSHAKE_FAULTS).filter((name) => !seen.has(name))).toEqual(["methodNotConnect", "protocolUnknown"]);
  });
});

describe("judgeReading()", () => {
  const vector = frames.find(({ vector: one }) => one.name === "pings-behind-each-frame")!.vector as AnyVector;
  const good = readFrames(vector as FramesVector).messages;
  test.each([
    ["refused", { messages: [], error: "no" }, "it was refused: no"],
    ["a missing message", { messages: good.slice(0, 3) }, "message 4 is missing"],
    ["a surplus message", { messages: [...good, good[0]!] }, /^message 5 is unexpected/],
    ["a different kind", { messages: [{ pong: "01" }, ...good.slice(1)] }, 'message 1 is {"pong":"01"}, not {"ping":"01"}'],
    ["a different payload", { messages: [{ ping: "02" }, ...good.slice(1)] }, 'message 1: ping is "02", not "01"'],
    ["a surplus member", { messages: [{ ping: "01", protocol: "x" }, ...good.slice(1)] }, 'message 1: protocol is "x", not absent'],
  ])("%s", (_, reading, why) => {
    expect(judgeReading(vector, { messages: good })).toBeUndefined();
    expect(judgeReading(vector, reading)).toMatch(why);
  });
  test("an accepted invalid vector", () => {
    expect(judgeReading({ ...vector, result: "invalid" } as AnyVector, { messages: good })).toBe("it was accepted, but must be refused");
  });
});
