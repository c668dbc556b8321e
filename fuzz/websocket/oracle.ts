import { instant } from "../../reference/core/index.ts";
import { Connection, type Fault, type FaultName } from "../../reference/websocket/index.ts";
import { octets, type Piece } from "./grammar.ts";

/** What a server must do with a sequence: continue, refuse it, or answer its Close and end the connection. `unsure` if servers may differ. */
export type Expected =
  | { readonly is: "fine" }
  | { readonly is: "refused"; readonly fault: Fault; readonly at: number }
  | { readonly is: "closed" }
  | { readonly is: "unsure" };

const T0 = instant(0);
const FIN = 0x80;
/** Limits, which differ between servers. */
const LIMITS: ReadonlySet<FaultName> = new Set([
  "messageTooLarge",
  "tooManyFrames",
  "tooManyControls",
  "readerSlow",
  "peerSilent",
  "closeLate",
]);

/** Feeds the sequence to the reference. A sequence that ends within a frame is unsure: what follows would be read as the rest of the frame. */
export function expected(pieces: readonly Piece[]): Expected {
  const machine = new Connection({ side: "server" }, T0);
  for (const [at, piece] of pieces.entries()) {
    for (const event of [...machine.receive(octets([piece]), T0), ...machine.events()]) {
      if (event.is !== "closed") continue;
      if (event.fault === undefined) return { is: "closed" };
      // A server may check text once the message is complete.
      const isEarly = event.fault.name === "textInvalid" && Number.parseInt(piece.hex.slice(0, 2), 16) < FIN;
      return isEarly || LIMITS.has(event.fault.name) ? { is: "unsure" } : { is: "refused", fault: event.fault, at };
    }
    machine.take();
  }
  // The final ping shows whether the sequence ended within a frame.
  const isHeard = machine.receive(octets([FENCE]), T0).some(({ is }) => is === "ping");
  return isHeard ? { is: "fine" } : { is: "unsure" };
}

/** Every connection ends with a ping with this payload. */
export const FENCE_PAYLOAD = "7463687374776562";
export const FENCE: Piece = { words: "the final ping", hex: `898800000000${FENCE_PAYLOAD}` };
