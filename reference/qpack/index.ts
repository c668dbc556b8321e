/** QPACK: field compression for HTTP/3 (rfc9204). */
export { type DecoderInstruction, DecoderStreamReader } from "./decoder-stream.ts";
export { Decoder, type Decoded, type DecoderLimits, type Received, type Unblocked } from "./decoder.ts";
export { Encoder, type EncoderOptions, type PeerSettings } from "./encoder.ts";
export { FAULTS, type QpackFault, type QpackFaultName } from "./faults.ts";
export { STATIC_TABLE } from "./static-table.ts";
