/** HPACK: header compression for HTTP/2 (rfc7541). */
export { Decoder, type Decoded, type DecoderLimits } from "./decoder.ts";
export { Encoder, type EncoderOptions } from "./encoder.ts";
export { FAULTS, type HpackFault, type HpackFaultName } from "./faults.ts";
export { STATIC_TABLE } from "./static-table.ts";
