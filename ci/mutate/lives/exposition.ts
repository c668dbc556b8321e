import { Misuse, seeded } from "../../../reference/core/index.ts";
import {
  acceptOf,
  contentTypeOf,
  DEFAULT_LIMITS,
  ESCAPING_SCHEMES,
  type EscapingScheme,
  escapeName,
  type FamilyToWrite,
  formatBound,
  formatValue,
  isPlainName,
  KnownSeries,
  type Leniency,
  type Limits,
  metadataByFamily,
  negotiate,
  numberOf,
  OPENMETRICS,
  OPENMETRICS_OLD,
  Page,
  parseContentType,
  PROTOBUF,
  readOpenMetrics,
  type ReadOptions,
  readProtobuf,
  readText,
  SCRAPE,
  TEXT,
  TEXT_UTF8,
  unescapeName,
  writeOpenMetrics,
  writeText,
} from "../../../reference/metrics/exposition/index.ts";
import { LabelOctets } from "../../../reference/metrics/model/index.ts";
import { damagedOctets, type Draw, oneOf, some, wholeBelow } from "./metrics-draw.ts";
import { family, octetsOf, PIECES, rearranged, textOf, vectorsOf } from "./exposition-pages.ts";
import { message } from "./exposition-messages.ts";

type Format = "text" | "openmetrics";
const READERS = { text: readText, openmetrics: readOpenMetrics } as const;
const WRITERS = { text: writeText, openmetrics: writeOpenMetrics } as const;

type Source = { readonly format: Format; readonly page: string };
const ofKind = (kind: string, format: Format): Source[] => vectorsOf<{ page: string }>(kind).map(({ page }) => ({ format, page }));
const formatOfKind = (op: string): Format => (op === "exposition-text" ? "text" : "openmetrics");
const SOURCES: readonly Source[] = [
  ...ofKind("exposition-text", "text"),
  ...ofKind("exposition-openmetrics", "openmetrics"),
  ...vectorsOf<{ op: string; parts: readonly unknown[] }>("exposition-reading")
    .filter(({ parts }) => parts.every((part) => typeof part === "string"))
    .map(({ op, parts }) => ({ format: formatOfKind(op), page: parts.join("") })),
].filter(({ page }) => page.length < 1_500);
const SCRAPES = vectorsOf<{ op: string; pages: readonly { page: string }[] }>("exposition-scrapes").map(({ op, pages }) => ({
  format: formatOfKind(op),
  pages: pages.map(({ page }) => page),
}));
const WIRES = vectorsOf<{ wire: string }>("exposition-protobuf").map(({ wire }) => new Uint8Array(Buffer.from(wire, "hex")));
const ACCEPTS = vectorsOf<{ accept?: string; contentType?: string }>("exposition-negotiation").map(
  ({ accept, contentType }) => accept ?? contentType ?? "*/*",
);

/** The scenes of a life. */
const SCENES = 4;

/** One life of the readers and writers of pages. */
export function live(seed: number): string {
  const random = seeded(seed);
  return some(random, [SCENES, SCENES], () => scene(random)).join("\n\n");
}

function scene(random: Draw): string {
  const kind = random();
  if (kind < 0.5) return pageLife(random);
  if (kind < 0.64) return targetLife(random);
  if (kind < 0.82) return messageLife(random);
  if (kind < 0.92) return writerLife(random);
  return kind < 0.97 ? negotiationLife(random) : nameLife(random);
}

/** A member of JSON as text, with the floats that JSON lacks. */
const shown = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => {
    if (member instanceof Map) return [...member];
    return typeof member === "number" && (!Number.isFinite(member) || Object.is(member, -0))
      ? Object.is(member, -0)
        ? "-0"
        : String(member)
      : member;
  });

/** The result of code that refuses wrong arguments. */
function tried(make: () => string): string {
  try {
    return make();
  } catch (error) {
    if (error instanceof Misuse) return `Misuse: ${error.message}`;
    throw error;
  }
}

