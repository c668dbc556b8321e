import { type Fault } from "./faults.ts";
import type { Page } from "./page.ts";
import { checkText } from "./text-rules.ts";
import { FAILED, HASH, isWord, LF, type ReadOptions, Scan, SP, TAB, withLineFeed } from "./scan.ts";

/**
 * Reads a page in the text format 0.0.4 (prometheus-exposition#text) into `page`, or returns the first fault. Strict by default, including families;
 * `{ lenient: SCRAPE }` accepts what servers accept.
 */
export function readText(page: Page, octets: Uint8Array, options: ReadOptions = {}): Fault | undefined {
  const isUnended = octets.length > 0 && octets[octets.length - 1] !== LF;
  const given = isUnended && options.lenient?.unendedLine === true ? withLineFeed(octets) : octets;
  page.begin(given);
  const scan = new Scan(page, given, { ...options, hasBlanks: true });
  if (octets.length > scan.limits.pageOctets) scan.fail("pageTooLarge", 0);
  else if (isUnended && given === octets) scan.fail("lineUnended", given.length);
  else readLines(scan, given);
  if (scan.fault === undefined && scan.lenient.families !== true) scan.fault = checkText(page);
  return scan.fault;
}

function readLines(scan: Scan, octets: Uint8Array): void {
  const { page } = scan;
  const { lineOctets } = scan.limits;
  let at = 0;
  while (at < octets.length) {
    const line = at;
    at = scan.blanks(at);
    const octet = octets[at]!;
    if (octet === LF) at++;
    else if (octet === HASH) {
      at = comment(scan, octets, at);
    } else {
      at = sample(scan, page, octets, at);
    }
    if (at === FAILED) return;
    if (at - line > lineOctets) {
      scan.fail("lineTooLong", line);
      return;
    }
  }
}

/** Reads the line of a sample: series, value, optional timestamp. Returns the offset after it. */
function sample(scan: Scan, page: Page, octets: Uint8Array, from: number): number {
  const n = page.count;
  let at = scan.series(from);
  if (at === FAILED) return FAILED;
  const series = at;
  at = scan.blanks(at);
  // After a brace no space is needed before the value.
  if (at === series && page.nameTo[n] === at && octets[at] !== LF) return scan.fail("lineUnexpected", at);
  at = scan.number(at, "text", page.values, n);
  if (at === FAILED) return FAILED;
  at = scan.blanks(at);
  if (octets[at] === LF) page.timestamps[n] = NaN;
  else {
    at = timestamp(scan, page.timestamps, n, at);
    if (at === FAILED) return FAILED;
    at = scan.blanks(at);
    if (octets[at] !== LF) return scan.fail("lineTrailing", at);
  }
  page.count = n + 1;
  return at + 1;
}

const MOST = 2n ** 63n;

/** Reads a 64-bit integer (Go's ParseInt), rounded above 2^53 milliseconds, in the year 287396. */
function timestamp(scan: Scan, out: Float64Array, n: number, from: number): number {
  const { octets } = scan;
  let at = from;
  const sign = octets[at];
  if (sign === 0x2d || sign === 0x2b) at++;
  const first = at;
  let value = 0;
  for (let digit = octets[at]! - 0x30; digit >= 0 && digit <= 9; digit = octets[++at]! - 0x30) value = value * 10 + digit;
  const end = octets[at];
  if (at === first || (end !== LF && end !== SP && end !== TAB)) return scan.fail("timestampInvalid", from);
  if (value >= 2 ** 53) {
    const exact = BigInt(String.fromCharCode(...octets.subarray(first, Math.min(at, first + 400))));
    if (at - first > 400 || (sign === 0x2d ? exact > MOST : exact >= MOST)) return scan.fail("timestampOutOfRange", from);
    value = Number(exact);
  }
  out[n] = sign === 0x2d ? -value : value;
  return at;
}

/** Reads a line that begins with #: metadata, or an ignored comment. */
function comment(scan: Scan, octets: Uint8Array, hash: number): number {
  const token = scan.blanks(hash + 1);
  const tokenTo = tokenEnd(octets, token);
  const isType = isWord(octets, token, tokenTo, "TYPE");
  if (!isType && !isWord(octets, token, tokenTo, "HELP")) {
    const end = octets.indexOf(LF, tokenTo);
    return scan.utf8(hash, end) ? end + 1 : FAILED;
  }
  const name = scan.blanks(tokenTo);
  const at = scan.metadataName(name);
  if (at === FAILED) return FAILED;
  const { metadataFrom: nameFrom, metadataTo: nameTo } = scan;
  if (nameTo === nameFrom || tokenEnd(octets, at) !== at) return scan.fail("metadataNameInvalid", name);
  const textFrom = scan.blanks(at);
  if (isType) return type(scan, octets, { offset: hash, nameFrom, nameTo, textFrom });
  const end = scan.text(textFrom);
  if (end === FAILED) return FAILED;
  const textTo = trimmed(octets, textFrom, end);
  const kept = scan.keep({ kind: "help", before: scan.page.count, offset: hash, nameFrom, nameTo, textFrom, textTo });
  return kept ? end + 1 : FAILED;
}

type Place = { readonly offset: number; readonly nameFrom: number; readonly nameTo: number; readonly textFrom: number };
const TYPES: readonly string[] = ["counter", "gauge", "histogram", "summary", "untyped"];

function type(scan: Scan, octets: Uint8Array, { textFrom, ...place }: Place): number {
  const textTo = tokenEnd(octets, textFrom);
  if (textTo === textFrom) return scan.fail("typeMissing", textFrom);
  const isKnown = TYPES.some((one) => isWord(octets, textFrom, textTo, one));
  if (!isKnown && scan.lenient.otherTypes !== true) return scan.fail("typeUnknown", textFrom);
  const at = scan.blanks(textTo);
  if (octets[at] !== LF) return scan.fail("lineTrailing", at);
  return scan.keep({ kind: "type", before: scan.page.count, ...place, textFrom, textTo }) ? at + 1 : FAILED;
}

function tokenEnd(octets: Uint8Array, from: number): number {
  let at = from;
  while (octets[at] !== SP && octets[at] !== TAB && octets[at] !== LF) at++;
  return at;
}
/** Removes the spaces at the end of a line, which are ignored. */
function trimmed(octets: Uint8Array, from: number, to: number): number {
  let at = to;
  while (at > from && (octets[at - 1] === SP || octets[at - 1] === TAB)) at--;
  return at;
}
