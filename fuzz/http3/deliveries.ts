import { concatenated } from "../../reference/core/index.ts";
import { STREAMS } from "../../conformance/wire/http3/numbers.ts";
import type { Piece, StreamName } from "./grammar.ts";

/** A piece on its stream: requests are numbered in the order in which they begin, and critical streams begin with their type. */
export type Delivery = {
  readonly piece: Piece;
  readonly stream: StreamName;
  readonly direction: "bidirectional" | "unidirectional";
  readonly octets: Uint8Array;
};

/** The pieces as they leave. Nothing follows the end or the reset of a stream. */
export function deliveriesOf(pieces: readonly Piece[]): Delivery[] {
  const begun = new Set<StreamName>();
  const over = new Set<StreamName>();
  const deliveries: Delivery[] = [];
  for (const piece of pieces) {
    const { on, hex, end, reset } = piece;
    if (over.has(on) || (reset !== undefined && !begun.has(on))) continue;
    const type = on === "control" || on === "encoder" || on === "decoder" ? STREAMS[on] : undefined;
    const octets = new Uint8Array(Buffer.from(hex, "hex"));
    const isFirst = !begun.has(on);
    begun.add(on);
    if (end || reset !== undefined) over.add(on);
    deliveries.push({
      piece,
      stream: on,
      direction: on.startsWith("request") ? "bidirectional" : "unidirectional",
      octets: isFirst && type !== undefined ? concatenated([Uint8Array.of(type), octets]) : octets,
    });
  }
  return deliveries;
}
