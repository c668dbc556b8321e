const DAYS: readonly string[] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const LONG_DAYS: readonly string[] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: readonly string[] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const MONTH = `(${MONTHS.join("|")})`;
const TIME = "([0-9]{2}):([0-9]{2}):([0-9]{2})";
const IMF = new RegExp(`^(${DAYS.join("|")}), ([0-9]{2}) ${MONTH} ([0-9]{4}) ${TIME} GMT$`);
const RFC850 = new RegExp(`^(${LONG_DAYS.join("|")}), ([0-9]{2})-${MONTH}-([0-9]{2}) ${TIME} GMT$`);
const ASCTIME = new RegExp(`^(${DAYS.join("|")}) ${MONTH} ([0-9]{2}| [0-9]) ${TIME} ([0-9]{4})$`);

/** Formats milliseconds since 1970 as an IMF-fixdate (rfc9110#5.6.7), without fractions of a second. */
export function formatDate(ms: number): string {
  const at = new Date(ms);
  const day = DAYS[at.getUTCDay()]!;
  const month = MONTHS[at.getUTCMonth()]!;
  const year = String(at.getUTCFullYear()).padStart(4, "0");
  return `${day}, ${two(at.getUTCDate())} ${month} ${year} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} GMT`;
}
const two = (value: number): string => String(value).padStart(2, "0");

/**
 * Parses the three formats that a recipient must accept (rfc9110#5.6.7) to milliseconds since 1970, or undefined. A two-digit year that
 * would be more than fifty years after `now` belongs to the century before. The day of the week must match the date.
 */
export function parseDate(text: string, now: number): number | undefined {
  const imf = IMF.exec(text);
  if (imf !== null) {
    const [, weekday = "", day, month = "", year, ...time] = imf;
    return momentOf({ weekday: DAYS.indexOf(weekday), day: Number(day), month, year: Number(year), time });
  }
  const old = RFC850.exec(text);
  if (old !== null) {
    const [, weekday = "", day, month = "", year, ...time] = old;
    const parts = { weekday: LONG_DAYS.indexOf(weekday), day: Number(day), month, time };
    return momentOf({ ...parts, year: fullYear({ ...parts, year: Number(year) }, now) });
  }
  const asctime = ASCTIME.exec(text);
  if (asctime !== null) {
    const [, weekday = "", month = "", day, hour = "", minute = "", second = "", year] = asctime;
    return momentOf({ weekday: DAYS.indexOf(weekday), day: Number(day), month, year: Number(year), time: [hour, minute, second] });
  }
  return undefined;
}

/** The year of this century, or of the one before if the date would be more than fifty years ahead, even by a second. */
function fullYear({ day, month, year: short, time }: Parts, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + short;
  const [hour = 0, minute = 0, second = 0] = time.map(Number);
  return Date.UTC(year, MONTHS.indexOf(month), day, hour, minute, second) > new Date(now).setUTCFullYear(thisYear + 50) ? year - 100 : year;
}

/** The parts of a date; `weekday` is 0 for Sunday. */
type Parts = {
  readonly weekday: number;
  readonly day: number;
  readonly month: string;
  readonly year: number;
  readonly time: readonly string[];
};
function momentOf({ weekday, day, month: monthName, year, time }: Parts): number | undefined {
  const [hour = 0, minute = 0, second = 0] = time.map(Number);
  const month = MONTHS.indexOf(monthName);
  // 60 is a leap second, and counts as 59.
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const at = new Date(0);
  at.setUTCFullYear(year, month, day);
  if (at.getUTCMonth() !== month || at.getUTCDate() !== day || at.getUTCDay() !== weekday) return undefined;
  return at.setUTCHours(hour, minute, Math.min(second, 59), 0);
}
