import { compressionError, connectionError, get, handshake, holds, post, refusesRepeatedSettings, request, send } from "../phrases.ts";
import type { Case, FrameSpec, Row, Step } from "../../vocabulary.ts";

const part = (stream: number): FrameSpec => ({ type: "HEADERS", stream, flags: ["END_STREAM"], fields: request() });
const rest = (stream: number): FrameSpec => ({ type: "CONTINUATION", stream, flags: ["END_HEADERS"], fields: [["x-more", "1"]] });

/** A client puts 3,000 octets into its table before it acknowledges the server's SETTINGS. */
const filledTable: readonly Step[] = [
  { do: "preface" },
  send(get(1, ["x-fill", "f".repeat(3000 - 38), "indexing"])),
  { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: false } } },
  { do: "await", see: { see: "response", stream: 1 } },
  send({ type: "SETTINGS", flags: ["ACK"] }),
];

/** A frame between HEADERS and its CONTINUATION. The control sends it after the block, unless it would be illegal there too. */
const interrupts = ({ frame, legalAfter = true, ...row }: Row & { readonly frame: FrameSpec; readonly legalAfter?: boolean }): Case => ({
  spec: "rfc9113#4.3",
  covers: ["rfc9113#4.3/contiguous", "rfc9113#6.2/continuation-follows"],
  level: "MUST",
  role: "server",
  steps: [handshake, send(part(1), frame, rest(1))],
  control: [handshake, send(part(1), rest(1), ...(legalAfter ? [frame] : []))],
  allowed: connectionError("PROTOCOL_ERROR"),
  ...row,
});

