import { Misuse } from "../../core/index.ts";
import type { LabelOctets } from "../model/index.ts";
import type { Appendable, Appender, AppendRefusal } from "../storage/index.ts";
import { Unpacker } from "../tsdb/codec/index.ts";
import { MessageFault } from "./cursor.ts";
import { seriesIn, type WriteMessage, type WrittenSeries } from "./write-request.ts";

/** Receiving remote write (Prometheus specs, prw/remote_write_spec_2_0.md, "Response"). */

export type ReceiveLimits = {
  /** Octets of a request on the wire. */
  readonly packedOctets: number;
  /** What a request may unpack to; its claim is checked before any memory is taken. */
  readonly octets: number;
  /** Milliseconds that a sample may lie in the future. */
  readonly aheadMs: number;
};
export const RECEIVE_LIMITS: ReceiveLimits = { packedOctets: 32 << 20, octets: 64 << 20, aheadMs: 10 * 60_000 };

/** Why a sample is not written. */
type Refusal = AppendRefusal | "too far ahead" | "invalid labels" | "limit reached";

/** What became of a request. `problem` is the first reason for which something was not written. */
export type Received = {
  readonly floats: number;
  readonly histograms: number;
  readonly refused: ReadonlyMap<Refusal, number>;
  readonly problem: string | undefined;
};

/** The message that a Content-Type announces; undefined if this server does not know it. */
export function messageOf(contentType: string | undefined): WriteMessage | undefined {
  const [type = "", ...parameters] = (contentType ?? "application/x-protobuf").split(";").map((part) => part.trim());
  if (type.toLowerCase() !== "application/x-protobuf") return undefined;
  const proto = parameters
    .find((one) => one.toLowerCase().startsWith("proto="))
    ?.slice("proto=".length)
    .replaceAll('"', "");
  if (proto === undefined || proto === "prometheus.WriteRequest") return "prometheus.WriteRequest";
  return proto === "io.prometheus.write.v2.Request" ? proto : undefined;
}

/** Stores the samples of a request. What is valid is stored even if other parts are not. Throws `MessageFault` if the request cannot be read: nothing is stored. */
export function receiveWrite(
  storage: Appendable,
  packed: Uint8Array,
  message: WriteMessage,
  { now, limits }: { readonly now: number; readonly limits: ReceiveLimits },
): Received {
  const unpacker = new Unpacker();
  if (!unpacker.unpack(packed, 0, packed.length, limits.octets))
    throw new MessageFault(`the content is not a Snappy block, or unpacks to more than ${limits.octets} octets`);
  const appender = storage.appender();
  const pass = new Pass(appender, now + limits.aheadMs);
  try {
    for (const series of seriesIn(unpacker.bytes.subarray(0, unpacker.length), message)) pass.take(series);
  } catch (error) {
    appender.rollback();
    throw error;
  }
  appender.commit();
  return pass;
}

class Pass implements Received {
  readonly #appender: Appender;
  readonly #latest: number;
  readonly refused = new Map<Refusal, number>();
  floats = 0;
  histograms = 0;
  problem: string | undefined;

  constructor(appender: Appender, latest: number) {
    this.#appender = appender;
    this.#latest = latest;
  }

  take({ labels, fault, times, values, isStale, histograms }: WrittenSeries): void {
    if (fault !== undefined)
      return this.#refuse("invalid labels", () => `${labels.toLabels()}: ${fault}`, times.length + histograms.length);
    const appender = this.#appender;
    const id = this.#idOf(labels);
    if (typeof id === "string") return this.#refuse("limit reached", () => `${labels.toLabels()}: ${id}`, times.length + histograms.length);
    for (const [at, time] of times.entries()) {
      const why = this.#isAhead(time) ?? (isStale[at] === true ? appender.appendStale(id, time) : appender.append(id, time, values[at]!));
      if (why === undefined) this.floats += 1;
      else this.#refuse(why, () => `${labels.toLabels()} at ${time}: ${why}`, 1);
    }
    for (const { time, histogram } of histograms) {
      const why = this.#isAhead(time) ?? appender.appendHistogram(id, time, histogram);
      if (why === undefined) this.histograms += 1;
      else this.#refuse(why, () => `${labels.toLabels()} at ${time}: ${why}`, 1);
    }
    return undefined;
  }

  /** The number of a series, or why the storage takes no more or no such series. */
  #idOf(labels: LabelOctets): number | string {
    try {
      return this.#appender.seriesOf(labels);
    } catch (error) {
      if (error instanceof Misuse) return error.message;
      throw error;
    }
  }

  #isAhead(time: number): "too far ahead" | undefined {
    return time > this.#latest ? "too far ahead" : undefined;
  }

  #refuse(why: Refusal, text: () => string, count: number): void {
    this.problem ??= text();
    this.refused.set(why, (this.refused.get(why) ?? 0) + count);
  }
}
