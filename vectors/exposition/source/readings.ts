import type { VectorSource } from "../../write.ts";
import { ex, octets, s, type Sample } from "./craft.ts";
import type { ReadingVector } from "./kinds.ts";

type Draft = Omit<ReadingVector, "id">;
type Parts = ReadingVector["parts"];
type Options = Pick<ReadingVector, "limits" | "lenient">;
/** A fault at the mark ¦ of the last part that has one, or at a line and column. */
type Place = readonly [fault: string, line: number, column: number];

const about = (op: ReadingVector["op"], flag: string) => {
  const plain = (parts: Parts): Parts => parts.map((part) => (typeof part === "string" ? octets(part) : { ...part, line: octets(part.line) }));
  const head = (note: string, parts: Parts, options: Options): Omit<Draft, "result"> => ({
    note,
    spec: op === "exposition-text" ? "prometheus-exposition#text" : "prometheus-openmetrics#text",
    op,
    ...options,
    parts: plain(parts),
    flags: [flag],
  });
  return {
    reads: (note: string, parts: Parts, samples: NonNullable<ReadingVector["samples"]>, options: Options = {}): Draft => ({
      ...head(note, parts, options),
      samples,
      result: "valid",
    }),
    refuses: (note: string, parts: Parts, [fault, line, column]: Place, options: Options = {}): Draft => ({
      ...head(note, parts, options),
      fault,
      line,
      column,
      result: "invalid",
    }),
  };
};
const text = about("exposition-text", "Limit");
const om = about("exposition-openmetrics", "Limit");
const lenient = about("exposition-text", "Lenient");
const lenientOm = about("exposition-openmetrics", "Lenient");
const many = about("exposition-text", "Many");
const manyOm = about("exposition-openmetrics", "Many");
const A = s("a", {}, 1);
const LONG = `0.5${"0".repeat(60)}`;

/** A limit, a page at the limit, the same with one more, and the place of the fault. */
type Edge = readonly [limit: string, most: number, good: string, samples: readonly Sample[], bad: string, place: Place];
const EDGES: readonly Edge[] = [
  ["pageOctets", 8, "abcde 1\n", [s("abcde", {}, 1)], "abcdef 1\n", ["pageTooLarge", 1, 1]],
  ["lineOctets", 8, "abcde 1\na 1\n", [s("abcde", {}, 1), A], "a 1\nabcdef 1\n", ["lineTooLong", 2, 1]],
  ["samples", 2, "a 1\nb 1\n", [A, s("b", {}, 1)], "a 1\nb 1\nc 1\n", ["tooManySamples", 3, 1]],
  ["metadata", 1, "# TYPE a gauge\n", [], "# TYPE a gauge\n# HELP a b\n", ["tooManyMetadata", 2, 1]],
  ["labels", 2, 'a{b="",c=""} 1\n', [s("a", { b: "", c: "" }, 1)], 'a{b="",c="",d=""} 1\n', ["tooManyLabels", 1, 13]],
  ["nameOctets", 3, 'abc{abc=""} 1\n', [s("abc", { abc: "" }, 1)], "abcd 1\n", ["nameTooLong", 1, 1]],
  ["nameOctets", 3, 'a{bcd=""} 1\n', [s("a", { bcd: "" }, 1)], 'a{bcde=""} 1\n', ["nameTooLong", 1, 3]],
  ["nameOctets", 3, 'a{"a.b"="c"} 1\n', [s("a", { "a.b": "c" }, 1)], 'a{"a.bc"="c"} 1\n', ["nameTooLong", 1, 4]],
  ["valueOctets", 4, 'a{b="cde"} 1\n', [s("a", { b: "cde" }, 1)], 'a{b="cdefg"} 1\n', ["labelValueTooLong", 1, 6]],
];

