import { field, Writer, type Field } from "../../../reference/core/index.ts";
import { Cursor, readInteger, readString, STRING_ROOM, writeInteger, writeString } from "../../../reference/field-coding/index.ts";
import { Decoder, Encoder, STATIC_TABLE, type Decoded } from "../../../reference/hpack/index.ts";
import { Chance } from "./chance.ts";
import { blockOf, damaged } from "./hpack-blocks.ts";
import { fieldOf, textOf } from "./hpack-fields.ts";
import { fieldsText, octetsText, outcome } from "./text.ts";

/** Lives of HPACK: an encoder with its decoder, a decoder alone, and the codes of integers and strings. */

const OVERHEAD = 32;
const sizeOf = ({ name, value }: Field): number => name.length + value.length + OVERHEAD;

export function live(seed: number): string {
  const chance = new Chance(seed);
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  switch (seed % 4) {
    case 0:
    case 1:
      talk(chance, say);
      break;
    case 2:
      listen(chance, say);
      break;
    default:
      code(chance, say);
  }
  return lines.join("\n");
}

const TABLE_SIZES = [0, 1, 31, 32, 33, 64, 100, 150, 200, 400, 4_095, 4_096, 4_097, 65_536] as const;
type Say = (line: string) => void;

function decodedText(decoded: Decoded): string {
  if (decoded.is === "fault") return `${decoded.name} ${decoded.code} ${decoded.spec}`;
  return `${decoded.is} ${fieldsText(decoded.fields)}${decoded.is === "tooLarge" ? ` of ${decoded.size}` : ""}`;
}
/** The decoder decodes a block, and shows its table. Returns whether it can go on. */
function heard(decoder: Decoder, block: Uint8Array, say: Say): boolean {
  const decoded = decoder.decode(block);
  say(`  ${decodedText(decoded)}`);
  say(`  table ${decoder.tableSize} of ${decoder.maxTableSize} ${fieldsText(decoder.table)}`);
  return decoded.is !== "fault";
}

/** An encoder and a decoder of one direction of a connection, with limits that change at any moment. */
function talk(chance: Chance, say: Say): void {
  // Many short fields fill a table with many entries.
  const isMany = chance.once(5);
  const sizes = isMany ? ([4_096, 2_000, 65_536] as const) : TABLE_SIZES;
  const maxTableSize = chance.once(3) ? undefined : chance.one(sizes);
  const tableSize = chance.once(3) ? undefined : chance.one(sizes);
  const pool = isMany
    ? Array.from({ length: 60 }, (_, at) => field(`n${at % 7}`, String(at)))
    : Array.from({ length: chance.between(2, 8) }, () => fieldOf(chance));
  // A limit that the lists meet exactly.
  const maxListSize = chance.once(2) ? undefined : pool.slice(0, chance.between(1, 4)).reduce((sum, one) => sum + sizeOf(one), 0);
  const named = <Name extends string>(name: Name, value: number | undefined) => (value === undefined ? {} : { [name]: value });
  const encoder = new Encoder({ ...named("tableSize", tableSize), ...named("maxTableSize", maxTableSize) });
  const decoder = new Decoder({ ...named("maxTableSize", maxTableSize), ...named("maxListSize", maxListSize) });
  say(`table ${tableSize} limit ${maxTableSize} list ${maxListSize}`);
  for (let left = chance.between(2, 12); left > 0; left--) {
    for (let changes = chance.one([0, 0, 0, 1, 1, 2, 3]); changes > 0; changes--) {
      const size = chance.once(3) ? chance.near(encoder.maxTableSize) : chance.one(sizes);
      // Now and then one side does not learn of it.
      const [isEncoder, isDecoder] = [!chance.once(20), !chance.once(20)];
      if (isDecoder) decoder.maxTableSize = size;
      if (isEncoder) encoder.maxTableSize = size;
      say(`limit ${size} ${isEncoder} ${isDecoder}: ${encoder.maxTableSize} ${decoder.maxTableSize}`);
    }
    const list = Array.from({ length: chance.below(isMany ? 24 : 6) }, () => {
      const one = chance.any(pool)!;
      return chance.once(6) ? field(one.name, fieldOf(chance).value) : chance.once(20) ? field(one.name, "Ā") : one;
    });
    const writer = new Writer();
    if (chance.once(4)) writer.bytes(chance.octets(chance.below(5)));
    say(outcome(() => encoder.encode(list, writer)));
    const before = writer.take();
    const block = chance.once(40) ? damaged(chance, before) : before;
    say(`${fieldsText(list)} ${octetsText(block)}`);
    if (!heard(decoder, block, say)) return;
  }
}

