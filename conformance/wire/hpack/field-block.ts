import { Decoder, type DecoderLimits } from "../../../reference/hpack/index.ts";
import type { ReadField } from "../http2/read.ts";

/** Turns field blocks into fields; a block that is wrong gives a `problem`, never a throw. */
export interface BlockDecoder {
  decode(block: Uint8Array): { readonly fields: readonly ReadField[] } | { readonly problem: string };
  /** The table size that the reading side has announced. */
  limit(size: number): void;
}

/** A reader of what others sent takes more than a careful server would. */
const LENIENT: DecoderLimits = { maxListSize: 16_777_216, maxStringLength: 16_777_216 };
const LARGEST_TABLE = 16_777_216;

/** A decoder for one direction of one connection: the vector-checked codec, with limits that refuse nothing real. */
export function blockDecoder(): BlockDecoder {
  const decoder = new Decoder(LENIENT);
  return {
    limit: (size) => {
      decoder.maxTableSize = Math.min(size, LARGEST_TABLE);
    },
    decode: (block) => {
      const decoded = decoder.decode(block);
      if (decoded.is === "fields") return { fields: decoded.fields.map(({ name, value }): ReadField => [name, value]) };
      return { problem: decoded.is === "tooLarge" ? "the list is larger than 16 MiB" : `${decoded.name} (${decoded.spec})` };
    },
  };
}
