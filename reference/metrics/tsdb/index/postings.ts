/**
 * Lists of series numbers in ascending order (Prometheus TSDB docs, format/index.md, "Postings"), and the set operations that matchers need. A list
 * of a million series takes four megabytes, and iterating over it allocates nothing.
 */
export type Postings = Uint32Array;

export const NO_POSTINGS: Postings = new Uint32Array(0);

/** From this ratio of lengths on, members of the short list are searched in the long one. */
const SEARCH_FROM = 16;

/** Members of both lists. */
export function intersect(a: Postings, b: Postings): Postings {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const out = new Uint32Array(short.length);
  let length = 0;
  if (long.length > short.length * SEARCH_FROM) {
    let at = 0;
    for (const one of short) {
      at = firstFrom(long, one, at);
      if (long[at] === one) out[length++] = one;
    }
    return out.subarray(0, length);
  }
  for (let i = 0, j = 0; i < short.length && j < long.length;) {
    const x = short[i]!;
    const y = long[j]!;
    if (x === y) {
      out[length++] = x;
      i++;
      j++;
    } else if (x < y) i++;
    else j++;
  }
  return out.subarray(0, length);
}

/** Members of `a` that are not in `b`. */
export function subtract(a: Postings, b: Postings): Postings {
  if (a.length === 0 || b.length === 0) return a;
  const out = new Uint32Array(a.length);
  let length = 0;
  let j = 0;
  const isSearched = b.length > a.length * SEARCH_FROM;
  for (const one of a) {
    if (isSearched) j = firstFrom(b, one, j);
    else while (j < b.length && b[j]! < one) j++;
    if (b[j] !== one) out[length++] = one;
  }
  return out.subarray(0, length);
}

/** Members of any list. Up to eight lists are merged in pairs; more are sorted together. */
export function union(lists: readonly Postings[]): Postings {
  let row = lists.filter((list) => list.length > 0);
  if (row.length > 8) {
    const total = row.reduce((sum, list) => sum + list.length, 0);
    return ofMany(row, total);
  }
  while (row.length > 1) {
    const next: Postings[] = [];
    for (let at = 0; at < row.length; at += 2) {
      const [one = NO_POSTINGS, other] = row.slice(at, at + 2);
      next.push(other === undefined ? one : either(one, other));
    }
    row = next;
  }
  return row[0] ?? NO_POSTINGS;
}

/** For many lists, mostly short: the platform sorts all members together. */
function ofMany(lists: readonly Postings[], total: number): Postings {
  const all = new Uint32Array(total);
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  all.sort();
  let length = 0;
  for (let row = 0; row < all.length; row++) if (row === 0 || all[row] !== all[row - 1]) all[length++] = all[row]!;
  return all.subarray(0, length);
}

function either(a: Postings, b: Postings): Postings {
  const out = new Uint32Array(a.length + b.length);
  let length = 0;
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const x = a[i]!;
    const y = b[j]!;
    out[length++] = x <= y ? x : y;
    if (x <= y) i++;
    if (y <= x) j++;
  }
  for (; i < a.length; i++) out[length++] = a[i]!;
  for (; j < b.length; j++) out[length++] = b[j]!;
  return out.subarray(0, length);
}

/** The first position from `from` on whose member is not below `least`, by galloping search. */
function firstFrom(list: Postings, least: number, from: number): number {
  let step = 1;
  let high = from;
  let low = from;
  while (high < list.length && list[high]! < least) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = Math.min(high, list.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
