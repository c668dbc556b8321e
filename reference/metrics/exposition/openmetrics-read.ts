import { type Fault } from "./faults.ts";
import { checkOpenMetrics } from "./openmetrics-rules.ts";
import type { Metadata, Page } from "./page.ts";
import { CR, FAILED, HASH, isWord, LBRACE, LF, type ReadOptions, Scan, SP, TAB, withLineFeed } from "./scan.ts";

/**
 * Reads a page of OpenMetrics 1.0 (prometheus-openmetrics#text) into `page`, or returns the first fault. Strict by default, including families;
 * `{ lenient: SCRAPE }` accepts what servers accept. Quoted UTF-8 names are accepted: negotiation decides whether they may be sent.
 */
export function readOpenMetrics(page: Page, octets: Uint8Array, options: ReadOptions = {}): Fault | undefined {
  const given = octets.length > 0 && octets[octets.length - 1] !== LF ? withLineFeed(octets) : octets;
  page.begin(given);
  const scan = new Scan(page, given, { ...options, hasBlanks: false });
  if (octets.length > scan.limits.pageOctets) scan.fail("pageTooLarge", 0);
  else if (octets[0] === 0xef && octets[1] === 0xbb && octets[2] === 0xbf) scan.fail("byteOrderMark", 0);
  else readLines(scan, given, octets.length);
  if (scan.fault === undefined && scan.lenient.families !== true) scan.fault = checkOpenMetrics(page);
  return scan.fault;
}

function readLines(scan: Scan, octets: Uint8Array, length: number): void {
  const { lineOctets } = scan.limits;
  let at = 0;
  while (at < octets.length) {
    const line = at;
    if (octets[at] === HASH) {
      if (isEof(octets, at)) {
        if (at + 6 < octets.length) scan.fail("eofNotLast", at + 6);
        return;
      }
      at = descriptor(scan, octets, at);
    } else at = sample(scan, octets, at);
    if (at === FAILED) return;
    if (at - line > lineOctets) {
      scan.fail("lineTooLong", line);
      return;
    }
  }
  scan.fail("eofMissing", length);
}

/** Whether the line is `# EOF`; its line feed may have been added. */
const isEof = (octets: Uint8Array, at: number): boolean => octets[at + 5] === LF && isWord(octets, at, at + 5, "# EOF");

/** Reads the line of a sample: series, value, optional timestamp, optional exemplar. Returns the offset after it. */
function sample(scan: Scan, octets: Uint8Array, from: number): number {
  if (octets[from] === LF) return scan.fail("blankLine", from);
  if (octets[from] === CR && octets[from + 1] === LF) return scan.fail("carriageReturn", from);
  if (octets[from] === SP || octets[from] === TAB) return scan.fail("blankUnexpected", from);
  const { page } = scan;
  const n = page.count;
  let at = scan.series(from);
  if (at === FAILED) return FAILED;
  if (octets[at] !== SP)
    return scan.fail(octets[at] === LF ? "valueMissing" : octets[at] === TAB ? "blankUnexpected" : "lineUnexpected", at);
  at = number(scan, "openmetrics", page.values, n, at + 1);
  if (at === FAILED) return FAILED;
  page.timestamps[n] = NaN;
  if (octets[at] === SP && octets[at + 1] !== HASH) {
    at = number(scan, "real", page.timestamps, n, at + 1);
    if (at === FAILED) return FAILED;
  }
  if (octets[at] === SP && octets[at + 1] === HASH) {
    at = exemplar(scan, octets, at + 1);
    if (at === FAILED) return FAILED;
  }
  if (octets[at] !== LF)
    return scan.fail(octets[at] === CR ? "carriageReturn" : octets[at] === TAB ? "blankUnexpected" : "lineTrailing", at);
  page.count = n + 1;
  return at + 1;
}

