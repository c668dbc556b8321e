/** Payloads of any length that compress well, a little, or not at all; the same in every run. */

/** `records`: lines of JSON; `characters`: text of one to four octets a character; `runs`: octets in runs; `noise`: any octets. */
export type Content = "records" | "characters" | "runs" | "noise";

/** A generator of whole numbers below `limit` (xorshift). */
function numbers(): (limit: number) => number {
  let state = 0x9e3779b9;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

const PIECES: Readonly<Record<Content, (next: (limit: number) => number, at: number) => Uint8Array>> = {
  records: (next, at) => Buffer.from(`{"id":${at},"name":"series ${next(50)}","value":${next(1_000_000) / 1000},"labels":["up","down"]}\n`),
  characters: (next) =>
    Buffer.from(String.fromCodePoint([0x61 + next(26), 0xc0 + next(200), 0x4e00 + next(9000), 0x1f300 + next(500)][next(4)] ?? 0x61)),
  runs: (next) => new Uint8Array(1 + next(300)).fill(next(256)),
  noise: (next) => Uint8Array.of(next(256)),
};
const isText = (content: Content): boolean => content === "records" || content === "characters";

/** The last contents, since a case, its control and every subject want the same. None of them may be changed. */
const made = new Map<string, Uint8Array>();
const MOST_MADE = 64;
/** In octets. */
const MOST_KEPT = 1 << 20;

/** So many octets of this content, not to be changed; text ends with a whole character. */
export function contentOf(content: Content, length: number): Uint8Array {
  const key = `${content} ${length}`;
  const before = made.get(key);
  made.delete(key);
  const octets = before ?? make(content, length);
  if (length <= MOST_KEPT) made.set(key, octets);
  const [oldest] = made.keys();
  if (made.size > MOST_MADE && oldest !== undefined) made.delete(oldest);
  return octets;
}

function make(content: Content, length: number): Uint8Array {
  const octets = new Uint8Array(length);
  const next = numbers();
  for (let at = 0, piece = 0; at < length; piece++) {
    const more = PIECES[content](next, piece);
    // Letters are whole wherever they are cut.
    const fits =
      at + more.length <= length ? more : isText(content) ? new Uint8Array(length - at).fill(0x2e) : more.subarray(0, length - at);
    octets.set(fits, at);
    at += fits.length;
  }
  return octets;
}
