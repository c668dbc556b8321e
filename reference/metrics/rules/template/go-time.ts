import type { Moment } from "./values.ts";

/** Times in the layouts of Go, which show a reference time: Monday, 2 January 2006, 15:04:05, zone -0700 (pkg.go.dev/time, "Constants"). */

const LAYOUT =
  /January|Jan|Monday|Mon|MST|2006|Z07:00|Z0700|-07:00|-0700|-07|002|[.,](?:0+|9+)(?!\d)|__2|_2|01|02|03|04|05|06|15|PM|pm|1|2|3|4|5/g;

type Parts = Readonly<Record<string, string>>;

function partsOf({ ms, zone }: Moment): Parts {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    weekday: "long",
    timeZoneName: "longOffset",
  });
  return Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
}

const MONTHS: readonly string[] = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** A moment in a layout, in its own time zone. */
export function formatMoment(moment: Moment, layout: string): string {
  const parts = partsOf(moment);
  const of = (type: string): string => parts[type] ?? "";
  const offset = of("timeZoneName").replace("GMT", "") || "+00:00";
  const [month, day, hour] = [Number(of("month")), Number(of("day")), Number(of("hour"))];
  const monthName = MONTHS[month - 1] ?? "";
  const millis = String(((moment.ms % 1_000) + 1_000) % 1_000).padStart(3, "0");
  const fraction = (token: string): string => {
    const digits = millis.padEnd(token.length - 1, "0").slice(0, token.length - 1);
    if (token[1] === "0") return token[0] + digits;
    const kept = digits.replace(/0+$/, "");
    return kept === "" ? "" : token[0] + kept;
  };
  const year = of("year").padStart(4, "0");
  const dayOfYear = Math.floor((Date.UTC(Number(year), month - 1, day) - Date.UTC(Number(year), 0, 1)) / 86_400_000) + 1;
  const shown: Readonly<Record<string, string>> = {
    January: monthName,
    Jan: monthName.slice(0, 3),
    Monday: of("weekday"),
    Mon: of("weekday").slice(0, 3),
    MST: shortZone(moment),
    "2006": year,
    "06": year.slice(-2),
    "01": of("month"),
    "1": String(month),
    "02": of("day"),
    _2: String(day).padStart(2),
    "2": String(day),
    "002": String(dayOfYear).padStart(3, "0"),
    __2: String(dayOfYear).padStart(3),
    "15": of("hour"),
    "03": String(hour % 12 || 12).padStart(2, "0"),
    "3": String(hour % 12 || 12),
    "04": of("minute"),
    "4": String(Number(of("minute"))),
    "05": of("second"),
    "5": String(Number(of("second"))),
    PM: hour < 12 ? "AM" : "PM",
    pm: hour < 12 ? "am" : "pm",
    "-07:00": offset,
    "-0700": offset.replace(":", ""),
    "-07": offset.slice(0, 3),
    "Z07:00": offset === "+00:00" ? "Z" : offset,
    Z0700: offset === "+00:00" ? "Z" : offset.replace(":", ""),
  };
  return layout.replaceAll(LAYOUT, (token) => shown[token] ?? fraction(token));
}

/** The short name of a zone, such as CET. */
function shortZone({ ms, zone }: Moment): string {
  if (zone === "UTC") return "UTC";
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "short" }).formatToParts(ms);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? zone;
}
