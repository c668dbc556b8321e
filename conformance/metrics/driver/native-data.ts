import {
  REMOTE_WRITE_FIELDS,
  remoteWrite,
  type WrittenHistogramSample,
  type WrittenSample,
  type WrittenSeries,
} from "../../wire/metrics/build.ts";
import { type Kind, msOf, nativeSeries, type NativeSeries, timeOf } from "../data/native.ts";
import type { QueryClient } from "./server-client.ts";

/** Native histograms reach a running server only by remote write, since no page can carry them. */

/** Kinds of series, each in separate requests, so that a server that refuses one kind gets the others. */
const KINDS: readonly Kind[] = ["exponential", "custom", "mixed", "nan"];

/** A series for remote write. Its staleness marker is a float after floats, otherwise a histogram. */
function written({ name, labels, samples }: NativeSeries): WrittenSeries {
  const floats: WrittenSample[] = [];
  const histograms: WrittenHistogramSample[] = [];
  for (const { time, value } of samples)
    if (typeof value === "number") floats.push({ time: msOf(time), value });
    else histograms.push({ time: msOf(time), value });
  return { labels: { __name__: name, ...labels }, samples: floats, histograms };
}

/** When the mixed series switch from one kind of samples to the other. */
const TURNED = timeOf(20);

/** A server stores the floats of a series in one request before its histograms: samples in another order need a second request. */
export function nativeRequests(kind: Kind): WrittenSeries[][] {
  const all = nativeSeries().filter((one) => one.kind === kind);
  if (kind !== "mixed") return [all.map(written)];
  return [true, false].map((isBefore) =>
    all.map((one) => written({ ...one, samples: one.samples.filter(({ time }) => time < TURNED === isBefore) })),
  );
}

/** Pushes the native histograms; true if the server accepted any. Otherwise their cases are skipped. */
export async function pushNative(client: QueryClient): Promise<boolean> {
  let isAccepted = false;
  for (const kind of KINDS)
    for (const part of nativeRequests(kind)) {
      const answer = await client.send({ method: "POST", path: "write", fields: REMOTE_WRITE_FIELDS, content: remoteWrite(part) });
      if (answer.status >= 300) break;
      isAccepted = true;
    }
  return isAccepted;
}
