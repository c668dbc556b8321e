import { type ReadHistogram, type ReadRequest, readRequest, unpacked, WireFault } from "../../wire/remotewrite/read.ts";
import type { Protocol } from "../../wire/remotewrite/build.ts";

/** A request as it arrived, and what it was answered with (0: nothing). Times are milliseconds of the run. */
export type Arrived = {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly status: number;
  readonly answeredAt: number;
  readonly message: ReadRequest | undefined;
  /** Why there is no message. */
  readonly fault: string | undefined;
};

/** A sample that arrived. */
export type Point = {
  readonly series: string;
  readonly time: number;
  readonly value: number;
  readonly isStale: boolean;
  readonly request: number;
  readonly histogram?: ReadHistogram;
};

/** What one life of a sender left behind. */
export type Record = {
  readonly protocol: Protocol;
  readonly url: string;
  readonly requests: readonly Arrived[];
  /** Scrapes of the page. */
  readonly scrapes: number;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly ended: number;
  readonly restartedAt: number | undefined;
  /** The first scrapes, before anything listened. */
  readonly scrapesAway: number;
  readonly complaint: string;
};

/** Reads the content of a request by the protocol that its Content-Type names. */
export function contentOf(type: string, body: Uint8Array): Pick<Arrived, "message" | "fault"> {
  try {
    return { message: readRequest(type.includes("v2.Request") ? 2 : 1, unpacked(body)), fault: undefined };
  } catch (error) {
    if (!(error instanceof WireFault)) throw error;
    return { message: undefined, fault: error.message };
  }
}

export const isGood = (status: number): boolean => status >= 200 && status < 300;
export const hasSamples = ({ message }: Arrived): boolean =>
  message === undefined || message.series.some(({ samples, histograms }) => samples.length + histograms.length > 0);

/** All requests with samples, or of which nobody knows. */
export const writes = ({ requests }: Pick<Record, "requests">): readonly Arrived[] => requests.filter(hasSamples);

/** All samples in the order in which they arrived. */
export function pointsOf(requests: readonly Arrived[]): Point[] {
  return requests.flatMap(({ message }, request) =>
    (message?.series ?? []).flatMap(({ labels, samples, histograms }) => {
      const series = JSON.stringify(labels);
      const floats = samples.map(({ value, time, isStale }) => ({ series, time, value, isStale, request }));
      return [
        ...floats,
        ...histograms.map((histogram) => ({
          series,
          time: histogram.time,
          value: histogram.sum,
          isStale: histogram.isStale,
          request,
          histogram,
        })),
      ];
    }),
  );
}
export const keyOf = ({ series, time }: Point): string => `${series} ${time}`;

/** The value of a label in a series by its key. */
export const labelOf = (series: string, name: string): string | undefined =>
  (JSON.parse(series) as [string, string][]).find(([own]) => own === name)?.[1];
