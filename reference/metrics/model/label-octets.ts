import { Labels, METRIC_NAME } from "./labels.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const METRIC = Uint8Array.from(METRIC_NAME, (letter) => letter.charCodeAt(0));
/** Texts per label: a name and a value. */
const TEXTS = 2;

/**
 * The labels of one series as octets, sorted by name like `Labels`: from a page or a request into a storage that keeps octets, without strings and
 * copies. They refer to the source and are valid until it is overwritten. One object serves one series after another. Texts are well-formed UTF-8; the
 * caller has checked this.
 *
 * Positional arguments: these methods run for each label of a scrape.
 */
export class LabelOctets {
  size = 0;
  /** Octets of the longest name or value. */
  longest = 0;
  /** Names and values alternating: the source of each, its start and its end. */
  readonly sources: Uint8Array[] = Array.from({ length: 32 * TEXTS }, () => METRIC);
  starts: Uint32Array = new Uint32Array(32 * TEXTS);
  ends: Uint32Array = new Uint32Array(32 * TEXTS);

  clear(): void {
    this.size = 0;
    this.longest = 0;
  }

  /** Adds a label in `source`. If a name comes twice, the last value counts; an empty value removes the label. */
  // oxlint-disable-next-line max-params -- places in octets that are not copied: called for each label of each line
  add(source: Uint8Array, nameFrom: number, nameTo: number, valueFrom: number, valueTo: number): void {
    this.#place(source, nameFrom, nameTo, source, valueFrom, valueTo);
  }

  /** Adds the metric name in `source`. */
  addMetric(source: Uint8Array, from: number, to: number): void {
    this.#place(METRIC, 0, METRIC.length, source, from, to);
  }

  addText(name: string, value: string): void {
    const [nameOctets, valueOctets] = [encoder.encode(name), encoder.encode(value)];
    this.#place(nameOctets, 0, nameOctets.length, valueOctets, 0, valueOctets.length);
  }

  /** The same labels as texts. */
  toLabels(): Labels {
    const texts = Array.from({ length: this.size * TEXTS }, (_, at) =>
      decoder.decode(this.sources[at]?.subarray(this.starts[at], this.ends[at])),
    );
    return Labels.sorted(texts);
  }

  /** Inserts a label by name; usually last, because most peers sort labels. */
  // oxlint-disable-next-line max-params -- as above
  #place(names: Uint8Array, nameFrom: number, nameTo: number, values: Uint8Array, valueFrom: number, valueTo: number): void {
    let at = this.size * TEXTS;
    let order = 1;
    for (; at > 0; at -= TEXTS) {
      order = compare(names, nameFrom, nameTo, this.sources[at - TEXTS]!, this.starts[at - TEXTS]!, this.ends[at - TEXTS]!);
      if (order >= 0) break;
    }
    if (order === 0) at -= TEXTS;
    if (valueFrom === valueTo) {
      if (order === 0) this.#move(at + TEXTS, at);
      return;
    }
    if (order !== 0) this.#move(at, at + TEXTS);
    this.sources[at] = names;
    this.starts[at] = nameFrom;
    this.ends[at] = nameTo;
    this.sources[at + 1] = values;
    this.starts[at + 1] = valueFrom;
    this.ends[at + 1] = valueTo;
    this.longest = Math.max(this.longest, nameTo - nameFrom, valueTo - valueFrom);
  }

  /** Moves the texts from `from` on to `to`. */
  #move(from: number, to: number): void {
    const last = this.size * TEXTS;
    this.size += (to - from) / TEXTS;
    if (this.size * TEXTS > this.starts.length) {
      this.sources.push(...this.sources);
      this.starts = wider(this.starts);
      this.ends = wider(this.ends);
    }
    if (from === last) return;
    this.sources.copyWithin(to, from, last);
    this.starts.copyWithin(to, from, last);
    this.ends.copyWithin(to, from, last);
  }
}

// oxlint-disable-next-line max-params -- two stretches of octets, for each comparison of a sort
function compare(octets: Uint8Array, from: number, to: number, others: Uint8Array, otherFrom: number, otherTo: number): number {
  let at = from;
  let other = otherFrom;
  for (; at < to && other < otherTo; at++, other++) if (octets[at] !== others[other]) return octets[at]! - others[other]!;
  return to - at - (otherTo - other);
}

function wider(places: Uint32Array): Uint32Array {
  const twice = new Uint32Array(places.length * 2);
  twice.set(places);
  return twice;
}
