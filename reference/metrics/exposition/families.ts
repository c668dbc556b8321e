import { type Fault, faultAt, type FaultName } from "./faults.ts";
import { numberOf } from "./number.ts";
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

/** One text for a set of labels, in whichever order they stand; one label may be left out. */
export function keyOf(labels: Labels, without?: string): string {
  const kept = without === undefined ? [...labels] : labels.filter(([name]) => name !== without);
  if (kept.length > 1) kept.sort(([a], [b]) => (a < b ? -1 : 1));
  return kept.map(([name, value]) => `${name.length}:${name}${value.length}:${value}`).join("");
}
export const valueOf = (labels: Labels, name: string): string | undefined => labels.find(([one]) => one === name)?.[1];

/** A bucket's bound or a quantile: any number in the text of a label. */
export function boundOf(text: string): number | undefined {
  const value = numberOf(text, "openmetrics");
  return value === "range" || Number.isNaN(value) ? undefined : value;
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
