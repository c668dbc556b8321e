import type { Case as AnyCase, Outcome as AnyOutcome } from "../harness/case.ts";

/**
 * The words in which an HPACK case is written. The subject is a codec: a child process that reads one JSON request a line and
 * answers each with one line (`vectors/README.md`); `conformance/hpack/driver/` performs the steps.
 */

/** A field; `true` as the third member asks the encoder to keep the value out of every table (rfc7541#7.1.3). Characters up to U+00FF stand for octets. */
export type FieldSpec = readonly [name: string, value: string] | readonly [name: string, value: string, sensitive: true];

/** One request each, to a codec with fresh tables. What is asked within one step shares one table. */
export type Step =
  /**
   * `{"op":"hpack-decode","tableSize":…,"blocks":[hex…]}`. `tableSizes[i]`, where it is a number, is the SETTINGS_HEADER_TABLE_SIZE
   * that the decoder announced, and saw acknowledged, before block i.
   */
  | {
      readonly do: "decode";
      /** 4096 by default. */
      readonly tableSize?: number;
      readonly tableSizes?: readonly (number | null)[];
      readonly blocks: readonly string[];
    }
  /** `{"op":"hpack-encode","lists":[[[name,value]…]…]}`. `tableSizes[i]`, where it is a number, is the limit that the peer set before list i. */
  | {
      readonly do: "encode";
      readonly tableSizes?: readonly (number | null)[];
      readonly lists: readonly (readonly FieldSpec[])[];
    };

/** What may be observed of the answer to the last step. */
export type Sight =
  /** Decode: exactly these field lists, one a block, in order. */
  | { readonly see: "fields"; readonly lists: readonly (readonly FieldSpec[])[] }
  /** The request was answered with `error`: the codec calls it a decoding error. */
  | { readonly see: "decoding error" }
  /** Decode: any field lists, one a block, and no error. */
  | { readonly see: "accepted" }
  /** Encode: the blocks decode, with a decoder apart from the subject, to the lists that were given. */
  | { readonly see: "round trip" }
  /** Encode: as `round trip`, and exactly these blocks. */
  | { readonly see: "blocks"; readonly blocks: readonly string[] }
  /** Encode: as `round trip`, and a named property of the blocks held (`conformance/hpack/driver/properties.ts`). */
  | { readonly see: "holds"; readonly property: Property };

/**
 * What can be asked of blocks. `size-update-first`: a block after a lowered limit begins with a size update to at most that limit.
 * `never-indexed`: every field marked sensitive is a never-indexed literal. `sensitive-not-indexed`: none entered the table.
 * `within-limit`: no size update exceeds the limit in force. `integers-shortest`: every integer has its shortest form.
 * `two-size-updates`: of several limits, each given before a list of its own (empty ones too), the lowest is signalled. `huffman-shorter`: Huffman is used only where it is shorter.
 * `padding-valid`: every Huffman string ends in at most 7 one bits.
 */
export type Property =
  | "size-update-after-lowered-limit"
  | "two-size-updates"
  | "size-updates-within-limit"
  | "never-indexed"
  | "sensitive-not-indexed"
  | "integers-shortest"
  | "huffman-shorter"
  | "huffman-padding-valid";

export type Outcome = AnyOutcome<Sight>;
/** An HPACK case. The control must be accepted: decoded without error, or encoded into blocks that decode to what was given. */
export type Case = AnyCase<Step, Sight>;

/**
 * What one case of a table states by itself: its id, its title, and whatever differs from the rest of the table. The helper that builds the
 * case adds the rest; what the row states wins.
 */
export type Row<Required extends keyof Case = never> = Partial<Case> & Pick<Case, "id" | "title" | Required>;
