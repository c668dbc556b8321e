/** The texts of `google.protobuf.Timestamp` and `google.protobuf.Duration` in JSON. */
export type Time = { readonly seconds: bigint; readonly nanos: number };

const BILLION = 1_000_000_000;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z. */
const FIRST = -62_135_596_800n;
const LAST = 253_402_300_799n;
const LONGEST = 315_576_000_000n;

/** A point in time as RFC 3339 has it; undefined outside of the years 1 to 9999. */
export function timestampText({ seconds, nanos }: Time): string | undefined {
  if (seconds < FIRST || seconds > LAST || !(nanos >= 0 && nanos < BILLION)) return undefined;
  const whole = new Date(Number(seconds) * 1_000).toISOString().slice(0, -5);
  return `${whole}${fraction(nanos)}Z`;
}

export function parseTimestamp(text: string): Time | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (match === null) return undefined;
  const [, whole = "", digits = "", zone = ""] = match;
  const ms = Date.parse(`${whole}${zone}`);
  // A date such as the 30th of February would become another.
  const isReal = Date.parse(`${whole}Z`) >= 0 || !Number.isNaN(Date.parse(`${whole}Z`));
  if (Number.isNaN(ms) || !isReal || new Date(Date.parse(`${whole}Z`)).toISOString().slice(0, -5) !== whole) return undefined;
  const seconds = BigInt(ms / 1_000);
  return seconds < FIRST || seconds > LAST ? undefined : { seconds, nanos: Number(digits.padEnd(9, "0")) };
}

/** A length of time in seconds with an `s`; undefined if it is too long or its signs differ. */
export function durationText({ seconds, nanos }: Time): string | undefined {
  const isMixed = (seconds > 0n && nanos < 0) || (seconds < 0n && nanos > 0);
  if (isMixed || seconds > LONGEST || seconds < -LONGEST || Math.abs(nanos) >= BILLION) return undefined;
  const sign = seconds < 0n || nanos < 0 ? "-" : "";
  return `${sign}${seconds < 0n ? -seconds : seconds}${fraction(Math.abs(nanos))}s`;
}

export function parseDuration(text: string): Time | undefined {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(text);
  if (match === null) return undefined;
  const [, sign = "", whole = "", digits = ""] = match;
  const seconds = BigInt(whole);
  const nanos = Number(digits.padEnd(9, "0"));
  if (seconds > LONGEST) return undefined;
  return sign === "-" ? { seconds: -seconds, nanos: nanos === 0 ? 0 : -nanos } : { seconds, nanos };
}

/** A part of a second with 3, 6 or 9 digits, or nothing. */
function fraction(nanos: number): string {
  if (nanos === 0) return "";
  const digits = String(nanos).padStart(9, "0");
  return `.${digits.endsWith("000000") ? digits.slice(0, 3) : digits.endsWith("000") ? digits.slice(0, 6) : digits}`;
}
