import { describe, expect, test } from "vitest";
import { metadataByFamily } from "./families.ts";
import { SCRAPE } from "./leniency.ts";
import { readOpenMetrics } from "./openmetrics-read.ts";
import { MARK, Page } from "./page.ts";
import { readText } from "./text-read.ts";

const octets = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (page: Page, n: number): string => new TextDecoder().decode(page.series(n));

describe("a page", () => {
  test("has the octets of name and labels of each series", () => {
    const page = new Page();
    const given = octets('# HELP a b\na{b="c"} 1\na 2 5\n{"d.e",f="g"} 3\n');
    expect(readText(page, given)).toBeUndefined();
    expect([text(page, 0), text(page, 1), text(page, 2)]).toEqual(['a{b="c"}', "a", '{"d.e",f="g"}']);
    expect([page.name(0), page.name(1), page.name(2)]).toEqual(["a", "a", "d.e"]);
    expect([page.marks[0], page.marks[1], page.marks[2]]).toEqual([MARK.labels, 0, MARK.labels | MARK.quotedNames]);
    expect([...page.values.subarray(0, 3)]).toEqual([1, 2, 3]);
    expect([...page.timestamps.subarray(0, 3)]).toEqual([NaN, 5, NaN]);
  });

  test("is reusable and keeps nothing of the previous page", () => {
    const page = new Page();
    readOpenMetrics(page, octets('# TYPE c counter\nc_total{a="b"} 1 5 # {x="y"} 1\n# EOF\n'));
    expect(readText(page, octets("d 2\n"))).toBeUndefined();
    expect([page.count, page.exemplarCount, page.metadata, page.name(0), page.labels(0), page.timestamps[0]]).toEqual([
      1,
      0,
      [],
      "d",
      [],
      NaN,
    ]);
  });

  test("can be anywhere in a larger buffer", () => {
    const page = new Page();
    const whole = octets("xxxa 1\nyyy");
    expect(readText(page, whole.subarray(3, 7))).toBeUndefined();
    expect([page.count, page.name(0)]).toEqual([1, "a"]);
  });
});

describe("with the leniency of servers", () => {
  const page = new Page();
  const text = (given: string) => readText(page, octets(given), { lenient: SCRAPE })?.name;
  const om = (given: string) => readOpenMetrics(page, octets(given), { lenient: SCRAPE })?.name;

  test.each([
    ["the last line without its line feed", "a 1", "lineUnended"],
    ["an unknown escape", 'a{b="\\d"} 1\n', "escapeInvalid"],
    ["an unknown escape in a help text", "# HELP a \\d\n", "helpInvalid"],
    ["an escaped quote in a help text", '# HELP a \\"\n', "helpInvalid"],
    ["a type of OpenMetrics", "# TYPE a info\n", "typeUnknown"],
    ["metadata twice", "# TYPE a gauge\n# TYPE a gauge\n", "metadataRepeated"],
    ["a series twice", "a 1\na 1\n", "sampleRepeated"],
    ["a histogram without +Inf", '# TYPE h histogram\nh_bucket{le="1"} 1\n', "bucketInfinite"],
  ])("text: %s", (_, given, strictly) => {
    expect(text(given)).toBeUndefined();
    expect(readText(page, octets(given))?.name).toBe(strictly);
  });
  test.each([
    ["a comma after the last label", 'a{b="c",} 1\n# EOF\n', "commaTrailing"],
    ["scattered families", "a 1\nb 1\na 1\n# EOF\n", "familyApart"],
  ])("OpenMetrics: %s", (_, given, strictly) => {
    expect(om(given)).toBeUndefined();
    expect(readOpenMetrics(page, octets(given))?.name).toBe(strictly);
  });
  test.each([
    ["a 1 x\n", "timestampInvalid"],
    ["a{\n", "commaMissing"],
    ['a{b="c",b="d"} 1\n', "labelRepeated"],
    ["\u00e9 1\n", "lineUnexpected"],
  ])("and what they do not: %j", (given, fault) => {
    expect([text(given), om(`${given}# EOF\n`)]).toEqual([fault, fault]);
  });
  test("an OpenMetrics page without its end", () => {
    expect(om("a 1\n")).toBe("eofMissing");
  });

  test("leniencies do not change the content", () => {
    text('a{b="\\d\\\\\\n"} 1');
    expect(page.labels(0)).toEqual([["b", "\\d\\\n"]]);
  });
});

describe("lines together", () => {
  const page = new Page();
  const text = (given: string) => readText(page, octets(given));
  const om = (given: string) => readOpenMetrics(page, octets(`${given}# EOF\n`));
  const LONG = `0.5${"0".repeat(60)}`;

  test.each([
    ["a name that is a prefix of another of its metric", '# TYPE s summary\ns_sum 1\ns_count 2\ns{quantile="x"} 1\n', "quantileInvalid", 4],
    ["a bound with many digits", `# TYPE h histogram\nh_bucket{le="0.6"} 1\nh_bucket{le="${LONG}"} 1\n`, "bucketOrder", 3],
    ["labels of a bucket in another order", '# TYPE h histogram\nh_bucket{a="b",le="2"} 1\nh_bucket{le="1",a="b"} 1\n', "bucketOrder", 3],
  ])("%s", (_, given, name, line) => {
    expect(text(given)).toMatchObject({ name, line });
    expect(om(given)).toMatchObject({ name, line });
  });

  test("text: a count with a bound does not belong to the histogram", () => {
    expect(text('# TYPE h histogram\nh_bucket{le="+Inf"} 1\nh_count{le="+Inf"} 1\n')).toMatchObject({ name: "bucketInfinite", line: 3 });
  });
  test("text: a repeated series in a second metric is a fault", () => {
    expect(text('h_bucket{le="1"} 1\n# TYPE h histogram\nh_bucket{le="1"} 1\n')).toMatchObject({ name: "sampleRepeated", line: 3 });
  });
  test("a bound with many digits is accepted", () => {
    expect(om(`# TYPE h histogram\nh_bucket{le="${LONG}"} 1\nh_bucket{le="+Inf"} 1\n`)).toBeUndefined();
  });
});

test("metadataByFamily(): the metadata of each metric in the order of the page", () => {
  const page = new Page();
  readOpenMetrics(page, octets('# TYPE b_s gauge\n# UNIT b_s s\n# HELP b_s \\"x\\"\n# HELP a \nb_s 1\n# EOF\n'));
  expect([...metadataByFamily(page)]).toEqual([
    ["b_s", { type: "gauge", unit: "s", help: '"x"' }],
    ["a", {}],
  ]);
});

test("a fault has its position and advice in one line", () => {
  const fault = readText(new Page(), octets("a 1\nb{c=d} 1\n"));
  expect(fault).toEqual({
    is: "fault",
    name: "quoteMissing",
    spec: "prometheus-exposition#text.line-format",
    advice: "Put label values in double quotes.",
    line: 2,
    column: 5,
    message: "line 2, column 5: quoteMissing. Put label values in double quotes.",
  });
});
