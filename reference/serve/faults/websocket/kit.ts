import { kitOf, type Fault, type Line } from "../fault.ts";
import { cut, isEnd, isMessage, octets, type FrameUnit, type Unit } from "./unit.ts";

export type WebSocketFault = Fault<Unit, Line<Unit>>;
export type Kit = ReturnType<typeof kitOf<Unit, FrameUnit, Line<Unit>>>;

export const kitFor = (side: "server" | "client"): Kit =>
  kitOf<Unit, FrameUnit, Line<Unit>>({
    side,
    message: "message",
    begins: isMessage,
    ends: isEnd,
    size: (unit) => (unit.is === "frame" ? unit.payload.length + 14 : unit.is === "octets" ? unit.bytes.length : 0),
    part: (_, bytes) => octets(0, bytes),
    cut: (how) => cut(0, how),
    cutBy: (unit) => (unit.is === "cut" ? unit.how : undefined),
  });
