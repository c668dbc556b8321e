import { field, type Field, Writer } from "../../../reference/core/index.ts";
import { writeInteger, writeString } from "../../../reference/field-coding/index.ts";
import { type Decoded, Decoder, Encoder, type QpackFault, STATIC_TABLE } from "../../../reference/qpack/index.ts";
import { Chance } from "./chance.ts";
import { damaged } from "./hpack-blocks.ts";
import { fieldOf } from "./hpack-fields.ts";
import { fieldsText, octetsText, outcome } from "./text.ts";

/** Lives of QPACK: an encoder and a decoder between which things come late, and a decoder that gets what no encoder sends. */

type Say = (line: string) => void;
type Result = Decoded | { readonly is: "blocked" };

export function live(seed: number): string {
  const chance = new Chance(seed);
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  if (seed % 3 === 0) listen(chance, say);
  else talk(chance, say);
  return lines.join("\n");
}

const faultText = ({ name, code, scope, spec }: QpackFault): string => `${name} ${code} ${scope} ${spec}`;
function resultText(result: Result): string {
  if (result.is === "fault") return faultText(result);
  if (result.is === "blocked") return "blocked";
  return `${result.is} ${fieldsText(result.fields)}${result.is === "tooLarge" ? ` of ${result.size}` : ""}`;
}
const isOver = (result: Result): boolean => result.is === "fault" && result.scope === "connection";

const CAPACITIES = [0, 31, 32, 33, 64, 68, 100, 102, 150, 220, 400, 4_095, 4_096, 4_097, 100_000] as const;

/** A decoder that says all that it learns. */
class Listener {
  readonly #decoder: Decoder;
  readonly #say: Say;
  isOver = false;

  constructor(decoder: Decoder, say: Say) {
    this.#decoder = decoder;
    this.#say = say;
  }

  section(stream: number, octets: Uint8Array): void {
    const result = this.#decoder.decode(stream, octets);
    this.#say(`  section of ${stream}: ${resultText(result)}`);
    this.isOver ||= isOver(result);
    this.#state();
  }
  instructions(octets: Uint8Array): void {
    const { unblocked, fault } = this.#decoder.receive(octets);
    for (const { streamId, decoded } of unblocked) this.#say(`  freed ${streamId}: ${resultText(decoded)}`);
    if (fault !== undefined) this.#say(`  ${faultText(fault)}`);
    this.isOver ||= fault !== undefined || unblocked.some(({ decoded }) => isOver(decoded));
    this.#state();
  }
  #state(): void {
    const { inserted, tableSize, table, blockedStreams } = this.#decoder;
    this.#say(`  ${inserted} inserted, ${tableSize} octets ${fieldsText(table)}, ${blockedStreams} blocked`);
  }
}