/** A decoder that hears blocks made by hand, some of them damaged. */
function listen(chance: Chance, say: Say): void {
  const limits = {
    maxTableSize: chance.one(TABLE_SIZES),
    maxListSize: chance.one([0, 33, 40, 100, 1_000, 16_384]),
    maxStringLength: chance.one([0, 1, 5, 10, 127, 65_536]),
  };
  const decoder = chance.once(5) ? new Decoder() : new Decoder(limits);
  say(JSON.stringify(limits));
  let capacity = decoder.maxTableSize;
  for (let left = chance.between(1, 10); left > 0; left--) {
    let owed: number | undefined;
    for (let changes = chance.one([0, 0, 0, 1, 2]); changes > 0; changes--) {
      const size = chance.once(2) ? chance.near(decoder.tableSize) : chance.one(TABLE_SIZES);
      decoder.maxTableSize = size;
      if (size < (owed ?? capacity)) owed = size;
      say(`limit ${size}`);
    }
    const { block, capacity: next } = blockOf(chance, { decoder, owed, capacity });
    capacity = next;
    const sent = chance.once(10) ? damaged(chance, block) : block;
    say(octetsText(sent));
    if (!heard(decoder, sent, say)) return;
    // A decoder must not refer to the block any more.
    sent.fill(0);
  }
}

const PREFIXES = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const EDGES = [0, 1, 2 ** 7, 2 ** 14, 2 ** 21, 2 ** 28, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 35] as const;

/** The codes of integers and strings, cut and damaged. */
function code(chance: Chance, say: Say): void {
  const cursor = new Cursor();
  for (let left = chance.between(3, 12); left > 0; left--) {
    const prefix = chance.one(PREFIXES);
    const octets = new Uint8Array(2_100);
    let end = 0;
    if (chance.once(2)) {
      const pattern = (chance.below(256) << prefix) & 0xff;
      const value = chance.once(3) ? chance.near(2 ** prefix - 1) : chance.near(chance.one(EDGES) + (chance.once(2) ? 2 ** prefix - 1 : 0));
      end = writeInteger(octets, chance.below(3), pattern, prefix, value);
      say(`integer ${value} of ${prefix} bits after ${pattern} ends at ${end}`);
    } else {
      const text = chance.once(30) ? `a${textOf(chance)}Ā` : textOf(chance);
      octets.fill(0xa5);
      say(`string ${text.length}`);
      say(outcome(() => (end = writeString(octets, 0, text))));
      if (end > text.length + STRING_ROOM) say("more than its room");
    }
    const written = octets.slice(0, end);
    const given = chance.once(2) ? written : damaged(chance, chance.once(4) ? chance.octets(chance.between(1, 12)) : written);
    say(octetsText(given));
    cursor.open(given);
    const read = chance.once(2) ? readInteger(cursor, prefix) : readString(cursor, chance.once(3) ? chance.near(end) : 65_536);
    say(`${JSON.stringify(read)} at ${cursor.at} of ${cursor.end} ${cursor.fault}`);
    if (chance.once(2)) cursor.close();
    say(`${cursor.at} ${cursor.end} ${cursor.octets.length}`);
  }
  if (chance.once(20)) say(fieldsText(STATIC_TABLE));
}
