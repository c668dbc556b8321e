/** A buffer of its own that is not filled with zeros, for octets that are written before anybody reads them. */
export const unfilled = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);

/** All pieces, copied into one new buffer. */
export function concatenated(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const all = unfilled(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
