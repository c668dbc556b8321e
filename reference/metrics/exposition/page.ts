import { latin1 } from "../../core/index.ts";
import { METRIC_NAME, type LabelOctets } from "../model/index.ts";

/** A line `# TYPE`, `# HELP` or `# UNIT`, as positions in the page. */
export type Metadata = {
  readonly kind: "type" | "help" | "unit";
  /** The number of the next sample. */
  readonly before: number;
  readonly offset: number;
  /** The name, without quotes. */
  readonly nameFrom: number;
  readonly nameTo: number;
  readonly textFrom: number;
  readonly textTo: number;
};

/** Bits of `Page.marks`: what reading the labels of a series requires. */
export const MARK = { labels: 1, escapes: 2, quotedNames: 4, wide: 8 } as const;

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });
/** Samples that a page has room for at first: a server keeps a page for each of thousands of targets, and most have few samples. */
const ROOM = 64;
const [QUOTE, EQUALS, BACKSLASH, LBRACE, RBRACE] = [0x22, 0x3d, 0x5c, 0x7b, 0x7d];

/**
 * A parsed page in columns, without objects per sample. A series is identified by its octets in the page, so a reader can look up known ones without
 * making strings. Reused for the next page: the content is valid until then, and while the octets of the page are unchanged.
 */
export class Page {
  octets: Uint8Array = new Uint8Array();
  /** Samples read. */
  count = 0;
  /** The text of the series, from its name to the end of its labels. */
  from = new Uint32Array(ROOM);
  to = new Uint32Array(ROOM);
  /** The end of the name before the braces; equals `from` if the name is quoted within them. */
  nameTo = new Uint32Array(ROOM);
  marks = new Uint8Array(ROOM);
  values = new Float64Array(ROOM);
  /** Milliseconds since 1970, in OpenMetrics with a fraction; NaN if there is none. */
  timestamps = new Float64Array(ROOM);
  metadata: Metadata[] = [];

  /** Exemplars in the order of their samples: sample number, position of the labels, value, timestamp or NaN. */
  exemplarCount = 0;
  exemplarOf = new Uint32Array(16);
  exemplarFrom = new Uint32Array(16);
  exemplarTo = new Uint32Array(16);
  exemplarValues = new Float64Array(16);
  exemplarTimestamps = new Float64Array(16);

  begin(octets: Uint8Array): void {
    this.octets = octets;
    this.count = 0;
    this.exemplarCount = 0;
    this.metadata = [];
  }

  /** Doubles the room for samples. */
  grow(): void {
    const room = this.from.length * 2;
    this.from = grown(this.from, new Uint32Array(room));
    this.to = grown(this.to, new Uint32Array(room));
    this.nameTo = grown(this.nameTo, new Uint32Array(room));
    this.marks = grown(this.marks, new Uint8Array(room));
    this.values = grown(this.values, new Float64Array(room));
    this.timestamps = grown(this.timestamps, new Float64Array(room));
  }
  growExemplars(): void {
    const room = this.exemplarOf.length * 2;
    this.exemplarOf = grown(this.exemplarOf, new Uint32Array(room));
    this.exemplarFrom = grown(this.exemplarFrom, new Uint32Array(room));
    this.exemplarTo = grown(this.exemplarTo, new Uint32Array(room));
    this.exemplarValues = grown(this.exemplarValues, new Float64Array(room));
    this.exemplarTimestamps = grown(this.exemplarTimestamps, new Float64Array(room));
  }

