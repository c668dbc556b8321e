import type { Vector } from "../../load.ts";
import type { Exemplar, Family, Pair, Sample } from "./craft.ts";

/** Schema: exposition-escaping-v1. Without `name`: an escaped name that is only read. */
export type EscapingVector = Vector & {
  readonly of: "metric" | "label";
  readonly name?: string;
  readonly scheme: "allow-utf-8" | "underscores" | "dots" | "values";
  readonly escaped: string;
  readonly restored?: string;
};

/** Schema: exposition-negotiation-v1. Formats are written as content types. */
export type NegotiationVector = Vector & {
  readonly accept?: string | null;
  readonly formats?: readonly ("text" | "openmetrics" | "protobuf")[];
  readonly fallback?: string;
  readonly contentType?: string;
  readonly selected?: string;
  readonly preference?: readonly string[];
  readonly field?: string;
};

/** A family to write: with samples, and the type of OpenMetrics. */
export type WrittenFamily = Family & { readonly samples: readonly Sample[] };
/** Schema: exposition-written-v1. */
export type WrittenVector = Vector & {
  readonly format: "text" | "openmetrics";
  readonly escaping?: EscapingVector["scheme"];
  readonly families: readonly WrittenFamily[];
  /** As characters U+0000 to U+00FF. */
  readonly page?: string;
};

/** A native histogram; its sum as text, its counts absolute. */
export type MessageHistogram = Readonly<Record<string, unknown>> & { readonly sum: string };
export type MessageFamily = WrittenFamily & {
  readonly histograms?: readonly {
    readonly labels: readonly Pair[];
    readonly timestamp?: number;
    readonly histogram: MessageHistogram;
    readonly exemplars: readonly Exemplar[];
  }[];
  readonly created?: readonly { readonly labels: readonly Pair[]; readonly timestamp: number }[];
};
/** Schema: exposition-protobuf-v1. */
export type MessageVector = Vector & {
  readonly wire: string;
  readonly limits?: Readonly<Record<string, number>>;
  readonly families?: readonly MessageFamily[];
  readonly fault?: string;
  readonly offset?: number;
};

/** Lines, repeated with their number, from 0, in place of each `%`. */
export type Repeated = { readonly line: string; readonly times: number };
/** Schema: exposition-reading-v1. The page is all its parts in turn. */
export type ReadingVector = Vector & {
  readonly op: "exposition-text" | "exposition-openmetrics";
  readonly parts: readonly (string | Repeated)[];
  readonly limits?: Readonly<Record<string, number>>;
  readonly lenient?: readonly string[];
  readonly samples?: readonly (Sample | { readonly sample: Sample; readonly times: number })[];
  readonly fault?: string;
  readonly line?: number;
  readonly column?: number;
};

/** Schema: exposition-scrapes-v1. */
export type ScrapesVector = Vector & {
  readonly op: ReadingVector["op"];
  readonly pages: readonly { readonly page: string; readonly fresh?: readonly number[]; readonly fault?: string }[];
};
