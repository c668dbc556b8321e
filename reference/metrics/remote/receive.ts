import type { Appendable } from "../storage/index.ts";
import { Unpacker } from "../tsdb/codec/index.ts";
import { MessageFault } from "./cursor.ts";
import { type Received, storeSeries } from "./store.ts";
import { seriesIn, type WriteMessage } from "./write-request.ts";

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
  return storeSeries(storage, seriesIn(unpacker.bytes.subarray(0, unpacker.length), message), now + limits.aheadMs);
}