/** Field blocks on the wire (rfc9113#4.3); their content is the subject of the rfc7541 files. */
export const cases: readonly Case[] = [
  interrupts({
    id: "http2/field-block-interrupted-by-priority-on-other-stream",
    title:
      "The server treats PRIORITY on another stream between HEADERS and its CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "PRIORITY", stream: 3, priority: { on: 0, weight: 16 } },
  }),
  interrupts({
    id: "http2/field-block-interrupted-by-settings-ack",
    title: "The server treats a SETTINGS ACK between HEADERS and its CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "SETTINGS", flags: ["ACK"] },
    legalAfter: false,
  }),
  interrupts({
    id: "http2/field-block-interrupted-by-window-update-on-stream",
    title:
      "The server treats WINDOW_UPDATE on the same stream between HEADERS and its CONTINUATION as a connection error of type PROTOCOL_ERROR.",
    frame: { type: "WINDOW_UPDATE", stream: 1, increment: 1 },
  }),
  {
    id: "http2/field-block-undecodable",
    spec: "rfc9113#4.3",
    covers: ["rfc9113#4.3/decoding-error"],
    level: "MUST",
    role: "server",
    title: "The server treats a field block that it cannot decode as a connection error of type COMPRESSION_ERROR.",
    steps: [handshake, send({ ...get(1), blockTail: "80" })],
    control: [handshake, send(get(1))],
    allowed: compressionError,
  },
  {
    id: "http2/field-block-undecodable-in-continuation",
    spec: "rfc9113#4.3",
    covers: ["rfc9113#4.3/decoding-error", "rfc9113#4.3/concatenated"],
    level: "MUST",
    role: "server",
    title: "The server treats a CONTINUATION that it cannot decode as a connection error of type COMPRESSION_ERROR.",
    steps: [handshake, send(part(1), { ...rest(1), blockTail: "80" })],
    control: [handshake, send(part(1), rest(1))],
    allowed: compressionError,
  },
  {
    id: "http2/field-block-undecodable-in-trailers",
    spec: "rfc9113#4.3",
    covers: ["rfc9113#4.3/decoding-error"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "The server treats trailers that it cannot decode as a connection error of type COMPRESSION_ERROR.",
    steps: [
      handshake,
      send(post(1), { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields: [["x-sum", "1"]], blockTail: "ff7f" }),
    ],
    control: [handshake, send(post(1), { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields: [["x-sum", "1"]] })],
    allowed: compressionError,
  },
  {
    id: "http2/field-block-undecodable-on-reset-stream",
    spec: "rfc9113#4.3",
    covers: ["rfc9113#4.3/decompress", "rfc9113#5.1/closed-minimal-processing"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "The server decodes a field block that it discards, and ends the connection if it cannot.",
    // The request is malformed, so the server has reset its stream before the trailers arrive.
    steps: [
      handshake,
      send(post(1, ["X-Upper", "1"]), {
        type: "HEADERS",
        stream: 1,
        flags: ["END_STREAM", "END_HEADERS"],
        fields: [["x-sum", "1"]],
        blockTail: "80",
      }),
    ],
    control: [handshake, send(post(1), { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields: [["x-sum", "1"]] })],
    allowed: connectionError("COMPRESSION_ERROR", { see: { see: "GOAWAY", code: "STREAM_CLOSED" }, by: "rfc9113#5.1" }),
  },
  {
    id: "http2/header-table-size-reduced",
    spec: "rfc9113#4.3.1",
    covers: ["rfc9113#4.3.1/reduced-size-update", "rfc9113#4.3.1/effective-on-ack", "rfc9113#6.5.2/header-table-size"],
    level: "MUST",
    role: "server",
    title:
      "The server starts its next field block with a size update after it acknowledges a smaller table, and stays within the new size.",
    steps: [
      handshake,
      send(get(1)),
      { do: "await", see: { see: "response", stream: 1, complete: true } },
      send({ type: "SETTINGS", settings: [["HEADER_TABLE_SIZE", 64]] }),
      { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: true } } },
      send(get(3)),
    ],
    control: [handshake, send(get(1), get(3))],
    allowed: holds("size-update-follows-settings", "size-updates-within-limit", "field-blocks-decode"),
  },
  {
    id: "http2/header-table-size-reduction-unsignalled",
    spec: "rfc9113#4.3.1",
    covers: ["rfc9113#4.3.1/reduced-size-enforced", "rfc9113#4.3.1/effective-on-ack"],
    level: "MUST",
    role: "server",
    needs: ["small-table"],
    title:
      "The server rejects a field block without a size update after its client has acknowledged a table smaller than what is in it, as a connection error of type COMPRESSION_ERROR.",
    steps: [...filledTable, send({ ...get(3), tableSize: [] })],
    control: [...filledTable, send({ ...get(3), tableSize: ["limit"] })],
    allowed: compressionError,
  },
  {
    id: "http2/header-table-size-initial",
    spec: "rfc9113#4.3.1",
    covers: ["rfc9113#4.3.1/initial-table-size", "rfc9113#4.3.1/stateful", "rfc9113#4.3/only-in-block-frames"],
    level: "MUST",
    role: "server",
    title: "The server encodes its responses for one table of 4,096 octets until a setting says otherwise.",
    steps: [handshake, send(get(1), get(3), get(5))],
    control: [handshake, send(get(1), get(3), get(5))],
    allowed: holds("field-blocks-decode", "size-updates-within-limit"),
  },
  {
    id: "http2/header-table-size-lowered-and-raised-at-once",
    spec: "rfc9113#4.3.1",
    // The sizes take effect together, with the acknowledgement: that the encoder signals the smaller one too is its choice.
    covers: ["rfc9113#4.3.1/effective-on-ack", "rfc9113#6.5/last-value", "rfc9113#6.5.3/processed-in-order"],
    level: "MUST",
    role: "server",
    title: "The server encodes for the last table size, if a SETTINGS frame lowers the size and raises it again.",
    steps: [
      handshake,
      send(get(1)),
      { do: "await", see: { see: "response", stream: 1, complete: true } },
      send({
        type: "SETTINGS",
        settings: [
          ["HEADER_TABLE_SIZE", 0],
          ["HEADER_TABLE_SIZE", 4096],
        ],
      }),
      { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: true } } },
      send(get(3)),
    ],
    control: [handshake, send(get(1), get(3))],
    allowed: [...holds("size-updates-within-limit", "size-updates-first", "field-blocks-decode"), refusesRepeatedSettings],
  },
  {
    id: "http2/header-table-size-lowered-and-raised",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/smallest-signalled"],
    level: "MUST",
    role: "server",
    title: "The server signals the smallest table size and then the last one, if two SETTINGS frames lower the size and raise it again.",
    steps: [
      handshake,
      send(get(1)),
      { do: "await", see: { see: "response", stream: 1, complete: true } },
      send({ type: "SETTINGS", settings: [["HEADER_TABLE_SIZE", 0]] }, { type: "SETTINGS", settings: [["HEADER_TABLE_SIZE", 4096]] }),
      { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: true }, count: 2 } },
      send(get(3)),
    ],
    control: [handshake, send(get(1), get(3))],
    allowed: holds("size-update-follows-settings", "size-updates-within-limit", "size-updates-first"),
  },
];
