import { expect, test } from "vitest";
import { live } from "./hpack.ts";
import { livesSee, testSeeds } from "./testing.ts";

testSeeds(live, 60);

test("mistakes in tables, codes and limits show", async () => {
  const keys = [
    "reference/field-coding/dynamic-table.ts | constant-plus-1 | DynamicTable.#grow | 2",
    "reference/hpack/decoder.ts | boundary | Decoder.decode | size <= this.#maxListSize",
    "reference/field-coding/prefix-integer.ts | boundary | readMore | value <= most",
  ];
  expect(await livesSee("hpack", 600, keys)).toEqual(keys.map(() => true));
});

test("a mistake that changes nothing does not show", async () => {
  const same = "reference/field-coding/huffman-encode.ts | boundary | writeHuffman | length > 16";
  expect(await livesSee("hpack", 600, [same])).toEqual([false]);
});
