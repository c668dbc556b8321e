import type { FrameSpec, Value } from "./frame-spec.ts";
import type { ReadFrame } from "./read.ts";

const SHOWN = 8;

/** Frames in words. */
export function framesInWords(frames: readonly ReadFrame[]): string {
  if (frames.length === 0) return "PADDING";
  const shown = frames.slice(0, SHOWN).map(frameInWords);
  return [...shown, ...(frames.length > SHOWN ? [`… ${frames.length - SHOWN} more`] : [])].join("; ");
}

export const frameInWords = ({ type, members, ranges }: ReadFrame): string => {
  if (ranges !== undefined) return `${type} ${ranges.map(([low, high]) => (low === high ? String(low) : `${low}-${high}`)).join(" ")}`;
  const words = Object.entries(members).filter(([, value]) => value !== "");
  return [type, ...words.map(([name, value]) => `${name}=${value}`)].join(" ");
};

const valueInWords = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return String(value);
  if ("limit" in value) return `its limit of ${(value as Exclude<Value, number>).limit}${plus((value as Exclude<Value, number>).plus)}`;
  return JSON.stringify(value);
};
const plus = (by: number): string => (by === 0 ? "" : by > 0 ? ` + ${by}` : ` - ${-by}`);

/** Frames to send, in words. */
export function specInWords(frames: readonly FrameSpec[]): string {
  if (frames.length === 0) return "no frame";
  const shown = frames.slice(0, SHOWN).map(({ type, ...members }) => {
    const name = typeof type === "number" ? `frame of type 0x${type.toString(16)}` : type;
    return [name, ...Object.entries(members).map(([key, value]) => `${key}=${valueInWords(value).slice(0, 40)}`)].join(" ");
  });
  return [...shown, ...(frames.length > SHOWN ? [`… ${frames.length - SHOWN} more`] : [])].join("; ");
}
