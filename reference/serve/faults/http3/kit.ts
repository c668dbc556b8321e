import { kitOf, type Fault, type Line } from "../fault.ts";
import { cut, idOf, isLast, isRequest, isResponse, type FieldsUnit, type Unit } from "./unit.ts";

/** A connection of HTTP/3 that a fault works on. */
export interface Http3Line extends Line<Unit> {
  /** Our control stream; undefined until it is open. */
  readonly control: number | undefined;
  /** Opens a stream; undefined while the other side permits no more. */
  open(direction: "bidirectional" | "unidirectional"): number | undefined;
}
export type Http3Fault = Fault<Unit, Http3Line>;
export type Kit = ReturnType<typeof kitOf<Unit, FieldsUnit, Http3Line>>;

const size = (unit: Unit): number => (unit.is === "frame" ? unit.payload.length : unit.is === "octets" ? unit.bytes.length : 1_024);

export const kitFor = (side: "server" | "client"): Kit =>
  kitOf<Unit, FieldsUnit, Http3Line>({
    side,
    begins: side === "server" ? isResponse : isRequest,
    ends: isLast,
    size,
    part: (unit, bytes, last) => {
      if (unit.is === "cut" || unit.is === "reset") return unit;
      return { is: "octets", stream: unit.stream, on: idOf(unit), bytes, end: last && unit.end };
    },
    cut,
    cutBy: (unit) => (unit.is === "cut" ? unit.how : undefined),
  });
