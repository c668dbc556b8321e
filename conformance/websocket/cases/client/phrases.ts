import { open, permitted } from "../phrases.ts";
import type { Allowed, Case, Handshake } from "../../vocabulary.ts";

/** Short forms shared by the cases for clients only. */

/** The client fails the connection, as it must. A Close frame is odd, since nothing was opened. */
export const failsHandshake = (...others: Allowed[number][]): Allowed => [
  { see: { see: "handshake failed" } },
  ...others,
  permitted({ see: "Close and end", echoes: 0 }, "rfc6455#7.1.7", "warn"),
  permitted({ see: "handshake failed late" }, "rfc6455#7.1.7", "warn"),
];

/** Answers the handshake with this response; in the control, with a good one. */
export const responseOf = ({
  wrong,
  right = {},
}: {
  readonly wrong: Handshake;
  readonly right?: Handshake;
}): Pick<Case, "role" | "steps" | "control"> => ({
  role: "client",
  steps: [open(wrong)],
  control: [open(right)],
});

/** A response that accepts permessage-deflate with what the client requested, and these parameters. */
export const agreeing = (parameters = ""): Handshake => ({ more: [`{deflate}${parameters === "" ? "" : `; ${parameters}`}`] });