function drawSource(random: Draw, wanted?: Format): Source {
  if (random() < 0.55) return oneOf(random, wanted === undefined ? SOURCES : SOURCES.filter((one) => one.format === wanted));
  const format = wanted ?? oneOf(random, ["text", "openmetrics"] as const);
  const families = some(random, [0, 2], () => family(random));
  try {
    return { format, page: textOf(new TextEncoder().encode(WRITERS[format](families))) };
  } catch (error) {
    if (error instanceof Misuse) return { format, page: "" };
    throw error;
  }
}

/** More samples and exemplars than the columns of a page have room for at first. */
function longPage(random: Draw): Source {
  const lines = some(random, [1_020, 1_100], (at) => `many{n="${at}"} ${at}`);
  const exemplars = some(random, [14, 40], (at) => `long_total{n="${at}"} ${at} # {t="${at}"} ${at} ${at}`);
  return random() < 0.7
    ? { format: "text", page: `${lines.join("\n")}\n` }
    : { format: "openmetrics", page: `# TYPE long counter\n${exemplars.join("\n")}\n# EOF\n` };
}

/** The octets within a larger buffer, as from a socket. */
function embedded(random: Draw, octets: Uint8Array): Uint8Array {
  const shift = wholeBelow(random, 8);
  const room = new Uint8Array(octets.length + shift + 3).fill(0x22);
  room.set(octets, shift);
  return room.subarray(shift, shift + octets.length);
}

function pageLife(random: Draw): string {
  const { format, page } = random() < 0.002 ? longPage(random) : drawSource(random);
  let octets: Uint8Array = octetsOf(page);
  for (let times = oneOf(random, [0, 1, 1, 1, 2]); times > 0; times--)
    octets =
      random() < 0.65
        ? octetsOf(rearranged(random, textOf(octets), drawSource(random, format).page))
        : damagedOctets(random, octets, PIECES);
  const reader = random() < 0.95 ? format : oneOf(random, ["text", "openmetrics"] as const);
  const options = random() < 0.6 ? {} : drawOptions(random, octets);
  return [reader, textOf(octets), shown(options), pageText(new Page(), embedded(random, octets), reader, options).text].join("\n");
}

const LENIENCIES: readonly (keyof Leniency)[] = ["families", "unendedLine", "unknownEscapes", "trailingComma", "otherTypes"];