/** An encoder and a decoder of one direction of a connection: octets and sections arrive in pieces, late, or never. */
function talk(chance: Chance, say: Say): void {
  const capacity = chance.one(CAPACITIES);
  const blocked = chance.one([0, 0, 1, 2, 5, 16, 200]);
  const options = {
    ...(chance.once(2) ? {} : { tableCapacity: chance.one(CAPACITIES) }),
    ...(chance.once(2) ? {} : { maxBlockedStreams: chance.one([0, 1, 2, 100]) }),
    ...(chance.once(4) ? { maxOutstanding: chance.between(0, 3) } : {}),
  };
  say(`${JSON.stringify(options)} for ${capacity}, ${blocked}`);
  const encoder = chance.once(6) ? new Encoder() : new Encoder(options);
  const limits = { maxTableCapacity: capacity, maxBlockedStreams: blocked };
  const decoder = new Decoder(limits);
  const listener = new Listener(decoder, say);
  const pool: Field[] = Array.from({ length: chance.between(2, chance.once(4) ? 40 : 8) }, () => fieldOf(chance));
  const writer = new Writer();
  let instructions = new Uint8Array(0);
  let answers = new Uint8Array(0);
  const sections: { readonly stream: number; readonly octets: Uint8Array }[] = [];
  const settle = (wrong: QpackFault | undefined): boolean => {
    if (wrong !== undefined) say(`  encoder: ${faultText(wrong)}`);
    return wrong === undefined;
  };
  if (!chance.once(8) && !settle(encoder.settings(limits))) return;
  for (let left = chance.between(4, 40); left > 0 && !listener.isOver; left--) {
    switch (chance.weighed({ send: 8, instructions: 4, section: 6, answers: 5, cancel: 1, settings: 1, credit: 1, noise: 0.3 })) {
      case "send": {
        const stream = chance.below(6) * 4;
        const list = Array.from({ length: chance.below(6) }, () => {
          const one = chance.any(pool)!;
          return chance.once(5) ? field(one.name, fieldOf(chance).value, chance.once(6)) : chance.once(40) ? field(one.name, "Ā") : one;
        });
        if (chance.once(3)) writer.bytes(chance.octets(chance.below(4)));
        const result = outcome(() => encoder.encode(stream, list, writer));
        const octets = writer.take();
        const fresh = encoder.take();
        say(`send ${stream} ${fieldsText(list)} ${result} ${octetsText(octets)} after ${octetsText(fresh)}`);
        instructions = Uint8Array.from([...instructions, ...fresh]);
        if (!result.startsWith("throws")) sections.push({ stream, octets });
        break;
      }
      case "instructions": {
        const count = chance.once(3) ? chance.below(12) : instructions.length;
        say(`instructions ${octetsText(instructions.subarray(0, count))}`);
        listener.instructions(instructions.subarray(0, count));
        instructions = instructions.slice(count);
        break;
      }
      case "section": {
        const [next] = sections.splice(chance.once(2) ? 0 : chance.below(sections.length + 1), 1);
        if (next !== undefined) listener.section(next.stream, next.octets);
        break;
      }
      case "answers": {
        answers = Uint8Array.from([...answers, ...decoder.take()]);
        const count = chance.once(3) ? chance.below(4) : answers.length;
        say(`answers ${octetsText(answers.subarray(0, count))}`);
        if (!settle(encoder.receive(answers.subarray(0, count)))) return;
        answers = answers.slice(count);
        break;
      }
      case "cancel":
        decoder.cancel(chance.below(6) * 4);
        break;
      case "settings":
        if (!settle(encoder.settings(chance.once(2) ? limits : { maxTableCapacity: chance.one(CAPACITIES), maxBlockedStreams: blocked })))
          return;
        break;
      case "credit":
        encoder.credit = chance.one([0, 40, 60, 100, 1_000, Infinity]);
        break;
      case "noise":
        if (!settle(encoder.receive(chance.octets(chance.between(1, 3))))) return;
    }
    say(`${encoder.inserted} inserted, ${encoder.known} known, ${encoder.outstanding} outstanding`);
  }
}

const LONG = [0, 1, 2, 3, 30, 31, 32, 62, 63, 64, 97, 98, 99, 127, 128, 255, 300, 16_384, 2 ** 32, 2 ** 53, 2 ** 61] as const;

