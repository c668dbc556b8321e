import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FAULTS, type FaultName } from "../../reference/http1/index.ts";
import { linter } from "../lint.ts";
import { kindOf, loadVectors, vectorFiles } from "../load.ts";
import { fileOf, SOURCES } from "./make.ts";
import { judgeReading } from "./question.ts";
import { read, type Input } from "./read.ts";
import type { MessageVector } from "./source/craft.ts";

/** Our own connection against the vectors of HTTP/1.1, which were written from the text of the specification: in one piece and octet by octet. */

const files = vectorFiles().filter((name) => name.startsWith("http1/"));
const all = files.flatMap((name) => {
  const file = loadVectors<MessageVector>(name);
  return file.vectors.map((vector) => ({ name: `${name} ${vector.id}: ${vector.note}`, kind: kindOf(file), vector }));
});
const inputOf = (kind: string, { octets, to, ended }: MessageVector): Input => ({
  octets,
  ...(kind === "http1-response" ? { to: to ?? ["GET"] } : {}),
  ...(ended === undefined ? {} : { ended }),
});

test("every file is valid by its schema and up to date with its source", () => {
  const lint = linter();
  expect(files.flatMap((name) => lint(name))).toEqual([]);
  expect(files).toEqual(
    Object.keys(SOURCES)
      .map((name) => `http1/${name}`)
      .sort(),
  );
  for (const [name, source] of Object.entries(SOURCES))
    expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8"), `node vectors/http1/make.ts (${name})`).toBe(
      fileOf(name, source),
    );
  expect(all.length).toBeGreaterThanOrEqual(300);
});

describe.each([
  ["in one piece", undefined],
  ["octet by octet", 1],
])("%s", (_, cut) => {
  test.each(all)("$name", ({ kind, vector }) => {
    const reading = read({ ...inputOf(kind, vector), ...(cut === undefined ? {} : { cut }) });
    expect(judgeReading(vector, reading)).toBeUndefined();
    const { fault, status, result } = vector;
    if (result === "valid") return;
    // `fault` is why we refuse a vector; we accept one without a fault.
    expect(reading.error).toBe(fault);
    if (fault === undefined) return;
    expect(reading.status).toBe(status);
    expect(kind === "http1-response" || FAULTS[fault as FaultName].status === status, "the status of that fault").toBe(true);
  });
});

const withTrailers = all.filter(
  ({ vector }) => vector.messages.some(({ trailers }) => trailers !== undefined) && vector.result === "valid",
);
test.each(withTrailers)("trailer fields are kept, except for misplaced ones: $name", ({ kind, vector }) => {
  const got = read(inputOf(kind, vector)).messages.map(({ trailers = [] }) => trailers);
  const isMisplaced = vector.flags.includes("TrailerMisplaced");
  expect(got).toEqual(vector.messages.map(({ trailers = [] }) => (isMisplaced ? [] : trailers)));
});

const lenient = all.filter(({ vector }) => vector.lenient !== undefined);
test("at least eight leniencies have vectors", () =>
  expect(new Set(lenient.map(({ vector }) => vector.lenient)).size).toBeGreaterThanOrEqual(8));
test.each(lenient)("accepted with the leniency $vector.lenient: $name", ({ kind, vector }) => {
  for (const cut of [1, 1_000_000]) {
    const reading = read({ ...inputOf(kind, vector), cut, lenient: { [vector.lenient!]: true } });
    expect(reading.error).toBeUndefined();
    expect(judgeReading(vector, reading)).toBeUndefined();
  }
});

describe("judgeReading()", () => {
  const [vector] = loadVectors<MessageVector>("http1/request-framing").vectors.filter(
    ({ note }) => note === "a length of 3, then a request",
  );
  const good = read({ octets: vector!.octets }).messages;
  test.each([
    ["refused", { messages: [], error: "no" }, "it was refused: no"],
    ["a missing message", { messages: good.slice(0, 1) }, "message 2 is missing"],
    ["a surplus message", { messages: [...good, good[0]!] }, /^message 3 is unexpected/],
    ["different content", { messages: [{ ...good[0], content: "ab" }, good[1]!] }, 'message 1: content is "ab", not "abc"'],
    ["a lost field", { messages: [{ ...good[0], fields: [] }, good[1]!] }, /^message 1: fields are \[\], not/],
    ["unexpected trailers", { messages: [{ ...good[0], trailers: [["x", "y"]] }, good[1]!] }, /^message 1: trailers are/],
    ["different persistence", { messages: [{ ...good[0], persists: false }, good[1]!] }, "message 1: persists is false, not true"],
  ])("%s", (_, reading, why) => {
    expect(judgeReading(vector!, { messages: good })).toBeUndefined();
    expect(judgeReading(vector!, reading)).toMatch(why);
  });
  test("an accepted invalid vector", () => {
    expect(judgeReading({ ...vector!, result: "invalid" }, { messages: good })).toBe("it was accepted, but must be refused");
  });
});
