import { get, handshake, send } from "../../phrases.ts";
import type { Case, Row, SettingName, Step } from "../../../vocabulary.ts";

const exchanges = (...streams: number[]): Step[] =>
  streams.flatMap((stream): Step[] => [send(get(stream)), { do: "await", see: { see: "response", stream, complete: true } }]);
const table = (...sizes: number[]): Step[] => [
  send(...sizes.map((size) => ({ type: "SETTINGS" as const, settings: [["HEADER_TABLE_SIZE", size]] as const }))),
  { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: true }, count: sizes.length } },
];
const handshakeWith = (...settings: (readonly [SettingName, number])[]): Step => ({ do: "handshake", settings });

/** A property of the server's encoder, seen in its responses. The steps contain no mistake, so the case is its own control. */
const holds = ({
  monitor,
  steps,
  ...row
}: Row<"spec" | "covers"> & { readonly monitor: string; readonly steps: readonly Step[] }): Case => ({
  level: "MUST",
  role: "server",
  steps,
  control: steps,
  allowed: [{ see: { see: "holds", monitor } }],
  ...row,
});

/** The field blocks that a server sends (rfc7541#2.1, rfc7541#4.2). */
export const cases: readonly Case[] = [
  holds({
    id: "http2/response-blocks-decode",
    title: "The server sends a sequence of field blocks that decode.",
    spec: "rfc7541#2.1",
    covers: ["rfc7541#2.1/encoder-order"],
    monitor: "field-blocks-decode",
    steps: [handshake, ...exchanges(1, 3, 5, 7)],
  }),
  holds({
    id: "http2/response-blocks-well-formed",
    title: "The server sends field blocks of complete representations.",
    spec: "rfc7541#5.1",
    covers: ["rfc7541#5.1/prefix"],
    monitor: "field-blocks-well-formed",
    steps: [handshake, ...exchanges(1, 3)],
  }),
  holds({
    id: "http2/response-size-update-follows-the-first-settings",
    title: "The server starts its first block with a size update when the client's first SETTINGS set HEADER_TABLE_SIZE to 0.",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/update-at-beginning"],
    monitor: "size-update-follows-settings",
    steps: [handshakeWith(["HEADER_TABLE_SIZE", 0]), ...exchanges(1, 3)],
  }),
  holds({
    id: "http2/response-size-update-follows-later-settings",
    title: "The server starts its next block with a size update when the client lowers HEADER_TABLE_SIZE.",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/update-at-beginning"],
    monitor: "size-update-follows-settings",
    steps: [handshake, ...exchanges(1, 3), ...table(0), ...exchanges(5, 7)],
  }),
  holds({
    id: "http2/response-size-update-signals-the-smallest",
    title: "The server signals the smallest HEADER_TABLE_SIZE since its last block.",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/smallest-signalled"],
    monitor: "size-update-follows-settings",
    steps: [handshake, ...exchanges(1, 3), ...table(0, 4096), ...exchanges(5, 7)],
  }),
  holds({
    id: "http2/response-no-index-into-an-absent-table",
    title: "The server uses no dynamic index when HEADER_TABLE_SIZE is 0.",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/within-limit"],
    monitor: "no-dynamic-index-without-table",
    steps: [handshakeWith(["HEADER_TABLE_SIZE", 0]), ...exchanges(1, 3, 5)],
  }),
  holds({
    id: "http2/response-size-update-within-the-limit",
    title: "The server signals no table size above HEADER_TABLE_SIZE.",
    spec: "rfc7541#6.3",
    covers: ["rfc7541#6.3/within-limit", "rfc7541#4.2/within-limit"],
    monitor: "size-updates-within-limit",
    steps: [handshakeWith(["HEADER_TABLE_SIZE", 100]), ...exchanges(1, 3), ...table(200), ...exchanges(5), ...table(50), ...exchanges(7)],
  }),
  holds({
    id: "http2/response-table-unchanged-by-other-settings",
    title: "The server signals no table size above HEADER_TABLE_SIZE when larger values of other settings follow it.",
    spec: "rfc7541#6.3",
    covers: ["rfc7541#6.3/within-limit", "rfc7541#4.2/within-limit"],
    monitor: "size-updates-within-limit",
    steps: [
      handshakeWith(["HEADER_TABLE_SIZE", 0], ["MAX_CONCURRENT_STREAMS", 100], ["INITIAL_WINDOW_SIZE", 65_535], ["MAX_FRAME_SIZE", 16_384]),
      ...exchanges(1, 3, 5),
    ],
  }),
  holds({
    id: "http2/response-decodes-with-a-small-table",
    title: "The server sends field blocks that decode with a table of 100 octets.",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/within-limit"],
    monitor: "field-blocks-decode",
    steps: [handshakeWith(["HEADER_TABLE_SIZE", 100]), ...exchanges(1, 3, 5, 7)],
  }),
  holds({
    id: "http2/response-decodes-with-a-large-table",
    title: "The server sends field blocks that decode with a table of 65,536 octets.",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/within-limit"],
    monitor: "field-blocks-decode",
    steps: [handshakeWith(["HEADER_TABLE_SIZE", 65_536]), ...exchanges(1, 3, 5)],
  }),
  holds({
    id: "http2/response-size-updates-first",
    title: "The server sends size updates only at the start of a block.",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/update-at-beginning"],
    monitor: "size-updates-first",
    steps: [handshake, ...exchanges(1), ...table(0, 4096), ...exchanges(3, 5)],
  }),
];