/** Instructions and sections made by hand, most of them right. */
function listen(chance: Chance, say: Say): void {
  const limits = {
    maxTableCapacity: chance.one(CAPACITIES),
    maxBlockedStreams: chance.one([0, 1, 2, 16]),
    maxListSize: chance.one([0, 33, 40, 100, 1_000, 16_384]),
    maxStringLength: chance.one([0, 1, 5, 10, 127, 65_536]),
  };
  const decoder = chance.once(5) ? new Decoder() : new Decoder(limits);
  const listener = new Listener(decoder, say);
  say(JSON.stringify(limits));
  const room = new Uint8Array(4_000);
  const integer = (pattern: number, prefix: number, value: number): number[] => [
    ...room.subarray(0, writeInteger(room, 0, pattern, prefix, value)),
  ];
  const string = (): number[] => [...room.subarray(0, writeString(room, 0, fieldOf(chance).value))];
  const named = (pattern: number, prefix: number): number[] => {
    const text = fieldOf(chance).name;
    return [...integer(pattern, prefix - 1, text.length), ...Buffer.from(text, "latin1")];
  };
  const place = (): number => (chance.once(8) ? chance.one(LONG) : chance.below(decoder.table.length + 1));
  const instruction = (): number[] => {
    switch (chance.weighed({ capacity: 2, fixed: 3, named: 3, literal: 5, copy: 2 })) {
      case "capacity":
        return integer(0x20, 5, chance.once(3) ? chance.one(LONG) : Math.min(chance.one(CAPACITIES), limits.maxTableCapacity));
      case "fixed":
        return [...integer(0xc0, 6, chance.once(8) ? chance.one(LONG) : chance.below(STATIC_TABLE.length)), ...string()];
      case "named":
        return [...integer(0x80, 6, place()), ...string()];
      case "literal":
        return [...named(0x40, 6), ...string()];
      case "copy":
        return integer(0x00, 5, place());
    }
  };
  const line = (): number[] => {
    const never = chance.once(3) ? 1 : 0;
    switch (chance.weighed({ fixed: 4, indexed: 4, post: 2, namedFixed: 2, named: 2, namedPost: 2, literal: 2 })) {
      case "fixed":
        return integer(0xc0, 6, chance.once(12) ? chance.one(LONG) : chance.below(STATIC_TABLE.length));
      case "indexed":
        return integer(0x80, 6, place());
      case "post":
        return integer(0x10, 4, chance.below(3));
      case "namedFixed":
        return [...integer(0x50 | (never << 5), 4, chance.once(12) ? chance.one(LONG) : chance.below(STATIC_TABLE.length)), ...string()];
      case "named":
        return [...integer(0x40 | (never << 5), 4, place()), ...string()];
      case "namedPost":
        return [...integer(never << 3, 3, chance.below(3)), ...string()];
      case "literal":
        return [...named(0x20 | (never << 4), 4), ...string()];
    }
  };
  const prefix = (): number[] => {
    const range = 2 * Math.floor(limits.maxTableCapacity / 32);
    const required = decoder.inserted + chance.one([0, 0, 0, -1, -2, 1, 2, -5]);
    const encoded = range === 0 || chance.once(4) || required <= 0 ? (chance.once(8) ? chance.one(LONG) : 0) : (required % range) + 1;
    return [
      ...integer(0x00, 8, encoded),
      ...integer(chance.once(3) ? 0x80 : 0x00, 7, chance.once(12) ? chance.one(LONG) : chance.below(3)),
    ];
  };
  for (let left = chance.between(3, 30); left > 0 && !listener.isOver; left--) {
    const kind = chance.weighed({ instructions: 6, section: 5, cancel: 1, take: 3 });
    if (kind === "take") say(`says ${octetsText(decoder.take())}`);
    else if (kind === "cancel") decoder.cancel(chance.one([0, 4, 8, 12, 2 ** 40]));
    else {
      const parts = Array.from({ length: chance.between(0, 4) }, kind === "section" ? line : instruction).flat();
      const octets = Uint8Array.from(kind === "section" ? [...prefix(), ...parts] : parts);
      const sent = chance.once(12) ? damaged(chance, octets) : octets;
      say(octetsText(sent));
      if (kind === "section") listener.section(chance.below(5) * 4, sent);
      else {
        const cut = chance.below(sent.length + 1);
        listener.instructions(sent.subarray(0, cut));
        if (!listener.isOver) listener.instructions(sent.subarray(cut));
      }
      // A decoder must not refer to what it was given any more.
      sent.fill(0);
    }
  }
}
