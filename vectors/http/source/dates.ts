import { accepted, invalid, pairs, refused, type Draft, type Source, valid } from "./craft.ts";

const SPEC = "rfc9110#5.6.7";
const NOW = "2026-06-15T12:00:00Z";
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A moment in one of the three formats, from its parts. */
type Format = (moment: string) => string;
const partsOf = (moment: string) => {
  const [date = "", time = ""] = moment.replace("Z", "").split("T");
  const [year = "", month = "", day = ""] = date.split("-");
  return { year, month: MONTHS[Number(month) - 1]!, day, time, weekday: DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]! };
};
const imf: Format = (moment) => {
  const { year, month, day, time, weekday } = partsOf(moment);
  return `${weekday.slice(0, 3)}, ${day} ${month} ${year} ${time} GMT`;
};
const rfc850: Format = (moment) => {
  const { year, month, day, time, weekday } = partsOf(moment);
  return `${weekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
};
const asctime: Format = (moment) => {
  const { year, month, day, time, weekday } = partsOf(moment);
  return `${weekday.slice(0, 3)} ${month} ${day.replace(/^0/, " ")} ${time} ${year}`;
};
const FORMATS: readonly (readonly [name: string, format: Format, flag: string])[] = [
  ["IMF-fixdate", imf, "Imf"],
  ["the format of RFC 850", rfc850, "Rfc850"],
  ["the format of asctime()", asctime, "Asctime"],
];

/** These moments in each format. */
const inAll = (note: string, ...moments: readonly string[]): Draft[] =>
  FORMATS.map(([name, format, flag]) =>
    valid({ note: `${note}, in ${name}`, spec: SPEC, element: "date", ...pairs(moments.map((moment) => [format(moment), moment])), now: NOW, flags: [flag] }),
  );
/** The two-digit years are relative to `now`. */
const years = (note: string, now: string, ...moments: readonly string[]): Draft =>
  valid({ note, spec: SPEC, element: "date", ...pairs(moments.map((moment) => [rfc850(moment), moment])), now, flags: ["Century"] });
const bad = (note: string, flag: string, ...texts: readonly string[]): Draft =>
  invalid({ note, spec: SPEC, element: "date", texts, now: NOW, flags: [flag] });
const loose = (note: string, flag: string, ...list: readonly (readonly [text: string, value: string])[]): Draft =>
  refused({ note, spec: SPEC, element: "date", ...pairs(list), now: NOW, flags: [flag] });

const two = (value: number): string => String(value).padStart(2, "0");

export const source: Source = {
  about: "Dates in fields: the three formats, days and times at the ends of their range, two-digit years, impossible dates",
  spec: SPEC,
  flags: {
    Imf: { why: "a date as it is sent", bug: "TOO_STRICT" },
    Rfc850: { why: "an obsolete format with a two-digit year", bug: "TOO_STRICT" },
    Asctime: { why: "an obsolete format without a zone", bug: "TOO_STRICT" },
    Century: { why: "more than fifty years ahead means the past", bug: "WRONG_CENTURY" },
    Impossible: { why: "a day or a time that does not exist", bug: "MISSING_CHECK" },
    NotADate: { why: "a text in no format", bug: "MISSING_CHECK" },
    Weekday: { why: "a day of the week that is not that of the date", bug: "MISSING_CHECK" },
    Loose: { why: "a date in another form, which a robust recipient may read", bug: "MISSING_CHECK" },
    LeapSecond: { why: "second 60, which has no number of its own in most clocks", bug: "TOO_STRICT" },
    Written: { why: "a date is sent as IMF-fixdate, in whole seconds", bug: "WRONG_FORMAT" },
  },
  vectors: [
    ...inAll("the example", "1994-11-06T08:49:37Z"),
    ...inAll("every month", ...MONTHS.map((_, month) => `2021-${two(month + 1)}-${two(month + 11)}T10:11:12Z`)),
    ...inAll("every day of the week, and days of one digit", ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((day) => `2023-05-0${day}T01:02:03Z`)),
    ...inAll("the last day of every month", ...[31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].map((day, month) => `2023-${two(month + 1)}-${day}T12:00:00Z`)),
    ...inAll("29 February", "2024-02-29T00:00:00Z", "2000-02-29T23:59:59Z"),
    ...inAll("the ends of a day", "2020-03-04T00:00:00Z", "2020-03-04T23:59:59Z", "2020-03-04T00:59:00Z", "2020-03-04T23:00:59Z", "2020-03-04T00:00:01Z"),
    ...inAll("before 1970", "1999-12-31T23:59:59Z", "1990-01-01T00:00:00Z"),
    valid({
      note: "years far away, with four digits",
      spec: SPEC,
      element: "date",
      ...pairs(["0001-01-01T00:00:00Z", "0099-12-31T23:59:59Z", "1969-12-31T23:59:59Z", "2077-01-01T00:00:00Z", "9999-12-31T23:59:59Z"].flatMap((moment) => [[imf(moment), moment], [asctime(moment), moment]] as const)),
      now: NOW,
      flags: ["Imf"],
    }),
    years("fifty years ahead, to the second", NOW, "2076-06-15T12:00:00Z", "2076-06-15T11:59:59Z", "2076-01-01T00:00:00Z", "2075-12-31T23:59:59Z"),
    years("more than fifty years ahead", NOW, "1976-06-15T12:00:01Z", "1976-12-31T23:59:59Z", "1977-01-01T00:00:00Z", "1999-12-31T23:59:59Z"),
    years("this year and around it", NOW, "2026-06-15T12:00:00Z", "2025-12-31T23:59:59Z", "2027-01-01T00:00:00Z", "2000-01-01T00:00:00Z"),
    years("at the end of a century", "2099-12-31T23:59:59Z", "2099-12-31T23:59:59Z", "2050-01-01T00:00:00Z"),
    years("at the beginning of a century", "2100-01-01T00:00:00Z", "2150-01-01T00:00:00Z", "2100-01-01T00:00:00Z", "2050-01-01T00:00:01Z", "2051-01-01T00:00:00Z"),
    bad("a day that its month does not have", "Impossible", ...["Wed, 31 Apr 2021", "Thu, 29 Feb 2023", "Sat, 30 Feb 2021", "Thu, 29 Feb 1900", "Sun, 00 Jan 2023", "Wed, 32 Mar 2023"].flatMap((day) => [`${day} 10:00:00 GMT`])),
    bad("the day before or after, whatever the name of the day", "Impossible", ...DAYS.flatMap((name) => [`${name.slice(0, 3)}, 31 Nov 1994 08:49:37 GMT`, `${name}, 31-Nov-94 08:49:37 GMT`, `${name.slice(0, 3)} Nov 31 08:49:37 1994`, `${name.slice(0, 3)} Nov  0 08:49:37 1994`])),
    bad("an hour, minute or second that does not exist", "Impossible", ...["24:00:00", "08:60:00", "08:49:61", "99:00:00", "25:59:59", "00:99:00", "00:00:99"].flatMap((time) => [`Sun, 06 Nov 1994 ${time} GMT`, `Sunday, 06-Nov-94 ${time} GMT`, `Sun Nov  6 ${time} 1994`])),
    bad("no date", "NotADate", "", "0", "784111777", "yesterday", "Sun, 06 Nov 1994", "08:49:37", "Sun, 06 Foo 1994 08:49:37 GMT", "Foo, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37", "xSun, 06 Nov 1994 08:49:37 GMT", "Sun Nov  6 08:49:37 1994x"),
    loose("another day of the week", "Weekday", ["Mon, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"], ["Saturday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"], ["Sat Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"]),
    loose("another spelling", "Loose", ["sun, 06 nov 1994 08:49:37 gmt", "1994-11-06T08:49:37Z"], ["Sun, 6 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"], ["Sun, 06 Nov 1994 08:49:37 UTC", "1994-11-06T08:49:37Z"], ["Sun, 06 Nov 94 08:49:37 GMT", "1994-11-06T08:49:37Z"], ["Sun Nov 6 08:49:37 1994", "1994-11-06T08:49:37Z"], ["Sun,  06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"], ["06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"]),
    accepted({ note: "a leap second, read as the one before", spec: SPEC, element: "date", ...pairs(FORMATS.map(([, format]) => [format("2016-12-31T23:59:60Z"), "2016-12-31T23:59:59Z"])), now: NOW, flags: ["LeapSecond"] }),
    valid({ note: "moments and their dates", spec: SPEC, element: "written-date", ...pairs(["1994-11-06T08:49:37.000Z", "1994-11-06T08:49:37.999Z", "2024-02-29T00:00:00.000Z", "2023-12-31T23:59:59.000Z", "0099-01-02T03:04:05.000Z", "1970-01-01T00:00:00.000Z", ...MONTHS.map((_, month) => `2022-${two(month + 1)}-${two(month + 5)}T00:00:0${month % 10}.000Z`)].map((moment) => [moment, imf(moment.replace(/\.\d+/, ""))])), flags: ["Written"] }),
  ],
};
