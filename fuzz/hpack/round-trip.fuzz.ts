import { field, Writer, type Field } from "../../reference/core/index.ts";
import { Decoder, Encoder } from "../../reference/hpack/index.ts";
import type { Target } from "../lib/target.ts";

/** Reads field lists from octets. Each field is a kind, the length of the name, the name, the length of the value, the value. */
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

/** The same names and values, and sensitive fields still sensitive (the encoder may mark more: it has a list of sensitive names). */
const same = (before: readonly Field[], after: readonly Field[]): boolean =>
  before.length === after.length &&
  before.every((f, i) => after[i]?.name === f.name && after[i].value === f.value && (after[i].sensitive || !f.sensitive));

/** Encoder and decoder stay in step for any lists and any changes of the table size. */
export const target: Target = {
  name: "hpack/round-trip",
  about: "every field list decodes to itself, with sensitive fields marked, across changes of the table size",
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
      if (back.is !== "fields") throw new Error(`list ${i} decodes to ${JSON.stringify(back)}`);
      if (!same(list, back.fields)) throw new Error(`list ${i} changed`);
    }
  },
  seeds: [
    Buffer.from("0003036162630178f00003036162630178e003037365630173", "hex"),
    Buffer.from(`0005057061746831${"2f".repeat(20)}`, "hex"),
  ].map((b) => new Uint8Array(b)),
  maxLength: 1_024,
};
