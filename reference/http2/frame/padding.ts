import type { Writer } from "../../core/index.ts";
import { fault, type Fault, type FaultName } from "../faults.ts";
import { Flag, type Head } from "./head.ts";

/**
 * The content of a padded frame: `[from, to)` in its payload. Flow control counts the whole payload (rfc9113#6.1). `fixed` is the number of
 * bytes between Pad Length and content.
 */
export type Span = { readonly is: "span"; readonly from: number; readonly to: number };

export function unpad(head: Head, payload: Uint8Array, fixed: number, tooShort: FaultName): Span | Fault {
  const padded = (head.flags & Flag.PADDED) !== 0;
  const from = (padded ? 1 : 0) + fixed;
  if (payload.length < from) return fault(tooShort, head.stream);
  const pad = padded ? payload[0]! : 0;
  if (from + pad > payload.length) return fault("paddingTooLong");
  return { is: "span", from, to: payload.length - pad };
}

/** The bytes that padding adds to a frame: none if `pad` is absent. */
export const padOverhead = (pad: number | undefined): number => (pad === undefined ? 0 : 1 + pad);

const ZEROS = Uint8Array.from({ length: 255 }, () => 0);
export function writePadding(w: Writer, pad: number | undefined): void {
  if (pad !== undefined && pad > 0) w.bytes(ZEROS.subarray(0, pad));
}
