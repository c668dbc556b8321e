import type { FieldSpec, FrameSpec } from "../vocabulary.ts";
import type { Flaw } from "./peer.ts";

/** The flaws of a server beyond those. */
export type ServerFlaw = Flaw & {
  /** Rewrites the header section of a response. */
  readonly head?: (fields: readonly FieldSpec[]) => readonly FieldSpec[];
  /** Rewrites the frames of a response; `end` says whether its stream then ends. */
  readonly answers?: (frames: readonly FrameSpec[]) => { readonly frames: readonly FrameSpec[]; readonly end: boolean };
};

/** The flaws of a client. */
export type ClientFlaw = Flaw & {
  /** Ends with this status as soon as it has connected. */
  readonly leaves?: 0 | 1;
  /** Rewrites the fields of its request. */
  readonly request?: (fields: readonly FieldSpec[]) => readonly FieldSpec[];
  /** Frames after the header section of its request. */
  readonly appends?: readonly FrameSpec[];
};
