import { describe, expect, test } from "vitest";
import { fromLatin1, toHex } from "../wire/octets.ts";
import { hiding } from "./hide.ts";
import type { CaseResult } from "./result.ts";

const SECRET = "Basic dXNlcjpwYXNz";
const result = (means: string, octets = means): CaseResult => ({
  id: "a",
  spec: "rfc9112#3",
  level: "MUST",
  role: "server",
  title: "t",
  verdict: "fail",
  reason: `it sent ${SECRET}`,
  expected: [],
  observed: SECRET,
  covers: [],
  ms: 0,
  transcript: [{ at: 0, way: "->", means, hex: toHex(fromLatin1(octets)) }],
  control: [{ at: 0, way: "<-", means }],
});
const whole = `GET / HTTP/1.1 Authorization: ${SECRET} Host: a`;
const leaks = (hidden: CaseResult, secret = SECRET): boolean => {
  const text = JSON.stringify(hidden);
  return text.includes(secret) || text.includes(toHex(fromLatin1(secret)));
};

describe("hiding()", () => {
  test("a secret is in no word and in no octet, and everything else stays", () => {
    const hidden = hiding([SECRET])(result(whole));
    expect(leaks(hidden)).toBe(false);
    expect(hidden.transcript[0]?.means).toBe(whole.replace(SECRET, "*".repeat(SECRET.length)));
    expect(Buffer.from(hidden.transcript[0]?.hex ?? "", "hex").toString()).toBe(whole.replace(SECRET, "*".repeat(SECRET.length)));
  });

  test("the beginning of a secret where a transcript was cut is hidden too", () => {
    const hidden = hiding([SECRET])(result('GET / Authorization: Basic dXNl…"', "GET / Authorization: Basic dXNl"));
    expect(leaks(hidden, "Basic dXN")).toBe(false);
    expect(hidden.transcript[0]?.means).toBe('GET / Authorization: **********…"');
  });

  test("without secrets the result is the same", () => {
    const one = result(whole);
    expect(hiding([])(one)).toBe(one);
  });
});
