import { blocksOf } from "../cases/phrases.ts";
import type { FieldSpec } from "../vocabulary.ts";
import type { Representation } from "../../wire/hpack/representations.ts";
import { fromHex, fromLatin1, toHex } from "../../wire/octets.ts";
import { type DecoderFlaw, WrongDecoder, type WrongField } from "./decoder.ts";
import { answerLines } from "../../harness/impostors/codec-lines.ts";

/** The flaws of an encoder. The base writes literals without indexing, never-indexed ones on request, and the required size updates. */
type EncoderFlaw = {
  readonly reverses?: true;
  /** Leaves out equal fields, empty lists or empty values. */
  readonly dropsRepeats?: true;
  readonly utf8?: true;
  /** Writes lengths of more than one octet wrong, or longer than necessary. */
  readonly lengths?: "cut" | "padded" | "cut at 128";
  readonly truncatesAt?: number;
  /** Omits size updates, sends them with the old limit, or exceeds the limit. */
  readonly sizes?: "never" | "once" | "too large" | "last only" | "all";
  /** How it writes sensitive fields. */
  readonly sensitive?: "without" | "indexing" | "indexed";
  readonly forgetsEmptyLists?: true;
  /** Adds an octet of padding to a Huffman string. */
  readonly padsHuffman?: true;
  /** Compresses two lists, and no more. */
  readonly tires?: true;
};
type CodecFlaw = { readonly about: string; readonly decoder?: DecoderFlaw; readonly encoder?: EncoderFlaw };

const fields = (all: readonly Representation[]): readonly Representation[] => all.filter(({ is }) => is !== "size update");
const strings = (one: Representation) => (one.is === "literal" ? [...(one.name === undefined ? [] : [one.name]), one.value] : []);
const decoder = (about: string, flaw: DecoderFlaw): CodecFlaw => ({ about, decoder: flaw });
const encoder = (about: string, flaw: EncoderFlaw): CodecFlaw => ({ about, encoder: flaw });

