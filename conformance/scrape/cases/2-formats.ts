import type { Answer, Sight } from "../vocabulary.ts";
import { failing, good, LEAK, made, OPENMETRICS, openMetrics, text } from "./phrases.ts";

/** Which pages a scraper reads: by their types, and in their codings. */

const S = "configuration.scrape-config";
const A7: Sight = { see: "stored", name: "a", value: 7, stage: 1 };
const TYPE = "formats.content-type/invalid";

const READ: readonly (readonly [id: string, covers: string, title: string, answer: Answer])[] = [
  ["text", "formats.text/version-0.0.4", "A page of the text format 0.0.4 is stored.", { page: text(1, "a 7") }],
  [
    "text-without-version",
    "formats.text/version",
    "A page of the type text/plain without a version is stored.",
    { type: "text/plain", page: text(1, "a 7") },
  ],
  [
    "type-in-capitals",
    "formats.text/version-0.0.4",
    "A type in capital letters is the same type.",
    { type: "Text/Plain; Version=0.0.4", page: text(1, "a 7") },
  ],
  [
    "type-in-quotes",
    "formats.text/version-0.0.4",
    "A parameter of the type in quotes is the same parameter.",
    { type: 'text/plain;version="0.0.4"', page: text(1, "a 7") },
  ],
  ["openmetrics", "prometheus-openmetrics#text.overall/eof", "A page of OpenMetrics is stored.", openMetrics(1, "# TYPE a gauge", "a 7")],
  ["text-in-gzip", "formats.text/gzip", "A page in gzip is stored.", { page: text(1, "a 7"), coding: { states: "gzip" } }],
  [
    "gzip-in-chunks",
    "formats.text/gzip",
    "A page in gzip and in chunks is stored.",
    { page: text(1, "a 7"), coding: { states: "gzip" }, how: "chunked" },
  ],
  ["chunks", "rfc9112#7.1/decode", "A page in chunks is stored.", { page: text(1, "a 7"), how: "chunked" }],
  [
    "until-close",
    "rfc9112#6.3/until-close",
    "A page that ends with its connection is stored.",
    { page: text(1, "a 7"), how: "until-close" },
  ],
];

const INVALID: readonly (readonly [id: string, title: string, type: string | null])[] = [
  ["missing", "Without Content-Type", null],
  ["blank", "With a blank Content-Type", ""],
  ["malformed", "With a Content-Type that cannot be understood", "not a type"],
  ["html", "With the type of a web page", "text/html; charset=utf-8"],
  ["json", "With the type of JSON", "application/json"],
];

