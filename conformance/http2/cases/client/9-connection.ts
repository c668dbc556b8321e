import { clientConnectionError, duringResponse, permitted, plainExchange } from "../phrases.ts";
import type { Case } from "../../vocabulary.ts";

/** Connection management (rfc9113#9.1), the client's table size (rfc9113#4.3.1), and PRIORITY_UPDATE (rfc9218#7.1). */
export const cases: readonly Case[] = [
  {
    id: "http2/client-one-connection",
    spec: "rfc9113#9.1",
    covers: ["rfc9113#9.1/one-connection"],
    level: "SHOULD NOT",
    role: "client",
    title: "A client requests a URL once, on one connection.",
    fence: "exit",
    steps: plainExchange,
    control: plainExchange,
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "accepted without", not: [{ see: "request", nth: 2 }] },
            { see: "exit", ok: true },
          ],
        },
      },
    ],
  },
  {
    id: "http2/client-table-size-zero",
    spec: "rfc9113#4.3.1",
    covers: ["rfc9113#4.3.1/reduced-size-update", "rfc7541#4.2/update-at-beginning"],
    level: "MUST",
    role: "client",
    needs: ["exit-status"],
    title: "A client that acknowledges HEADER_TABLE_SIZE of 0 starts its next field block with a size update, and uses no dynamic index.",
    fence: "exit",
    steps: [
      {
        do: "handshake",
        settings: [
          ["HEADER_TABLE_SIZE", 0],
          ["MAX_CONCURRENT_STREAMS", 100],
        ],
      },
      { do: "await", see: { see: "request" } },
      { do: "send", frames: [{ type: "RST_STREAM", stream: "request", code: "REFUSED_STREAM" }] },
      { do: "wait", ms: 150 },
    ],
    control: plainExchange,
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "request", nth: 2 },
            { see: "holds", monitor: "size-update-follows-settings" },
            { see: "holds", monitor: "no-dynamic-index-without-table" },
          ],
        },
      },
      {
        see: {
          see: "all",
          of: [
            { see: "exit", ok: false },
            { see: "holds", monitor: "size-update-follows-settings" },
            { see: "holds", monitor: "no-dynamic-index-without-table" },
          ],
        },
        by: "rfc9113#8.7",
      },
    ],
  },
  {
    id: "http2/client-priority-update-from-server",
    spec: "rfc9218#7.1",
    covers: ["rfc9218#7.1/client-refuses"],
    level: "MUST",
    role: "client",
    title: "A client that supports RFC 9218 treats PRIORITY_UPDATE from a server as a connection error of type PROTOCOL_ERROR.",
    fence: "exit",
    steps: duringResponse({ type: "PRIORITY_UPDATE", hex: "00000001753d33" }),
    control: plainExchange,
    // A client without the extension discards the frame.
    allowed: clientConnectionError("PROTOCOL_ERROR", permitted({ see: "exit", ok: true }, "rfc9113#5.5")),
  },
];
