/** Named intervals of time that mute routes or make them active: Alertmanager docs, configuration.md, `<time_interval>`. */

/** From `first` to `last`, both included. */
export type Range = { readonly first: number; readonly last: number };

/** All fields that are present must hold; a field holds if one of its ranges does. */
export type TimeInterval = {
  /** Minutes of the day; `last` is not included. */
  readonly times?: readonly Range[];
  /** Sunday is 0. */
  readonly weekdays?: readonly Range[];
  /** From 1; negative ones count from the end of the month. */
  readonly daysOfMonth?: readonly Range[];
  /** January is 1. */
  readonly months?: readonly Range[];
  readonly years?: readonly Range[];
  /** A time zone of the IANA database; undefined for that of the machine. */
  readonly zone: string | undefined;
};

type Moment = { readonly minute: number; readonly weekday: number; readonly day: number; readonly month: number; readonly year: number };

/** The time on a clock on the wall in a zone. */
function wallClock(ms: number, zone: string | undefined): Moment {
  const parts = new Intl.DateTimeFormat("en-US", {
    ...(zone !== undefined && { timeZone: zone }),
    calendar: "gregory",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  }).formatToParts(ms);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const [year, month, day] = [of("year"), of("month"), of("day")];
  return { year, month, day, minute: of("hour") * 60 + of("minute"), weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay() };
}

const within = (ranges: readonly Range[] | undefined, value: number): boolean =>
  ranges === undefined || ranges.some(({ first, last }) => first <= value && value <= last);

/** Whether a moment is in the interval. */
export function isWithin(interval: TimeInterval, ms: number): boolean {
  const { minute, weekday, day, month, year } = wallClock(ms, interval.zone);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const dayOf = (written: number): number => (written < 0 ? days + written + 1 : written);
  return (
    (interval.times === undefined || interval.times.some(({ first, last }) => first <= minute && minute < last)) &&
    within(interval.weekdays, weekday) &&
    // A range may begin or end outside of a month with fewer days: only its part within the month counts.
    within(
      interval.daysOfMonth?.map(({ first, last }) => ({ first: dayOf(first), last: dayOf(last) })),
      day,
    ) &&
    within(interval.months, month) &&
    within(interval.years, year)
  );
}

/** Whether a text names a time zone. */
export function isZone(zone: string): boolean {
  try {
    void Intl.DateTimeFormat("en-US", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
