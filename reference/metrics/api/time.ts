/**
 * Times as parameters: seconds since 1970 with decimals, or RFC 3339 (Prometheus docs, querying/api.md, "Format overview"). Integer milliseconds, or undefined for
 * anything else.
 */
export function readTime(text: string): number | undefined {
  const seconds = readNumber(text);
  if (seconds !== undefined) {
    const ms = Math.round(seconds * 1_000);
    return Number.isSafeInteger(ms) ? ms : undefined;
  }
  const edge = EDGES.get(text);
  return edge ?? readRfc3339(text);
}

/** The times before and after all others, and the spellings that servers use for them. */
export const EARLIEST = Number.MIN_SAFE_INTEGER;
export const LATEST = Number.MAX_SAFE_INTEGER;
const EDGES: ReadonlyMap<string, number> = new Map([
  ["-292273086-05-16T16:47:06Z", EARLIEST],
  ["292277025-08-18T07:12:54.999999999Z", LATEST],
]);

/** A decimal number and nothing else; otherwise undefined. */
export function readNumber(text: string): number | undefined {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

function readRfc3339(text: string): number | undefined {
  const found = RFC3339.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const ms = Math.trunc(Number(`0.${found[7] ?? "0"}`) * 1_000);
  const offset = (found[8] === "-" ? -1 : 1) * (Number(found[9] ?? 0) * 60 + Number(found[10] ?? 0));
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, day);
  // JavaScript reads 31 June as 1 July.
  if (time.getUTCMonth() !== month - 1 || time.getUTCDate() !== day) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || Math.abs(offset) >= 24 * 60) return undefined;
  return time.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1_000 + ms;
}
