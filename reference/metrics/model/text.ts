/**
 * Compares texts by their octets in UTF-8, the order of names, values and symbols of an index (Prometheus TSDB docs, format/index.md, "Symbol Table").
 * JavaScript's order differs if one text has a surrogate pair and the other a unit above the surrogates.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** A surrogate is part of a code point above all single units. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit);
