import { accepted, connectionError, get, handshake, permitted, send } from "../phrases.ts";
import type { Case, ErrorName, FrameSpec, Row, Step } from "../../vocabulary.ts";

type Settings = NonNullable<FrameSpec["settings"]>;
const settings = (...list: Settings): FrameSpec => ({ type: "SETTINGS", settings: list });
const MAX = 0xffff_ffff;

const rejects = ({
  wrong,
  legal,
  code,
  ...row
}: Row<"covers"> & {
  readonly wrong: Omit<FrameSpec, "type">;
  readonly legal: Omit<FrameSpec, "type">;
  readonly code: ErrorName;
}): Case => ({
  spec: "rfc9113#6.5",
  level: "MUST",
  role: "server",
  steps: [handshake, send({ type: "SETTINGS", ...wrong })],
  control: [handshake, send({ type: "SETTINGS", ...legal })],
  allowed: connectionError(code),
  ...row,
});
const accepts = ({ frame, ...row }: Row<"covers"> & { readonly frame: FrameSpec }): Case => ({
  spec: "rfc9113#6.5.2",
  level: "MUST",
  role: "server",
  steps: [handshake, send(frame)],
  control: [handshake],
  allowed: [{ see: { see: "all", of: [...ACKNOWLEDGED, { see: "accepted" }] } }],
  ...row,
});
const ACKNOWLEDGED = [
  { see: "frame", type: "SETTINGS", where: { ack: true } },
  { see: "holds", monitor: "settings-acknowledged" },
] as const;
const acknowledged = (count: number): Case["allowed"] => [
  {
    see: {
      see: "all",
      of: [
        { see: "accepted" },
        { see: "frame", type: "SETTINGS", where: { ack: true }, count },
        { see: "holds", monitor: "settings-acknowledged" },
      ],
    },
  },
];
const oneOctetAnswer = (...before: Step[]): Step[] => [...before, { do: "hold windows" }, send(get(1))];

