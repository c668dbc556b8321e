import { latin1 } from "../../core/index.ts";
import { type Fault, faultAt, type FaultName } from "./faults.ts";
import { numberOf, readNumber } from "./number.ts";
import type { Metadata, Page } from "./page.ts";

/** The metadata of a metric. Missing and empty texts are absent. */
export type FamilyMetadata = { type?: string; help?: string; unit?: string };

/** Metadata by metric, in the order of the page. If a kind comes twice, the last counts. */
export function metadataByFamily(page: Page): Map<string, FamilyMetadata> {
  const families = new Map<string, FamilyMetadata>();
  for (const line of page.metadata) {
    const name = page.metadataName(line);
    const known = families.get(name) ?? {};
    families.set(name, known);
    const text = page.metadataText(line);
    if (text !== "") known[line.kind] = text;
  }
  return families;
}

type Labels = readonly (readonly [string, string])[];

/** A unique text for a set of labels in any order, without one of them. */
export function keyOf(labels: Labels, without: string): string {
  const kept = labels.filter(([name]) => name !== without);
  if (kept.length > 1) kept.sort(([a], [b]) => (a < b ? -1 : 1));
  return kept.map(([name, value]) => `${name.length}:${name}${value.length}:${value}`).join("");
}

const LF = 0x0a;

/** Reads the bounds of buckets and the quantiles of a page. */
export class BoundReader {
  /** A copy of the bound, ended by a line feed as `readNumber` needs it. Longer bounds are read as text. */
  readonly #copy = new Uint8Array(32);
  readonly #value = new Float64Array(1);

  /** The number in the value of a label; undefined if it is not a number. */
  read(octets: Uint8Array, from: number, to: number): number | undefined {
    const copy = this.#copy;
    const length = to - from;
    if (length >= copy.length) {
      const value = numberOf(latin1(octets, from, to), "openmetrics");
      return value === "range" || Number.isNaN(value) ? undefined : value;
    }
    for (let i = 0; i < length; i++) copy[i] = octets[from + i]!;
    copy[length] = LF;
    if (readNumber(copy, 0, "openmetrics", this.#value, 0) !== length) return undefined;
    return Number.isNaN(this.#value[0]) ? undefined : this.#value[0];
  }
}

/** Maps the names of samples to values without making strings, by comparing octets. For few names. */
export class Names<T> {
  readonly #page: Page;
  #count = 0;
  /** Samples with these names, and their values. Clearing keeps old entries, which is cheaper than truncating the arrays. */
  readonly #known: number[] = [];
  readonly #values: T[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  /** The value for the name of sample `n`; undefined if it is new. Names within the braces are not stored. */
  find(n: number): T | undefined {
    for (let i = 0; i < this.#count; i++) if (isNamedAlike(this.#page, n, this.#known[i]!)) return this.#values[i];
    return undefined;
  }
  add(n: number, value: T): void {
    if (this.#page.nameTo[n] === this.#page.from[n]) return;
    this.#known[this.#count] = n;
    this.#values[this.#count++] = value;
  }
  clear(): void {
    this.#count = 0;
  }
}

function isNamedAlike({ octets, from, nameTo }: Page, n: number, other: number): boolean {
  let at = from[n]!;
  const to = nameTo[n]!;
  let otherAt = from[other]!;
  if (to === at || to - at !== nameTo[other]! - otherAt) return false;
  while (at < to && octets[at] === octets[otherAt]) {
    at++;
    otherAt++;
  }
  return at === to;
}

export const atSample = (name: FaultName, page: Page, n: number): Fault => faultAt(name, page.octets, page.from[n]!);
/** A fault at the value of a sample. */
export function atValue(name: FaultName, page: Page, n: number): Fault {
  let at = page.to[n]!;
  while (page.octets[at] === 0x20 || page.octets[at] === 0x09) at++;
  return faultAt(name, page.octets, at);
}

/** Checks the buckets of one histogram: their order, and the count of the last. */
export class Buckets {
  #last = -Infinity;
  #count = 0;
  readonly #isCumulative: boolean;
  #isEmpty = true;
  hasNegative = false;

  constructor({ isCumulative }: { readonly isCumulative: boolean }) {
    this.#isCumulative = isCumulative;
  }

  /** Adds the next bucket; returns its fault. */
  add(bound: number, count: number): FaultName | undefined {
    if (!this.#isEmpty && bound <= this.#last) return "bucketOrder";
    if (this.#isCumulative && !this.#isEmpty && !(count >= this.#count)) return "bucketCumulative";
    this.#isEmpty = false;
    this.#last = bound;
    this.#count = count;
    this.hasNegative ||= bound < 0;
    return undefined;
  }

  /** The count of the bucket +Inf, if it is the last. */
  get total(): number | undefined {
    return !this.#isEmpty && this.#last === Infinity ? this.#count : undefined;
  }
}

/** The rules of a format for the lines of a page together. */
export type PageRules = {
  metadata(line: Metadata): Fault | undefined;
  sample(n: number): Fault | undefined;
  /** Ends the current family. */
  endFamily(): Fault | undefined;
};

/** Checks metadata and samples in the order of the page, then the end of the last family. */
export function checkInOrder(page: Page, rules: PageRules): Fault | undefined {
  let i = 0;
  for (let n = 0; n <= page.count; n++) {
    for (; i < page.metadata.length && page.metadata[i]!.before <= n; i++) {
      const fault = rules.metadata(page.metadata[i]!);
      if (fault !== undefined) return fault;
    }
    const fault = n < page.count ? rules.sample(n) : undefined;
    if (fault !== undefined) return fault;
  }
  return rules.endFamily();
}
