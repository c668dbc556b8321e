import { latin1 } from "../../core/index.ts";
import { type Fault, faultAt, type FaultName } from "./faults.ts";
import { numberOf, readNumber } from "./number.ts";
import type { Metadata, Page } from "./page.ts";

/** What a page says of a metric: absent where it says nothing, or nothing in particular (an empty help text or unit). */
export type FamilyMetadata = { type?: string; help?: string; unit?: string };

/** Metadata by metric, in the order of the page; of a kind that comes twice, the last counts. */
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

/** One text for a set of labels, in whichever order they stand; without one of them. */
export function keyOf(labels: Labels, without: string): string {
  const kept = labels.filter(([name]) => name !== without);
  if (kept.length > 1) kept.sort(([a], [b]) => (a < b ? -1 : 1));
  return kept.map(([name, value]) => `${name.length}:${name}${value.length}:${value}`).join("");
}

const LF = 0x0a;
/** The octets of a bound, with a line feed behind them: that ends a number. Longer ones are read too, by way of their text. */
const BOUND = new Uint8Array(32);
const VALUE = new Float64Array(1);

/** A bucket's bound or a quantile: any number between the quotes of a label's value. Undefined where there is no value. */
export function boundAt(octets: Uint8Array, from: number, to: number): number | undefined {
  const length = to - from;
  if (length >= BOUND.length) {
    const value = numberOf(latin1(octets, from, to), "openmetrics");
    return value === "range" || Number.isNaN(value) ? undefined : value;
  }
  for (let i = 0; i < length; i++) BOUND[i] = octets[from + i]!;
  BOUND[length] = LF;
  if (readNumber(BOUND, 0, "openmetrics", VALUE, 0) !== length) return undefined;
  return Number.isNaN(VALUE[0]) ? undefined : VALUE[0];
}

/** What the names of samples come to, for as long as they are few: they are compared one by one, octet by octet, and no string is made. */
export class Names<T> {
  readonly #page: Page;
  #count = 0;
  /** Samples with these names, and what they come to. What was there before they were cleared is written over: cutting an array costs more. */
  readonly #known: number[] = [];
  readonly #meanings: T[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  /** What the name of sample `n` comes to; undefined where it is new. One that stands within the braces is not remembered. */
  find(n: number): T | undefined {
    for (let i = 0; i < this.#count; i++) if (isNamedAlike(this.#page, n, this.#known[i]!)) return this.#meanings[i];
    return undefined;
  }
  add(n: number, meaning: T): void {
    if (this.#page.nameTo[n] === this.#page.from[n]) return;
    this.#known[this.#count] = n;
    this.#meanings[this.#count++] = meaning;
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
/** At the value of a sample. */
export function atValue(name: FaultName, page: Page, n: number): Fault {
  let at = page.to[n]!;
  while (page.octets[at] === 0x20 || page.octets[at] === 0x09) at++;
  return faultAt(name, page.octets, at);
}

/** Buckets of one histogram as they come: in order, and with what +Inf counts at the end. */
export class Buckets {
  #last = -Infinity;
  #count = 0;
  #isEmpty = true;
  hasNegative = false;

  /** What is wrong with the next bucket. */
  add(bound: number, count: number, isCumulative: boolean): FaultName | undefined {
    if (!this.#isEmpty && bound <= this.#last) return "bucketOrder";
    if (isCumulative && !this.#isEmpty && !(count >= this.#count)) return "bucketCumulative";
    this.#isEmpty = false;
    this.#last = bound;
    this.#count = count;
    this.hasNegative ||= bound < 0;
    return undefined;
  }

  /** The count of the bucket +Inf, if that is the last. */
  get total(): number | undefined {
    return !this.#isEmpty && this.#last === Infinity ? this.#count : undefined;
  }
}

/** What a format asks of the lines of a page taken together. */
export type PageRules = {
  metadata(line: Metadata): Fault | undefined;
  sample(n: number): Fault | undefined;
  /** The family that is under way has ended. */
  endFamily(): Fault | undefined;
};

/** Asks metadata and samples in the order of the page, and at last what has ended with it. */
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