/** HPACK codecs that are wrong on purpose, by name. */
export const CODEC_FLAWS: Readonly<Record<string, CodecFlaw>> = {
  lenient: decoder("accepts every block", { lenient: true }),
  "evicts-never": decoder("never evicts an entry", { evicts: "never" }),
  "evicts-all": decoder("empties its table when it should evict one entry", { evicts: "all" }),
  "evicts-late": decoder("evicts nothing when its table shrinks", { evicts: "not on size updates" }),
  "counts-no-overhead": decoder("counts entries without the overhead of 32 octets", { overhead: 0 }),
  "counts-too-much": decoder("counts 33 octets for each entry", { overhead: 33 }),
  "counts-coded-octets": decoder("counts the encoded length of Huffman strings", { countsCoded: true }),
  "keeps-large-entries": decoder("keeps an entry that is larger than its table", { tooLarge: "kept" }),
  "refuses-large-entries": decoder("rejects an entry larger than its table", { tooLarge: "refused" }),
  "ignores-large-entries": decoder("keeps its table unchanged on an entry that is too large", { tooLarge: "ignored" }),
  "oldest-first": decoder("counts dynamic entries from the oldest", { oldestFirst: true }),
  forgets: decoder("starts every block with an empty table", { forgets: true }),
  "indexes-all": decoder("adds every field to its table", { indexesAll: true }),
  "evicts-before-name": decoder("evicts an entry before it has read its name", { evictsBeforeName: true }),
  "unique-entries": decoder("keeps one entry for equal fields", { unique: true }),
  "drops-repeats": { about: "leaves out repeated fields", decoder: { dropsRepeats: true }, encoder: { dropsRepeats: true } },
  "deaf-to-limits": decoder("ignores the limits that it has announced", { deafToLimits: true }),
  "owes-last-limit-only": decoder("requires a size update for the last of several limits only", { owesLastOnly: true }),
  "marks-nothing": decoder("marks no field as never indexed", { marks: "none" }),
  "marks-all-literals": decoder("marks every literal as never indexed", { marks: "all" }),
  "short-integers": decoder("reads an index by its first octet", { shortIntegers: true }),
  "refuses-size-updates": decoder("rejects size updates", { refuses: (one) => one.is === "size update" }),
  "refuses-two-size-updates": decoder("rejects a second size update in a block", {
    refuses: (_, all) => all.length - fields(all).length > 1,
  }),
  "refuses-huffman": decoder("rejects Huffman strings", { refuses: (one) => strings(one).some(({ huffman }) => huffman) }),
  "refuses-literals": decoder("rejects literals without indexing", {
    refuses: (one) => one.is === "literal" && one.mode !== "incremental",
  }),
  "refuses-empty-blocks": decoder("rejects an empty block", { refusesEmptyBlocks: true }),
  "trips-on-long-integers": decoder("reads the last octets of a long integer as a field", { tripsOnLongIntegers: true }),
  "refuses-long-blocks": decoder("rejects more than ten fields", { refuses: (_, all) => all.length > 10 }),
  "counts-lists-without-overhead": decoder("counts lists without 32 octets for each field", { counts: "no overhead" }),
  "counts-lists-too-large": decoder("counts an octet too much for each list", { counts: "too much" }),
  "counts-all-lists": decoder("counts all lists of a connection as one", { counts: "all lists" }),
  "counts-single-fields": decoder("applies the limit for lists to each field alone", { counts: "single fields" }),
  "reverses-lists": encoder("writes lists of three and more fields backwards", { reverses: true }),
  "writes-utf8": encoder("writes octets beyond ASCII as two", { utf8: true }),
  "cuts-lengths": encoder("writes only the first octet of a length", { lengths: "cut" }),
  "cuts-lengths-at-128": encoder("ends a length too early if 128 is left for the next octet", { lengths: "cut at 128" }),
  "pads-lengths": encoder("writes lengths longer than necessary", { lengths: "padded" }),
  "cuts-long-values": encoder("writes the first 4,096 octets of a value", { truncatesAt: 4096 }),
  "forgets-fields": encoder("writes the first hundred fields", { truncatesAt: -100 }),
  "forgets-empty-lists": encoder("writes the previous list instead of an empty one", { forgetsEmptyLists: true }),
  "never-updates-sizes": encoder("signals no table size", { sizes: "never" }),
  "updates-size-once": encoder("signals only the first new table size", { sizes: "once" }),
  "updates-beyond-limit": encoder("signals more than the limit", { sizes: "too large" }),
  "signals-last-limit-only": encoder("signals only the last of several limits", { sizes: "last only" }),
  "signals-every-limit": encoder("signals every one of several limits", { sizes: "all" }),
  "sensitive-without-indexing": encoder("writes sensitive fields as plain literals", { sensitive: "without" }),
  "sensitive-with-indexing": encoder("adds sensitive fields to the table", { sensitive: "indexing" }),
  "sensitive-as-index": encoder("writes a sensitive field as an index if it has one", { sensitive: "indexed" }),
  tires: encoder("compresses two lists, and writes all later ones as plain literals", { tires: true }),
  "pads-huffman": encoder("ends Huffman strings with an octet of padding", { padsHuffman: true }),
};

