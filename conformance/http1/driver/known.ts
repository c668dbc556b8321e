import type { Values } from "../../wire/http1/build.ts";

/** What the probe learned about a server and cases rely on. */
export type Known = {
  /** The status of the response to GET on the subject's path. */
  readonly status: number;
  /** A path whose response has another status. */
  readonly missing?: { readonly path: string; readonly status: number };
  /** A path that echoes the content of POST. */
  readonly echo?: string;
  /** Paths whose response to GET is preceded by 103, is chunked, or has trailers. */
  readonly early?: string;
  readonly chunked?: string;
  readonly trailers?: string;
  /** The names of the lines in a report of its program. */
  readonly report?: readonly string[];
  /** The entity tag of the path, and when it was last modified, for conditional requests. */
  readonly etag?: string;
  readonly modified?: string;
  /** A second request on a connection is answered. */
  readonly persists: boolean;
  /** It ends the connection after answering a request with `Connection: close`. */
  readonly closes: boolean;
};

/** A server before the probe. */
export const UNKNOWN: Known = { status: 200, persists: true, closes: true };

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const IMF = /^(\w{3}), (\d\d) (\w{3}) (\d{4}) ([\d:]{8}) GMT$/;
/** A date in the format of RFC 850 (rfc9110#5.6.7). */
function rfc850(date: string): string {
  const [, , day, month, year = "", time] = IMF.exec(date) ?? [];
  return `${new Date(date).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" })}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
}

/** So long ago that the last two digits of the year could also mean one more than fifty years ahead. */
const YEARS_AGO = 49;
const longAgo = (): string => new Date(Date.UTC(new Date().getUTCFullYear() - YEARS_AGO, 0, 1)).toUTCString();

/** The day before a date, the hour after it, and the date in the two obsolete formats; nothing if it is no date. */
function otherFormats(date: string): Values {
  const [, weekday, day, month, year, time] = IMF.exec(date) ?? [];
  if (day === undefined) return {};
  return {
    earlier: new Date(Date.parse(date) - DAY_MS).toUTCString(),
    later: new Date(Date.parse(date) + HOUR_MS).toUTCString(),
    longago: longAgo(),
    longago850: rfc850(longAgo()),
    modified850: rfc850(date),
    modifiedasctime: `${weekday} ${month} ${day.replace(/^0/, " ")} ${time} ${year}`,
  };
}

/** What the braces of a case stand for. */
export const valuesOfKnown = ({ missing, echo, early, chunked, trailers, etag, modified }: Known): Values => ({
  ...(missing === undefined ? {} : { missing: missing.path }),
  ...(echo === undefined ? {} : { echo }),
  ...(early === undefined ? {} : { early }),
  ...(chunked === undefined ? {} : { chunked }),
  ...(trailers === undefined ? {} : { trailers }),
  ...(etag === undefined ? {} : { etag }),
  ...(modified === undefined ? {} : { modified, ...otherFormats(modified) }),
});
