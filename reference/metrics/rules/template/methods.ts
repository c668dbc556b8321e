import { formatMoment } from "./go-time.ts";
import { Dictionary, Int, Listing, type Method, Moment, TemplateFault, typeName, type Value } from "./values.ts";

/** A part of a moment as a number, and as a name. */
const number =
  (layout: string) =>
  (moment: Moment): Method =>
  () =>
    new Int(Number(formatMoment(moment, layout)));
const named =
  (layout: string) =>
  (moment: Moment): Method =>
  () =>
    formatMoment(moment, layout);

/** What templates can ask of moments, as Go's `time.Time` has it. */
const OF_MOMENTS: Readonly<Record<string, (moment: Moment) => Method>> = {
  Format:
    (moment) =>
    ([layout]) => {
      if (typeof layout !== "string") throw new TemplateFault(`Format needs one text, a layout; got ${typeName(layout)}`);
      return formatMoment(moment, layout);
    },
  Unix:
    ({ ms }) =>
    () =>
      new Int(Math.floor(ms / 1_000)),
  UnixMilli:
    ({ ms }) =>
    () =>
      new Int(ms),
  UTC:
    ({ ms }) =>
    () =>
      new Moment(ms),
  Local:
    ({ ms }) =>
    () =>
      new Moment(ms, new Intl.DateTimeFormat("en-US").resolvedOptions().timeZone),
  Year: number("2006"),
  Month: named("January"),
  Day: number("2"),
  YearDay: number("002"),
  Weekday: named("Monday"),
  Hour: number("15"),
  Minute: number("04"),
  Second: number("05"),
  IsZero:
    ({ ms }) =>
    () =>
      ms === ZERO_MS,
};
/** Go's zero time: the first second of the year 1. */
const ZERO_MS: number = Date.parse("0001-01-01T00:00:00Z");

/** The function that a value has under a name. */
export function methodOf(value: Value, name: string): Method | undefined {
  if (value instanceof Dictionary || value instanceof Listing) return value.methods.get(name);
  return value instanceof Moment && Object.hasOwn(OF_MOMENTS, name) ? OF_MOMENTS[name]?.(value) : undefined;
}
