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
  if (imf !== null) return moment(DAYS.indexOf(imf[1]!), Number(imf[4]), imf[3]!, imf[2]!, imf.slice(5, 8));
  const old = RFC850.exec(text);
  if (old !== null) return moment(LONG_DAYS.indexOf(old[1]!), century(Number(old[4]), now), old[3]!, old[2]!, old.slice(5, 8));
  const asctime = ASCTIME.exec(text);
  if (asctime !== null) return moment(DAYS.indexOf(asctime[1]!), Number(asctime[7]), asctime[2]!, asctime[3]!, asctime.slice(4, 7));
  return undefined;
}

function century(short: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + short;
  return year > thisYear + 50 ? year - 100 : year;
}

function moment(weekday: number, year: number, monthName: string, dayText: string, time: readonly string[]): number | undefined {
  const [hour, minute, second] = time.map(Number) as [number, number, number];
  const day = Number(dayText);
  const month = MONTHS.indexOf(monthName);
  // 60 is a leap second, and counts as 59.
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const at = new Date(0);
  at.setUTCFullYear(year, month, day);
  if (at.getUTCMonth() !== month || at.getUTCDate() !== day || at.getUTCDay() !== weekday) return undefined;
  return at.setUTCHours(hour, minute, Math.min(second, 59), 0);
}
