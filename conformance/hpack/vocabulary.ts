import type { Case as AnyCase, Outcome as AnyOutcome } from "../harness/case.ts";

/**
 * What an HPACK case can send and observe. The subject is a codec: a child process that reads one JSON request per line and answers with
 * one line each (`vectors/README.md`). Cases are plain data; `driver/` performs them.
 */

/** A field. `true` marks it as sensitive: no table may hold its value (rfc7541#7.1.3). A character up to U+00FF is one octet. */
export type FieldSpec = readonly [name: string, value: string] | readonly [name: string, value: string, sensitive: true];

/** Each step is one request to a codec with an empty table. The blocks or lists of a step share that table. */
export type Step =
  /**
   * `{"op":"hpack-decode","tableSize":…,"blocks":[hex…]}`. A number in `tableSizes[i]` is the SETTINGS_HEADER_TABLE_SIZE that the decoder
   * announced, and saw acknowledged, before block i.
   */
  | {
      readonly do: "decode";
      /** 4096 by default; the request leaves it out then. */
      readonly tableSize?: number;
      readonly tableSizes?: readonly (number | null)[];
      /** The largest list that the decoder accepts: the sum of name, value and 32 octets for each field (rfc9113#6.5.2). */
      readonly listSize?: number;
      readonly blocks: readonly string[];
    }
  /** `{"op":"hpack-decode-changes","changes":[[limit…]…],"blocks":…}`. `changes[i]` are the limits announced and acknowledged before block i. */
  | {
      readonly do: "decode";
      readonly changes: readonly (readonly number[])[];
      readonly blocks: readonly string[];
    }
  /** `{"op":"hpack-encode","lists":[[[name,value]…]…]}`. A number in `tableSizes[i]` is the limit that the peer set before list i. */
  | {
      readonly do: "encode";
      readonly tableSizes?: readonly (number | null)[];
      readonly lists: readonly (readonly FieldSpec[])[];
    }
  /** `{"op":"hpack-encode-changes","changes":[[limit…]…],"lists":…}`. `changes[i]` are the limits that the peer set before list i, in order. */
  | {
      readonly do: "encode";
      readonly changes: readonly (readonly number[])[];
      readonly lists: readonly (readonly FieldSpec[])[];
    };
/** The limits that were set before block or list `at` of a step, in order. */
export function limitsBefore(step: Step, at: number): readonly number[] {
  if ("changes" in step) return step.changes[at] ?? [];
  const size = step.tableSizes?.[at];
  return typeof size === "number" ? [size] : [];
}

/** What may be observed of the answer to the last step. */
export type Sight =
  /** Decode: exactly these field lists, one for each block, in order. */
  | { readonly see: "fields"; readonly lists: readonly (readonly FieldSpec[])[] }
  /** As `fields`, and the codec marks exactly the fields of never-indexed literals. */
  | { readonly see: "marked fields"; readonly lists: readonly (readonly FieldSpec[])[] }
  /** As `fields`, and the codec marks no field. */
  | { readonly see: "unmarked fields"; readonly lists: readonly (readonly FieldSpec[])[] }
  /** The codec answered with `error`. */
  | { readonly see: "decoding error" }
  /** Decode: any field lists, one for each block, and no error. */
  | { readonly see: "accepted" }
  /** Encode: the blocks decode, with a decoder other than the subject's, to the given lists. */
  | { readonly see: "round trip" }
  /** Encode: as `round trip`, and exactly these blocks. */
  | { readonly see: "blocks"; readonly blocks: readonly string[] }
  /** Encode: as `round trip`, and the blocks have this property (`driver/properties.ts`). */
  | { readonly see: "holds"; readonly property: Property };

/** Sights of a subject that refuses. */
export const REFUSALS = ["decoding error"] as const satisfies readonly Sight["see"][];

/**
 * Properties of encoded blocks.
 * - `size-update-after-lowered-limit`: a block after a lowered limit starts with a size update within that limit.
 * - `lowest-limit-signalled`: of several limits set between two blocks, the lowest is signalled.
 * - `at-most-two-size-updates`: no block has more than two size updates.
 * - `size-updates-within-limit`: no size update exceeds the current limit.
 * - `never-indexed`: every sensitive field is a never-indexed literal.
 * - `sensitive-not-indexed`: no sensitive field enters the table.
 * - `integers-shortest`: every integer has its shortest form.
 * - `huffman-shorter`: Huffman coding is used where it is shorter, and not where it is longer.
 * - `static-entries-indexed`: a field that the static table holds is an index, unless it is sensitive.
 * - `inserted-entries-indexed`: so is one that the dynamic table holds when its block begins, and the name of any other. The lists must fit into the table.
 * - `huffman-padding-valid`: every Huffman string ends in at most seven one bits.
 */
export type Property =
  | "size-update-after-lowered-limit"
  | "lowest-limit-signalled"
  | "at-most-two-size-updates"
  | "size-updates-within-limit"
  | "never-indexed"
  | "sensitive-not-indexed"
  | "integers-shortest"
  | "huffman-shorter"
  | "static-entries-indexed"
  | "inserted-entries-indexed"
  | "huffman-padding-valid";

export type Outcome = AnyOutcome<Sight>;
/** An HPACK case. The control must be accepted: decoded without error, or encoded into blocks that decode to what was given. */
export type Case = AnyCase<Step, Sight>;

/**
 * What one case of a table states by itself: its id, its title, and whatever differs from the rest of the table. The helper that builds the
 * case adds the rest; what the row states wins.
 */
export type Row<Required extends keyof Case = never> = Partial<Case> & Pick<Case, "id" | "title" | Required>;
