import { drawExpression } from "../../../conformance/metrics/differential/expressions.ts";
import { floats, histograms } from "../../../conformance/metrics/differential/words.ts";
import type { Packing, Protocol, RequestSeries, Shape, WrittenValue } from "../../../conformance/wire/remotewrite/build.ts";
import type { Described } from "../../lib/network.ts";
import type { Rng } from "../../lib/mutate.ts";

/** Queries, legal or almost, word by word; remote-write requests, series by series; and requests for pages. A sequence is one of these. */

export type Piece = Described &
  (
    | { readonly do: "word"; readonly text: string }
    /** A series; its samples are so many milliseconds old. Its name is made unique when it is sent. */
    | { readonly do: "series"; readonly protocol: Protocol; readonly series: RequestSeries }
    | { readonly do: "shape"; readonly shape: Shape }
    | { readonly do: "packing"; readonly packing: Packing }
    /** An octet of the block changes. `at` and `to` are parts of the whole: 0 to below 1. */
    | { readonly do: "octet"; readonly at: number; readonly to: number }
    | { readonly do: "cut"; readonly at: number }
    /** The path of a page, and its parameters. */
    | { readonly do: "page"; readonly path: string }
    | { readonly do: "parameter"; readonly name: string; readonly value: string }
  );

const WORLDS = [floats(), histograms()] as const;
/** What replaces a word, or comes between two. */
const STRANGERS =
  "+ - * / % ^ == != < > =~ !~ ! ( ) { } [ ] , : @ # \\ ; $ and or unless bool on( by( offset group_left() start() 1 .5 1e3 0x1f NaN inf 1__0 5m 1h30m 30s1m 1.5h rate( sum( topk(1, \" ' ` [5m] [5m:] [5m:1m] 日 😀".split(
    " ",
  );
const SHAPES: readonly [Shape, ...Shape[]] = [
  "unknown-field",
  "unknown-in-series",
  "unknown-in-sample",
  "labels-last",
  "torn",
  "wrong-wire-type",
  "field-zero",
  "long-length",
  "not-utf8",
];
const PACKINGS: readonly [Packing, ...Packing[]] = [
  "copies",
  "literals",
  "framed",
  "raw",
  "gzip",
  "torn",
  "claims-more",
  "claims-less",
  "claims-huge",
  "bad-copy",
  "trailing",
  "nothing",
];

const VALUES: readonly [WrittenValue, ...WrittenValue[]] = [0, 1, -1.5, 1e300, "NaN", "+Inf", "stale"];

const pick = <Of>(rng: Rng, of: readonly [Of, ...Of[]]): Of => of[Math.floor(rng() * of.length)] ?? of[0];

/** The words of a text with the blanks between them: joined, they are the text. */
const wordsOf = (text: string): string[] => text.split(/(?<=[\s(){}[\],"])|(?=[\s(){}[\],"])/);
const word = (text: string): Piece => ({ words: JSON.stringify(text), do: "word", text });

function query(rng: Rng): Piece[] {
  const words = wordsOf(drawExpression(rng, pick(rng, WORLDS)));
  for (let changes = rng() < 0.5 ? 0 : 1 + Math.floor(rng() * 2); changes > 0; changes--) {
    const at = Math.floor(rng() * words.length);
    const way = rng();
    if (way < 0.3) words.splice(at, 1);
    else if (way < 0.5) words.splice(at, 0, words[at] ?? "");
    else words.splice(at, way < 0.75 ? 1 : 0, STRANGERS[Math.floor(rng() * STRANGERS.length)] ?? "");
  }
  return words.map(word);
}

function series(rng: Rng, protocol: Protocol): Piece {
  const labels = [
    ["__name__", "@"] as const,
    ...["a", "b", "job"].filter(() => rng() < 0.5).map((name) => [name, pick(rng, ["1", "x y", "ü", '"'])] as const),
  ];
  if (rng() < 0.05) labels.push(["job", ""]);
  if (rng() < 0.05) labels.reverse();
  let age = 1_000 + Math.floor(rng() * 60_000);
  const samples = Array.from({ length: 1 + Math.floor(rng() * 3) }, () => {
    age -= 1 + Math.floor(rng() * 300);
    return [pick(rng, VALUES), age] as const;
  });
  const one: RequestSeries = { labels, samples };
  return { words: `protocol ${protocol}: ${JSON.stringify(one)}`, do: "series", protocol, series: one };
}

function write(rng: Rng): Piece[] {
  const protocol: Protocol = rng() < 0.5 ? 1 : 2;
  const pieces = Array.from({ length: 1 + Math.floor(rng() * 4) }, () => series(rng, protocol));
  const way = rng();
  if (way < 0.2) {
    const shape = pick(rng, SHAPES);
    pieces.push({ words: `the message: ${shape}`, do: "shape", shape });
  } else if (way < 0.4) {
    const packing = pick(rng, PACKINGS);
    pieces.push({ words: `the block: ${packing}`, do: "packing", packing });
  } else if (way < 0.6) {
    const [at, to] = [rng(), rng()];
    pieces.push({ words: `an octet at ${at.toFixed(3)} of the block is ${Math.floor(to * 256)}`, do: "octet", at, to });
  } else if (way < 0.7) {
    const at = rng();
    pieces.push({ words: `the block is cut at ${at.toFixed(3)}`, do: "cut", at });
  }
  return pieces;
}

/** Pages that only show something. */
const PAGES: readonly [string, ...string[]] = [
  "federate",
  ...[
    "series",
    "labels",
    "label/job/values",
    "label/%00/values",
    "metadata",
    "targets",
    "targets/metadata",
    "targets/relabel_steps",
    "rules",
    "alerts",
    "alertmanagers",
    "scrape_pools",
    "scrape_pools/config",
    "query_exemplars",
    "format_query",
    "parse_query",
    "features",
    "notifications",
  ].map((path) => `api/v1/${path}`),
  ...["config", "flags", "runtimeinfo", "buildinfo", "tsdb", "tsdb/blocks", "walreplay"].map((path) => `api/v1/status/${path}`),
  "-/healthy",
  "-/ready",
  "metrics",
];
const PARAMETERS: readonly [string, ...string[]] = [
  "match[]",
  "limit",
  "start",
  "end",
  "query",
  "state",
  "type",
  "scrapePool",
  "labels",
  "metric",
  "match_target",
  "group_limit",
  "rule_name[]",
  "exclude_alerts",
  "time",
  "timeout",
];
const OTHERS: readonly [string, ...string[]] = [
  "",
  "0",
  "-1",
  "1e400",
  "NaN",
  "99999999999999999999",
  "2015-07-01T20:10:51.781Z",
  "up",
  "{}",
  '{job=~".*"}',
  '{"a":1}',
  "[",
  "\0",
  "ü",
  "true",
  "active",
  "5m",
  "a".repeat(2_000),
];

function page(rng: Rng): Piece[] {
  const path = pick(rng, PAGES);
  const parameters = Array.from({ length: Math.floor(rng() * 4) }, (): Piece => {
    const [name, value] = [pick(rng, PARAMETERS), rng() < 0.4 ? drawExpression(rng, pick(rng, WORLDS)) : pick(rng, OTHERS)];
    return { words: `${name}=${JSON.stringify(value)}`, do: "parameter", name, value };
  });
  return [{ words: `GET /${path}`, do: "page", path }, ...parameters];
}

/** A query, a page, or a request to a receiver if the peer is one. */
export function sequence(rng: Rng, isReceiver: boolean): Piece[] {
  const way = rng();
  if (way < 0.2) return page(rng);
  return isReceiver && way < 0.45 ? write(rng) : query(rng);
}
