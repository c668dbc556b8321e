import { Decoder, STATIC_TABLE } from "../../../reference/hpack/index.ts";
import { type ReadString, representations, type Representation } from "../../wire/hpack/representations.ts";
import { toLatin1 } from "../../wire/octets.ts";

export type WrongField = readonly [name: string, value: string, sensitive?: true];

/** The flaws of a decoder. */
export type DecoderFlaw = {
  /** Accepts every block. */
  readonly lenient?: true;
  /** Refuses unusual input that it must accept. */
  readonly refuses?: (one: Representation, all: readonly Representation[]) => boolean;
  readonly refusesEmptyBlocks?: true;
  /** Reads the surplus octets of an integer as another field. */
  readonly tripsOnLongIntegers?: true;
  /** Octets that an entry counts beside its name and value; 32 is correct. */
  readonly overhead?: number;
  /** Counts strings by their Huffman-coded length. */
  readonly countsCoded?: true;
  /** Never evicts an entry, evicts all instead of one, or none when the size shrinks. */
  readonly evicts?: "never" | "all" | "not on size updates";
  /** Keeps an entry that is larger than the table, or refuses it. */
  readonly tooLarge?: "kept" | "refused" | "ignored";
  /** Counts indices from the oldest entry. */
  readonly oldestFirst?: true;
  /** Begins each block with an empty table. */
  readonly forgets?: true;
  /** Inserts fields that must not change the table. */
  readonly indexesAll?: true;
  /** Evicts entries before it looks up the name. */
  readonly evictsBeforeName?: true;
  /** Inserts equal fields only once. */
  readonly unique?: true;
  /** Drops fields that repeat within a block. */
  readonly dropsRepeats?: true;
  /** Marks no field as never indexed, or every literal. */
  readonly marks?: "none" | "all";
  /** Requires a size update for the last of several limits only. */
  readonly owesLastOnly?: true;
  /** Applies a new limit itself and requires no size update. */
  readonly deafToLimits?: true;
  /** Reads the first octet of an integer only. */
  readonly shortIntegers?: true;
  /** Counts lists without the 32 octets of a field, one octet too much, all lists of a connection together, or each field alone. */
  readonly counts?: "no overhead" | "too much" | "all lists" | "single fields";
};

class Refused extends Error {}
type Entry = { readonly field: WrongField; readonly size: number };

/** A decoder that is correct except for its flaw. */
export class WrongDecoder {
  readonly #flaw: DecoderFlaw;
  #entries: Entry[] = [];
  #capacity: number;
  #limit: number;
  /** The smallest limit since the last block, if the table exceeds it. */
  #owed: number | undefined;

  constructor(flaw: DecoderFlaw, tableSize: number) {
    this.#flaw = flaw;
    this.#capacity = tableSize;
    this.#limit = tableSize;
  }