const octet = (value: number): string => (value & 0xff).toString(16).padStart(2, "0");
function integer(value: number, prefix: number, pattern: number, lengths?: EncoderFlaw["lengths"]): string {
  const full = 2 ** prefix - 1;
  if (value < full) return octet(pattern | value);
  if (lengths === "cut") return octet(pattern | full);
  let rest = value - full;
  let out = octet(pattern | full);
  const last = lengths === "cut at 128" ? 128 : 127;
  for (; rest > last; rest = Math.floor(rest / 128)) out += octet((rest % 128) | 0x80);
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

  encode(list: readonly FieldSpec[], limits: readonly number[]): string {
    const head = this.#updatesTo(limits)
      .map((size) => integer(size, 5, 0x20))
      .join("");
    if (list.length === 0 && this.#flaw.forgetsEmptyLists === true) return this.#last;
    const kept =
      this.#flaw.dropsRepeats === true ? list.filter((field, at) => list.findIndex((one) => one.join() === field.join()) === at) : list;
    const count = (this.#flaw.truncatesAt ?? 0) < 0 ? -(this.#flaw.truncatesAt ?? 0) : kept.length;
    const ordered = this.#flaw.reverses === true && kept.length > 2 ? [...kept].reverse() : kept.slice(0, count);
    this.#last = head + ordered.map((field) => this.#field(field)).join("");
    return this.#last;
  }

  /** The sizes to signal after these limits: the lowest if it lowers the current one, then the last. */
  #updatesTo(limits: readonly number[]): number[] {
    const lowest = Math.min(...limits);
    const last = limits.at(-1) ?? this.#limit;
    const lowered = lowest < this.#limit;
    this.#limit = last;
    if (!lowered) return [];
    this.#updates += 1;
    switch (this.#flaw.sizes) {
      case "never":
        return [];
      case "once":
        return this.#updates > 1 ? [] : [last];
      case "too large":
        return [last + 1];
      case "last only":
        return [last];
      case "all":
        return [...limits];
      default:
        return lowest < last ? [lowest, last] : [lowest];
    }
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

type Request = {
  readonly id: number;
  readonly tableSize?: number;
  readonly tableSizes?: readonly (number | null)[];
  readonly listSize?: number;
} & (
  | { readonly op: "hpack-decode"; readonly blocks: readonly string[] }
  | { readonly op: "hpack-decode-changes"; readonly blocks: readonly string[]; readonly changes: readonly (readonly number[])[] }
  | { readonly op: "hpack-encode"; readonly lists: readonly (readonly FieldSpec[])[] }
  | {
      readonly op: "hpack-encode-changes";
      readonly lists: readonly (readonly FieldSpec[])[];
      readonly changes: readonly (readonly number[])[];
    }
);

/** Whether a list exceeds what the request allows, as this impostor counts. */
function isTooLarge(lists: readonly (readonly WrongField[] | undefined)[], most: number, counts: DecoderFlaw["counts"]): boolean {
  const overhead = counts === "no overhead" ? 0 : 32;
  const sizes = lists.map((list = []) => list.map(([name, value]) => name.length + value.length + overhead));
  const sums = counts === "all lists" ? [sizes.flat()] : counts === "single fields" ? sizes.flat().map((size) => [size]) : sizes;
  return sums.some((all) => all.reduce((sum, size) => sum + size, counts === "too much" ? 1 : 0) > most);
}

function answer(flaw: CodecFlaw, request: Request): object {
  const { tableSizes = [] } = request;
  const limitsBefore = (at: number): readonly number[] => {
    if ("changes" in request) return request.changes[at] ?? [];
    const limit = tableSizes[at];
    return typeof limit === "number" ? [limit] : [];
  };
  if ("lists" in request) {
    const wrong = new WrongEncoder(flaw.encoder ?? {});
    const good = flaw.encoder?.tires === true ? blocksOf(request.lists.slice(0, 2)) : [];
    return { blocks: request.lists.map((list, at) => good[at] ?? wrong.encode(list, limitsBefore(at))) };
  }
  const wrong = new WrongDecoder(flaw.decoder ?? {}, request.tableSize ?? 4096);
  const lists = request.blocks.map((block, at) => {
    for (const limit of limitsBefore(at)) wrong.limit(limit);
    return wrong.decode(fromHex(block));
  });
  const { listSize = Number.POSITIVE_INFINITY } = request;
  if (isTooLarge(lists, listSize, flaw.decoder?.counts)) return { error: "too large" };
  return lists.includes(undefined) ? { error: "no" } : { fields: lists };
}

if (import.meta.main) await answerLines(CODEC_FLAWS, answer);
