/** From this length on the platform's routine is faster; below it, the call costs more than a loop. */
const WORTH_A_CALL = 12;

/** The octets as a string with one character each, U+0000 to U+00FF. */
export function latin1(octets: Uint8Array, from: number, to: number): string {
  if (to - from >= WORTH_A_CALL) return slice.call(octets, from, to);
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(octets[at] as number);
  return text;
}

type Slice = (this: Uint8Array, from: number, to: number) => string;
const slice: Slice = Buffer.prototype.latin1Slice as Slice;
