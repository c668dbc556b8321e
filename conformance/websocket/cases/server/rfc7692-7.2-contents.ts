import { all, echoed, holds, open, send, text } from "../phrases.ts";
import { CONTENTS, messagesOf } from "../compressed-content.ts";
import type { Case, Handshake } from "../../vocabulary.ts";

/** RFC 7692, section 7.2: five kinds of content in eighteen sizes, with seven sets of parameters. */

const PARAMETERS: readonly (readonly [id: string, parameters: string])[] = [
  ["plain", ""],
  ["no-takeover", "server_no_context_takeover; client_no_context_takeover"],
  ["small-server-window", "server_max_window_bits=9"],
  ["large-server-window", "server_max_window_bits=15"],
  ["small-server-window-no-takeover", "server_no_context_takeover; server_max_window_bits=9"],
  ["client-window", "client_max_window_bits"],
  ["all", "server_no_context_takeover; client_no_context_takeover; server_max_window_bits=10; client_max_window_bits=10"],
];

/** A server that declines these parameters agrees to the offer without any. */
const offer = (parameters: string): Handshake => ({
  more: [`Sec-WebSocket-Extensions: ${parameters === "" ? "" : `permessage-deflate; ${parameters}, `}permessage-deflate`],
});

export const cases: readonly Case[] = CONTENTS.flatMap(([content, what, opcode]) =>
  PARAMETERS.map(([id, parameters]): Case => {
    const opening = open(offer(parameters));
    return {
      id: `websocket/deflate-content-${content}-${id}`,
      spec: "rfc7692#7.2.2",
      covers: ["rfc7692#7.2.2/inflate", "rfc7692#7.2.1/tail"],
      level: "MUST",
      role: "server",
      over: "http1",
      title: `The server echoes compressed messages of 0 to 131,072 octets of ${what} after an offer with ${parameters === "" ? "no parameters" : parameters}.`,
      needs: ["deflate"],
      steps: [opening, send(...messagesOf(content, opcode))],
      control: [opening, send(text("Hello", { deflate: {} }))],
      allowed: [{ see: all(echoed, holds("inflatable messages"), holds("server window respected"), holds("valid frames")) }],
    };
  }),
);
