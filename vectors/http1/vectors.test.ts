import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FAULTS, type FaultName } from "../../reference/http1/index.ts";
import { linter } from "../lint.ts";
import { kindOf, loadVectors, vectorFiles } from "../load.ts";
import { fileOf, SOURCES } from "./make.ts";
import { judgeReading } from "./question.ts";
import { read, type Asked } from "./read.ts";
import type { MessageVector } from "./source/craft.ts";

/** The vectors of HTTP/1.1 against our own machine, in one piece and octet by octet; they were written from the specification's text. */

const files = vectorFiles().filter((name) => name.startsWith("http1/"));
const all = files.flatMap((name) => {
  const file = loadVectors<MessageVector>(name);
  return file.vectors.map((vector) => ({ name: `${name} ${vector.id}: ${vector.note}`, kind: kindOf(file), vector }));
});
const asked = (kind: string, { octets, to, ended }: MessageVector): Asked => ({
  octets,
  ...(kind === "http1-response" ? { to: to ?? ["GET"] } : {}),
  ...(ended === undefined ? {} : { ended }),
});

test("every file keeps to its schema, is what its source makes, and there are as many vectors as were promised", () => {
  const lint = linter();
  expect(files.flatMap((name) => lint(name))).toEqual([]);
  expect(files).toEqual(
    Object.keys(SOURCES)
      .map((name) => `http1/${name}`)
      .sort(),
  );
  for (const [name, source] of Object.entries(SOURCES))
    expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8"), `node vectors/http1/make.ts (${name})`).toBe(fileOf(name, source));
  expect(all.length).toBeGreaterThanOrEqual(300);
});

describe.each([
  ["in one piece", undefined],
  ["octet by octet", 1],
])("%s", (_, cut) => {
  test.each(all)("$name", ({ kind, vector }) => {
    const reading = read({ ...asked(kind, vector), ...(cut === undefined ? {} : { cut }) });
    expect(judgeReading(vector, reading)).toBeUndefined();
    const { fault, status, result } = vector;
    if (result === "valid") return;
    // What a vector names is why we refuse it; what it names nothing for, we take.
    expect(reading.error).toBe(fault);
    if (fault === undefined) return;
    expect(reading.status).toBe(status);
    expect(kind === "http1-response" || FAULTS[fault as FaultName].status === status, "the status of that fault").toBe(true);
  });
});

const withTrailers = all.filter(({ vector }) => vector.messages.some(({ trailers }) => trailers !== undefined) && vector.result === "valid");
test.each(withTrailers)("trailer fields are kept, but for those that do not belong there: $name", ({ kind, vector }) => {
  const got = read(asked(kind, vector)).messages.map(({ trailers = [] }) => trailers);
  const isMisplaced = vector.flags.includes("TrailerMisplaced");
  expect(got).toEqual(vector.messages.map(({ trailers = [] }) => (isMisplaced ? [] : trailers)));
});

const lenient = all.filter(({ vector }) => vector.lenient !== undefined);
test("leniencies have vectors", () => expect(new Set(lenient.map(({ vector }) => vector.lenient)).size).toBeGreaterThanOrEqual(8));
test.each(lenient)("taken where $vector.lenient is allowed: $name", ({ kind, vector }) => {
  for (const cut of [1, 1_000_000]) {
    const reading = read({ ...asked(kind, vector), cut, lenient: { [vector.lenient!]: true } });
    expect(reading.error).toBeUndefined();
    expect(judgeReading(vector, reading)).toBeUndefined();
  }
});

describe("a reading is judged by what it says", () => {
  const [vector] = loadVectors<MessageVector>("http1/request-framing").vectors.filter(({ note }) => note === "a length of 3 and a request behind it");
  const good = read({ octets: vector!.octets }).messages;
  test.each([
    ["refused", { messages: [], error: "no" }, "it was refused: no"],
    ["one message too few", { messages: good.slice(0, 1) }, "message 2 is missing"],
    ["one message too many", { messages: [...good, good[0]!] }, /^message 3 is unexpected/],
    ["other content", { messages: [{ ...good[0], content: "ab" }, good[1]!] }, 'message 1: content is "ab", not "abc"'],
    ["a field lost", { messages: [{ ...good[0], fields: [] }, good[1]!] }, /^message 1: fields are \[\], not/],
    ["trailers from nowhere", { messages: [{ ...good[0], trailers: [["x", "y"]] }, good[1]!] }, /^message 1: trailers are/],
    ["another end of the connection", { messages: [{ ...good[0], persists: false }, good[1]!] }, "message 1: persists is false, not true"],
  ])("%s", (_, reading, why) => {
    expect(judgeReading(vector!, { messages: good })).toBeUndefined();
    expect(judgeReading(vector!, reading)).toMatch(why);
  });
  test("what has to be refused was accepted", () => {
    expect(judgeReading({ ...vector!, result: "invalid" }, { messages: good })).toBe("it was accepted, but must be refused");
  });
});
