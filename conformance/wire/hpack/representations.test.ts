import { describe, expect, test } from "vitest";
import { representations } from "./representations.ts";
import { fromHex } from "../octets.ts";

const read = (hex: string) => representations(fromHex(hex));

describe("representations()", () => {
  test("the first bits determine the form (rfc7541#6)", () => {
    const { all, broken } = read("82" + "3fe11f" + "400161" + "0162" + "04022f78" + "1001780179");
    expect(broken).toBe(false);
    expect(all.map((one) => (one.is === "literal" ? one.mode : one.is))).toEqual([
      "indexed",
      "size update",
      "incremental",
      "without",
      "never",
    ]);
    expect(all[1]).toMatchObject({ size: { value: 4096 } });
    expect(all[3]).toMatchObject({ index: { value: 4 }, value: { huffman: false } });
    expect(all[4]).toMatchObject({ index: { value: 0 }, name: { octets: fromHex("78") } });
  });

  test("integers: value, and whether a shorter form exists (rfc7541#5.1)", () => {
    expect(read("ff00").all[0]).toMatchObject({ index: { value: 127, octets: 2, shortest: true } });
    expect(read("ff8000").all[0]).toMatchObject({ index: { value: 127, octets: 3, shortest: false } });
    expect(read("ff9a0a").all[0]).toMatchObject({ index: { value: 1433, octets: 3, shortest: true } });
  });

  test.each(["ff", "40", "4005", "400561", "000161", "ffffffffffffffffffff"])("%s breaks off", (hex) => {
    expect(read(hex).broken).toBe(true);
  });
});
