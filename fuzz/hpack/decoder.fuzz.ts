import { Writer } from "../../reference/core/index.ts";
import { Decoder, Encoder, type Decoded } from "../../reference/hpack/index.ts";
import type { Target } from "../lib/target.ts";

const MAX_LIST = 4_096;

/** The first octet is the number of blocks that the rest is cut into, so that blocks depend on the dynamic table of earlier ones. */
function blocksOf(input: Uint8Array): Uint8Array[] {
  const count = 1 + ((input[0] ?? 0) & 3);
  const octets = input.subarray(1);
  const size = Math.ceil(octets.length / count);
  return Array.from({ length: count }, (_, i) => octets.slice(i * size, (i + 1) * size));
}

const decodeAll = (blocks: readonly Uint8Array[]): Decoded[] => {
  const decoder = new Decoder({ maxListSize: MAX_LIST });
  const results: Decoded[] = [];
  for (const block of blocks) {
    const result = decoder.decode(block);
    results.push(result);
    if (result.is === "fault") break;
  }
  return results;
};

/** The decoder is total, bounded and deterministic, and its fields survive encoding and decoding again. */
export const target: Target = {
  name: "hpack/decoder",
  about: "any octets decode to a fault or to fields within the list limit, and the fields survive encoding",
  run(input) {
    const blocks = blocksOf(input);
    const results = decodeAll(blocks);
    const again = decodeAll(blocks);
    if (JSON.stringify(results) !== JSON.stringify(again)) throw new Error("the same octets gave different results");
    const encoder = new Encoder();
    const decoder = new Decoder({ maxListSize: MAX_LIST });
    for (const result of results) {
      if (result.is === "fault") return;
      const size = result.fields.reduce((sum, field) => sum + field.name.length + field.value.length + 32, 0);
      if (size > MAX_LIST) throw new Error(`fields of ${size} octets exceed the limit of ${MAX_LIST}`);
      const writer = new Writer();
      encoder.encode(result.fields, writer);
      const back = decoder.decode(writer.take());
      if (back.is !== "fields") throw new Error(`our own encoding decodes to ${back.is}`);
      for (const [i, field] of result.fields.entries()) {
        const got = back.fields[i];
        if (got?.name !== field.name || got.value !== field.value) throw new Error(`field ${i} changed`);
      }
      if (back.fields.length !== result.fields.length) throw new Error("the number of fields changed");
    }
  },
  seeds: [
    "00828684410f7777772e6578616d706c652e636f6d",
    "00828684418cf1e3c2e5f23a6ba0ab90f4ff",
    "02828684be58086e6f2d6361636865828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
    "003fe11f82",
    "00100870617373776f726406736563726574",
    "01207f00",
  ].map((hex) => new Uint8Array(Buffer.from(hex, "hex"))),
  dictionary: ["3fe11f", "7fffffff0f", "ffffffff7f", "8cf1e3c2e5f23a6ba0ab90f4ff", "400161", "20"].map(
    (hex) => new Uint8Array(Buffer.from(hex, "hex")),
  ),
  maxLength: 512,
};
