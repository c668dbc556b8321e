import { expect, test } from "vitest";
import { Writer } from "../../core/index.ts";
import { readText, writeText } from "./text.ts";

test("text: every byte survives the round trip", () => {
  const all = Uint8Array.from({ length: 256 }, (_, octet) => octet);
  const w = new Writer();
  writeText(w, readText(all));
  expect(w.take()).toEqual(all);
});
