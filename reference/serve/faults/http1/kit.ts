import { kitOf, type Fault, type Line } from "../fault.ts";
import { cut, hasContent, headOctets, isEnd, isMessage, octets, type HeadUnit, type Unit } from "./unit.ts";

/** A connection of HTTP/1.1 that a fault works on. */
export type Http1Line = Line<Unit>;
export type Http1Fault = Fault<Unit, Http1Line>;
export type Kit = ReturnType<typeof kitOf<Unit, HeadUnit, Http1Line>>;

const size = (unit: Unit): number =>
  unit.is === "content" || unit.is === "octets" ? unit.bytes.length : unit.is === "head" ? headOctets(unit).length : 16;

/** A kit for one side, which counts all messages, or only responses with content. */
export const kitFor = (side: "server" | "client", messages: "all" | "with content" = "all"): Kit =>
  kitOf<Unit, HeadUnit, Http1Line>({
    side,
    begins: messages === "all" || side === "client" ? isMessage : hasContent,
    ends: isEnd,
    size,
    part: (_, bytes) => octets(0, bytes),
    cut: (how) => cut(0, how),
    cutBy: (unit) => (unit.is === "cut" ? unit.how : undefined),
  });
