import type { VectorSource } from "../../write.ts";
import { ex, octets, s } from "./craft.ts";
import type { WrittenFamily, WrittenVector } from "./kinds.ts";

type Draft = Omit<WrittenVector, "id">;
type Options = Pick<WrittenVector, "escaping">;
const SPEC = { text: "prometheus-exposition#text", openmetrics: "prometheus-openmetrics#text" } as const;
const written = (note: string, format: WrittenVector["format"], families: readonly WrittenFamily[], [page, options = {}]: readonly [string, Options?]): Draft => ({
  note: `${note}, as ${format === "text" ? "text" : "OpenMetrics"}${options.escaping === undefined ? "" : `, escaped by ${options.escaping}`}`,
  spec: SPEC[format],
  format,
  ...options,
  families,
  page: octets(page),
  result: "valid",
  flags: ["Written"],
});
const both = (note: string, families: readonly WrittenFamily[], text: string, openmetrics: string): Draft[] => [
  written(note, "text", families, [text]),
  written(note, "openmetrics", families, [`${openmetrics}# EOF\n`]),
];
const refused = (note: string, formats: readonly WrittenVector["format"][], families: readonly WrittenFamily[], options: Options = {}): Draft[] =>
  formats.map((format) => ({ note: `${note}, as ${format === "text" ? "text" : "OpenMetrics"}`, spec: SPEC[format], format, ...options, families, result: "invalid", flags: ["Refused"] }));
const BOTH = ["text", "openmetrics"] as const;

const COUNTER: WrittenFamily = {
  name: "requests",
  type: "counter",
  help: 'All "requests"\nby \\ method.',
  samples: [
    s("requests_total", { method: 'a"b\\c\nd' }, 12, { at: 1520879607789, exemplar: ex({ t: "x" }, 0.5, -1500) }),
    s("requests_created", { method: 'a"b\\c\nd' }, 5, { at: 1520879607789 }),
  ],
};
const QUOTED: WrittenFamily = { name: "size.of.it_bytes", type: "gauge", unit: "bytes", samples: [s("size.of.it_bytes", { "a.b": "é", c: "" }, "NaN")] };
const value = (...texts: readonly (readonly [value: string, text: string])[]): Draft[] =>
  texts.flatMap(([number, text]) => both(`the value ${number}`, [{ name: "a", samples: [s("a", {}, number)] }], `# TYPE a untyped\na ${text}\n`, `a ${text}\n`));
const at = (...times: readonly (readonly [ms: number, seconds: string])[]): Draft[] =>
  times.flatMap(([ms, seconds]) => both(`${ms} milliseconds`, [{ name: "a", samples: [s("a", {}, 1, { at: ms })] }], `# TYPE a untyped\na 1 ${ms}\n`, `a 1 ${seconds}\n`));
const counter = (name: string, ...samples: readonly string[]): WrittenFamily => ({ name, type: "counter", samples: samples.map((one) => s(one, {}, 1)) });
const exemplarOf = (length: number): WrittenFamily => ({ ...counter("c"), samples: [s("c_total", {}, 1, { exemplar: ex({ b: "x".repeat(length) }, 1) })] });

