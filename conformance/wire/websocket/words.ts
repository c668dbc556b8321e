import { printable, toHex, toLatin1 } from "../octets.ts";
import { opcodeName } from "./numbers.ts";
import { isUtf8, type ReadFrame } from "./read.ts";

/** Frames in words. */

const SHOWN = 48;

/** Octets as text if they are UTF-8, otherwise in hexadecimal. */
export function payloadInWords(octets: Uint8Array): string {
  if (octets.length === 0) return "nothing";
  if (isUtf8(octets)) {
    const text = new TextDecoder().decode(octets.subarray(0, 4 * SHOWN));
    return octets.length > SHOWN ? `"${printable(text.slice(0, SHOWN))}…" (${octets.length} octets)` : `"${printable(text)}"`;
  }
  const hex = toHex(octets.subarray(0, SHOWN));
  return `${hex}${octets.length > SHOWN ? `… (${octets.length} octets)` : ""}`;
}

export function frameInWords(frame: ReadFrame): string {
  const { fin, rsv, opcode, length, lengthBits, payload, code, reason } = frame;
  const shortest = length < 126 ? 7 : length < 65_536 ? 16 : 64;
  const details = [
    ...(fin ? [] : ["not final"]),
    ...(rsv === 0 ? [] : [`RSV ${rsv}`]),
    ...(frame.masked ? ["masked"] : []),
    ...(lengthBits === shortest ? [] : [`length in ${lengthBits} bits`]),
  ];
  const content =
    code === undefined
      ? payloadInWords(payload)
      : `${code}${reason?.length === 0 ? "" : ` "${printable(toLatin1(reason ?? payload), SHOWN)}"`}`;
  return `${opcodeName(opcode).toUpperCase()}${details.length === 0 ? "" : ` (${details.join(", ")})`}: ${content}`;
}
