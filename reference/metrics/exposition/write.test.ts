import { describe, expect, test } from "vitest";
import { type FamilyToWrite, formatBound, formatValue } from "./families-write.ts";
import { readOpenMetrics } from "./openmetrics-read.ts";
import { writeOpenMetrics } from "./openmetrics-write.ts";
import { Page } from "./page.ts";
import { readText } from "./text-read.ts";
import { writeText } from "./text-write.ts";

const FAMILIES: readonly FamilyToWrite[] = [
  {
    name: "requests",
    type: "counter",
    help: 'All "requests"\nby \\ method.',
    samples: [
      {
        name: "requests_total",
        labels: [["method", 'a"b\\c\nd']],
        value: 12,
        timestamp: 1520879607789,
        exemplar: { labels: [["t", "x"]], value: 0.5, timestamp: -1500 },
      },
      { name: "requests_created", labels: [["method", 'a"b\\c\nd']], value: 5, timestamp: 1520879607789 },
    ],
  },
  {
    name: "size.of.it_bytes",
    type: "gauge",
    unit: "bytes",
    samples: [
      {
        name: "size.of.it_bytes",
        labels: [
          ["a.b", "é"],
          ["c", ""],
        ],
        value: NaN,
      },
    ],
  },
  { name: "build", type: "info", samples: [{ name: "build_info", labels: [["v", "1"]], value: 1 }] },
  { name: "plain", samples: [{ name: "plain", value: -Infinity }] },
];

test("the text format: one group per family, without OpenMetrics features", () => {
  const text = writeText(FAMILIES);
  expect(text).toBe(
    [
      '# HELP requests_total All "requests"\\nby \\\\ method.',
      "# TYPE requests_total counter",
      'requests_total{method="a\\"b\\\\c\\nd"} 12 1520879607789',
      '# TYPE "size.of.it_bytes" gauge',
      '{"size.of.it_bytes","a.b"="é",c=""} NaN',
      "# TYPE build_info gauge",
      'build_info{v="1"} 1',
      "# TYPE plain untyped",
      "plain -Inf",
      "",
    ].join("\n"),
  );
  expect(readText(new Page(), new TextEncoder().encode(text))).toBeUndefined();
});

test("OpenMetrics: TYPE, UNIT, HELP, samples, exemplars, the end", () => {
  const text = writeOpenMetrics(FAMILIES);
  expect(text).toBe(
    [
      "# TYPE requests counter",
      '# HELP requests All \\"requests\\"\\nby \\\\ method.',
      'requests_total{method="a\\"b\\\\c\\nd"} 12 1520879607.789 # {t="x"} 0.5 -1.5',
      'requests_created{method="a\\"b\\\\c\\nd"} 5 1520879607.789',
      '# TYPE "size.of.it_bytes" gauge',
      '# UNIT "size.of.it_bytes" bytes',
      '{"size.of.it_bytes","a.b"="é",c=""} NaN',
      "# TYPE build info",
      'build_info{v="1"} 1',
      "plain -Inf",
      "# EOF",
      "",
    ].join("\n"),
  );
  expect(readOpenMetrics(new Page(), new TextEncoder().encode(text))).toBeUndefined();
});

test("names are escaped for readers that know only plain names", () => {
  const [, family] = FAMILIES;
  expect(writeText([family!], { escaping: "underscores" })).toBe('# TYPE size_of_it_bytes gauge\nsize_of_it_bytes{a_b="é",c=""} NaN\n');
});

test.each([
  ["its family without the suffix", "c", "c_total", "c_total"],
  ["its family with it, as the text format has it", "c_total", "c_total", "c_total"],
  ["no suffix anywhere, as the text format may have it", "c", "c", "c"],
])("the type of a counter names the metric of its sample: %s", (_, family, sample, named) => {
  const families: FamilyToWrite[] = [{ name: family, type: "counter", samples: [{ name: sample, value: 1 }] }];
  expect(writeText(families)).toBe(`# TYPE ${named} counter\n${sample} 1\n`);
});
test("a counter without samples has its suffix", () => {
  expect(writeText([{ name: "c", type: "counter", samples: [] }])).toBe("# TYPE c_total counter\n");
});

test("no families: an empty page", () => {
  expect([writeText([]), writeOpenMetrics([])]).toEqual(["", "# EOF\n"]);
});

describe("invalid families throw Misuse", () => {
  const sample = { name: "a", value: 1 };
  test.each<[string, FamilyToWrite[], RegExp]>([
    [
      "a family twice",
      [
        { name: "a", samples: [] },
        { name: "a", samples: [] },
      ],
      /given twice/,
    ],
    ["no name", [{ name: "", type: "gauge", samples: [] }], /needs a name/],
    ["a label without a name", [{ name: "a", samples: [{ ...sample, labels: [["", "b"]] }] }], /cannot be called ""/],
    [
      "a label twice",
      [
        {
          name: "a",
          samples: [
            {
              ...sample,
              labels: [
                ["b", "c"],
                ["b", "d"],
              ],
            },
          ],
        },
      ],
      /given twice/,
    ],
  ])("%s", (_, families, message) => {
    expect(() => writeText(families)).toThrow(message);
    expect(() => writeOpenMetrics(families)).toThrow(message);
  });
  test("two labels that are equal after escaping", () => {
    const families = [
      {
        name: "a",
        samples: [
          {
            ...sample,
            labels: [
              ["b.c", "1"],
              ["b_c", "2"],
            ] as const,
          },
        ],
      },
    ];
    expect(() => writeText(families, { escaping: "underscores" })).toThrow(/given twice, as names are escaped/);
  });
  test.each<[string, FamilyToWrite, RegExp]>([
    ["a unit that is not part of the name", { name: "a", unit: "b", samples: [] }, /does not end with _b/],
    ["a long exemplar", { name: "a", samples: [{ ...sample, exemplar: { labels: [["b", "x".repeat(128)]], value: 1 } }] }, /128/],
    ["an invalid timestamp", { name: "a", samples: [{ ...sample, timestamp: NaN }] }, /finite/],
  ])("OpenMetrics: %s", (_, family, message) => {
    expect(() => writeOpenMetrics([family])).toThrow(message);
  });
});

test("formatBound(): the canonical numbers of the specification", () => {
  const numbers =
    "0.0 0.001 0.002 0.01 0.1 0.9 0.95 0.99 0.999 1.0 1.7 10.0 1e-10 1e-09 1e-05 0.0001 100000.0 1e+06 1e+10 1.1e+23 +Inf -1.0";
  for (const text of numbers.split(" ")) expect(formatBound(text === "+Inf" ? Infinity : Number(text))).toBe(text);
});

test("formatValue(): the shortest text that reads back as the same 64 bits", () => {
  const values = [0, -0, 1, -1, 12.47, 1e15, 999999999999999, 123456789012, 1.458255915e9, 1e21, 5e-324, Number.MAX_VALUE, 0.1 + 0.2, 1e-7];
  for (const value of values) expect(Number(formatValue(value))).toBe(value);
  expect(values.slice(0, 8).map(formatValue)).toEqual(["0", "-0", "1", "-1", "12.47", "1e+15", "999999999999999", "123456789012"]);
  expect([NaN, Infinity, -Infinity].map(formatValue)).toEqual(["NaN", "+Inf", "-Inf"]);
});
