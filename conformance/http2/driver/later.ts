import type { FrameSpec } from "../vocabulary.ts";

/** The frame as it is sent in a later round: its stream, if it is a number, is higher by `by`, and so is the stream that it promises or prioritizes. */
export function later(frame: FrameSpec, by: number): FrameSpec {
  if (by === 0) return frame;
  return {
    ...frame,
    ...(typeof frame.stream === "number" && frame.stream > 0 ? { stream: frame.stream + by } : {}),
    ...(typeof frame.promised === "number" ? { promised: frame.promised + by } : {}),
  };
}
