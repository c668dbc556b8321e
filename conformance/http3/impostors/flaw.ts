import type { FieldSpec, FrameSpec } from "../vocabulary.ts";
import type { Flaw } from "./peer.ts";

/** The flaws of a server beyond those. */
export type ServerFlaw = Flaw & {
  /** Rewrites the header section of a response. */
  readonly head?: (fields: readonly FieldSpec[]) => readonly FieldSpec[];
  /** Rewrites the frames of a response; `end` says whether its stream then ends. */
  readonly answers?: (frames: readonly FrameSpec[]) => { readonly frames: readonly FrameSpec[]; readonly end: boolean };
};
