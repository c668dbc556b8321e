import type { Histogram, ResetHint } from "../../../reference/metrics/model/index.ts";
import { CUSTOM_BOUNDS } from "../../../reference/metrics/model/index.ts";

/** Random choices for scenes of the storage, and what comes out of it as text. */
export type Draw = () => number;
export const oneOf = <T>(random: Draw, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
export const whole = (random: Draw, below: number): number => Math.floor(random() * below);
export const some = <T>(random: Draw, [least, most]: readonly [number, number], make: (at: number) => T): T[] =>
  Array.from({ length: least + whole(random, most - least + 1) }, (_, at) => make(at));
export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
export const unhex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));

/** Whole numbers at the limits of encodings. */
export const edge = (random: Draw): number => {
  const size = oneOf(random, [0, 1, 2, 3, 6, 7, 8, 9, 12, 14, 16, 18, 21, 25, 28, 31, 32, 33, 35, 48, 52, 53]);
  const near = 2 ** size + oneOf(random, [0, 0, 1, -1, 2, -2]);
  return (random() < 0.4 ? -1 : 1) * Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, near));
};

export const float = (random: Draw): number =>
  oneOf(random, [
    () => whole(random, 5),
    () => whole(random, 1e6) / 8,
    () => random(),
    () => edge(random),
    () => oneOf(random, [0, -0, Number.NaN, Infinity, -Infinity, 5e-324, 1.797e308, 0.1, 1 / 3]),
  ])();

/** Exact, unlike JSON. */
export const shown = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => {
    if (member instanceof Map) return [...member];
    if (ArrayBuffer.isView(member)) return [...(member as Uint8Array)];
    return typeof member === "number" && (!Number.isFinite(member) || Object.is(member, -0))
      ? Object.is(member, -0)
        ? "-0"
        : String(member)
      : member;
  });

/** Octets with one of them changed, or cut. */
export function damaged(random: Draw, bytes: Uint8Array): Uint8Array {
  const at = whole(random, bytes.length + 1);
  const copy = bytes.slice();
  if (random() < 0.3) return copy.subarray(0, at);
  if (random() < 0.15) return new Uint8Array([...copy, ...some(random, [1, 4], () => whole(random, 256))]);
  if (at < copy.length) copy[at] = random() < 0.6 ? copy[at]! ^ (1 << whole(random, 8)) : whole(random, 256);
  return copy;
}

type Shape = Pick<Histogram, "schema" | "zeroThreshold" | "positiveSpans" | "negativeSpans" | "bounds" | "isInteger">;

/** Layouts that the histograms of a series have in turn: buckets appear, vanish and move, the schema changes. */
const SHAPES: readonly Shape[] = [
  { schema: 0, zeroThreshold: 0.001, positiveSpans: [{ offset: 0, length: 2 }], negativeSpans: [], bounds: [], isInteger: true },
  {
    schema: 0,
    zeroThreshold: 0.001,
    positiveSpans: [
      { offset: 0, length: 2 },
      { offset: 1, length: 1 },
    ],
    negativeSpans: [{ offset: 1, length: 1 }],
    bounds: [],
    isInteger: true,
  },
  {
    schema: 0,
    zeroThreshold: 0.001,
    positiveSpans: [{ offset: -1, length: 5 }],
    negativeSpans: [
      { offset: 0, length: 1 },
      { offset: 2, length: 2 },
    ],
    bounds: [],
    isInteger: true,
  },
  { schema: 3, zeroThreshold: 2 ** -10, positiveSpans: [{ offset: 5, length: 1 }], negativeSpans: [], bounds: [], isInteger: true },
  { schema: 1, zeroThreshold: 1, positiveSpans: [], negativeSpans: [], bounds: [], isInteger: true },
  {
    schema: CUSTOM_BOUNDS,
    zeroThreshold: 0,
    positiveSpans: [{ offset: 0, length: 3 }],
    negativeSpans: [],
    bounds: [0.5, 1, 2.5],
    isInteger: true,
  },
  {
    schema: CUSTOM_BOUNDS,
    zeroThreshold: 0,
    positiveSpans: [{ offset: 1, length: 1 }],
    negativeSpans: [],
    bounds: [-1, 0.001, 1e9, 3e300],
    isInteger: true,
  },
];

/** A histogram that grows with `size`, in a random layout. */
export function histogram(random: Draw, size: number, favourite: number): Histogram {
  const shape = SHAPES[random() < 0.75 ? favourite % SHAPES.length : whole(random, SHAPES.length)]!;
  const isInteger = random() < 0.8 ? favourite % 2 === 0 : random() < 0.5;
  const count = (): number =>
    Math.max(0, size + whole(random, 3) - (random() < 0.1 ? whole(random, 9) : 0)) + (isInteger ? 0 : oneOf(random, [0, 0.5, 0.1]));
  const counts = (spans: readonly { length: number }[]): number[] =>
    Array.from({ length: spans.reduce((sum, { length }) => sum + length, 0) }, () => (random() < 0.15 ? 0 : count()));
  const [positive, negative] = [counts(shape.positiveSpans), counts(shape.negativeSpans)];
  const zeroCount = shape.schema === CUSTOM_BOUNDS ? 0 : count();
  const hint: ResetHint = random() < 0.8 ? "unknown" : oneOf(random, ["gauge", "reset", "none"] as const);
  return {
    ...shape,
    isInteger,
    zeroCount,
    positive,
    negative,
    count: [...positive, ...negative, zeroCount].reduce((sum, one) => sum + one, 0),
    sum: random() < 0.9 ? size * 1.5 : float(random),
    resetHint: favourite % 5 === 4 ? "gauge" : hint,
  };
}
