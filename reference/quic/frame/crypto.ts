import { MAX_VARINT, type Reader, readVarint, varintLength, type Writer, writeVarint } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { FrameType } from "./type.ts";

/** Octets of the handshake at one level (rfc9000#19.6). `data` is a view of what was read. */
export type Crypto = { readonly is: "CRYPTO"; readonly offset: number; readonly data: Uint8Array };

export function read(reader: Reader, type: number): Crypto | Fault {
  const offset = readVarint(reader);
  const length = readVarint(reader);
  if (length > 0 && offset + length >= MAX_VARINT) return fault("cryptoOffsetTooLarge", type);
  return { is: "CRYPTO", offset, data: reader.view(length) };
}

export function write(writer: Writer, { offset, data }: Crypto): void {
  writer.u8(FrameType.CRYPTO);
  writeVarint(writer, offset);
  writeVarint(writer, data.length);
  writer.bytes(data);
}

/** The octets in front of the data, if there are up to `most` octets of data. */
export const overhead = (offset: number, most: number): number => 1 + varintLength(offset) + varintLength(most);
