import { instant } from "../../reference/core/index.ts";
import { Connection, type Fault } from "../../reference/http2/index.ts";
import type { Piece } from "./grammar.ts";

export const PREFACE = Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1"), Buffer.from("000000040000000000", "hex")]);
const SETTINGS_ACK = Buffer.from("000000040100000000", "hex");

/** What a server should make of a sequence: go on, refuse one stream, or end the connection; `unsure` where the answer may depend on the server. */
export type Expected =
  | { readonly is: "fine" }
  | { readonly is: "refused"; readonly fault: Fault; readonly at: number }
  | { readonly is: "unsure" };

const T0 = instant(0);
/** Faults whose scope depends on what the server has answered by then: a stream that is open here may be closed there. */
const DEPENDS_ON_ANSWERS = new Set(["STREAM_CLOSED", "REFUSED_STREAM", "ENHANCE_YOUR_CALM", "FLOW_CONTROL_ERROR", "INTERNAL_ERROR"]);

/** Asks the reference machine, which never answers a request, so that streams stay as open as the client left them. */
export function expected(pieces: readonly Piece[]): Expected {
  const machine = new Connection({ side: "server" }, T0);
  machine.receive(PREFACE, T0);
  machine.take();
  machine.receive(SETTINGS_ACK, T0);
  let unsure = false;
  for (const [at, piece] of pieces.entries()) {
    for (const event of machine.receive(Buffer.from(piece.hex, "hex"), T0)) {
      if (event.is === "closed")
        return event.fault === undefined || DEPENDS_ON_ANSWERS.has(event.fault.code)
          ? { is: "unsure" }
          : { is: "refused", fault: event.fault, at };
      // A refused stream leaves the connection as it was, but what comes later on that stream may be taken in two ways.
      if (event.is === "reset" && event.by === "us") unsure = true;
    }
    machine.take();
  }
  return unsure ? { is: "unsure" } : { is: "fine" };
}
