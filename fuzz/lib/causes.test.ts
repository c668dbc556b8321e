import { expect, test } from "vitest";
import { Causes } from "./causes.ts";

const pieces = (...words: string[]) => words.map((one) => ({ words: one }));
const REFUSED = { kind: "refused", perPiece: true };

test("causes: what occurs in sequences that went well explains nothing", () => {
  const causes = new Causes();
  causes.clear(pieces("HEADERS 1", "PING 7"));
  causes.add(REFUSED, pieces("HEADERS 3", "GOAWAY 5"));
  expect(causes.without("refused", pieces("HEADERS 1", "GOAWAY 9", "PRIORITY 1"))).toEqual(pieces("HEADERS 1", "PRIORITY 1"));
  expect(causes.without("silent", pieces("GOAWAY 9"))).toEqual(pieces("GOAWAY 9"));
});

test("causes: a kind that names its cause is explained by the first finding", () => {
  const causes = new Causes();
  causes.add({ kind: "accepted pingOnStream" }, pieces("PING 1"));
  expect(causes.without("accepted pingOnStream", pieces("PING 3"))).toEqual([]);
});

test("causes: of findings that share a cause the shortest stays", () => {
  const causes = new Causes();
  causes.clear(pieces("HEADERS 1"));
  const [long, short, other] = [pieces("HEADERS 1", "GOAWAY 1", "PING 2"), pieces("GOAWAY 3"), pieces("PRIORITY 1")].map((some) => ({
    kind: "refused",
    pieces: some,
  }));
  expect(causes.distinct([long!, short!, other!])).toEqual([short, other]);
});
