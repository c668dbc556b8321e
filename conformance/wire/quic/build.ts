import { varint } from "../http3/varint.ts";
import { fromHex, fromLatin1, join } from "../octets.ts";
import type { FrameSpec, Value } from "./frame-spec.ts";
import { codeOf, FRAME_TYPES } from "./names.ts";

/** What the values in a frame stand for. */
export type Resolve = {
  readonly value: (value: Value, as: "stream" | "number") => number;
  /** The largest packet number that we have received at this level. */
  readonly received: number;
};

const octetsOf = (data: string | number): Uint8Array => (typeof data === "string" ? fromLatin1(data) : new Uint8Array(data).fill(0x61));
const sized = (octets: Uint8Array, length = octets.length): Uint8Array => join([varint(length), octets]);
const OPEN = 0x00;
const WITH_OFFSET = 0x04;
const WITH_LENGTH = 0x02;
const WITH_END = 0x01;

/** The octets of a frame (rfc9000#19). */
export function build(spec: FrameSpec, resolve: Resolve): Uint8Array {
  const number = (value: Value = 0): Uint8Array => varint(resolve.value(value, "number"));
  const stream = (): Uint8Array => varint(resolve.value(spec.stream ?? 0, "stream"));
  const type = typeof spec.type === "number" ? spec.type : FRAME_TYPES[spec.type];
  const typed = (...members: readonly Uint8Array[]): Uint8Array => join([varint(type, spec.width), ...members]);
  if (spec.hex !== undefined || typeof spec.type === "number") return typed(fromHex(spec.hex ?? ""));
  switch (spec.type) {
    case "PADDING":
    case "PING":
    case "HANDSHAKE_DONE":
      return typed();
    case "ACK":
    case "ACK_ECN":
      return typed(...ackOf(spec, resolve));
    case "RESET_STREAM":
      return typed(stream(), varint(codeOf(spec.code ?? 0)), number(spec.finalSize));
    case "STOP_SENDING":
      return typed(stream(), varint(codeOf(spec.code ?? 0)));
    case "CRYPTO":
      return typed(number(spec.offset), sized(octetsOf(spec.data ?? ""), spec.length));
    case "NEW_TOKEN":
      return typed(sized(fromHex(spec.token ?? ""), spec.length));
    case "STREAM": {
      const data = octetsOf(spec.data ?? "");
      const flags = WITH_OFFSET | (spec.open === true ? OPEN : WITH_LENGTH) | (spec.end === true ? WITH_END : 0);
      return join([varint(type | flags, spec.width), stream(), number(spec.offset), spec.open === true ? data : sized(data, spec.length)]);
    }
    case "MAX_DATA":
    case "MAX_STREAMS_BIDI":
    case "MAX_STREAMS_UNI":
    case "DATA_BLOCKED":
    case "STREAMS_BLOCKED_BIDI":
    case "STREAMS_BLOCKED_UNI":
      return typed(number(spec.max));
    case "MAX_STREAM_DATA":
    case "STREAM_DATA_BLOCKED":
      return typed(stream(), number(spec.max));
    case "NEW_CONNECTION_ID": {
      const id = fromHex(spec.id ?? "");
      const head = [number(spec.sequence), varint(spec.retire ?? 0), Uint8Array.of(spec.length ?? id.length), id];
      return typed(...head, fromHex(spec.token ?? "00".repeat(16)));
    }
    case "RETIRE_CONNECTION_ID":
      return typed(number(spec.sequence));
    case "PATH_CHALLENGE":
    case "PATH_RESPONSE":
      return typed(fromHex(spec.token ?? "746f756368737421"));
    case "CONNECTION_CLOSE":
      return typed(varint(codeOf(spec.code ?? 0)), varint(0), sized(octetsOf(spec.data ?? ""), spec.length));
    case "CONNECTION_CLOSE_APP":
      return typed(varint(codeOf(spec.code ?? 0)), sized(octetsOf(spec.data ?? ""), spec.length));
  }
}

function ackOf(
  { type, largest = { beyond: 0 }, first = 0, ranges = [], counts = [0, 0, 0] }: FrameSpec,
  { received }: Resolve,
): Uint8Array[] {
  const top = typeof largest === "number" ? largest : Math.max(0, received) + largest.beyond;
  return [
    varint(top),
    varint(0),
    varint(ranges.length),
    varint(first),
    ...ranges.flatMap(([gap, length]) => [varint(gap), varint(length)]),
    ...(type === "ACK_ECN" ? counts.map((count) => varint(count)) : []),
  ];
}
