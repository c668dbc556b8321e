import type { FieldSpec } from "../vocabulary.ts";
import type { Representation } from "../../wire/hpack/representations.ts";
import { fromHex, fromLatin1, toHex } from "../../wire/octets.ts";
import { type DecoderFlaw, WrongDecoder } from "./decoder.ts";
import { answerLines } from "../../harness/impostors/codec-lines.ts";

/** The flaws of an encoder. The base writes literals without indexing, never-indexed ones on request, and the required size updates. */
type EncoderFlaw = {
  readonly reverses?: true;
  /** Leaves out equal fields, empty lists or empty values. */
  readonly dropsRepeats?: true;
  readonly utf8?: true;
  /** Writes lengths of more than one octet wrong, or longer than necessary. */
  readonly lengths?: "cut" | "padded";
  readonly truncatesAt?: number;
  /** Omits size updates, sends them with the old limit, or exceeds the limit. */
  readonly sizes?: "never" | "once" | "too large" | "before the first block only";
  /** How it writes sensitive fields. */
  readonly sensitive?: "without" | "indexing" | "indexed";
  readonly forgetsEmptyLists?: true;
  /** Adds an octet of padding to a Huffman string. */
  readonly padsHuffman?: true;
};
type CodecFlaw = { readonly about: string; readonly decoder?: DecoderFlaw; readonly encoder?: EncoderFlaw };

const fields = (all: readonly Representation[]): readonly Representation[] => all.filter(({ is }) => is !== "size update");
const strings = (one: Representation) => (one.is === "literal" ? [...(one.name === undefined ? [] : [one.name]), one.value] : []);
const decoder = (about: string, flaw: DecoderFlaw): CodecFlaw => ({ about, decoder: flaw });
const encoder = (about: string, flaw: EncoderFlaw): CodecFlaw => ({ about, encoder: flaw });

/** HPACK codecs that are wrong on purpose, by name. */
export const CODEC_FLAWS: Readonly<Record<string, CodecFlaw>> = {
  lenient: decoder("takes every block for good", { lenient: true }),
  "evicts-never": decoder("keeps all entries for ever", { evicts: "never" }),
  "evicts-all": decoder("empties its table when one entry must go", { evicts: "all" }),
  "evicts-late": decoder("drops nothing when its table shrinks", { evicts: "not on size updates" }),
  "counts-no-overhead": decoder("counts entries without their 32 octets", { overhead: 0 }),
  "counts-too-much": decoder("counts 33 octets for each entry", { overhead: 33 }),
  "counts-coded-octets": decoder("counts Huffman coded strings as they came", { countsCoded: true }),
  "keeps-large-entries": decoder("keeps an entry that is larger than its table", { tooLarge: "kept" }),
  "refuses-large-entries": decoder("takes an entry larger than its table for an error", { tooLarge: "refused" }),
  "ignores-large-entries": decoder("leaves its table alone for an entry that is too large", { tooLarge: "ignored" }),
  "oldest-first": decoder("counts dynamic entries from the oldest", { oldestFirst: true }),
  forgets: decoder("begins every block with an empty table", { forgets: true }),
  "indexes-all": decoder("enters every field into its table", { indexesAll: true }),
  "evicts-before-name": decoder("drops the entry whose name it needs", { evictsBeforeName: true }),
  "unique-entries": decoder("has one entry for equal fields", { unique: true }),
  "drops-repeats": { about: "leaves out fields that repeat", decoder: { dropsRepeats: true }, encoder: { dropsRepeats: true } },
  "deaf-to-limits": decoder("does not know of the limits it has announced", { deafToLimits: true }),
  "short-integers": decoder("reads an index by its first octet", { shortIntegers: true }),
  "refuses-size-updates": decoder("takes no size update", { refuses: (one) => one.is === "size update" }),
  "refuses-two-size-updates": decoder("takes one size update a block", { refuses: (_, all) => all.length - fields(all).length > 1 }),
  "refuses-huffman": decoder("takes plain strings only", { refuses: (one) => strings(one).some(({ huffman }) => huffman) }),
  "refuses-literals": decoder("takes no literals", { refuses: (one) => one.is === "literal" && one.mode !== "incremental" }),
  "refuses-empty-blocks": decoder("wants something in every block", { refusesEmptyBlocks: true }),
  "trips-on-long-integers": decoder("takes the idle end of an integer for a field", { tripsOnLongIntegers: true }),
  "refuses-long-blocks": decoder("takes ten fields at most", { refuses: (_, all) => all.length > 10 }),
  "reverses-lists": encoder("writes lists of three and more backwards", { reverses: true }),
  "writes-utf8": encoder("writes octets beyond ASCII as two", { utf8: true }),
  "cuts-lengths": encoder("writes the first octet of a length only", { lengths: "cut" }),
  "pads-lengths": encoder("writes lengths longer than they need be", { lengths: "padded" }),
  "cuts-long-values": encoder("writes the first 4,096 octets of a value", { truncatesAt: 4096 }),
  "forgets-fields": encoder("writes the first hundred fields", { truncatesAt: -100 }),
  "forgets-empty-lists": encoder("writes the list before in place of an empty one", { forgetsEmptyLists: true }),
  "never-updates-sizes": encoder("signals no table size", { sizes: "never" }),
  "updates-size-once": encoder("signals the first new table size only", { sizes: "once" }),
  "updates-beyond-limit": encoder("signals more than is allowed", { sizes: "too large" }),
  "sensitive-without-indexing": encoder("writes sensitive fields as plain literals", { sensitive: "without" }),
  "sensitive-with-indexing": encoder("enters sensitive fields into the table", { sensitive: "indexing" }),
  "sensitive-as-index": encoder("writes a sensitive field by its index where there is one", { sensitive: "indexed" }),
  "pads-huffman": encoder("ends Huffman strings with an octet of padding", { padsHuffman: true }),
};

