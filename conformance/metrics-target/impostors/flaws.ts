import { gzipSync } from "node:zlib";
import { type Format, OPENMETRICS, PROTOBUF, TEXT } from "../../../reference/metrics/exposition/index.ts";
import type { About, Ready, Wrong } from "../embedded/target.ts";
import {
  OM_GROUPING,
  OM_METADATA,
  OM_SYNTAX,
  OM_TYPES,
  growing,
  plus,
  TEXT_GROUPING,
  TEXT_METADATA,
  TEXT_NAMING,
  TEXT_SYNTAX,
  TEXT_TYPES,
  unstable,
} from "./pages.ts";

/** Targets that are wrong on purpose, each about one thing. */

type Is = Format["is"];

/** Changes the pages of a format. */
const page = (is: Is, change: (body: Buffer, about: About) => Buffer): Wrong => ({
  answer: (ready, about) => (about.format.is === is ? { ...ready, body: change(ready.body, about) } : ready),
});
const lines = (is: Is, all: readonly string[]): Wrong => page(is, (body) => plus(body, ...all));
/** Changes Content-Type of a format. */
const typed = (is: Is, change: (type: string) => string): Wrong => ({
  answer: (ready, { format }) =>
    format.is === is ? { ...ready, fields: { ...ready.fields, "content-type": change(ready.fields["content-type"]!) } } : ready,
});
const acceptOf = ({ request }: About): string => request.headers.accept ?? "";
const codingOf = ({ request }: About): string => String(request.headers["accept-encoding"] ?? "");
/** The probe of a run comes first. */
const PROBES = 4;
/** A response with a Content-Length of our choice. */
const raw = ({ fields }: Ready, length: number, content: Buffer, coding = ""): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: ${fields["content-type"]}\r\n${coding}Content-Length: ${length}\r\n\r\n`),
    content,
  ]);

/** One connection may still be closing. */
const isBusy = ({ open }: About): boolean => open > 2;
const half = (body: Buffer): Buffer => Buffer.from(body.toString().replaceAll("vivid_requests", "other_requests"));

export const FLAWS: Readonly<Record<string, { readonly about: string; readonly wrong: Wrong }>> = {
  "text-syntax": { about: "writes lines that break the syntax", wrong: lines("text", TEXT_SYNTAX) },
  "text-metadata": { about: "writes metadata twice, late, and not at all", wrong: lines("text", TEXT_METADATA) },
  "text-grouping": { about: "writes metrics in pieces, with odd labels and times", wrong: lines("text", TEXT_GROUPING) },
  "text-types": { about: "writes incomplete histograms, and summaries in disorder", wrong: lines("text", TEXT_TYPES) },
  "text-naming": { about: "has its own taste in names", wrong: lines("text", TEXT_NAMING) },
  "text-unended": { about: "does not end its last line", wrong: page("text", (body) => body.subarray(0, -1)) },
  "om-syntax": { about: "writes lines that OpenMetrics does not have", wrong: lines("openmetrics", OM_SYNTAX) },
  "om-metadata": { about: "writes metadata of OpenMetrics as it likes", wrong: lines("openmetrics", OM_METADATA) },
  "om-grouping": { about: "writes families in pieces, with odd names", wrong: lines("openmetrics", OM_GROUPING) },
  "om-types": { about: "does not know what the types demand", wrong: lines("openmetrics", OM_TYPES) },
  "om-bom": {
    about: "begins with a byte order mark",
    wrong: page("openmetrics", (body) => Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), body])),
  },
  "om-endless": { about: "ends without # EOF", wrong: page("openmetrics", (body) => body.subarray(0, -"# EOF\n".length)) },
  "om-unended": {
    about: "does not end its last line",
    wrong: page("openmetrics", (body) => body.subarray(0, -1)),
  },
  "om-common": {
    about: "has its own name in a label of every sample",
    wrong: page("openmetrics", (body) =>
      Buffer.from(
        body
          .toString()
          .replaceAll(
            /^([a-z]\w*)(?:\{(.+?)\})? /gm,
            (_, name: string, labels = "") => `${name}{host="a"${labels === "" ? "" : `,${labels}`}} `,
          ),
      ),
    ),
  },
  "om-target-last": { about: "shows the target last", wrong: { families: (all) => [...all.slice(1), all[0]!] } },
  "om-created": {
    about: "shows no created times",
    wrong: {
      families: (all) => all.map((one) => ({ ...one, samples: one.samples.filter(({ name }) => !name.endsWith("_created")) })),
    },
  },
  unstable: {
    about: "shows something else every time",
    wrong: {
      answer: (ready, { format: { is }, scrape }) =>
        is === "protobuf" ? ready : { ...ready, body: plus(ready.body, ...unstable(scrape, is === "openmetrics")) },
    },
  },
  huge: {
    about: "shows ten thousand series",
    wrong: lines("text", ["# TYPE many gauge", ...Array.from({ length: 10_001 }, (_, n) => `many{n="${n}"} 1`)]),
  },
  quoting: {
    about: "never escapes names",
    wrong: {
      format: ({ format }) => ({ ...format, escaping: "allow-utf-8" }),
      ...typed("openmetrics", (type) => type.replace("allow-utf-8", "underscores")),
    },
  },
  "utf8-shy": {
    about: "breaks where names may be UTF-8",
    wrong: page("openmetrics", (body, about) => (acceptOf(about).includes("allow-utf-8") ? plus(body, "vivid.load 1") : body)),
  },
  echoing: {
    about: "repeats any escaping scheme",
    wrong: {
      answer: (ready, about) => {
        const scheme =
          /escaping=([\w-]+)/.exec(acceptOf(about))?.[1] === "sideways" || acceptOf(about).includes("escaping=underscores")
            ? "sideways"
            : "underscores";
        return { ...ready, fields: { "content-type": ready.fields["content-type"]!.replace(/escaping=[\w-]+/, `escaping=${scheme}`) } };
      },
    },
  },
  html: {
    about: "says that it is a web page",
    wrong: { answer: (ready) => ({ ...ready, fields: { "content-type": "text/html" } }) },
  },
  "no-version": { about: "says no version", wrong: typed("text", () => "text/plain; charset=utf-8") },
  "other-charset": {
    about: "says that it is in Latin-1",
    wrong: typed("text", () => "text/plain; version=0.0.4; charset=iso-8859-1"),
  },
  "om-no-version": { about: "says neither version nor charset", wrong: typed("openmetrics", () => "application/openmetrics-text") },
  "proto-plain": {
    about: "says only that it is protobuf",
    wrong: {
      answer: (ready, { format, scrape }) =>
        format.is === "protobuf" && scrape > PROBES ? { ...ready, fields: { "content-type": "application/vnd.google.protobuf" } } : ready,
    },
  },
  "text-is-om": { about: "sends OpenMetrics as text", wrong: page("text", (body) => Buffer.concat([body, Buffer.from("# EOF\n")])) },
  "om-by-default": {
    about: "prefers OpenMetrics where nobody does",
    wrong: {
      format: ({ format, ...about }) =>
        acceptOf({ format, ...about }).startsWith("text/plain;version=0.0.4") ? format : format.is === "text" ? OPENMETRICS : format,
    },
  },
  "text-by-default": {
    about: "prefers the text format of two",
    wrong: { format: ({ format, ...about }) => (acceptOf({ format, ...about }).includes(",") ? TEXT : format) },
  },
  "protobuf-by-default": {
    about: "answers in protobuf once it was asked for it",
    wrong: { format: ({ format, scrape }) => (scrape > PROBES && format.is === "text" ? PROTOBUF : format) },
  },
  zipping: { about: "always compresses", wrong: { isAlwaysCoded: true } },
  "zip-lie": {
    about: "says gzip, and sends something else",
    wrong: {
      answer: (ready, about) =>
        /gzip(?!;q=0)/.test(codingOf(about)) ? { ...ready, fields: { ...ready.fields, "content-encoding": "gzip" } } : ready,
    },
  },
  "zip-other": {
    about: "compresses another page",
    wrong: { answer: (ready, about) => (codingOf(about).startsWith("gzip") ? { ...ready, body: half(ready.body) } : ready) },
  },
  "head-page": {
    about: "answers HEAD with the page",
    wrong: { answer: (ready, { request }) => (request.method === "HEAD" ? raw(ready, ready.body.length, ready.body) : ready) },
  },
  "head-refused": {
    about: "does not know HEAD",
    wrong: { answer: (ready, { request }) => (request.method === "HEAD" ? { ...ready, status: 405 } : ready) },
  },
  longer: {
    about: "sends more than it says",
    wrong: {
      answer: (ready, about) =>
        codingOf(about).includes("gzip")
          ? raw(
              ready,
              gzipSync(ready.body).length,
              Buffer.concat([gzipSync(ready.body), Buffer.from("more")]),
              "Content-Encoding: gzip\r\n",
            )
          : raw(ready, ready.body.length, Buffer.concat([ready.body, Buffer.from("more")])),
    },
  },
  querying: {
    about: "shows something else with parameters",
    wrong: { answer: (ready, { request }) => (request.url?.includes("?") === true ? { ...ready, body: half(ready.body) } : ready) },
  },
  baking: { about: "sets cookies", wrong: { answer: (ready) => ({ ...ready, fields: { ...ready.fields, "set-cookie": "a=1" } }) } },
  redirecting: {
    about: "sends current servers elsewhere",
    wrong: {
      answer: (ready, about) => (acceptOf(about).includes("*/*") ? { ...ready, status: 302, fields: { location: "/elsewhere" } } : ready),
    },
  },
  moody: {
    about: "answers a request without Accept only once",
    wrong: { answer: (ready, about) => (acceptOf(about) === "" && about.scrape > 1 ? { ...ready, status: 503 } : ready) },
  },
  busy: {
    about: "answers few at a time",
    wrong: { isSlow: true, answer: (ready, about) => (isBusy(about) ? { ...ready, status: 503 } : ready) },
  },
  divided: {
    about: "shows different pages at the same time",
    wrong: { isSlow: true, answer: (ready, about) => (isBusy(about) ? { ...ready, body: half(ready.body) } : ready) },
  },
  late: {
    about: "does not answer scrapers of the text format any more",
    wrong: {
      answer: (ready, about) => (about.scrape > PROBES && acceptOf(about).startsWith("text/plain;version=0.0.4") ? "silence" : ready),
    },
  },
  "om-other": { about: "shows other families in OpenMetrics", wrong: page("openmetrics", half) },
  "proto-torn": { about: "ends inside a message", wrong: page("protobuf", (body) => body.subarray(0, -3)) },
  "proto-twice": { about: "sends every message twice", wrong: page("protobuf", (body) => Buffer.concat([body, body])) },
  "proto-other": {
    about: "shows other families in messages",
    wrong: {
      families: (all, { format }) =>
        format.is === "protobuf"
          ? all.map((one) => ({
              ...one,
              name: `other_${one.name}`,
              samples: one.samples.map((sample) => ({ ...sample, name: `other_${sample.name}` })),
            }))
          : all,
    },
  },
  "proto-values": {
    about: "counts wrongly in messages",
    wrong: {
      families: (all, { format }) =>
        format.is !== "protobuf"
          ? all
          : all.map((one) => ({
              ...one,
              samples: one.samples.map((sample, at) => ({
                ...sample,
                ...(one.type === "counter" && { value: -1 }),
                ...(one.type === "histogram" && at < 2 && { value: 100 - at, labels: [["le", "0.1"] as const] }),
              })),
            })),
    },
  },
  growing: {
    about: "shows more series every time",
    wrong: {
      answer: (ready, { format: { is }, scrape }) => (is === "protobuf" ? ready : { ...ready, body: plus(ready.body, ...growing(scrape)) }),
    },
  },
};
