import { field, type Field } from "../../../reference/core/index.ts";
import { EOS, HUFFMAN_CODES, HUFFMAN_LENGTHS } from "../../../reference/field-coding/huffman-table.ts";
import type { Decoder } from "../../../reference/hpack/index.ts";
import type { Chance } from "./chance.ts";
import { fieldOf } from "./hpack-fields.ts";

/** Header blocks made by hand: any index, any size update, strings in either code (rfc7541#6). */

/** An integer (rfc7541#5.1). */
export function integerOf(pattern: number, prefix: number, value: number): number[] {
  const full = 2 ** prefix - 1;
  if (value < full) return [pattern | value];
  const octets = [pattern | full];
  let rest = value - full;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) octets.push((rest % 0x80) | 0x80);
  return [...octets, rest];
}
/** An integer, now and then with more octets than it needs. */
function integer(chance: Chance, pattern: number, prefix: number, value: number): number[] {
  const octets = integerOf(pattern, prefix, value);
  if (octets.length === 1 || !chance.once(20)) return octets;
  const zeros = Array.from({ length: chance.below(5) }, () => 0x80);
  return [...octets.slice(0, -1), octets.at(-1)! | 0x80, ...zeros, 0];
}

const codeOf = (symbol: number): string => HUFFMAN_CODES[symbol]!.toString(2).padStart(HUFFMAN_LENGTHS[symbol]!, "0");

/** The Huffman code of a string, with any padding (rfc7541#5.2). */
function huffman(chance: Chance, text: string): number[] {
  let bits = Array.from(text, (character) => codeOf(character.charCodeAt(0))).join("");
  if (chance.once(30)) bits += codeOf(EOS).slice(0, chance.one([8, 16, 29, 30]));
  const padding = (8 - (bits.length % 8)) % 8;
  bits += chance.once(30) ? chance.below(256).toString(2).padStart(8, "0").slice(0, padding) : "1".repeat(padding);
  if (chance.once(30)) bits += "1".repeat(8);
  return (bits.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2));
}

function string(chance: Chance, text: string): number[] {
  const isCoded = chance.once(2);
  const octets = isCoded ? huffman(chance, text) : Array.from(text, (character) => character.charCodeAt(0));
  const length = chance.once(60) ? octets.length + chance.between(-1, 1) : octets.length;
  return [...integer(chance, isCoded ? 0x80 : 0, 7, Math.max(0, length)), ...octets];
}

/** A string without Huffman coding. */
export const plainString = (text: string): number[] => [...integerOf(0, 7, text.length), ...Buffer.from(text, "latin1")];

const STATIC = 61;

/** An index: of the static table, of the dynamic table, or just beyond them. */
function index(chance: Chance, decoder: Decoder, inserted: number): number {
  const last = STATIC + decoder.table.length + inserted;
  if (chance.once(3)) return chance.between(1, STATIC);
  return chance.once(12) ? chance.one([0, STATIC, STATIC + 1, last + 1, last + 2, 200]) : chance.between(Math.min(last, STATIC + 1), last);
}

/** The decoder that is to read a block, the capacity of its table, and the largest that it still accepts (rfc7541#4.2). */
type Reading = { readonly decoder: Decoder; readonly capacity: number; readonly owed: number | undefined };

/** A block, most likely a valid one, and the capacity after it. */
export function blockOf(
  chance: Chance,
  { decoder, owed, capacity: before }: Reading,
): { readonly block: Uint8Array; readonly capacity: number } {
  const octets: number[] = [];
  let capacity = before;
  const update = (size: number): void => {
    octets.push(...integer(chance, 0x20, 5, size));
    capacity = size;
  };
  const most = decoder.maxTableSize;
  if (owed !== undefined && !chance.once(12)) update(chance.once(2) ? owed : chance.below(owed + 1));
  for (let updates = chance.one([0, 0, 0, 1, 2]); updates > 0; updates--)
    update(chance.once(6) ? chance.near(most) : chance.once(3) ? most : Math.min(most, chance.below(300)));
  let inserted = 0;
  for (let left = chance.below(7); left > 0; left--) {
    const { name, value } = chance.once(5) ? filling(chance, capacity) : fieldOf(chance);
    switch (chance.below(chance.once(30) ? 5 : 4)) {
      case 0:
        octets.push(...integer(chance, 0x80, 7, index(chance, decoder, inserted)));
        break;
      case 1:
      case 2:
        inserted += 1;
        if (chance.once(2)) octets.push(...integer(chance, 0x40, 6, index(chance, decoder, inserted - 1)), ...string(chance, value));
        else octets.push(0x40, ...string(chance, name), ...string(chance, value));
        break;
      case 3: {
        const pattern = chance.one([0x00, 0x10]);
        if (chance.once(2)) octets.push(...integer(chance, pattern, 4, index(chance, decoder, inserted)), ...string(chance, value));
        else octets.push(pattern, ...string(chance, name), ...string(chance, value));
        break;
      }
      default:
        update(chance.near(most));
    }
  }
  return { block: Uint8Array.from(octets), capacity };
}

/** A field whose entry fills the table, or is one octet more or less. */
function filling(chance: Chance, capacity: number): Field {
  const name = "n";
  return field(name, "v".repeat(Math.max(0, chance.near(Math.min(capacity, 600) - 32 - name.length))));
}

/** The octets with one change: an octet altered, lost or doubled, or the end cut off. */
export function damaged(chance: Chance, octets: Uint8Array): Uint8Array {
  const at = chance.below(octets.length + 1);
  switch (chance.below(5)) {
    case 0:
      return octets.map((octet, place) => (place === at ? octet ^ (1 << chance.below(8)) : octet));
    case 1:
      return octets.map((octet, place) => (place === at ? chance.below(256) : octet));
    case 2:
      return octets.slice(0, at);
    case 3:
      return Uint8Array.from([...octets.subarray(0, at), ...octets.subarray(Math.max(0, at - 1))]);
    default:
      return Uint8Array.from([...octets.subarray(0, Math.max(0, at - 1)), ...octets.subarray(at)]);
  }
}
