import type { FrameReader } from "../frame/reader.ts";

/** A unidirectional stream of the peer: its type is still unknown, or it has this one. */
export type PeerStream =
  | { readonly is: "unknown"; readonly start: Uint8Array }
  | { readonly is: "control"; readonly reader: FrameReader }
  | { readonly is: "encoder" | "decoder" }
  /** What arrives is dropped. */
  | { readonly is: "ignored" };
