import { describe, expect, test } from "vitest";
import {
  acceptOf,
  contentTypeOf,
  negotiate,
  OPENMETRICS,
  OPENMETRICS_OLD,
  parseContentType,
  PROTOBUF,
  TEXT,
  TEXT_UTF8,
} from "./negotiate.ts";

const DEFAULT =
  "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4," +
  "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1";

test("acceptOf(): the example of the specification", () => {
  expect(acceptOf([OPENMETRICS, OPENMETRICS_OLD, TEXT_UTF8, TEXT])).toBe(DEFAULT);
});

describe("negotiate()", () => {
  test.each([
    ["everything, OpenMetrics first", DEFAULT, OPENMETRICS],
    ["no field", undefined, TEXT],
    ["anything", "*/*", TEXT],
    ["an unknown type", "image/png", TEXT],
    ["the text format alone", "text/plain", TEXT],
    ["any text", "text/*", TEXT],
    ["quoted names", "text/plain;version=1.0.0;escaping=allow-utf-8", TEXT_UTF8],
    ["escaped names", "text/plain; version=1.0.0; escaping=dots", { ...TEXT_UTF8, escaping: "dots" }],
    ["no escaping named", "application/openmetrics-text;version=1.0.0", { ...OPENMETRICS, escaping: "underscores" }],
    [
      "an escaping that there is not",
      "application/openmetrics-text;version=1.0.0;escaping=rot13",
      { ...OPENMETRICS, escaping: "underscores" },
    ],
    ["an unknown version", "application/openmetrics-text;version=7,text/plain;q=0.1", TEXT],
    [
      "the highest weight, not the first",
      "text/plain;version=0.0.4;q=0.3,application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.7",
      OPENMETRICS,
    ],
    ["the first of equal weights", "application/openmetrics-text;version=0.0.1,text/plain;version=0.0.4", OPENMETRICS_OLD],
    ["a weight of 0", "application/openmetrics-text;version=1.0.0;q=0,text/plain;q=0.1", TEXT],
    ["capitals, blanks and quotes", 'Application/OpenMetrics-Text ; VERSION="1.0.0" ; escaping = x', TEXT],
    ["capitals and quotes", 'Application/OpenMetrics-Text ; VERSION="1.0.0";escaping="allow-utf-8"', OPENMETRICS],
    ["a comma within quotes", 'text/html;x=",application/openmetrics-text",text/plain', TEXT],
    ["a parameter twice", "application/openmetrics-text;version=1.0.0;version=0.0.1", TEXT],
    ["an invalid weight", "application/openmetrics-text;version=1.0.0;q=high", TEXT],
    ["protobuf, which is not offered", "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited", TEXT],
  ] as const)("%s", (_, accept, format) => {
    expect(negotiate(accept)).toEqual(format);
  });

  test("only offered formats are selected, and the fallback is the target's", () => {
    expect(negotiate(DEFAULT, { formats: ["text"] })).toEqual(TEXT_UTF8);
    expect(negotiate("image/png", { fallback: OPENMETRICS })).toEqual(OPENMETRICS);
    expect(
      negotiate("application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.9", {
        formats: ["protobuf", "text"],
      }),
    ).toEqual(PROTOBUF);
  });
  test("a field of any length is accepted", () => {
    expect(negotiate("text/plain;version=1.0.0,".repeat(100_000))).toEqual(TEXT);
  });
});

describe("parseContentType()", () => {
  test.each([OPENMETRICS, OPENMETRICS_OLD, TEXT_UTF8, TEXT, PROTOBUF, { ...TEXT_UTF8, escaping: "values" } as const])(
    "reads back %j",
    (format) => {
      expect(parseContentType(contentTypeOf(format))).toEqual(format);
    },
  );
  test("contentTypeOf() writes them", () => {
    expect(contentTypeOf(TEXT)).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(contentTypeOf(OPENMETRICS)).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=allow-utf-8");
    expect(contentTypeOf(PROTOBUF)).toBe("application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited");
  });
  test.each([
    undefined,
    "",
    "text/html",
    "text/plain; version=9",
    "text/plain; charset=latin1",
    "text/plain;;=",
    "application/vnd.google.protobuf",
    "plain",
  ])("%j is not a format that can be scraped", (value) => {
    expect(parseContentType(value)).toBeUndefined();
  });
  test("text/plain alone is the text format", () => {
    expect(parseContentType("text/plain")).toEqual(TEXT);
  });
});
