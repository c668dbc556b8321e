import { isZone, type Range, type TimeInterval } from "../../router/index.ts";
import { list, scalar, text, type Kind, type ValueOf } from "../kinds.ts";
import { optional, preset, required, struct } from "../struct.ts";

/** Alertmanager docs, configuration.md, `<time_interval>`. */

type WrittenRange = Range & { readonly text: string };

/** A value, or two with a colon between; `read` returns undefined for a value that is not valid. */
function range(
  what: string,
  read: (text: string) => number | undefined,
  isOrdered = (first: number, last: number) => first <= last,
): Kind<WrittenRange> {
  return scalar(
    (written) => {
      const parts = written.split(":");
      const [first, last = first] = parts.map((part) => read(part.trim().toLowerCase()));
      if (parts.length > 2 || first === undefined || last === undefined) return new Error(`${JSON.stringify(written)} is not ${what}`);
      return isOrdered(first, last) ? { first, last, text: written } : new Error(`${JSON.stringify(written)} ends before it begins`);
    },
    (one) => one.text,
  );
}

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];
const numberWithin =
  (least: number, most: number) =>
  (written: string): number | undefined => {
    const value = /^-?\d{1,9}$/.test(written) ? Number(written) : Number.NaN;
    return value >= least && value <= most ? value : undefined;
  };
const named =
  (names: readonly string[], first: number) =>
  (written: string): number | undefined => {
    const at = names.indexOf(written);
    return at === -1 ? undefined : at + first;
  };

const weekday = range("a day of the week, or two with a colon between: write monday:friday", named(WEEKDAYS, 0));
const month = range(
  "a month, or two with a colon between: write march:may or 3:5",
  (one) => named(MONTHS, 1)(one) ?? numberWithin(1, 12)(one),
);
const year = range("a year, or two with a colon between: write 2026:2028", numberWithin(0, 999_999));
const LONGEST_MONTH = 31;
const day = range(
  "a day of a month from 1 to 31, or from -1 for the last one to -31: write 1:5 or -3:-1",
  (one) => (one === "0" || one === "-0" ? undefined : numberWithin(-LONGEST_MONTH, LONGEST_MONTH)(one)),
  (first, last) => {
    if (first < 0 && last > 0) return false;
    const [from, to] = [first, last].map((one) => (one < 0 ? LONGEST_MONTH + one + 1 : one));
    return from! <= to!;
  },
);

const clock: Kind<string> = scalar((written) =>
  /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/.test(written)
    ? written
    : new Error(`${JSON.stringify(written)} is not a time of day: write 09:00, and 24:00 for the end of the day`),
);
const minuteOf = (written: string): number => Number(written.slice(0, 2)) * 60 + Number(written.slice(3));
const TIME = struct({ start_time: required(clock), end_time: required(clock) }, ({ start_time, end_time }, where) => {
  if (minuteOf(start_time) >= minuteOf(end_time)) where("end_time").fail("it is not after start_time: use two ranges across midnight");
});
const location = scalar((written) =>
  written === "" || written === "Local" || isZone(written)
    ? written
    : new Error(`${JSON.stringify(written)} is not a time zone of the IANA database: write Europe/Paris, UTC or Local`),
);

const SPEC = struct({
  times: preset(list(TIME), []),
  weekdays: preset(list(weekday), []),
  days_of_month: preset(list(day), []),
  months: preset(list(month), []),
  years: preset(list(year), []),
  location: optional(location),
});
export const TIME_INTERVAL = struct({ name: required(text), time_intervals: preset(list(SPEC), []) });

/** An interval as the router reads it. */
export function intervalOf({ times, weekdays, days_of_month, months, years, location: zone = "UTC" }: ValueOf<typeof SPEC>): TimeInterval {
  const ranges = (written: readonly Range[]): readonly Range[] | undefined => (written.length > 0 ? written : undefined);
  const fields = {
    times: ranges(times.map(({ start_time, end_time }) => ({ first: minuteOf(start_time), last: minuteOf(end_time) }))),
    weekdays: ranges(weekdays),
    daysOfMonth: ranges(days_of_month),
    months: ranges(months),
    years: ranges(years),
  };
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Omit<TimeInterval, "zone">;
  return { ...present, zone: zone === "Local" ? undefined : zone || "UTC" };
}
