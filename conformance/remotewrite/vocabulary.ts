import type { Case as AnyCase } from "../harness/case.ts";
import type { Packing, Protocol, RequestSeries, Shape } from "../wire/remotewrite/build.ts";

/** What a case about receivers of remote write can do and observe. */

/**
 * One request. In names and values, `@` is the metric of the performance, which no other has; times are milliseconds after a moment of the run that is a
 * few minutes ago.
 */
export type Step = {
  readonly do: "write";
  readonly protocol: Protocol;
  readonly series: readonly RequestSeries[];
  readonly symbols?: readonly string[];
  readonly shape?: Shape;
  readonly packing?: Packing;
  /** Header fields in place of those of the protocol; `null` leaves one out. */
  readonly fields?: Readonly<Record<string, string | null>>;
  /** Writes the content of this protocol under the header fields of `protocol`. */
  readonly contentOf?: Protocol;
};

/** What the header fields of protocol 2 say was written. */
export type Counts = { readonly samples: number; readonly histograms: number; readonly exemplars?: number };

/** The response to the last request counts. */
export type Sight =
  /** A status of 2xx. `counts`: and these header fields. `status`, `isEmpty`: and this. */
  | { readonly see: "written"; readonly counts?: Counts; readonly status?: number; readonly isEmpty?: true }
  /** A status of 4xx, or this one. `says`: with a message. `counts`: with one of these. */
  | { readonly see: "refused"; readonly status?: number; readonly says?: true; readonly counts?: readonly Counts[] }
  /** What a query for the metric shows, after any status: for each series the values in order. */
  | { readonly see: "stored"; readonly values: readonly (readonly string[])[] }
  | { readonly see: "all"; readonly of: readonly Sight[] };

/** Sights of a subject that refuses. */
export const REFUSALS = ["refused"] as const satisfies readonly Sight["see"][];

export type Case = AnyCase<Step, Sight>;
