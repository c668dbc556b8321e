import type { Answer } from "../vocabulary.ts";
import { failing, good, LEAK, made, OPENMETRICS, openMetrics, text } from "./phrases.ts";

/** Pages that are malformed, and bodies that are slow, endless, or not what they claim. */

const om = (...lines: readonly string[]): Answer => ({ type: OPENMETRICS, page: lines.map((one) => `${one}\n`).join("") });
const LEAKED = ["# TYPE leaked gauge", LEAK] as const;

/** Nothing of a page of OpenMetrics counts unless all of it is right. */
const WRONG_OPENMETRICS: readonly (readonly [id: string, title: string, answer: Answer])[] = [
  ["without-end", "without # EOF", om(...LEAKED)],
  ["line", "with a malformed line", om(...LEAKED, "}{ 1", "# EOF")],
  ["value", "with a value that is no number", om(...LEAKED, "other one", "# EOF")],
  ["after-end", "with a sample after # EOF", om(...LEAKED, "# EOF", "other 1")],
  ["cut-in-line", "that is cut off in a line", { type: OPENMETRICS, page: `# TYPE leaked gauge\n${LEAK}\nother{a="` }],
];

const WRONG_TEXT: readonly (readonly [id: string, title: string, page: string])[] = [
  ["line", "with a malformed line", `${LEAK}\n}{ 1 1 1\n`],
  ["value", "with a value that is no number", `${LEAK}\nother one\n`],
  ["time", "with a time that is no integer", `${LEAK}\nother 1 1.5\n`],
  ["quote", "with a label value that has no end", `${LEAK}\nother{a="b} 1\n`],
  ["web-page", "that is a web page", `<html>\n${LEAK}\n</html>\n`],
];

/** The target does not end its answer in time, or not as it should. */
const SLOW: readonly (readonly [id: string, title: string, answer: Answer])[] = [
  ["hang", "that never comes", { page: `${LEAK}\n`, how: "hang" }],
  ["hang-in-content", "whose end never comes", { page: `${LEAK}\n`, how: "hang-in-content" }],
  ["drip", "that drips without end", { page: `${LEAK}\n`, how: "drip" }],
  ["endless", "that flows without end", { page: `${LEAK}\n`, how: "endless" }],
];

export const cases = [
  ...WRONG_OPENMETRICS.map(([id, title, answer]) =>
    failing({
      id: `openmetrics-${id}`,
      covers: "prometheus-openmetrics#text.abnf/all-or-nothing",
      title: `Nothing is stored of a page of OpenMetrics ${title}.`,
      answer,
      good: openMetrics(1),
    }),
  ),
  ...WRONG_TEXT.map(([id, title, page]) =>
    failing({
      id: `text-${id}`,
      covers: "formats.text/malformed",
      level: "SHOULD",
      title: `Nothing is stored of a page ${title}.`,
      answer: { page },
    }),
  ),
  failing({
    id: "text-not-utf-8",
    covers: ["formats.text/malformed", "prometheus-exposition#text.basic/utf-8"],
    level: "SHOULD",
    title: "A sample whose label value is not UTF-8 is not stored.",
    answer: { page: `${LEAK.replace(" ", '{a="{octet}"} ')}\n` },
  }),
  ...SLOW.map(([id, title, answer]) =>
    failing({
      id: `late-${id}`,
      covers: "configuration.scrape-config/scrape-timeout",
      title: `A page ${title} is given up, and nothing of it is stored.`,
      answer,
    }),
  ),
  made({
    id: "slow-in-time",
    covers: "configuration.scrape-config/scrape-timeout",
    title: "A page in slow pieces that is whole in time is stored.",
    stages: [good({ page: text(1, "a 7"), how: "slow" })],
    see: { see: "stored", name: "a", value: 7, stage: 1 },
  }),
  ...(
    [
      ["length", "rfc9112#6.3/short", "shorter than its Content-Length", { page: `${LEAK}\n`, how: "cut-length" }],
      ["chunks", "rfc9112#8/recorded", "in chunks without the last one", { page: `${LEAK}\n`, how: "cut-chunks" }],
    ] as const
  ).map(([id, covers, title, answer]) =>
    failing({ id: `cut-${id}`, covers, level: "SHOULD", title: `Nothing is stored of a page that is ${title}.`, answer }),
  ),
  failing({
    id: "cut-openmetrics",
    covers: ["prometheus-openmetrics#text.abnf/all-or-nothing", "rfc9112#6.3/short"],
    title: "Nothing is stored of a page of OpenMetrics that the end of the connection cuts off.",
    answer: { ...om(...LEAKED), how: "cut-length" },
    good: openMetrics(1),
  }),
  failing({
    id: "length-too-short",
    covers: "rfc9112#6.3/length",
    title: "What follows the content after its Content-Length is not stored.",
    answer: { page: `${"#".repeat(LEAK.length + 3)}\n\n${LEAK}\n`, how: "short-length" },
  }),
];
