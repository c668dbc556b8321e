import { instant } from "../../reference/core/index.ts";
import { Connection, type Fault, type Settings } from "../../reference/http2/index.ts";
import type { Piece } from "./grammar.ts";

export const PREFACE = Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1"), Buffer.from("000000040000000000", "hex")]);
const SETTINGS_ACK = Buffer.from("000000040100000000", "hex");

/** What a server should make of a sequence: go on, refuse one stream, or end the connection; `unsure` where the answer may depend on the server. */
export type Expected =
  | { readonly is: "fine" }
  | { readonly is: "refused"; readonly fault: Fault; readonly at: number }
  | { readonly is: "unsure" };

const T0 = instant(0);
const PING: Piece = { words: "the PING at the end", hex: "0000080600000000000000000000000000" };
/** Faults whose scope depends on what the server has answered by then: a stream that is open here may be closed there. */
const DEPENDS_ON_ANSWERS = new Set(["STREAM_CLOSED", "REFUSED_STREAM", "ENHANCE_YOUR_CALM", "FLOW_CONTROL_ERROR", "INTERNAL_ERROR"]);
/** Rules of extensions that a server need not know, and refusals that are our own choice. */
const NOT_ASKED_OF_ALL = /^(?:priorityUpdate|settingsAckUnasked|enableConnect|noRfc7540|priorityOnItself)/;

/** What the server said of itself in SETTINGS, where it changes what is legal (rfc9113#6.5.2). */
export type Announced = Partial<Pick<Settings, "maxFrameSize" | "initialWindowSize" | "headerTableSize">>;

/**
 * Asks the reference machine, which never answers a request, so that streams stay as open as the client left them.
 * The PING that ends every conversation is part of the sequence: a field block that is still open makes it a mistake.
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
      return fault === undefined || unsure || DEPENDS_ON_ANSWERS.has(fault.code) || NOT_ASKED_OF_ALL.test(fault.name)
        ? { is: "unsure" }
        : { is: "refused", fault, at };
    }
    // A refused stream leaves the connection as it was, but a server may choose to end it, and what follows on that stream may be taken in two ways.
    if (answers(Buffer.concat(machine.take()))) unsure = true;
  }
  return unsure ? { is: "unsure" } : { is: "fine" };
}

/** Whether the machine answered for itself, by RST_STREAM or by a response such as 431: a server may then do the one or the other. */
function answers(frames: Buffer): boolean {
  const [HEADERS, RST_STREAM] = [1, 3];
  for (let at = 0; at + 9 <= frames.length; at += 9 + frames.readUIntBE(at, 3))
    if (frames[at + 3] === RST_STREAM || frames[at + 3] === HEADERS) return true;
  return false;
}