export const source: VectorSource<WrittenVector> = {
  about: "Families, and the page that this project writes; another writer may order metadata and format numbers differently",
  spec: "prometheus-exposition#text",
  flags: {
    Written: { why: "a page of these families", bug: "WRONG_PAGE" },
    Refused: { why: "families that no page can have", bug: "MISSING_CHECK" },
  },
  vectors: [
    ...both("no families", [], "", ""),
    ...both(
      "a counter with a created time and an exemplar",
      [COUNTER],
      '# HELP requests_total All "requests"\\nby \\\\ method.\n# TYPE requests_total counter\nrequests_total{method="a\\"b\\\\c\\nd"} 12 1520879607789\n',
      '# TYPE requests counter\n# HELP requests All \\"requests\\"\\nby \\\\ method.\nrequests_total{method="a\\"b\\\\c\\nd"} 12 1520879607.789 # {t="x"} 0.5 -1.5\nrequests_created{method="a\\"b\\\\c\\nd"} 5 1520879607.789\n',
    ),
    ...both(
      "names that need quotes, and a unit",
      [QUOTED],
      '# TYPE "size.of.it_bytes" gauge\n{"size.of.it_bytes","a.b"="é",c=""} NaN\n',
      '# TYPE "size.of.it_bytes" gauge\n# UNIT "size.of.it_bytes" bytes\n{"size.of.it_bytes","a.b"="é",c=""} NaN\n',
    ),
    ...both("an info", [{ name: "build", type: "info", samples: [s("build_info", { v: "1" }, 1)] }], '# TYPE build_info gauge\nbuild_info{v="1"} 1\n', '# TYPE build info\nbuild_info{v="1"} 1\n'),
    ...both("no type", [{ name: "plain", samples: [s("plain", {}, "-Inf")] }], "# TYPE plain untyped\nplain -Inf\n", "plain -Inf\n"),
    ...both("unknown", [{ name: "a", type: "unknown", samples: [s("a", {}, 1)] }], "# TYPE a untyped\na 1\n", "# TYPE a unknown\na 1\n"),
    ...both("a state set", [{ name: "a", type: "stateset", samples: [s("a", { a: "b" }, 1)] }], '# TYPE a gauge\na{a="b"} 1\n', '# TYPE a stateset\na{a="b"} 1\n'),
    ...both("a gauge histogram", [{ name: "a", type: "gaugehistogram", samples: [s("a_bucket", { le: "+Inf" }, 1)] }], '# TYPE a untyped\na_bucket{le="+Inf"} 1\n', '# TYPE a gaugehistogram\na_bucket{le="+Inf"} 1\n'),
    ...both("a histogram with a created time", [{ name: "a", type: "histogram", samples: [s("a_bucket", { le: "+Inf" }, 1), s("a_created", {}, 5)] }], '# TYPE a histogram\na_bucket{le="+Inf"} 1\n', '# TYPE a histogram\na_bucket{le="+Inf"} 1\na_created 5\n'),
    ...both("a summary with a created time", [{ name: "a", type: "summary", samples: [s("a", { quantile: "0.5" }, 1), s("a_created", {}, 5)] }], '# TYPE a summary\na{quantile="0.5"} 1\n', '# TYPE a summary\na{quantile="0.5"} 1\na_created 5\n'),
    ...both("a gauge whose name ends as a created time", [{ name: "a", type: "gauge", samples: [s("a_created", {}, 5)] }], "# TYPE a gauge\na_created 5\n", "# TYPE a gauge\na_created 5\n"),
    ...both("no type, and a name that ends as a created time", [{ name: "a_created", samples: [s("a_created", {}, 5)] }], "# TYPE a_created untyped\na_created 5\n", "a_created 5\n"),
    ...both("two families", [{ name: "a", type: "gauge", samples: [s("a", {}, 1)] }, { name: "b", type: "gauge", help: "B.", samples: [s("b", { c: "d" }, 2), s("b", { c: "e" }, 3)] }], '# TYPE a gauge\na 1\n# HELP b B.\n# TYPE b gauge\nb{c="d"} 2\nb{c="e"} 3\n', '# TYPE a gauge\na 1\n# TYPE b gauge\n# HELP b B.\nb{c="d"} 2\nb{c="e"} 3\n'),
    ...both("empty texts", [{ name: "a", type: "gauge", help: "", unit: "", samples: [] }], "# TYPE a gauge\n", "# TYPE a gauge\n"),
    ...both("a name and labels with colons", [{ name: "a:b", type: "gauge", samples: [s("a:b", { "c:d": "e" }, 1)] }], '# TYPE a:b gauge\na:b{"c:d"="e"} 1\n', '# TYPE a:b gauge\na:b{"c:d"="e"} 1\n'),
    ...both("names with quotes, backslashes and line feeds", [{ name: 'a"\\\n', type: "gauge", samples: [s('a"\\\n', { 'b"\\\n': "" }, 1)] }], '# TYPE "a\\"\\\\\\n" gauge\n{"a\\"\\\\\\n","b\\"\\\\\\n"=""} 1\n', '# TYPE "a\\"\\\\\\n" gauge\n{"a\\"\\\\\\n","b\\"\\\\\\n"=""} 1\n'),
    ...both("lone surrogates", [{ name: "a", type: "gauge", help: "\ud800", samples: [s("a", { b: "\udc00" }, 1)] }], '# HELP a \ufffd\n# TYPE a gauge\na{b="\ufffd"} 1\n', '# TYPE a gauge\n# HELP a \ufffd\na{b="\ufffd"} 1\n'),
    written("names that need quotes", "text", [QUOTED], ['# TYPE size_of_it_bytes gauge\nsize_of_it_bytes{a_b="é",c=""} NaN\n', { escaping: "underscores" }]),
    written("names that need quotes", "openmetrics", [QUOTED], ['# TYPE size_dot_of_dot_it__bytes gauge\n# UNIT size_dot_of_dot_it__bytes bytes\nsize_dot_of_dot_it__bytes{a_dot_b="é",c=""} NaN\n# EOF\n', { escaping: "dots" }]),
    written("names that need quotes", "text", [QUOTED], ['# TYPE U__size_2E_of_2E_it__bytes gauge\nU__size_2E_of_2E_it__bytes{U__a_2E_b="é",c=""} NaN\n', { escaping: "values" }]),
    written("names that need quotes", "text", [QUOTED], ['# TYPE "size.of.it_bytes" gauge\n{"size.of.it_bytes","a.b"="é",c=""} NaN\n', { escaping: "allow-utf-8" }]),
    written("the labels of an exemplar", "openmetrics", [{ name: "c", type: "counter", samples: [s("c_total", {}, 1, { exemplar: ex({ "a.b": "x" }, 1) })] }], ['# TYPE c counter\nc_total 1 # {a_b="x"} 1\n# EOF\n', { escaping: "underscores" }]),
    ...both("a counter without its suffix", [counter("c", "c_total")], "# TYPE c_total counter\nc_total 1\n", "# TYPE c counter\nc_total 1\n"),
    ...both("a counter with its suffix in its name", [counter("c_total", "c_total")], "# TYPE c_total counter\nc_total 1\n", "# TYPE c_total counter\nc_total 1\n"),
    ...both("a counter whose sample has no suffix", [counter("c", "c")], "# TYPE c counter\nc 1\n", "# TYPE c counter\nc 1\n"),
    ...both("a counter without samples", [counter("c")], "# TYPE c_total counter\n", "# TYPE c counter\n"),
    ...both("an info without samples", [{ name: "i", type: "info", samples: [] }], "# TYPE i_info gauge\n", "# TYPE i info\n"),
    ...value(["0", "0"], ["-0", "-0"], ["1", "1"], ["-1", "-1"], ["12.47", "12.47"], ["999999999999999", "999999999999999"], ["-999999999999999", "-999999999999999"], ["1000000000000000", "1e+15"], ["123456789012", "123456789012"], ["+Inf", "+Inf"], ["NaN", "NaN"], ["0.30000000000000004", "0.30000000000000004"], ["1e-7", "1e-07"], ["1.7976931348623157e308", "1.7976931348623157e+308"], ["5e-324", "5e-324"]),
    ...at([0, "0"], [1, "0.001"], [10, "0.01"], [100, "0.1"], [1_000, "1"], [10_000, "10"], [1_001, "1.001"], [-1, "-0.001"], [-1_500, "-1.5"], [-20_000, "-20"], [1520879607789, "1520879607.789"], [1520879600000, "1520879600"], [9007199254740991, "9007199254740.991"]),
    written("a fraction of a millisecond", "openmetrics", [{ name: "a", samples: [s("a", {}, 1, { at: 1.9 })] }], ["a 1 0.001\n# EOF\n"]),
    written("a fraction of a millisecond", "text", [{ name: "a", samples: [s("a", {}, 1, { at: -1.9 })] }], ["# TYPE a untyped\na 1 -1\n"]),
    written("an exemplar of 128 characters", "openmetrics", [exemplarOf(127)], [`# TYPE c counter\nc_total 1 # {b="${"x".repeat(127)}"} 1\n# EOF\n`]),
    ...refused("an exemplar of 129 characters", ["openmetrics"], [exemplarOf(128)]),
    ...refused("a family twice", BOTH, [{ name: "a", samples: [] }, { name: "a", samples: [] }]),
    ...refused("a family without a name", BOTH, [{ name: "", type: "gauge", samples: [] }]),
    ...refused("a sample without a name", BOTH, [{ name: "a", samples: [s("", {}, 1)] }]),
    ...refused("a label without a name", BOTH, [{ name: "a", samples: [s("a", { "": "b" }, 1)] }]),
    ...refused("a label with the name of the metric", BOTH, [{ name: "a", samples: [s("a", { __name__: "b" }, 1)] }]),
    ...refused("a label twice", BOTH, [{ name: "a", samples: [{ ...s("a", {}, 1), labels: [["b", "c"], ["b", "d"]] }] }]),
    ...refused("two labels that are the same when escaped", BOTH, [{ name: "a", samples: [s("a", { "b.c": "1", b_c: "2" }, 1)] }], { escaping: "underscores" }),
    ...refused("a unit that is not part of the name", ["openmetrics"], [{ name: "a", unit: "b", samples: [] }]),
    ...refused("a unit without the underscore before it", ["openmetrics"], [{ name: "ab", unit: "b", samples: [] }]),
  ],
};
