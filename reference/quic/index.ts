/** QUIC: packets and their protection, without I/O (rfc9000, rfc9001, rfc9369). */
export type { Aead, AeadName, Primitives as QuicPrimitives } from "./primitives.ts";