const octet = (value: number): string => (value & 0xff).toString(16).padStart(2, "0");
function integer(value: number, prefix: number, pattern: number, lengths?: EncoderFlaw["lengths"]): string {
  const full = 2 ** prefix - 1;
  if (value < full) return octet(pattern | value);
  if (lengths === "cut") return octet(pattern | full);
  let rest = value - full;
  let out = octet(pattern | full);
  for (; rest >= 128; rest = Math.floor(rest / 128)) out += octet((rest % 128) | 0x80);
  return lengths === "padded" ? `${out}${octet(rest | 0x80)}00` : out + octet(rest);
}

class WrongEncoder {
  readonly #flaw: EncoderFlaw;
  #limit = 4096;
  #updates = 0;
  #last = "";

  constructor(flaw: EncoderFlaw) {
    this.#flaw = flaw;
  }

  encode(list: readonly FieldSpec[], limit: number | null | undefined): string {
    let head = "";
    if (typeof limit === "number") {
      const lowered = limit < this.#limit;
      const says = this.#flaw.sizes !== "never" && !(this.#flaw.sizes === "once" && this.#updates > 0);
      if (lowered && says) head = integer(this.#flaw.sizes === "too large" ? limit + 1 : limit, 5, 0x20);
      if (lowered) this.#updates += 1;
      this.#limit = limit;
    }
    if (list.length === 0 && this.#flaw.forgetsEmptyLists === true) return this.#last;
    const kept =
      this.#flaw.dropsRepeats === true ? list.filter((field, at) => list.findIndex((one) => one.join() === field.join()) === at) : list;
    const count = (this.#flaw.truncatesAt ?? 0) < 0 ? -(this.#flaw.truncatesAt ?? 0) : kept.length;
    const ordered = this.#flaw.reverses === true && kept.length > 2 ? [...kept].reverse() : kept.slice(0, count);
    this.#last = head + ordered.map((field) => this.#field(field)).join("");
    return this.#last;
  }

  #field([name, value, sensitive]: FieldSpec): string {
    const { sensitive: how } = this.#flaw;
    if (sensitive === true && how === "indexed" && name === ":method" && value === "GET") return "82";
    const pattern = sensitive !== true ? "00" : how === undefined ? "10" : how === "indexing" ? "40" : how === "indexed" ? "10" : "00";
    return pattern + this.#string(name) + this.#string(value);
  }

  #string(text: string): string {
    // The only string that this encoder can code: 00011 100011, five ones of padding, and eight more.
    if (this.#flaw.padsHuffman === true && text === "ab") return "831c7fff";
    const { truncatesAt = 0, utf8 } = this.#flaw;
    const cut = truncatesAt > 0 ? text.slice(0, truncatesAt) : text;
    const octets = utf8 === true ? new TextEncoder().encode(cut) : fromLatin1(cut);
    return integer(octets.length, 7, 0, this.#flaw.lengths) + toHex(octets);
  }
}

type Request = { readonly id: number; readonly tableSize?: number; readonly tableSizes?: readonly (number | null)[] } & (
  | { readonly op: "hpack-decode"; readonly blocks: readonly string[] }
  | { readonly op: "hpack-encode"; readonly lists: readonly (readonly FieldSpec[])[] }
);

function answer(flaw: CodecFlaw, request: Request): object {
  const { tableSizes = [] } = request;
  if (request.op === "hpack-encode") {
    const wrong = new WrongEncoder(flaw.encoder ?? {});
    return { blocks: request.lists.map((list, at) => wrong.encode(list, tableSizes[at])) };
  }
  const wrong = new WrongDecoder(flaw.decoder ?? {}, request.tableSize ?? 4096);
  const lists = request.blocks.map((block, at) => {
    const size = tableSizes[at];
    if (typeof size === "number") wrong.limit(size);
    return wrong.decode(fromHex(block));
  });
  return lists.includes(undefined) ? { error: "no" } : { fields: lists };
}

if (import.meta.main) await answerLines(CODEC_FLAWS, answer);
