import type { Cut } from "../fault.ts";

/** The head of a message: start line and field lines, without their ends. */
export type HeadUnit = {
  readonly is: "head";
  readonly stream: number;
  readonly start: string;
  /** As sent, `name: value`. */
  readonly lines: readonly string[];
  /** An interim response, which another head follows. */
  readonly isInterim: boolean;
  /** How the end of the content is found (rfc9112#6.3). */
  readonly framing: Framing;
};
export type Framing = "none" | "length" | "chunked" | "close";
/** Content; it leaves as a chunk if `isChunk`. */
export type ContentUnit = { readonly is: "content"; readonly stream: number; readonly bytes: Uint8Array; readonly isChunk: boolean };
/** The end of a message; after chunks, the last chunk and the trailer section. */
export type EndUnit = { readonly is: "end"; readonly stream: number; readonly isChunked: boolean; readonly lines: readonly string[] };
/** Uninterpreted octets. */
export type OctetsUnit = { readonly is: "octets"; readonly stream: number; readonly bytes: Uint8Array };
/** The end of the transport. Nothing passes after it. */
export type CutUnit = { readonly is: "cut"; readonly stream: number; readonly how: Cut };

/** A part of the output. `stream` is the number of the message on the connection, and 0 for the connection itself. */
export type Unit = HeadUnit | ContentUnit | EndUnit | OctetsUnit | CutUnit;

export const octets = (stream: number, bytes: Uint8Array | string): OctetsUnit => ({
  is: "octets",
  stream,
  bytes: typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes,
});
export const cut = (stream: number, how: Cut): CutUnit => ({ is: "cut", stream, how });

/** Whether a unit begins a request or a final response. */
export const isMessage = (unit: Unit): unit is HeadUnit => unit.is === "head" && !unit.isInterim;
/** Whether a unit begins a response with content. */
export const hasContent = (unit: Unit): unit is HeadUnit => isMessage(unit) && unit.framing !== "none";
export const isEnd = (unit: Unit): boolean => unit.is === "end";

const nameOf = (line: string): string => line.slice(0, line.indexOf(":")).trim().toLowerCase();
/** The value of a field in these lines. */
export const valueIn = (lines: readonly string[], name: string): string | undefined => {
  const line = lines.find((one) => nameOf(one) === name);
  return line === undefined ? undefined : line.slice(line.indexOf(":") + 1).trim();
};
/** The lines of all other fields. */
export const without = (lines: readonly string[], ...names: readonly string[]): string[] =>
  lines.filter((line) => !names.includes(nameOf(line)));

/** The octets of a head. */
export const headOctets = ({ start, lines }: Pick<HeadUnit, "start" | "lines">): Buffer =>
  Buffer.from(`${[start, ...lines].join("\r\n")}\r\n\r\n`, "latin1");

const NOTHING = new Uint8Array(0);
/** The octets of a unit. */
export function octetsOf(unit: Unit): Uint8Array {
  switch (unit.is) {
    case "head":
      return headOctets(unit);
    case "content":
      if (!unit.isChunk) return unit.bytes;
      return unit.bytes.length === 0 ? NOTHING : Buffer.concat([Buffer.from(`${unit.bytes.length.toString(16)}\r\n`), unit.bytes, CRLF]);
    case "end":
      return unit.isChunked ? Buffer.from(`0\r\n${unit.lines.map((line) => `${line}\r\n`).join("")}\r\n`, "latin1") : NOTHING;
    case "octets":
      return unit.bytes;
    case "cut":
      return NOTHING;
  }
}
const CRLF = Buffer.from("\r\n");
