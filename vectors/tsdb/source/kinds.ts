import type { Vector } from "../../load.ts";

/** A histogram as in `reference/metrics/model`, except for its sum: the 64 bits of the float in sixteen digits. */
export type WrittenHistogram = Readonly<Record<string, unknown>> & { readonly sum: string };
export type WrittenSample = { readonly time: number; readonly bits?: string; readonly histogram?: WrittenHistogram };
export type WrittenSeries = {
  readonly labels: Readonly<Record<string, string>>;
  readonly chunks: readonly (readonly [first: number, last: number, place: number])[];
};
export type WrittenStone = { readonly series: number; readonly first: number; readonly last: number };

/** Schema: tsdb-chunk-v1. */
export type ChunkVector = Vector & {
  readonly encoding: number;
  readonly wire: string;
  readonly samples?: readonly WrittenSample[];
  readonly fault?: string;
};
/** Schema: tsdb-index-v1. */
export type IndexVector = Vector & { readonly wire: string; readonly symbols?: readonly string[]; readonly series?: readonly WrittenSeries[] };
/** Schema: tsdb-tombstones-v1. */
export type TombstonesVector = Vector & { readonly wire: string; readonly stones?: readonly WrittenStone[] };
/** Schema: tsdb-record-v1. */
export type RecordVector = Vector & { readonly wire: string; readonly told?: readonly Readonly<Record<string, unknown>>[]; readonly fault?: string };
/** Schema: tsdb-snappy-v1. */
export type SnappyVector = Vector & {
  readonly wire: string;
  readonly most?: number;
  readonly content?: string;
  readonly contentLength?: number;
  readonly crc32?: number;
};
export type TsdbVector = ChunkVector | IndexVector | TombstonesVector | RecordVector | SnappyVector;
export type Draft<V extends TsdbVector = TsdbVector> = Omit<V, "id">;
