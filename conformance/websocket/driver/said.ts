import { printable, toLatin1 } from "../../wire/octets.ts";
import { opcodeName } from "../../wire/websocket/numbers.ts";
import { readFrame } from "../../wire/websocket/read.ts";
import { frameInWords } from "../../wire/websocket/words.ts";

/** What our two ends, as a client and as a server, share: words for the transcript, and the agreed window. */

const SHOWN = 400;

/** Octets of HTTP/1.1 on one line. */
export const textInWords = (octets: Uint8Array): string => printable(toLatin1(octets), SHOWN).replaceAll("\\x0d\\x0a", "\\r\\n");

/** A frame that we send, or the beginning of one, in words. */
export function inWords(octets: Uint8Array): string {
  const frame = readFrame(octets);
  return frame === undefined ? `the beginning of a frame: ${opcodeName((octets[0] ?? 0) & 15)}` : frameInWords(frame);
}

/** The agreed window of one side, in bits (rfc7692#7.1.2). */
export function windowBitsOf(agreed: string, side: "client" | "server"): number {
  const bits = new RegExp(`${side}_max_window_bits="?(\\d+)`).exec(agreed)?.[1];
  // Our compression cannot use eight bits; nine are the same for shorter messages.
  return bits === undefined ? 15 : Math.max(9, Math.min(15, Number(bits)));
}

/** The octets of a frame's head one by one, and then its payload at once. */
export function piecesOfHead(octets: Uint8Array): { readonly part: Uint8Array; readonly words: string }[] {
  const second = octets[1] ?? 0;
  const length = second & 0x7f;
  const size = 2 + (length === 126 ? 2 : length === 127 ? 8 : 0) + (second >= 0x80 ? 4 : 0);
  const head = Array.from(octets.subarray(0, size), (octet, at) => ({
    part: Uint8Array.of(octet),
    words: `octet ${at + 1} of ${size} of the head of: ${inWords(octets)}`,
  }));
  return octets.length === size ? head : [...head, { part: octets.subarray(size), words: "its payload" }];
}