export const cases = [
  ...READ.map(([id, covers, title, answer]) => made({ id: `reads-${id}`, covers, title, stages: [good(answer)], see: A7 })),
  made({
    id: "reads-protobuf",
    covers: ["formats.protobuf/read", `${S}/protocols`],
    title: "A page of messages of protobuf is stored.",
    settings: { scrape_protocols: ["PrometheusProto"] },
    needs: ["protocols"],
    stages: [good({ gauges: { stage: 1, a: 7 } })],
    see: A7,
  }),
  made({
    id: "reads-native-histogram",
    covers: `${S}/native-histograms`,
    title: "A native histogram of a page is stored as such where it is asked for.",
    settings: { scrape_native_histograms: true },
    needs: ["native"],
    stages: [good({ gauges: { stage: 1, a: 7 }, native: "sizes" })],
    see: { see: "stored", name: "sizes" },
  }),
  made({
    id: "ignores-native-histogram",
    covers: `${S}/native-histograms`,
    title: "The native parts of a histogram are not stored where they are not asked for.",
    settings: { scrape_native_histograms: false, scrape_protocols: ["PrometheusProto"] },
    needs: ["native", "protocols"],
    stages: [good({ gauges: { stage: 1, a: 7 }, native: "sizes" })],
    see: [{ see: "absent", name: "sizes" }, A7],
  }),
  made({
    id: "reads-utf8-names",
    covers: [`${S}/validation-scheme`, "prometheus-exposition#text.line-format/quoted-names"],
    title: "Metrics and labels with names of any letters are stored under these names.",
    settings: { metric_name_validation_scheme: "utf8" },
    needs: ["utf8"],
    stages: [good({ type: "text/plain; version=1.0.0; escaping=allow-utf-8", page: text(1, '{"a.b é","l.m"="v"} 7') })],
    see: { see: "stored", name: "a.b é", labels: { "l.m": "v" }, value: 7 },
  }),
  ...INVALID.map(([id, title, type]) =>
    failing({
      id: `type-${id}`,
      covers: TYPE,
      title: `${title} a page is not stored.`,
      needs: ["fallback"],
      answer: { type, page: `${LEAK}\n` },
    }),
  ),
  ...INVALID.slice(0, 3).map(([id, title, type]) =>
    made({
      id: `fallback-type-${id}`,
      covers: `${S}/fallback`,
      title: `${title} a page is read by the fallback protocol.`,
      settings: { fallback_scrape_protocol: "PrometheusText0.0.4" },
      needs: ["fallback"],
      stages: [good({ type, page: text(1, "a 7") })],
      see: A7,
    }),
  ),
  made({
    id: "fallback-openmetrics",
    covers: [`${S}/fallback`, `${S}/honor-timestamps-true`],
    title: "A page without a type is read as OpenMetrics, with times in seconds, if that is the fallback protocol.",
    settings: { fallback_scrape_protocol: "OpenMetricsText1.0.0" },
    needs: ["fallback"],
    stages: [good({ ...openMetrics(1, "# TYPE a gauge", "a {ms-5000} {s-5000}"), type: null })],
    see: { see: "keeps", rule: "own-times", words: ["a"] },
  }),
  made({
    id: "fallback-gives-way",
    covers: `${S}/fallback`,
    title: "The fallback protocol does not replace a valid type.",
    settings: { fallback_scrape_protocol: "PrometheusText0.0.4" },
    needs: ["fallback"],
    stages: [good(openMetrics(1, "# TYPE a gauge", "a {ms-5000} {s-5000}"))],
    see: { see: "keeps", rule: "own-times", words: ["a"] },
  }),
  failing({
    id: "type-says-openmetrics",
    covers: ["prometheus-openmetrics#text.overall/eof", "prometheus-openmetrics#text.abnf/all-or-nothing"],
    title: "A page without # EOF is not stored if its type is that of OpenMetrics.",
    answer: { type: OPENMETRICS, page: `# TYPE leaked gauge\n${LEAK}\n` },
    good: openMetrics(1),
  }),
  failing({
    id: "type-says-protobuf",
    covers: "formats.text/malformed",
    level: "SHOULD",
    title: "A page of text is not stored if its type is that of messages.",
    settings: { scrape_protocols: ["PrometheusProto"] },
    needs: ["protocols"],
    answer: { type: "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited", page: `${LEAK}\n` },
    good: { gauges: { stage: 1 } },
  }),
  failing({
    id: "coding-of-a-lie",
    covers: "formats.coding/undecodable",
    level: "SHOULD",
    title: "A page that is said to be gzip, and is not, is not stored.",
    answer: { page: `${LEAK}\n`, coding: { states: "gzip", is: "plain" } },
    good: { page: text(1), coding: { states: "gzip" } },
  }),
  failing({
    id: "coding-cut",
    covers: "formats.coding/undecodable",
    level: "SHOULD",
    title: "A page in gzip without its end is not stored.",
    answer: { page: `${LEAK}\n`, coding: { states: "gzip", is: "cut" } },
    good: { page: text(1), coding: { states: "gzip" } },
  }),
  failing({
    id: "coding-silent",
    covers: "formats.coding/undecodable",
    level: "SHOULD",
    title: "A page in a coding that was not asked for is not stored.",
    answer: { page: `${LEAK}\n`, coding: { states: "br", is: "plain" } },
  }),
];