  /** The octets of series `n` in the page. */
  series(n: number): Uint8Array {
    return this.octets.subarray(this.from[n], this.to[n]);
  }
  /** The metric name of sample `n`. */
  name(n: number): string {
    const from = this.from[n]!;
    const nameTo = this.nameTo[n]!;
    if (nameTo > from) return latin1(this.octets, from, nameTo);
    const quote = this.octets.indexOf(QUOTE, from);
    return unescaped(this.octets, quote + 1, closing(this.octets, quote + 1));
  }
  /** The labels of sample `n` in the order of the page, without the metric name. */
  labels(n: number): [name: string, value: string][] {
    if ((this.marks[n]! & MARK.labels) === 0) return [];
    return labelsIn(this.octets, this.nameTo[n]!, this.to[n]!);
  }
  /** Replaces the content of `into` by all labels of sample `n`, including the metric name. Makes no strings unless there are escapes or quoted names. */
  labelsInto(n: number, into: LabelOctets): void {
    const marks = this.marks[n]!;
    into.clear();
    if ((marks & (MARK.quotedNames | MARK.escapes)) !== 0) {
      into.addText(METRIC_NAME, this.name(n));
      for (const [name, value] of this.labels(n)) into.addText(name, value);
      return;
    }
    into.addMetric(this.octets, this.from[n]!, this.nameTo[n]!);
    if ((marks & MARK.labels) !== 0) plainLabelsInto(this.octets, this.nameTo[n]!, into);
  }
  /** The labels of exemplar `e`. */
  exemplarLabels(e: number): [name: string, value: string][] {
    return labelsIn(this.octets, this.exemplarFrom[e]!, this.exemplarTo[e]!);
  }
  /** The metric of a line of metadata. */
  metadataName({ nameFrom, nameTo }: Metadata): string {
    return unescaped(this.octets, nameFrom, nameTo);
  }
  /** The text of a line of metadata: a type, an unescaped help text, a unit. */
  metadataText({ kind, textFrom, textTo }: Metadata): string {
    return kind === "help" ? unescaped(this.octets, textFrom, textTo) : latin1(this.octets, textFrom, textTo);
  }
}

function grown<T extends Uint8Array | Uint32Array | Float64Array>(old: T, next: T): T {
  next.set(old);
  return next;
}

/** The labels in the braces after `from`. They are known to be valid. */
function labelsIn(octets: Uint8Array, from: number, to: number): [string, string][] {
  const labels: [string, string][] = [];
  let at = octets.indexOf(LBRACE, from) + 1;
  while (at < to) {
    while (isBetween(octets[at]!)) at++;
    if (octets[at] === RBRACE) break;
    const isQuoted = octets[at] === QUOTE;
    const begin = isQuoted ? at + 1 : at;
    let end = begin;
    if (isQuoted) {
      end = closing(octets, begin);
      at = end + 1;
    } else {
      while (!isBetween(octets[end]!) && octets[end] !== EQUALS) end++;
      at = end;
    }
    while (isBetween(octets[at]!)) at++;
    // A quoted name without a value is the metric name.
    if (octets[at] !== EQUALS) continue;
    const name = unescaped(octets, begin, end);
    const value = octets.indexOf(QUOTE, at) + 1;
    const valueEnd = closing(octets, value);
    labels.push([name, unescaped(octets, value, valueEnd)]);
    at = valueEnd + 1;
  }
  return labels;
}

/** The labels after the name that ends at `from`, without quoted names and escapes. */
function plainLabelsInto(octets: Uint8Array, from: number, into: LabelOctets): void {
  let at = from;
  while (octets[at] !== LBRACE) at++;
  for (;;) {
    do at++;
    while (isBetween(octets[at]!));
    if (octets[at] === RBRACE) return;
    const name = at;
    while (!isBetween(octets[at]!) && octets[at] !== EQUALS) at++;
    const nameTo = at;
    while (octets[at] !== QUOTE) at++;
    const value = ++at;
    while (octets[at] !== QUOTE) at++;
    into.add(octets, name, nameTo, value, at);
  }
}

/** A space, a tab or a comma. */
const isBetween = (octet: number): boolean => octet === 0x20 || octet === 0x09 || octet === 0x2c;

/** The closing quote of the string that begins at `from`. */
function closing(octets: Uint8Array, from: number): number {
  let at = from;
  for (let octet = octets[at]; octet !== QUOTE; octet = octets[at]) at += octet === BACKSLASH ? 2 : 1;
  return at;
}

/** Decodes octets; replaces \\, \" and \n and keeps any other backslash. */
export function unescaped(octets: Uint8Array, from: number, to: number): string {
  let isPlain = true;
  let isAscii = true;
  for (let at = from; at < to; at++) {
    const octet = octets[at]!;
    if (octet === BACKSLASH) isPlain = false;
    else if (octet >= 0x80) isAscii = false;
  }
  const text = isAscii ? latin1(octets, from, to) : UTF8.decode(octets.subarray(from, to));
  return isPlain ? text : text.replaceAll(/\\([\\"n])/g, (_, sign: string) => (sign === "n" ? "\n" : sign));
}
