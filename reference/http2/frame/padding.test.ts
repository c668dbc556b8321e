import { expect, test } from "vitest";
import { Writer } from "../../core/index.ts";
import { id, octets, toHex } from "../testing.ts";
import { Flag } from "./head.ts";
import { padOverhead, unpad, writePadding } from "./padding.ts";

const padded = { length: 0, type: 0, flags: Flag.PADDED, stream: id(1) };

test("unpad(): gives a span within the payload or a fault, for every length of padding", () => {
  for (let length = 0; length < 12; length++) {
    for (let pad = 0; pad < 14; pad++) {
      const got = unpad(padded, octets(length, pad), 4, "headersTooShort");
      const refused = length < 5 ? "headersTooShort" : "paddingTooLong";
      const expected = length >= 5 + pad ? { is: "span", from: 5, to: length - pad } : { is: "fault", name: refused };
      expect(got).toMatchObject(expected);
    }
  }
});

test("writes zeros, and counts the length byte", () => {
  const w = new Writer();
  writePadding(w, 3);
  writePadding(w, 0);
  writePadding(w, undefined);
  expect([toHex(w.take()), padOverhead(undefined), padOverhead(0), padOverhead(255)]).toEqual(["000000", 0, 1, 256]);
});
