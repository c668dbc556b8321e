import {
  REMOTE_WRITE_FIELDS,
  remoteWrite,
  type WrittenHistogramSample,
  type WrittenSample,
  type WrittenSeries,
} from "../../wire/metrics/build.ts";
import { type Kind, msOf, nativeSeries, type NativeSeries, timeOf } from "../query/native/data.ts";
import type { QueryClient } from "./server-client.ts";

/** How the native histograms of the data set come to a server that runs: by remote write alone, since no page can carry them. */

/** Those of a kind in one request, so that a server that refuses one kind has the others. */
const KINDS: readonly Kind[] = ["exponential", "custom", "mixed", "nan"];

/** A series as remote write has it. The end of one is told by a float where floats came before, and else by a histogram. */
function written({ name, labels, samples }: NativeSeries): WrittenSeries {
  const floats: WrittenSample[] = [];
  const histograms: WrittenHistogramSample[] = [];
  for (const { time, value } of samples)
    if (typeof value === "number") floats.push({ time: msOf(time), value });
    else histograms.push({ time: msOf(time), value });
  return { labels: { __name__: name, ...labels }, samples: floats, histograms };
}

/** When the series of both kinds of samples have turned from the one to the other. */
const TURNED = timeOf(20);

/** Within a request, the floats of a series are taken before its histograms: what comes in another order is a request of its own. */
export function nativeRequests(kind: Kind): WrittenSeries[][] {
  const all = nativeSeries().filter((one) => one.kind === kind);
  if (kind !== "mixed") return [all.map(written)];
  return [true, false].map((isBefore) =>
    all.map((one) => written({ ...one, samples: one.samples.filter(({ time }) => time < TURNED === isBefore) })),
  );
}

/** Sends them, and tells whether any were taken. A server that takes none keeps the rest of the data set, and is not asked about these. */
export async function pushNative(client: QueryClient): Promise<boolean> {
  let isTaken = false;
  for (const kind of KINDS)
    for (const part of nativeRequests(kind)) {
      const answer = await client.send({ method: "POST", path: "write", fields: REMOTE_WRITE_FIELDS, content: remoteWrite(part) });
      if (answer.status >= 300) break;
      isTaken = true;
    }
  return isTaken;
}