/** Reads a number after one space. */
// oxlint-disable-next-line max-params -- called for each sample
function number(scan: Scan, dialect: "openmetrics" | "real", out: Float64Array, n: number, from: number): number {
  const octet = scan.octets[from];
  if (octet === SP || octet === TAB) return scan.fail("blankUnexpected", from);
  const at = scan.number(from, dialect, out, n);
  if (at === FAILED && scan.octets[from] !== LF && endsInCr(scan.octets, from)) {
    scan.fault = undefined;
    return scan.fail("carriageReturn", scan.octets.indexOf(LF, from) - 1);
  }
  return at;
}
/** Whether the rest of the line is one token before CR LF: then the line ending is the fault. */
function endsInCr(octets: Uint8Array, from: number): boolean {
  const end = octets.indexOf(LF, from);
  return octets[end - 1] === CR && octets.subarray(from, end - 1).every((octet) => octet !== CR && octet !== SP);
}

/** Reads an exemplar, which begins with #. */
function exemplar(scan: Scan, octets: Uint8Array, from: number): number {
  const { page } = scan;
  const e = page.exemplarCount;
  if (e === scan.limits.exemplars) return scan.fail("tooManyExemplars", from);
  if (e === page.exemplarOf.length) page.growExemplars();
  if (octets[from + 1] !== SP || octets[from + 2] !== LBRACE) return scan.fail("exemplarInvalid", from + 1);
  let at = scan.labels(from + 3, true);
  if (at === FAILED) return FAILED;
  if (octets[at] !== SP) return scan.fail("exemplarInvalid", at);
  page.exemplarOf[e] = page.count;
  page.exemplarFrom[e] = from + 2;
  page.exemplarTo[e] = at;
  at = number(scan, "openmetrics", page.exemplarValues, e, at + 1);
  if (at === FAILED) return FAILED;
  page.exemplarTimestamps[e] = NaN;
  if (octets[at] === SP) at = number(scan, "real", page.exemplarTimestamps, e, at + 1);
  page.exemplarCount = e + 1;
  return at;
}

const KINDS: readonly (readonly [string, Metadata["kind"]])[] = [
  ["TYPE", "type"],
  ["HELP", "help"],
  ["UNIT", "unit"],
];
const TYPES: readonly string[] = ["counter", "gauge", "histogram", "gaugehistogram", "stateset", "info", "summary", "unknown"];

/** Reads a line of metadata: `# TYPE name type`, `# HELP name text` or `# UNIT name unit`, with single spaces. */
function descriptor(scan: Scan, octets: Uint8Array, hash: number): number {
  const kind = KINDS.find(([word]) => octets[hash + 1] === SP && octets[hash + 6] === SP && isWord(octets, hash + 2, hash + 6, word))?.[1];
  if (kind === undefined) return scan.fail(isWord(octets, hash, hash + 6, "# EOF\r") ? "carriageReturn" : "metadataUnknown", hash);
  const name = hash + 7;
  const at = scan.metadataName(name);
  if (at === FAILED) return FAILED;
  const { metadataFrom: nameFrom, metadataTo: nameTo } = scan;
  if (nameTo === nameFrom) return scan.fail(octets[name] === SP ? "blankUnexpected" : "metadataNameInvalid", name);
  if (octets[at] !== SP) {
    const isOver = octets[at] === LF;
    return scan.fail(isOver ? (kind === "type" ? "typeMissing" : "metadataUnknown") : "metadataNameInvalid", isOver ? at : name);
  }
  const textFrom = at + 1;
  const textTo = kind === "help" ? scan.text(textFrom) : octets.indexOf(LF, textFrom);
  if (textTo === FAILED) return FAILED;
  if (textTo > textFrom && octets[textTo - 1] === CR) return scan.fail("carriageReturn", textTo - 1);
  if (kind === "type" && !TYPES.some((one) => isWord(octets, textFrom, textTo, one)))
    return scan.fail(textTo === textFrom ? "typeMissing" : octets[textFrom] === SP ? "blankUnexpected" : "typeUnknown", textFrom);
  if (kind === "unit" && !octets.subarray(textFrom, textTo).every(isNameOctet)) return scan.fail("unitInvalid", textFrom);
  return scan.keep({ kind, before: scan.page.count, offset: hash, nameFrom, nameTo, textFrom, textTo }) ? textTo + 1 : FAILED;
}

const isNameOctet = (octet: number): boolean => /[\w:]/.test(String.fromCharCode(octet));