  /** Our announced and acknowledged limit. */
  limit(size: number): void {
    if (this.#flaw.deafToLimits === true) return;
    this.#limit = size;
    if (this.#flaw.owesLastOnly === true) this.#owed = undefined;
    if (size < (this.#owed ?? this.#capacity)) this.#owed = size;
  }

  /** The fields; undefined if the block is refused. */
  decode(block: Uint8Array): WrongField[] | undefined {
    if (this.#flaw.forgets === true) this.#entries = [];
    const { all, broken } = representations(block);
    try {
      if (broken) this.#refuse();
      if (all.length === 0 && this.#flaw.refusesEmptyBlocks === true) throw new Refused();
      const fields: WrongField[] = [];
      if (this.#owed !== undefined && (all[0]?.is !== "size update" || all[0].size.value > this.#owed)) this.#refuse();
      this.#owed = undefined;
      for (const one of all) {
        if (this.#flaw.refuses?.(one, all) === true) throw new Refused();
        if (one.is === "size update") this.#resize(one.size.value, fields.length > 0);
        else fields.push(one.is === "indexed" ? this.#indexed(this.#number(one.index.value, 127)) : this.#literal(one));
        if (this.#flaw.tripsOnLongIntegers === true && one.is === "size update" && !one.size.shortest) fields.push(["?", "?"]);
      }
      return this.#flaw.dropsRepeats === true ? unique(fields) : fields;
    } catch (error) {
      if (error instanceof Refused) return undefined;
      throw error;
    }
  }

  /** A mistake: refused, unless this decoder accepts everything. */
  #refuse(): void {
    if (this.#flaw.lenient !== true) throw new Refused();
  }
  #number(value: number, full: number): number {
    return this.#flaw.shortIntegers === true ? Math.min(value, full) : value;
  }

  #resize(size: number, late: boolean): void {
    if (late || size > this.#limit) this.#refuse();
    this.#capacity = size;
    if (this.#flaw.evicts !== "not on size updates") this.#evict(0);
  }

  #lookup(index: number): WrongField {
    const fixed = STATIC_TABLE[index - 1];
    if (index > 0 && fixed !== undefined) return [fixed.name, fixed.value];
    const at = index - STATIC_TABLE.length - 1;
    const found = this.#flaw.oldestFirst === true ? this.#entries.at(-1 - at) : this.#entries[at];
    if (index === 0 || at >= this.#entries.length || found === undefined) this.#refuse();
    return found?.field ?? ["?", "?"];
  }

  #indexed(index: number): WrongField {
    const [name, value] = this.#lookup(index);
    if (this.#flaw.indexesAll === true) this.#add([name, value], name.length + value.length);
    return [name, value];
  }

  #literal(one: Extract<Representation, { is: "literal" }>): WrongField {
    const incremental = one.mode === "incremental" || this.#flaw.indexesAll === true;
    const value = this.#text(one.value);
    if (incremental && this.#flaw.evictsBeforeName === true) this.#evict(32 + value.length);
    const index = this.#number(one.index.value, 15);
    const name = one.name === undefined ? this.#lookup(index)[0] : this.#text(one.name);
    const coded = (one.name?.octets.length ?? name.length) + one.value.octets.length;
    if (incremental) this.#add([name, value], this.#flaw.countsCoded === true ? coded : name.length + value.length);
    const isMarked = this.#flaw.marks === undefined ? one.mode === "never" : this.#flaw.marks === "all";
    return isMarked ? [name, value, true] : [name, value];
  }

  #add(field: WrongField, octets: number): void {
    const size = octets + (this.#flaw.overhead ?? 32);
    const known = this.#entries.some((entry) => entry.field[0] === field[0] && entry.field[1] === field[1]);
    if (this.#flaw.unique === true && known) return;
    if (size > this.#capacity) {
      if (this.#flaw.tooLarge === "refused") throw new Refused();
      if (this.#flaw.tooLarge === "ignored") return;
    }
    this.#evict(size);
    if (size <= this.#capacity || this.#flaw.tooLarge === "kept" || this.#flaw.evicts === "never") this.#entries.unshift({ field, size });
  }

  #evict(room: number): void {
    if (this.#flaw.evicts === "never") return;
    const total = (): number => this.#entries.reduce((sum, { size }) => sum + size, 0);
    if (this.#flaw.evicts === "all" && total() + room > this.#capacity) this.#entries = [];
    while (this.#entries.length > 0 && total() + room > this.#capacity) this.#entries.pop();
  }

  /** Reads a string. One with invalid coding is refused, or read as a question mark. */
  #text({ huffman, octets }: ReadString): string {
    if (!huffman) return toLatin1(octets);
    // No impostor here gets the Huffman code wrong, so the codec that vectors have proved reads it.
    const whole = Buffer.concat([Buffer.from([0x00, 0x01, 0x6e]), prefixed(octets.length), octets]);
    const decoded = new Decoder({ maxListSize: 1 << 24, maxStringLength: 1 << 24 }).decode(whole);
    if (decoded.is === "fields") return decoded.fields[0]?.value ?? "";
    this.#refuse();
    return "?";
  }
}

/** A length of a Huffman coded string, of any size (rfc7541#5.1). */
function prefixed(length: number): Buffer {
  if (length < 127) return Buffer.from([0x80 | length]);
  const octets = [0xff];
  let rest = length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) octets.push((rest % 128) | 0x80);
  return Buffer.from([...octets, rest]);
}

const unique = (fields: readonly WrongField[]): WrongField[] =>
  fields.filter(([name, value], at) => fields.findIndex((other) => other[0] === name && other[1] === value) === at);
