import { instant } from "../../reference/core/index.ts";
import { Connection, type Fault, type FaultName } from "../../reference/websocket/index.ts";
import { octets, type Piece } from "./grammar.ts";

/** What a server should make of a sequence: go on, refuse it, or answer its Close and end; `unsure` where the answer is the server's own business. */
export type Expected =
  | { readonly is: "fine" }
  | { readonly is: "refused"; readonly fault: Fault; readonly at: number }
  | { readonly is: "parted" }
  | { readonly is: "unsure" };

const T0 = instant(0);
const FIN = 0x80;
/** Limits are everybody's own. */
const OWN: ReadonlySet<FaultName> = new Set([
  "messageTooLarge",
  "tooManyFrames",
  "tooManyControls",
  "readerSlow",
  "peerSilent",
  "closeLate",
]);

/** Asks the reference machine. A sequence that ends within a frame says nothing: what is put behind it would be taken for the rest. */
export function expected(pieces: readonly Piece[]): Expected {
  const machine = new Connection({ side: "server" }, T0);
  for (const [at, piece] of pieces.entries()) {
    for (const event of [...machine.receive(octets([piece]), T0), ...machine.events()]) {
      if (event.is !== "closed") continue;
      if (event.fault === undefined) return { is: "parted" };
      // Text may be looked at when the whole of it is there.
      const isEarly = event.fault.name === "textInvalid" && Number.parseInt(piece.hex.slice(0, 2), 16) < FIN;
      return isEarly || OWN.has(event.fault.name) ? { is: "unsure" } : { is: "refused", fault: event.fault, at };
    }
    machine.take();
  }
  // The ping at the end shows whether a frame is open.
  const isHeard = machine.receive(octets([FENCE]), T0).some(({ is }) => is === "ping");
  return isHeard ? { is: "fine" } : { is: "unsure" };
}

/** What every conversation ends with: a ping whose payload nobody else has. */
export const FENCE_PAYLOAD = "7463687374776562";
export const FENCE: Piece = { words: "the ping at the end", hex: `898800000000${FENCE_PAYLOAD}` };
