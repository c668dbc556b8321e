import type { Fleet } from "./fleet.ts";

/** The time of the first sample, a multiple of two hours, and the interval of the next ones. */
const BEGIN_MS = 244_444 * 7_200_000;
export const STEP_MS = 15_000;
export const timeOf = (step: number, begin: number = BEGIN_MS): number => begin + step * STEP_MS;

/** Pages and remote-write requests with the samples of a fleet. Caches the parts that all steps share. */
export class Texts {
  readonly fleet: Fleet;
  readonly #begin: number;
  readonly #lines: string[] = [];
  readonly #lists: Buffer[] = [];

  /** `begin`: the time of the first sample. */
  constructor(fleet: Fleet, begin: number = BEGIN_MS) {
    this.fleet = fleet;
    this.#begin = begin;
  }

  /** A page in the text format: the series `from` to `to` at one step. */
  page(from: number, to: number, step: number, withTimes: boolean): Buffer {
    let page = "";
    const end = withTimes ? ` ${timeOf(step, this.#begin)}\n` : "\n";
    for (let series = from; series < to; series++) page += `${this.#line(series)} ${this.fleet.value(series, step)}${end}`;
    return Buffer.from(page, "latin1");
  }

  /**
   * A `WriteRequest` of remote write 1.0 with the samples of some steps of each series. Its snappy block contains only literals, so that
   * unpacking costs the receiver little.
   */
  request(from: number, to: number, firstStep: number, endStep: number): Buffer {
    const parts: Buffer[] = [];
    for (let series = from; series < to; series++) {
      const list = this.#list(series);
      const samples = this.#samples(series, firstStep, endStep);
      parts.push(lengthened(0x0a, list.length + samples.length), list, samples);
    }
    return literal(Buffer.concat(parts));
  }

  #line(series: number): string {
    return (this.#lines[series] ??= lineOf(this.fleet.labels(series)));
  }

  #list(series: number): Buffer {
    return (this.#lists[series] ??= Buffer.concat(this.fleet.labels(series).map(pair)));
  }

  /** Each is `0x12, length, 0x09 value, 0x10 time`. */
  #samples(series: number, firstStep: number, endStep: number): Buffer {
    const out = Buffer.alloc((endStep - firstStep) * SAMPLE_OCTETS);
    for (let step = firstStep, at = 0; step < endStep; step++, at += SAMPLE_OCTETS) {
      out[at] = 0x12;
      out[at + 1] = SAMPLE_OCTETS - 2;
      out[at + 2] = 0x09;
      out.writeDoubleLE(this.fleet.value(series, step), at + 3);
      out[at + 11] = 0x10;
      varint(timeOf(step, this.#begin)).copy(out, at + 12);
    }
    return out;
  }
}

/** The varint of a current time has six octets. */
const SAMPLE_OCTETS = 18;
const LITERAL_OCTETS = 60_000;

function lineOf(labels: readonly (readonly [string, string])[]): string {
  const rest = labels.filter(([name]) => name !== "__name__").map(([name, value]) => `${name}="${value}"`);
  return `${labels.find(([name]) => name === "__name__")?.[1] ?? ""}{${rest.join(",")}}`;
}

function pair([name, value]: readonly [string, string]): Buffer {
  const inner = Buffer.concat([lengthened(0x0a, name.length), Buffer.from(name), lengthened(0x12, value.length), Buffer.from(value)]);
  return Buffer.concat([lengthened(0x0a, inner.length), inner]);
}

const lengthened = (tag: number, length: number): Buffer => Buffer.concat([Buffer.of(tag), varint(length)]);

function varint(value: number): Buffer {
  const octets: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) octets.push((rest % 0x80) | 0x80);
  return Buffer.of(...octets, rest);
}

/** A snappy block without compression (snappy, format_description.txt, 2.1). */
function literal(octets: Buffer): Buffer {
  const parts = [varint(octets.length)];
  for (let from = 0; from < octets.length; from += LITERAL_OCTETS) {
    const piece = octets.subarray(from, from + LITERAL_OCTETS);
    const less = piece.length - 1;
    parts.push(Buffer.of(61 << 2, less & 0xff, less >> 8), piece);
  }
  return Buffer.concat(parts);
}