export const source: VectorSource<ReadingVector> = {
  about: "Pages read with limits or leniencies of this project, and pages of many lines",
  spec: "prometheus-openmetrics#design.size-limits",
  flags: {
    Limit: { why: "a limit, or one more than that", bug: "MISSING_LIMIT" },
    Lenient: { why: "what a lenient reader accepts, and what it does not", bug: "MISSING_CHECK" },
    Many: { why: "many lines, numbers at their limits, octets beside those of a class", bug: "LOST_SAMPLE" },
  },
  vectors: [
    ...EDGES.flatMap(([limit, most, good, samples, bad, place]) => [
      text.reads(`${limit}: as many as the limit of ${most}`, [good], samples, { limits: { [limit]: most } }),
      text.refuses(`${limit}: more than the limit of ${most}`, [bad], place, { limits: { [limit]: most } }),
    ]),
    ...EDGES.filter(([limit]) => limit !== "pageOctets").flatMap(([limit, most, good, samples, bad, place]) => {
      return [
        om.reads(`${limit}: as many as the limit of ${most}`, [good, "# EOF\n"], samples, { limits: { [limit]: most } }),
        om.refuses(`${limit}: more than the limit of ${most}`, [bad, "# EOF\n"], place, { limits: { [limit]: most } }),
      ];
    }),
    om.reads("pageOctets: as many as the limit of 10", ["a 1\n# EOF\n"], [A], { limits: { pageOctets: 10 } }),
    om.refuses("pageOctets: more than the limit of 9", ["a 1\n# EOF\n"], ["pageTooLarge", 1, 1], { limits: { pageOctets: 9 } }),
    om.reads("exemplars: as many as the limit of 2", ["# TYPE c counter\n", { line: 'c_total{i="%"} 1 # {} 1\n', times: 2 }, "# EOF\n"], [{ sample: s("c_total", { i: "%" }, 1, { exemplar: ex({}, 1) }), times: 2 }], { limits: { exemplars: 2 } }),
    om.refuses("exemplars: more than the limit of 2", ["# TYPE c counter\n", { line: 'c_total{i="%"} 1 # {} 1\n', times: 3 }, "# EOF\n"], ["tooManyExemplars", 4, 18], { limits: { exemplars: 2 } }),
    om.refuses("labels of an exemplar: more than the limit of 1", ['# TYPE c counter\nc_total 1 # {a="",b=""} 1\n# EOF\n'], ["tooManyLabels", 2, 19], { limits: { labels: 1 } }),
    text.refuses("256 labels are the default limit", [`a{${Array.from({ length: 257 }, (_, i) => `l${i}=""`).join()}} 1\n`], ["tooManyLabels", 1, 1941]),
    text.reads("256 labels", [`a{${Array.from({ length: 256 }, (_, i) => `l${i}=""`).join()}} 1\n`], [s("a", Object.fromEntries(Array.from({ length: 256 }, (_, i) => [`l${i}`, ""])), 1)]),
    text.reads("a name of 4,096 octets", [`${"a".repeat(4_096)} 1\n`], [s("a".repeat(4_096), {}, 1)]),
    text.refuses("a name of 4,097 octets is beyond the default limit", [`${"a".repeat(4_097)} 1\n`], ["nameTooLong", 1, 1]),

    lenient.reads("the last line without its line feed", ["a 1"], [A], { lenient: ["unendedLine"] }),
    lenient.refuses("the last line without its line feed, strictly", ["a 1"], ["lineUnended", 1, 4]),
    lenient.reads("a last line that is ended", ["a 1\n"], [A], { lenient: ["unendedLine"] }),
    lenient.reads("no octets", [""], [], { lenient: ["unendedLine"] }),
    lenient.reads("a comment without its line feed", ["a 1\n# b"], [A], { lenient: ["unendedLine"] }),
    lenient.refuses("a line without its value, and without its line feed", ["a"], ["valueMissing", 1, 2], { lenient: ["unendedLine"] }),
    lenient.reads("an unknown escape", ['a{b="\\d\\\\\\n\\""} 1\n'], [s("a", { b: '\\d\\\n"' }, 1)], { lenient: ["unknownEscapes"] }),
    lenient.refuses("an unknown escape, strictly", ['a{b="\\d"} 1\n'], ["escapeInvalid", 1, 6]),
    lenient.refuses("a backslash at the end of the line", ['a{b="\\\n'], ["quoteOpen", 1, 6], { lenient: ["unknownEscapes"] }),
    lenient.reads("a backslash before a character that is not ASCII", ['a{b="\\é"} 1\n'], [s("a", { b: "\\é" }, 1)], { lenient: ["unknownEscapes"] }),
    lenient.refuses("a backslash before an octet that is not UTF-8", ['a{b="\\\uf7ff"} 1\n'], ["utf8Invalid", 1, 6], { lenient: ["unknownEscapes"] }),
    lenient.reads("an unknown escape and an escaped quote in a help text", ['# HELP a \\d\\"\na 1\n'], [A], { lenient: ["unknownEscapes"] }),
    lenient.refuses("an escaped quote in a help text, strictly", ['# HELP a \\"\n'], ["helpInvalid", 1, 10]),
    lenient.refuses("a backslash at the end of a help text", ["# HELP a \\\n"], ["helpInvalid", 1, 10], { lenient: ["unknownEscapes"] }),
    lenient.reads("a type of OpenMetrics", ["# TYPE a info\na 1\n"], [A], { lenient: ["otherTypes"] }),
    lenient.reads("a type in capitals", ["# TYPE a GAUGE\na 1\n"], [A], { lenient: ["otherTypes"] }),
    lenient.refuses("a type of OpenMetrics, strictly", ["# TYPE a info\n"], ["typeUnknown", 1, 10]),
    lenient.reads("metadata twice", ["# TYPE a gauge\n# TYPE a gauge\na 1\n"], [A], { lenient: ["families"] }),
    lenient.refuses("metadata twice, strictly", ["# TYPE a gauge\n# TYPE a gauge\n"], ["metadataRepeated", 2, 1]),
    lenient.reads("a series twice", ["a 1\na 1\n"], [A, A], { lenient: ["families"] }),
    lenient.refuses("a series twice, strictly", ["a 1\na 1\n"], ["sampleRepeated", 2, 1]),
    lenient.reads("a histogram without its last bucket", ['# TYPE h histogram\nh_bucket{le="1"} 1\n'], [s("h_bucket", { le: "1" }, 1)], { lenient: ["families"] }),
    lenient.reads("all leniencies together", ['# TYPE a Info\na{b="\\d",} 1'], [s("a", { b: "\\d" }, 1)], { lenient: ["families", "unendedLine", "unknownEscapes", "trailingComma", "otherTypes"] }),
    ...(
      [
        ["a word as a timestamp", "a 1 x\n", ["timestampInvalid", 1, 5]],
        ["an open brace", "a{\n", ["commaMissing", 1, 3]],
        ["a label twice", 'a{b="c",b="d"} 1\n', ["labelRepeated", 1, 9]],
        ["a name that needs quotes", "é 1\n", ["lineUnexpected", 1, 1]],
      ] as const
    ).flatMap(([note, page, place]) => {
      const all = { lenient: ["families", "unendedLine", "unknownEscapes", "trailingComma", "otherTypes"] };
      return [lenient.refuses(`${note}, with all leniencies`, [page], place, all), lenientOm.refuses(`${note}, with all leniencies`, [page, "# EOF\n"], place, all)];
    }),
    lenientOm.reads("a comma after the last label", ['a{b="c",} 1\n# EOF\n'], [s("a", { b: "c" }, 1)], { lenient: ["trailingComma"] }),
    lenientOm.refuses("a comma after the last label, strictly", ['a{b="c",} 1\n# EOF\n'], ["commaTrailing", 1, 8]),
    lenientOm.refuses("a comma without a label", ["a{,} 1\n# EOF\n"], ["labelInvalid", 1, 3], { lenient: ["trailingComma"] }),
    lenientOm.reads("scattered families", ["a 1\nb 1\na 1\n# EOF\n"], [A, s("b", {}, 1), A], { lenient: ["families"] }),
    lenientOm.refuses("a page without its end", ["a 1\n"], ["eofMissing", 2, 1], { lenient: ["families", "unendedLine"] }),

    many.reads("3,000 samples", [{ line: 'a{i="%"} % %\n', times: 3_000 }], [{ sample: s("a", { i: "%" }, "%", { at: "%" as never }), times: 3_000 }]),
    many.reads("1,025 samples", [{ line: "a% %\n", times: 1_025 }], [{ sample: s("a%", {}, "%"), times: 1_025 }]),
    manyOm.reads("1,100 samples with exemplars and times", ["# TYPE c counter\n", { line: 'c_total{i="%"} % 1 # {n="%"} % 2\n', times: 1_100 }, "# EOF\n"], [{ sample: s("c_total", { i: "%" }, "%", { at: 1_000, exemplar: ex({ n: "%" }, "%", 2_000) }), times: 1_100 }]),
    manyOm.reads("40 exemplars, each of the second sample", ["# TYPE c counter\n", { line: 'c_total{i="%"} 1\nc_total{i="x%"} 2 # {n="%"} 3\n', times: 40 }, "# EOF\n"], Array.from({ length: 40 }, (_, i) => [s("c_total", { i: String(i) }, 1), s("c_total", { i: `x${i}` }, 2, { exemplar: ex({ n: String(i) }, 3) })]).flat()),
    many.reads("40 labels, two of them alike", [`a{${Array.from({ length: 40 }, (_, i) => `l${i}="${i % 2}"`).join()}} 1\n`], [s("a", Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`l${i}`, String(i % 2)])), 1)]),
    many.refuses("70 labels, the last as the first", [`a{${Array.from({ length: 70 }, (_, i) => `l${i}="",`).join("")}l0=""} 1\n`], ["labelRepeated", 1, 483]),
    many.refuses("70 labels, the last as the 68th", [`a{${Array.from({ length: 70 }, (_, i) => `l${i}="",`).join("")}l67=""} 1\n`], ["labelRepeated", 1, 483]),
    ...[0, 1, 149, 298, 299].flatMap((again) => [
      many.refuses(`300 series, then number ${again} again, its labels in another order`, [{ line: 'a{b="%",c="d"} 1\n', times: 300 }, `a{c="d",b="${again}"} 1\n`], ["sampleRepeated", 301, 1]),
      manyOm.refuses(`300 series, then number ${again} again, its labels in another order`, [{ line: 'a{b="%",c="d"} 1\n', times: 300 }, `a{c="d",b="${again}"} 1\n# EOF\n`], ["metricApart", 301, 1].with(0, again === 299 ? "sampleRepeated" : "metricApart") as unknown as Place),
    ]),
    many.reads("300 series of a name, and the same of another", [{ line: 'a{b="%"} 1\n', times: 300 }, { line: 'b{b="%"} 1\n', times: 300 }], [{ sample: s("a", { b: "%" }, 1), times: 300 }, { sample: s("b", { b: "%" }, 1), times: 300 }]),
    many.reads("60 histograms of one metric", ["# TYPE h histogram\n", { line: 'h_bucket{a="%",le="1"} 1\nh_bucket{a="%",le="+Inf"} 2\nh_sum{a="%"} 3\nh_count{a="%"} 2\n', times: 60 }], Array.from({ length: 60 }, (_, i) => [s("h_bucket", { a: String(i), le: "1" }, 1), s("h_bucket", { a: String(i), le: "+Inf" }, 2), s("h_sum", { a: String(i) }, 3), s("h_count", { a: String(i) }, 2)]).flat()),
    many.refuses("60 histograms of one metric, and one without its last bucket", ["# TYPE h histogram\n", { line: 'h_bucket{a="%",le="1"} 1\nh_bucket{a="%",le="+Inf"} 2\n', times: 60 }, 'h_bucket{a="x",le="1"} 1\nh_count{a="x"} 1\n'], ["bucketInfinite", 122, 1]),
    many.refuses("a bound of many digits that equals the one before", [`# TYPE h histogram\nh_bucket{le="0.6"} 1\nh_bucket{le="${LONG}"} 1\n`], ["bucketOrder", 3, 1]),
    manyOm.refuses("a bound of many digits below the one before", [`# TYPE h histogram\nh_bucket{le="0.6"} 1\nh_bucket{le="${LONG}"} 1\n# EOF\n`], ["bucketOrder", 3, 1]),
    manyOm.reads("a bound of many digits", [`# TYPE h histogram\nh_bucket{le="${LONG}"} 1\nh_bucket{le="+Inf"} 1\n# EOF\n`], [s("h_bucket", { le: LONG }, 1), s("h_bucket", { le: "+Inf" }, 1)]),
    ...[28, 29, 30, 31, 32, 33].map((digits) => {
      const bound = `0.${"5".repeat(digits)}`;
      return many.reads(`bounds of ${digits + 2} digits and signs, in order`, [`# TYPE h histogram\nh_bucket{le="0.5"} 1\nh_bucket{le="${bound}"} 1\nh_bucket{le="0.6"} 1\nh_bucket{le="+Inf"} 1\n`], [s("h_bucket", { le: "0.5" }, 1), s("h_bucket", { le: bound }, 1), s("h_bucket", { le: "0.6" }, 1), s("h_bucket", { le: "+Inf" }, 1)]);
    }),
    many.refuses("a bound of many signs that is no number", [`# TYPE h histogram\nh_bucket{le="${"x".repeat(40)}"} 1\n`], ["bucketBoundInvalid", 2, 1]),
    many.refuses("a bound of many digits beyond a float", [`# TYPE h histogram\nh_bucket{le="1${"0".repeat(400)}"} 1\n`], ["bucketBoundInvalid", 2, 1]),
    // Octets beside those that a class of them has: / and : enclose the digits, @ [ ` { the letters.
    ...["1:", "1/", "1.:", "1./", "1.5:", "1e1:", "1e1/", "1e:", "1e/", ":", "/", "+:", "-", "+", ".", "1e", "1e+", "e1", "1.5.5", "--1", "1e1e1"].flatMap((value) => [
      many.refuses(`the value ${value}`, [`a ${value}\n`], ["valueInvalid", 1, 3]),
      manyOm.refuses(`the value ${value}`, [`a ${value}\n# EOF\n`], ["valueInvalid", 1, 3]),
    ]),
    ...["1:", "1/", "1-", "1.", "1.0", "1e1", "+", "-", "0x1", "/", ":", "1_"].map((time) => many.refuses(`the timestamp ${time}`, [`a 1 ${time}\n`], ["timestampInvalid", 1, 5])),
    ...["1:", "1/", "1.:", "1e1:", "1e", "+", "-", ".", "nan", "inf", "/", ":", "1_0"].map((time) => manyOm.refuses(`the timestamp ${time}`, [`a 1 ${time}\n# EOF\n`], ["timestampInvalid", 1, 5])),
    ...([
      ["0x1p-2", "0.25"], ["-0X1.8P+1", "-3"], ["0x.8p0", "0.5"], ["0x1.p0", "1"], ["0x1.fffffffffffffp1023", "1.7976931348623157e308"], ["0x1p-1074", "5e-324"], ["0x1p-1075", "0"], ["0x1.8p-1075", "5e-324"], ["0x1.00000000000008p0", "1"], ["0x1.00000000000018p0", "1.0000000000000004"], ["0x1.000000000000081p0", "1.0000000000000002"], ["0x1.0000000000000800000p0", "1"], ["0x1.fffffffffffff8p0", "2"], ["0x3p-1074", "1.5e-323"], ["0x1.4p-1073", "1e-323"], ["0x1.cp-1073", "2e-323"], ["0x123456789abcdefp-4", "5124095576030431.0"], ["0x1p-1001", "4.6663180925160944e-302"], ["0x1p-1000", "9.332636185032189e-302"], ["0x1.23p-1022", "2.529283175099983e-308"], ["0x1p-99999999999", "0"], ["0x0p99999999999", "0"], ["0xffp0", "255"], ["0xFFp0", "255"], ["+0xap0", "10"],
      ["1_000", "1000"], ["1_0.0_1", "10.01"], ["0x_1p0", "1"], ["0x1_0p0", "16"], ["1e1_0", "1e10"],
      ["1e22", "1e22"], ["1e23", "1e23"], ["1e-22", "1e-22"], ["1e-23", "1e-23"], ["9007199254740991", "9007199254740991"], ["9007199254740992", "9007199254740992"], ["9007199254740993", "9007199254740992"], ["9007199254740993.0", "9007199254740992"], ["9007199254740995e0", "9007199254740996"], ["0.1e1", "1"], ["123456789012345678901234567890", "1.2345678901234568e29"], ["1.7976931348623157e308", "1.7976931348623157e308"], ["4.9e-324", "5e-324"], ["2.4e-324", "0"], ["1e-400", "0"], ["0e400", "0"], ["1e-99999999999999999999", "0"], ["0e99999999999999999999", "0"], ["-0.0", "-0"], ["+.5", "0.5"], ["5.", "5"], ["1E5", "100000"], ["1e+05", "100000"], ["1e005", "100000"], ["1e0999", "range"], ["1e309", "range"], ["-1e309", "range"], ["0x1p1024", "range"], ["0x1.fffffffffffff8p1023", "range"], ["0x1p99999999999", "range"],
    ] as const).map(([given, value]) => (value === "range" ? many.refuses(`the value ${given}`, [`a ${given}\n`], ["valueOutOfRange", 1, 3]) : many.reads(`the value ${given}`, [`a ${given}\n`], [s("a", {}, value)]))),
    ...["_1", "1_", "1__0", "1_.5", "1._5", "1_e5", "1e_5", "0_x1p0", "+_1", "0x1p_1", "0x1_p1", "_", "0x1", "0xp1", "0x.p1", "0xgp1", "0x1p", "1p1", "infi", "nane", "+nan", "Infinit"].map((value) =>
      many.refuses(`the value ${value}`, [`a ${value}\n`], ["valueInvalid", 1, 3]),
    ),
    ...["inf", "+Inf", "INF", "infinity", "+INFINITY"].map((value) => many.reads(`the value ${value}`, [`a ${value}\n`], [s("a", {}, "+Inf")])),
    ...["-inf", "-Infinity"].map((value) => many.reads(`the value ${value}`, [`a ${value}\n`], [s("a", {}, "-Inf")])),
    ...["nan", "NAN"].map((value) => many.reads(`the value ${value}`, [`a ${value}\n`], [s("a", {}, "NaN")])),
    ...[":", "@", "[", "`", "/", "-", "{"].flatMap((sign) => [
      many.refuses(`a label that begins with ${sign}`, [`a{${sign}b="c"} 1\n`], ["labelInvalid", 1, 3]),
      manyOm.refuses(`a label that begins with ${sign}`, [`a{${sign}b="c"} 1\n# EOF\n`], ["labelInvalid", 1, 3]),
    ]),
    ...["@", "[", "`", "/", "-"].map((sign) => many.refuses(`a name that begins with ${sign}`, [`${sign}a 1\n`], ["lineUnexpected", 1, 1])),
    many.refuses("a label that begins with a digit", ['a{1b="c"} 1\n'], ["labelInvalid", 1, 3]),
    many.reads("letters and digits at the ends of their classes", ['AZaz09_:{AZaz09_="AZaz09_"} 1\n:a 1\n_a{_="",A="",Z="",a="",z=""} 1\n'], [s("AZaz09_:", { AZaz09_: "AZaz09_" }, 1), s(":a", {}, 1), s("_a", { _: "", A: "", Z: "", a: "", z: "" }, 1)]),
    many.reads("labels that differ in one letter", ['a{ab="1",Ab="2",aB="3",bb="4",bc="5",ac="6"} 1\n'], [s("a", { ab: "1", Ab: "2", aB: "3", bb: "4", bc: "5", ac: "6" }, 1)]),
    many.reads("labels that differ in the middle", ['a{axxb="1",axyb="2",ayxb="3",a_xb="4",axxxb="5",axb="6"} 1\n'], [s("a", { axxb: "1", axyb: "2", ayxb: "3", a_xb: "4", axxxb: "5", axb: "6" }, 1)]),
    many.refuses("labels that differ in the middle, and one twice", ['a{axxb="1",axyb="2",ayxb="3",axyb="4"} 1\n'], ["labelRepeated", 1, 30]),
    manyOm.refuses("a byte order mark", ["\ufeffa 1\n# EOF\n"], ["byteOrderMark", 1, 1]),
    manyOm.refuses("the first octet of a byte order mark", ["\uf7efa 1\n# EOF\n"], ["lineUnexpected", 1, 1]),
    manyOm.refuses("the first two octets of a byte order mark", ["\uf7ef\uf7bba 1\n# EOF\n"], ["lineUnexpected", 1, 1]),
    manyOm.refuses("the middle octet of a byte order mark", ["a\uf7bb 1\n# EOF\n"], ["lineUnexpected", 1, 2]),
    manyOm.refuses("another character of three octets", ["\uf7ef\uf7bc\uf7bfa 1\n# EOF\n"], ["lineUnexpected", 1, 1]),
  ],
};
