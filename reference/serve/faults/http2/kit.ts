import { CONNECTION, type StreamId } from "../../../http2/index.ts";
import { kitOf, type Fault, type Line } from "../fault.ts";
import { cut, isLast, isRequest, isResponse, octets, type FieldsUnit, type Unit } from "./unit.ts";

/** A connection of HTTP/2 that a fault works on. */
export interface Http2Line extends Line<Unit> {
  /** SETTINGS_MAX_FRAME_SIZE of the other side. */
  readonly maxFrameSize: number;
  /** The smaller of the other side's windows for a stream and for the connection. */
  window(stream: StreamId): number;
}
export type Http2Fault = Fault<Unit, Http2Line>;
export type Kit = ReturnType<typeof kitOf<Unit, FieldsUnit, Http2Line>>;

const size = (unit: Unit): number => (unit.is === "frame" ? unit.payload.length : unit.is === "octets" ? unit.bytes.length : 1_024);

export const kitFor = (side: "server" | "client"): Kit =>
  kitOf<Unit, FieldsUnit, Http2Line>({
    side,
    begins: side === "server" ? isResponse : isRequest,
    ends: isLast,
    size,
    part: (_, bytes) => octets(CONNECTION, bytes),
    cut: (how) => cut(CONNECTION, how),
    cutBy: (unit) => (unit.is === "cut" ? unit.how : undefined),
  });
