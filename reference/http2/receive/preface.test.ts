import { expect, test } from "vitest";
import { CLIENT_PREFACE, Preface } from "./preface.ts";
import { toHex } from "../testing.ts";

test("CLIENT_PREFACE: the bytes of the specification", () => {
  expect(toHex(CLIENT_PREFACE)).toBe("505249202a20485454502f322e300d0a0d0a534d0d0a0d0a");
});

test("Preface: read in pieces of any size, returns what follows", () => {
  const preface = new Preface();
  for (const octet of CLIENT_PREFACE.subarray(0, 23)) expect(preface.read(Uint8Array.of(octet))).toHaveLength(0);
  expect(preface.complete).toBe(false);
  expect(preface.read(Uint8Array.of(0x0a, 1, 2))).toEqual(Uint8Array.of(1, 2));
  expect(preface.complete).toBe(true);
});

test("Preface: refuses the first wrong byte at once", () => {
  for (let at = 0; at < CLIENT_PREFACE.length; at++) {
    const wrong = CLIENT_PREFACE.slice(0, at + 1);
    wrong[at]! ^= 1;
    expect(new Preface().read(wrong), `octet ${at}`).toBeUndefined();
  }
});
