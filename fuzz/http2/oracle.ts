import { instant } from "../../reference/core/index.ts";
import { Connection, type Fault, type Settings } from "../../reference/http2/index.ts";
import { Decoder } from "../../reference/hpack/index.ts";
import type { Rule } from "../lib/rules.ts";
import type { Piece } from "./grammar.ts";
import { ruleOf } from "./rules.ts";

export const PREFACE = Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1"), Buffer.from("000000040000000000", "hex")]);
const SETTINGS_ACK = Buffer.from("000000040100000000", "hex");

/** What a server must do with a sequence: continue, or end the connection. `unsure` if servers may differ. */
export type Expected =
  | { readonly is: "fine" }
  | { readonly is: "refused"; readonly fault: Fault; readonly at: number; readonly rule: Rule["ref"] }
  | { readonly is: "unsure" };

const T0 = instant(0);
const PING: Piece = { words: "the final PING", hex: "0000080600000000000000000000000000" };
/** Faults that depend on earlier answers of the server: a stream that is open here may be closed there. */
const DEPENDS_ON_ANSWERS = new Set(["STREAM_CLOSED", "REFUSED_STREAM", "ENHANCE_YOUR_CALM", "FLOW_CONTROL_ERROR", "INTERNAL_ERROR"]);
/** Rules of extensions that a server need not support, and optional errors of the reference. */
const OPTIONAL_RULES = /^(?:priorityUpdate|settingsAckUnasked|enableConnect|noRfc7540|priorityOnItself)/;

/** The values in the server's SETTINGS that change which frames are legal (rfc9113#6.5.2). */
export type Announced = Partial<Pick<Settings, "maxFrameSize" | "initialWindowSize" | "headerTableSize">>;

/**
 * Feeds the sequence to the reference, which answers no request, so that only the client closes streams.
 * The PING that ends every connection is part of the sequence: inside an open field block it is an error.
 */
export function expected(pieces: readonly Piece[], announced: Announced = {}): Expected {
  const machine = new Connection({ side: "server", settings: { ...announced, maxConcurrentStreams: 1_000 } }, T0);
  machine.receive(PREFACE, T0);
  machine.take();
  machine.receive(SETTINGS_ACK, T0);
  let unsure = false;
  for (const [at, piece] of [...pieces, PING].entries()) {
    for (const event of machine.receive(Buffer.from(piece.hex, "hex"), T0)) {
      if (event.is !== "closed") continue;
      const { fault } = event;
      return fault === undefined ||
        unsure ||
        (fault.name === "frameTooLarge" && !altersConnection(piece)) ||
        DEPENDS_ON_ANSWERS.has(fault.code) ||
        OPTIONAL_RULES.test(fault.name)
        ? { is: "unsure" }
        : { is: "refused", fault, at, rule: hasLateUpdate(pieces.slice(0, at + 1)) ? "rfc7541#4.2/update-elsewhere" : ruleOf(fault) };
    }
    // After a stream error a server may also end the connection, and may treat later frames on that stream in two ways.
    if (hasAnswer(Buffer.concat(machine.take()))) unsure = true;
  }
  return unsure ? { is: "unsure" } : { is: "fine" };
}

/**
 * Whether a frame could alter the state of the connection: a field block, SETTINGS, or anything on stream 0. Another frame that is too large may
 * be a stream error (rfc9113#4.2).
 */
function altersConnection({ hex }: Piece): boolean {
  const head = Buffer.from(hex.slice(0, 18), "hex");
  const [HEADERS, SETTINGS, PUSH_PROMISE, CONTINUATION] = [1, 4, 5, 9];
  return [HEADERS, SETTINGS, PUSH_PROMISE, CONTINUATION].includes(head[3] ?? 0) || (head.readUInt32BE(5) & 0x7fff_ffff) === 0;
}

/**
 * Whether the last field block is only undecodable because of a size update after its start: that rule binds the encoder (rfc7541#4.2). The
 * grammar uses no dynamic table, so the block means the same alone.
 */
function hasLateUpdate(pieces: readonly Piece[]): boolean {
  const [HEADERS, CONTINUATION, PADDED, PRIORITY] = [1, 9, 8, 0x20];
  const frames = pieces.map(({ hex }) => Buffer.from(hex, "hex"));
  const start = frames.findLastIndex((frame) => frame[3] === HEADERS);
  if (start < 0) return false;
  const parts = frames.slice(start).filter((frame, i) => i === 0 || frame[3] === CONTINUATION);
  const block = Buffer.concat(
    parts.map((frame, i) => {
      const flags = i === 0 ? (frame[4] ?? 0) : 0;
      const isPadded = (flags & PADDED) !== 0;
      const from = 9 + (isPadded ? 1 : 0) + ((flags & PRIORITY) === 0 ? 0 : 5);
      return frame.subarray(from, frame.length - (isPadded ? (frame[9] ?? 0) : 0));
    }),
  );
  const decoded = new Decoder().decode(block);
  return decoded.is === "fault" && decoded.name === "sizeUpdateLate";
}

/** Whether the reference sent RST_STREAM or an error response such as 431: a server may do either. */
function hasAnswer(frames: Buffer): boolean {
  const [HEADERS, RST_STREAM] = [1, 3];
  for (let at = 0; at + 9 <= frames.length; at += 9 + frames.readUIntBE(at, 3))
    if (frames[at + 3] === RST_STREAM || frames[at + 3] === HEADERS) return true;
  return false;
}