/** SETTINGS (rfc9113#6.5): its layout, stream and acknowledgement. Values are in 6.5.2-setting-values.ts. */
export const cases: readonly Case[] = [
  {
    id: "http2/settings-ack-of-nothing",
    spec: "rfc9113#6.5.3",
    covers: ["rfc9113#5.4.1/goaway-first", "rfc9113#6.5.3/ack-each"],
    level: "SHOULD",
    role: "server",
    title: "The server ignores an acknowledgement of SETTINGS that it has not sent, or ends the connection with GOAWAY.",
    fence: "ping",
    steps: [handshake, send({ type: "SETTINGS", flags: ["ACK"] }, { type: "SETTINGS", flags: ["ACK"] })],
    control: [handshake, send(settings())],
    allowed: [
      { see: { see: "all", of: [{ see: "accepted" }, { see: "holds", monitor: "settings-acknowledged" }] } },
      permitted({ see: "GOAWAY", code: "any error" }, "rfc9113#5.4"),
      permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
    ],
  },
  rejects({
    id: "http2/settings-on-a-stream",
    title: "The server treats SETTINGS on an idle stream as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.5/stream-not-zero"],
    wrong: { stream: 1 },
    legal: {},
    code: "PROTOCOL_ERROR",
  }),
  {
    id: "http2/settings-on-an-open-stream",
    title: "The server treats SETTINGS on the stream of a request as a connection error of type PROTOCOL_ERROR.",
    spec: "rfc9113#6.5",
    covers: ["rfc9113#6.5/stream-not-zero"],
    level: "MUST",
    role: "server",
    steps: [handshake, send(get(1), { ...settings(), stream: 1 })],
    control: [handshake, send(get(1), settings())],
    allowed: connectionError("PROTOCOL_ERROR"),
  },
  rejects({
    id: "http2/settings-of-five-octets",
    title: "The server treats SETTINGS of 5 octets as a connection error of type FRAME_SIZE_ERROR.",
    covers: ["rfc9113#6.5/length"],
    wrong: { hex: "0003000000" },
    legal: { hex: "000300000064" },
    code: "FRAME_SIZE_ERROR",
  }),
  rejects({
    id: "http2/settings-of-seven-octets",
    title: "The server treats SETTINGS of 7 octets as a connection error of type FRAME_SIZE_ERROR.",
    covers: ["rfc9113#6.5/length"],
    wrong: { hex: "00030000006400" },
    legal: { hex: "000300000064" },
    code: "FRAME_SIZE_ERROR",
  }),
  rejects({
    id: "http2/settings-ack-with-payload",
    title: "The server treats a SETTINGS ACK with settings as a connection error of type FRAME_SIZE_ERROR.",
    covers: ["rfc9113#6.5/ack-with-payload"],
    wrong: { flags: ["ACK"], settings: [["MAX_CONCURRENT_STREAMS", 100]] },
    legal: { settings: [["MAX_CONCURRENT_STREAMS", 100]] },
    code: "FRAME_SIZE_ERROR",
  }),
  rejects({
    id: "http2/settings-ack-of-one-octet",
    title: "The server treats a SETTINGS ACK of one octet as a connection error of type FRAME_SIZE_ERROR.",
    covers: ["rfc9113#6.5/ack-with-payload"],
    wrong: { flags: ["ACK"], hex: "00" },
    legal: { settings: [] },
    code: "FRAME_SIZE_ERROR",
  }),
  {
    id: "http2/settings-ack-on-a-stream",
    title: "The server treats a SETTINGS ACK on a stream as a connection error of type PROTOCOL_ERROR.",
    spec: "rfc9113#6.5",
    covers: ["rfc9113#6.5/stream-not-zero"],
    level: "MUST",
    role: "server",
    steps: [handshake, send({ type: "SETTINGS", stream: 1, flags: ["ACK"] })],
    control: [handshake, send(settings())],
    allowed: connectionError("PROTOCOL_ERROR"),
  },
  rejects({
    id: "http2/settings-wrong-value-replaced",
    title:
      "The server treats an invalid value as a connection error of type PROTOCOL_ERROR even if a later one in the same frame is valid.",
    spec: "rfc9113#6.5.3",
    covers: ["rfc9113#6.5.2/max-frame-size-range", "rfc9113#6.5.3/processed-in-order"],
    wrong: {
      settings: [
        ["MAX_FRAME_SIZE", 1],
        ["MAX_FRAME_SIZE", 16_384],
      ],
    },
    legal: { settings: [["MAX_FRAME_SIZE", 16_384]] },
    code: "PROTOCOL_ERROR",
  }),
  accepts({
    id: "http2/settings-empty",
    title: "The server accepts and acknowledges an empty SETTINGS frame.",
    spec: "rfc9113#6.5.1",
    covers: ["rfc9113#6.5.1/any-number", "rfc9113#6.5/any-time"],
    frame: settings(),
  }),
  accepts({
    id: "http2/settings-unknown",
    title: "The server ignores unknown settings and acknowledges the frame.",
    covers: ["rfc9113#6.5.2/unknown-ignored", "rfc9113#6.5.3/unsupported-ignored", "rfc9113#5.5/unknown-ignored"],
    frame: settings([0, 1], [0xfaf0, MAX], [0xffff, 0], ["MAX_CONCURRENT_STREAMS", 100]),
  }),
  accepts({
    id: "http2/settings-all-at-their-most",
    title: "The server accepts and acknowledges every setting at its maximum.",
    covers: ["rfc9113#6.5/all-supported", "rfc9113#6.5.2/max-frame-size-range", "rfc9113#6.5.2/initial-window-too-large"],
    frame: settings(
      ["HEADER_TABLE_SIZE", MAX],
      ["ENABLE_PUSH", 1],
      ["MAX_CONCURRENT_STREAMS", MAX],
      ["INITIAL_WINDOW_SIZE", 0x7fff_ffff],
      ["MAX_FRAME_SIZE", 16_777_215],
      ["MAX_HEADER_LIST_SIZE", MAX],
    ),
  }),
  accepts({
    id: "http2/settings-no-streams-for-the-server",
    title: "The server accepts and acknowledges MAX_CONCURRENT_STREAMS of 0.",
    covers: ["rfc9113#6.5.2/max-concurrent-zero", "rfc9113#6.5/all-supported"],
    frame: settings(["MAX_CONCURRENT_STREAMS", 0]),
  }),
  accepts({
    id: "http2/settings-with-unused-flags",
    title: "The server accepts and acknowledges SETTINGS with undefined flags.",
    spec: "rfc9113#4.1",
    covers: ["rfc9113#4.1/unused-flags"],
    frame: { ...settings(), flags: 0xfe },
  }),
  {
    id: "http2/settings-many-in-a-frame",
    spec: "rfc9113#6.5.1",
    covers: ["rfc9113#6.5.1/any-number"],
    level: "MUST",
    role: "server",
    title: "The server accepts a hundred settings in one frame.",
    steps: [handshake, send(settings(...Array.from({ length: 100 }, (_, at) => [0xfa00 + at, at] as const)))],
    control: [handshake, send(settings())],
    allowed: [
      ...accepted,
      // A server may treat many settings as an attack; some do from 33 on.
      permitted({ see: "GOAWAY", code: "ENHANCE_YOUR_CALM" }, "rfc9113#10.5", "warn"),
    ],
  },
  {
    id: "http2/settings-each-acknowledged",
    spec: "rfc9113#6.5.3",
    covers: ["rfc9113#6.5.3/ack-each", "rfc9113#6.5.3/ack-immediately", "rfc9113#6.5.3/ack-in-order"],
    level: "MUST",
    role: "server",
    title: "The server acknowledges each of ten SETTINGS frames that arrive together.",
    steps: [handshake, { do: "repeat", times: 10, frames: [settings(["MAX_CONCURRENT_STREAMS", 100])] }],
    control: [handshake],
    allowed: acknowledged(10),
  },
  {
    id: "http2/settings-ack-not-acknowledged",
    spec: "rfc9113#6.5.3",
    covers: ["rfc9113#6.5.3/ack-each"],
    level: "MUST",
    role: "server",
    title: "The server acknowledges the preface's SETTINGS once, and does not acknowledge a SETTINGS ACK.",
    steps: [handshake, send(get(1))],
    control: [handshake],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "holds", monitor: "settings-acknowledged" }] } }],
  },
  {
    id: "http2/settings-last-value-counts",
    spec: "rfc9113#6.5",
    covers: ["rfc9113#6.5/last-value", "rfc9113#6.5.3/processed-in-order"],
    level: "MUST",
    role: "server",
    needs: ["body"],
    title: "The server uses the last value of a setting that appears several times in a SETTINGS frame.",
    fence: "ping",
    steps: oneOctetAnswer({
      do: "handshake",
      settings: [
        ["INITIAL_WINDOW_SIZE", 100],
        ["INITIAL_WINDOW_SIZE", 0],
        ["INITIAL_WINDOW_SIZE", 1],
      ],
    }),
    control: oneOctetAnswer({ do: "handshake", settings: [["INITIAL_WINDOW_SIZE", 1]] }),
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "frame", type: "DATA", stream: 1, where: { length: 1 } },
            { see: "holds", monitor: "flow-control" },
          ],
        },
      },
    ],
  },
  {
    id: "http2/settings-hold-once-acknowledged",
    spec: "rfc9113#6.5.3",
    covers: ["rfc9113#6.5.3/relied-upon", "rfc9113#6.5.3/applied-soon", "rfc9113#6.5/last-value"],
    level: "MUST",
    role: "server",
    needs: ["body"],
    title: "The server applies a smaller INITIAL_WINDOW_SIZE to the first request after its acknowledgement.",
    fence: "ping",
    steps: [
      handshake,
      send(settings(["INITIAL_WINDOW_SIZE", 1])),
      { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: true } } },
      { do: "hold windows" },
      send(get(1)),
    ],
    control: oneOctetAnswer(handshake),
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "frame", type: "DATA", stream: 1, where: { length: 1 } },
            { see: "holds", monitor: "flow-control" },
          ],
        },
      },
    ],
  },
  {
    id: "http2/settings-of-the-server-legal",
    spec: "rfc9113#6.5.2",
    covers: [
      "rfc9113#6.5.2/enable-push-by-server",
      "rfc9113#6.5.2/max-frame-size-sent",
      "rfc9113#6.5/at-start",
      "rfc9113#6.5/stream-zero-sent",
      "rfc9113#6.5/ack-empty",
    ],
    level: "MUST",
    role: "server",
    title: "The server sends well-formed settings within their ranges, and does not enable push.",
    steps: [handshake, send(get(1))],
    control: [handshake],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "accepted" },
            { see: "holds", monitor: "setting-values-legal" },
            { see: "holds", monitor: "stream-identifiers" },
            { see: "holds", monitor: "frames-well-formed" },
          ],
        },
      },
    ],
  },
  {
    id: "http2/settings-allow-a-hundred-streams",
    spec: "rfc9113#6.5.2",
    covers: ["rfc9113#6.5.2/max-concurrent-recommended"],
    level: "SHOULD",
    role: "server",
    needs: ["stream-limit"],
    title: "The server allows at least 100 concurrent streams.",
    steps: [{ do: "preface" }],
    control: [{ do: "preface" }],
    allowed: [{ see: { see: "frame", type: "SETTINGS", where: { ack: false, "MAX_CONCURRENT_STREAMS at least": 100 } } }],
  },
  {
    id: "http2/settings-without-tables",
    spec: "rfc9113#6.5.2",
    covers: ["rfc9113#6.5.2/header-table-size"],
    level: "MUST",
    role: "server",
    title: "The server answers a client that sets HEADER_TABLE_SIZE to 0 without using a dynamic table.",
    steps: [{ do: "handshake", settings: [["HEADER_TABLE_SIZE", 0]] }, send(get(1), get(3))],
    control: [handshake, send(get(1), get(3))],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "response", stream: 1 },
            { see: "response", stream: 3 },
            { see: "holds", monitor: "no-dynamic-index-without-table" },
          ],
        },
      },
    ],
  },
];
