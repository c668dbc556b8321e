import { describe, expect, test } from "vitest";
import { formatDate, parseDate } from "./date.ts";

const NOW = Date.UTC(2026, 0, 1);
const MOMENT = Date.UTC(1994, 10, 6, 8, 49, 37);

describe("dates (rfc9110#5.6.7)", () => {
  test("formatDate(): writes IMF-fixdate, in whole seconds", () => {
    expect(formatDate(MOMENT + 999)).toBe("Sun, 06 Nov 1994 08:49:37 GMT");
    expect(formatDate(Date.UTC(2024, 1, 29, 0, 0, 0))).toBe("Thu, 29 Feb 2024 00:00:00 GMT");
  });
  test.each(["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])(
    "parseDate(): accepts %s",
    (text) => {
      expect(parseDate(text, NOW)).toBe(MOMENT);
    },
  );
  test("parseDate(): a two-digit year is at most fifty years ahead", () => {
    expect(parseDate("Wednesday, 01-Jan-76 00:00:00 GMT", NOW)).toBe(Date.UTC(2076, 0, 1));
    expect(parseDate("Saturday, 01-Jan-77 00:00:00 GMT", NOW)).toBe(Date.UTC(1977, 0, 1));
  });
  test("parseDate(): a leap second counts as the second before it", () => {
    expect(parseDate("Sat, 31 Dec 2016 23:59:60 GMT", NOW)).toBe(Date.UTC(2016, 11, 31, 23, 59, 59));
  });
  test.each([
    "",
    "Sun, 6 Nov 1994 08:49:37 GMT",
    "sun, 06 nov 1994 08:49:37 gmt",
    "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 GMT ",
    "Mon, 06 Nov 1994 08:49:37 GMT",
    "Thu, 31 Nov 1994 08:49:37 GMT",
    "Wed, 29 Feb 2023 00:00:00 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:37 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT",
    "Sun, 06 Nov 94 08:49:37 GMT",
    "Sun Nov 06 08:49:37 94",
  ])("parseDate(%j) is undefined", (text) => {
    expect(parseDate(text, NOW)).toBeUndefined();
  });
  test("parseDate(): reads every day as formatDate() writes it", () => {
    for (let day = 0; day < 400; day++) {
      const ms = day * 37 * 86_400_000 + day * 1_000;
      expect(parseDate(formatDate(ms), NOW)).toBe(ms);
    }
  });
});
