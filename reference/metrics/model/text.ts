/**
 * Order of two texts by their octets in UTF-8, in which names, values and the strings of an index are sorted (Prometheus TSDB docs, format/index.md, "Symbol
 * Table"). JavaScript's own order differs where one text has a surrogate pair and the other a unit above the surrogates.
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

/** A surrogate stands for a code point beyond every single unit. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit);
