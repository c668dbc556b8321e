/** Times and durations as people read them. */

const UNITS: readonly (readonly [string, number])[] = [
  ["y", 31_536_000_000],
  ["w", 604_800_000],
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
];

/** Milliseconds as in the query language: 5400000 is 1h30m. */
export function durationText(ms: number): string {
  if (ms < 1) return "0s";
  let [rest, text] = [Math.round(ms), ""];
  for (const [unit, length] of UNITS) {
    // Weeks and years only where nothing remains: 10d is easier to read than 1w3d.
    if (rest < length || (length > 86_400_000 && rest % length !== 0)) continue;
    text += `${Math.floor(rest / length)}${unit}`;
    rest %= length;
  }
  return text;
}

/** Milliseconds; undefined for what is not a duration, or is empty. A plain number is seconds. */
export function readDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^\d{1,12}(?:\.\d{1,6})?$/.test(trimmed)) return Number(trimmed) > 0 ? Number(trimmed) * 1_000 : undefined;
  if (!/^(?:\d{1,9}(?:ms|[ywdhms])){1,7}$/.test(trimmed)) return undefined;
  let ms = 0;
  for (const [, count, unit] of trimmed.matchAll(/(\d+)(ms|[ywdhms])/g))
    ms += Number(count) * (UNITS.find(([name]) => name === unit)?.[1] ?? 0);
  return ms > 0 ? ms : undefined;
}

/** Seconds of work: 1.23 ms, 4.5 s. */
export function secondsText(seconds: number): string {
  if (seconds === 0) return "0 ms";
  if (seconds < 1) return `${(seconds * 1_000).toPrecision(3)} ms`;
  return `${seconds.toPrecision(3)} s`;
}

/** How long ago a time of the API was; "never" for one that never was. */
export function agoText(date: string, now: number): string {
  const at = Date.parse(date);
  if (!(at > 0)) return "never";
  const ms = now - at;
  if (ms < 1_000) return "now";
  return `${durationText(ms < 10_000 ? Math.round(ms / 100) * 100 : Math.round(ms / 1_000) * 1_000)} ago`;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** Local time without a zone: 2026-11-23 20:15:00. */
export function localText(ms: number): string {
  const at = new Date(ms);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** UTC, as addresses of query pages have it. */
export const utcText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

/** Milliseconds since 1970 from an address of a query page: UTC, or seconds since 1970; undefined for anything else. */
export function readUtc(text: string): number | undefined {
  if (/^\d{1,12}(?:\.\d{1,3})?$/.test(text)) return Number(text) * 1_000;
  const ms = Date.parse(`${text.trim().replace(" ", "T")}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}
