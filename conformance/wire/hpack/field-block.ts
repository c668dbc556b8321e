import { Decoder, type DecoderLimits } from "../../../reference/hpack/index.ts";
import type { ReadField } from "../http2/read.ts";

/** Decodes field blocks; a wrong block returns a `problem`, and nothing is thrown. */
export interface BlockDecoder {
  decode(block: Uint8Array): { readonly fields: readonly ReadField[] } | { readonly problem: string };
  /** Sets the table size that the reading side announced. */
  limit(size: number): void;
}

/** A lenient reader accepts more than a careful server would. */
const LENIENT: DecoderLimits = { maxListSize: 16_777_216, maxStringLength: 16_777_216 };
const LARGEST_TABLE = 16_777_216;

/** A decoder for one direction of one connection: the codec that vectors have proved, with limits that no real block reaches. */
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