function drawOptions(random: Draw, octets: Uint8Array): ReadOptions {
  const few = Object.fromEntries(LENIENCIES.filter(() => random() < 0.4).map((name) => [name, true]));
  const lenient = oneOf(random, [undefined, undefined, SCRAPE, few]);
  const text = textOf(octets);
  const lengths = text.split("\n").map(({ length }) => length);
  const near = (exact: number): number => Math.max(0, exact - oneOf(random, [0, 0, 1, 1, 2]));
  const [name, values] = [/[\w:]+/.exec(text)?.[0].length ?? 1, [...text.matchAll(/"([^"]*)"/g)].map(([, one = ""]) => one.length)];
  const limits: Partial<Limits> | undefined = oneOf(random, [
    undefined,
    undefined,
    undefined,
    { pageOctets: near(octets.length) },
    { lineOctets: near(Math.max(...lengths)) + wholeBelow(random, 2) },
    { samples: near(lengths.length) },
    { metadata: wholeBelow(random, 4) },
    { labels: wholeBelow(random, 4) },
    { nameOctets: near(name + wholeBelow(random, 4)) },
    { valueOctets: near(Math.max(1, ...values)) },
    { exemplars: wholeBelow(random, 3) },
  ]);
  return { ...(lenient === undefined ? {} : { lenient }), ...(limits === undefined ? {} : { limits }) };
}

function pageText(page: Page, octets: Uint8Array, format: Format, options: ReadOptions): { isWhole: boolean; text: string } {
  const fault = READERS[format](page, octets, options);
  if (fault !== undefined) return { isWhole: false, text: shown(fault) };
  const lines: string[] = [];
  const labels = new LabelOctets();
  for (let n = 0; n < page.count; n++) {
    page.labelsInto(n, labels);
    lines.push(
      `${page.name(n)} ${shown(page.labels(n))} ${shown(page.values[n])} ${page.timestamps[n]} ${labels.toLabels()} ${labels.longest} ${textOf(page.series(n))}`,
    );
  }
  for (let e = 0; e < page.exemplarCount; e++)
    lines.push(
      `exemplar of ${page.exemplarOf[e]} ${shown(page.exemplarLabels(e))} ${shown(page.exemplarValues[e])} ${page.exemplarTimestamps[e]}`,
    );
  for (const one of page.metadata)
    lines.push(`${one.kind} before ${one.before} at ${one.offset} ${page.metadataName(one)} ${page.metadataText(one)}`);
  return { isWhole: true, text: [...lines, shown(metadataByFamily(page))].join("\n") };
}

/** Consecutive pages of one target: the same, with lines moved, lost, added, and damaged. */
function targetLife(random: Draw): string {
  const known = new KnownSeries();
  const page = new Page();
  const numbers = new Map<string, number>();
  const scrape = random() < 0.4 ? oneOf(random, SCRAPES) : undefined;
  const { format, page: first } = scrape === undefined ? drawSource(random) : { format: scrape.format, page: scrape.pages[0] ?? "" };
  const lines: string[] = [format];
  let current = first;
  for (let at = 0; at < 5; at++) {
    current = scrape?.pages[at] ?? changedPage(random, current);
    const octets = embedded(random, octetsOf(current));
    const options = { lenient: SCRAPE, known, ...(random() < 0.1 ? { limits: { samples: wholeBelow(random, 6) } } : {}) };
    const { isWhole, text } = pageText(page, octets, format, options);
    lines.push(`page ${current}`, text);
    if (!isWhole) continue;
    for (let n = 0; n < page.count; n++) {
      const number = known.numberOf(n);
      lines.push(`${n} is ${number}`);
      if (number >= 0) continue;
      const series = textOf(page.series(n));
      if (!numbers.has(series)) numbers.set(series, numbers.size);
      known.put(n, numbers.get(series) ?? -1);
    }
    known.keep(page);
  }
  return lines.join("\n");
}

function changedPage(random: Draw, page: string): string {
  const lines = page.split("\n");
  const at = wholeBelow(random, lines.length);
  const line = lines[at] ?? "";
  return oneOf(random, [
    () => page,
    () => page.replaceAll(/ \d/g, (found) => (random() < 0.5 ? ` ${wholeBelow(random, 10)}` : found)),
    () => lines.toSpliced(at, 1).join("\n"),
    () => lines.toSpliced(at, 0, line).join("\n"),
    () => lines.toSpliced(at, 0, `new_${wholeBelow(random, 4)}{a="${wholeBelow(random, 9)}"} 1`).join("\n"),
    () => lines.toSpliced(at, 0, ...some(random, [1, 40], (n) => `many{n="${n}"} 1`)).join("\n"),
    () => [...lines.slice(at), ...lines.slice(0, at)].join("\n"),
    () => lines.toReversed().join("\n"),
    () => textOf(damagedOctets(random, octetsOf(page), PIECES)),
  ])();
}

const MESSAGE_PIECES = [
  "0a0161",
  "1804",
  "3a00",
  "2801",
  "6202",
  "6801",
  "71000000000000f83f",
  "2200",
  "ffffffffff0f",
  "80808080808080808001",
  "00",
  "0b",
  "0c",
  "0d01020304",
].map((text) => new Uint8Array(Buffer.from(text, "hex")));

function messageLife(random: Draw): string {
  let octets: Uint8Array = random() < 0.4 ? oneOf(random, WIRES) : new Uint8Array(some(random, [1, 3], () => [...message(random)]).flat());
  for (let times = oneOf(random, [0, 0, 1, 1, 2]); times > 0; times--) octets = damagedOctets(random, octets, MESSAGE_PIECES);
  const limits: Partial<Limits> = oneOf(random, [
    {},
    {},
    { pageOctets: octets.length - wholeBelow(random, 2) },
    { samples: wholeBelow(random, 8) },
    { metadata: wholeBelow(random, 3) },
    { labels: wholeBelow(random, 4) },
    { nameOctets: wholeBelow(random, 5) },
    { valueOctets: wholeBelow(random, 5) },
    { lineOctets: wholeBelow(random, 8) },
    { exemplars: wholeBelow(random, 3) },
    { buckets: wholeBelow(random, 12) },
  ]);
  return [Buffer.from(octets).toString("hex"), shown(limits), shown(readProtobuf(embedded(random, octets), limits))].join("\n");
}

function writerLife(random: Draw): string {
  const families: FamilyToWrite[] = some(random, [0, 4], () => family(random));
  const escaping = oneOf(random, ESCAPING_SCHEMES);
  const written = (["text", "openmetrics"] as const).map((format) => tried(() => WRITERS[format](families, { escaping })));
  return [escaping, shown(families), ...written].join("\n");
}

const FORMATS = [TEXT, TEXT_UTF8, OPENMETRICS, OPENMETRICS_OLD, PROTOBUF];
const FIELD_PIECES = [
  ";q=0.5",
  ";q=0",
  ";q=1.0001",
  ",",
  ";",
  '"',
  "\\",
  " ",
  "*/*",
  "text/*",
  "version=1.0.0",
  "escaping=dots",
  'charset="utf-8"',
  "q=0.30",
  "=",
  "\t",
].map(octetsOf);

function negotiationLife(random: Draw): string {
  const lines: string[] = [];
  for (let at = 0; at < 6; at++) {
    let field = some(random, [1, 3], () => oneOf(random, ACCEPTS)).join(",");
    if (random() < 0.6) field = textOf(damagedOctets(random, octetsOf(field), FIELD_PIECES));
    // Longer fields than this are ignored.
    if (random() < 0.04) field = field.padEnd(8_191 + wholeBelow(random, 3), " ");
    const formats = some(random, [0, 3], () => oneOf(random, ["text", "openmetrics", "protobuf"] as const));
    const offer = oneOf(random, [{}, { formats }, { fallback: oneOf(random, FORMATS) }, { formats, fallback: oneOf(random, FORMATS) }]);
    const given = random() < 0.95 ? field : undefined;
    const own = some(random, [0, 5], () => oneOf(random, FORMATS));
    lines.push(given?.trim() ?? "none", shown(offer), shown(negotiate(given, offer)), shown(parseContentType(given) ?? "unknown"));
    lines.push(acceptOf(own), ...own.map(contentTypeOf));
  }
  return lines.join("\n");
}

const SIGNS = [...'aZ09_:.-é😀 \\"', "U__", "_dot_", "__", "_2E_", "_D800_", "_110000_", "_1F600_", "_0_", "_2e", "\ud800"];
const DIGITS = [
  "0",
  "1",
  "9",
  ".",
  "e",
  "E",
  "-",
  "+",
  "Inf",
  "inf",
  "NaN",
  "x",
  "_",
  "p",
  "000",
  "e308",
  "e-324",
  "123456789",
  "Infinity",
];

function nameLife(random: Draw): string {
  const lines: string[] = [];
  for (let at = 0; at < 8; at++) {
    const name = some(random, [0, 4], () => oneOf(random, SIGNS)).join("");
    const scheme: EscapingScheme = oneOf(random, ESCAPING_SCHEMES);
    const of = oneOf(random, ["metric", "label"] as const);
    const escaped = escapeName(name, scheme, of);
    lines.push(
      `${name} ${scheme} ${of} ${escaped} ${unescapeName(escaped, scheme)} ${unescapeName(name, scheme)} ${isPlainName(name, of)}`,
    );
    const digits = some(random, [1, 4], () => oneOf(random, DIGITS)).join("");
    for (const dialect of ["text", "openmetrics", "real"] as const) {
      const shift = wholeBelow(random, 4);
      lines.push(`${digits} ${dialect} ${shift} ${shown(numberOf(digits, dialect, shift) ?? "no number")}`);
    }
    const number = Number(digits);
    lines.push(`${formatValue(number)} ${formatBound(number)}`);
  }
  return [...lines, shown(DEFAULT_LIMITS)].join("\n");
}
