import { all, echoed, holds, open, permitted, send, text } from "../phrases.ts";
import { CONTENTS, messagesOf } from "../compressed-content.ts";
import type { Case } from "../../vocabulary.ts";
import { agreeing } from "./phrases.ts";

/** RFC 7692, section 7.2, for clients: five kinds of content in eighteen sizes, with seven sets of parameters. */

const PARAMETERS: readonly (readonly [id: string, parameters: string, needs: readonly string[]])[] = [
  ["plain", "", ["deflate"]],
  ["no-takeover", "server_no_context_takeover; client_no_context_takeover", ["asks nothing"]],
  ["small-server-window", "server_max_window_bits=9", ["asks nothing"]],
  ["large-server-window", "server_max_window_bits=15", ["asks nothing"]],
  ["small-server-window-no-takeover", "server_no_context_takeover; server_max_window_bits=9", ["asks nothing"]],
  ["client-window", "client_max_window_bits=9", ["client window"]],
  [
    "all",
    "server_no_context_takeover; client_no_context_takeover; server_max_window_bits=10; client_max_window_bits=10",
    ["client window", "asks nothing"],
  ],
];

export const cases: readonly Case[] = CONTENTS.flatMap(([content, what, opcode]) =>
  PARAMETERS.map(([id, parameters, needs]): Case => ({
    id: `websocket/client-deflate-content-${content}-${id}`,
    spec: "rfc7692#7.2.2",
    covers: ["rfc7692#7.2.2/inflate", "rfc7692#7.2.1/tail"],
    level: "MUST",
    role: "client",
    title: `The client echoes compressed messages of 0 to 131,072 octets of ${what} after a response with ${parameters === "" ? "no parameters" : parameters}.`,
    needs,
    steps: [open(agreeing(parameters)), send(...messagesOf(content, opcode))],
    control: [open(agreeing()), send(text("Hello", { deflate: {} }))],
    allowed: [
      { see: all(echoed, holds("inflatable messages"), holds("client window respected"), holds("valid frames")) },
      // It may not support all that it offers.
      ...(parameters === ""
        ? []
        : [permitted({ see: "handshake failed late" }, "rfc7692#7"), permitted({ see: "Close and end", echoes: 0 }, "rfc7692#7", "warn")]),
    ],
  })),
);
