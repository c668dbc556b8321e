import { field, Writer, type Field } from "../../reference/core/index.ts";
import { Decoder, Encoder } from "../../reference/hpack/index.ts";
import type { Target } from "../lib/target.ts";

/** Reads lists of fields out of octets: a kind, a length for the name, a length for the value, and the octets themselves. */
function listsOf(input: Uint8Array): Field[][] {
  const lists: Field[][] = [[]];
  let at = 0;
  const octets = (count: number): string => Buffer.from(input.subarray(at, (at += count))).toString("latin1");
  while (at < input.length) {
    const kind = input[at++] ?? 0;
    if (kind >= 0xf0) lists.push([]);
    else lists.at(-1)?.push(field(octets(1 + ((input[at++] ?? 0) & 0x1f)), octets((input[at++] ?? 0) & 0x7f), kind >= 0xe0));
  }
  return lists;
}

/** Names and values as they were; what was sensitive is so still (the encoder may mark more: it knows which fields are secrets). */
const same = (sent: readonly Field[], came: readonly Field[]): boolean =>
  sent.length === came.length &&
  sent.every((f, i) => came[i]?.name === f.name && came[i].value === f.value && (came[i].sensitive || !f.sensitive));

/** Encoder and decoder stay in step whatever lists they carry and however the table size changes between them. */
export const target: Target = {
  name: "hpack/round-trip",
  about: "every list of fields comes back as it was, sensitive ones marked so, across changes of the table size",
  run(input) {
    const encoder = new Encoder();
    const decoder = new Decoder({ maxListSize: 1 << 20 });
    for (const [i, list] of listsOf(input).entries()) {
      if (i % 3 === 2) {
        const size = ((input[i] ?? 0) & 7) * 64;
        decoder.maxTableSize = size;
        encoder.maxTableSize = size;
      }
      const writer = new Writer();
      encoder.encode(list, writer);
      const back = decoder.decode(writer.take());
      if (back.is !== "fields") throw new Error(`list ${i} came back as ${JSON.stringify(back)}`);
      if (!same(list, back.fields)) throw new Error(`list ${i} came back changed`);
    }
  },
  seeds: [
    Buffer.from("0003036162630178f00003036162630178e003037365630173", "hex"),
    Buffer.from(`0005057061746831${"2f".repeat(20)}`, "hex"),
  ].map((b) => new Uint8Array(b)),
  maxLength: 1_024,
};
