import { accepted, answered, connectionError, get, handshake, permitted, send } from "./phrases.ts";
import type { Case, ErrorName, FrameSpec, SettingName, Step } from "./vocabulary.ts";

type Settings = NonNullable<FrameSpec["settings"]>;
const settings = (...list: Settings): FrameSpec => ({ type: "SETTINGS", settings: list });
const MOST = 0xffff_ffff;

const refused = (
  name: string,
  what: string,
  covers: Case["covers"],
  wrong: Omit<FrameSpec, "type">,
  right: Omit<FrameSpec, "type">,
  code: ErrorName,
): Case => ({
  id: `http2/settings-${name}`,
  spec: "rfc9113#6.5",
  covers,
  level: "MUST",
  role: "server",
  title: `The server ends the connection for ${what} with ${code}.`,
  steps: [handshake, send({ type: "SETTINGS", ...wrong })],
  control: [handshake, send({ type: "SETTINGS", ...right })],
  allowed: connectionError(code),
});
/** A value out of range, beside the nearest that is in range. */
const value = (
  name: string,
  setting: SettingName,
  wrong: number,
  right: number,
  covers: Case["covers"],
  code: ErrorName = "PROTOCOL_ERROR",
): Case => ({
  ...refused(name, `${setting} of ${wrong}`, covers, { settings: [[setting, wrong]] }, { settings: [[setting, right]] }, code),
  spec: "rfc9113#6.5.2",
});
/** The same in the SETTINGS of the preface. */
const inPreface = (c: Case, name: string, wrong: Settings[number], right: Settings[number]): Case => ({
  ...c,
  id: `http2/settings-${name}-in-preface`,
  title: c.title.replace(" with ", " in the client's preface with "),
  steps: [{ do: "handshake", settings: [wrong] }],
  control: [{ do: "handshake", settings: [right] }],
});
const taken = (name: string, what: string, covers: Case["covers"], frame: FrameSpec, spec: Case["spec"] = "rfc9113#6.5.2"): Case => ({
  id: `http2/settings-${name}`,
  spec,
  covers,
  level: "MUST",
  role: "server",
  title: `The server takes ${what}, and acknowledges it.`,
  steps: [handshake, send(frame)],
  control: [handshake],
  allowed: [{ see: { see: "all", of: [...ACKNOWLEDGED, { see: "accepted" }] } }],
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
const ENABLE_PUSH = value("enable-push-two", "ENABLE_PUSH", 2, 0, ["rfc9113#6.5.2/enable-push-values"]);
const WINDOW = value(
  "window-beyond-maximum",
  "INITIAL_WINDOW_SIZE",
  0x8000_0000,
  0x7fff_ffff,
  ["rfc9113#6.5.2/initial-window-too-large"],
  "FLOW_CONTROL_ERROR",
);
const FRAME_SIZE = value("frame-size-too-small", "MAX_FRAME_SIZE", 16_383, 16_384, ["rfc9113#6.5.2/max-frame-size-range"]);
const oneOctetAnswer = (...before: Step[]): Step[] => [...before, { do: "hold windows" }, send(get(1))];

/** SETTINGS (rfc9113#6.5): its form, its values, and its acknowledgement. */
export const cases: readonly Case[] = [
  refused("on-a-stream", "SETTINGS on an idle stream", ["rfc9113#6.5/stream-not-zero"], { stream: 1 }, {}, "PROTOCOL_ERROR"),
  {
    ...refused("on-an-open-stream", "SETTINGS on the stream of a request", ["rfc9113#6.5/stream-not-zero"], {}, {}, "PROTOCOL_ERROR"),
    steps: [handshake, send(get(1), { ...settings(), stream: 1 })],
    control: [handshake, send(get(1), settings())],
  },
  refused(
    "of-five-octets",
    "SETTINGS of 5 octets",
    ["rfc9113#6.5/length"],
    { hex: "0003000000" },
    { hex: "000300000064" },
    "FRAME_SIZE_ERROR",
  ),
  refused(
    "of-seven-octets",
    "SETTINGS of 7 octets",
    ["rfc9113#6.5/length"],
    { hex: "00030000006400" },
    { hex: "000300000064" },
    "FRAME_SIZE_ERROR",
  ),
  refused(
    "ack-with-payload",
    "an acknowledgement that carries settings",
    ["rfc9113#6.5/ack-with-payload"],
    { flags: ["ACK"], settings: [["MAX_CONCURRENT_STREAMS", 100]] },
    { settings: [["MAX_CONCURRENT_STREAMS", 100]] },
    "FRAME_SIZE_ERROR",
  ),
  refused(
    "ack-of-one-octet",
    "an acknowledgement of a single octet",
    ["rfc9113#6.5/ack-with-payload"],
    { flags: ["ACK"], hex: "00" },
    { settings: [] },
    "FRAME_SIZE_ERROR",
  ),
  {
    ...refused("ack-on-a-stream", "an acknowledgement on a stream", ["rfc9113#6.5/stream-not-zero"], {}, {}, "PROTOCOL_ERROR"),
    steps: [handshake, send({ type: "SETTINGS", stream: 1, flags: ["ACK"] })],
    control: [handshake, send(settings())],
  },
  ENABLE_PUSH,
  value("enable-push-most", "ENABLE_PUSH", MOST, 1, ["rfc9113#6.5.2/enable-push-values"]),
  WINDOW,
  value("window-of-all-bits", "INITIAL_WINDOW_SIZE", MOST, 0x7fff_ffff, ["rfc9113#6.5.2/initial-window-too-large"], "FLOW_CONTROL_ERROR"),
  FRAME_SIZE,
  value("frame-size-zero", "MAX_FRAME_SIZE", 0, 16_384, ["rfc9113#6.5.2/max-frame-size-range"]),
  value("frame-size-too-large", "MAX_FRAME_SIZE", 16_777_216, 16_777_215, ["rfc9113#6.5.2/max-frame-size-range"]),
  value("frame-size-of-all-bits", "MAX_FRAME_SIZE", MOST, 16_777_215, ["rfc9113#6.5.2/max-frame-size-range"]),
  inPreface(ENABLE_PUSH, "enable-push-two", ["ENABLE_PUSH", 2], ["ENABLE_PUSH", 1]),
  inPreface(WINDOW, "window-beyond-maximum", ["INITIAL_WINDOW_SIZE", 0x8000_0000], ["INITIAL_WINDOW_SIZE", 0x7fff_ffff]),
  inPreface(FRAME_SIZE, "frame-size-too-small", ["MAX_FRAME_SIZE", 16_383], ["MAX_FRAME_SIZE", 16_384]),
  {
    ...refused(
      "wrong-value-replaced",
      "a value out of range although a later one of the same frame is in range",
      ["rfc9113#6.5.2/max-frame-size-range", "rfc9113#6.5.3/processed-in-order"],
      {
        settings: [
          ["MAX_FRAME_SIZE", 1],
          ["MAX_FRAME_SIZE", 16_384],
        ],
      },
      { settings: [["MAX_FRAME_SIZE", 16_384]] },
      "PROTOCOL_ERROR",
    ),
    spec: "rfc9113#6.5.3",
  },
  taken("empty", "SETTINGS without any setting", ["rfc9113#6.5.1/any-number", "rfc9113#6.5/any-time"], settings(), "rfc9113#6.5.1"),
  taken(
    "unknown",
    "settings that it does not know",
    ["rfc9113#6.5.2/unknown-ignored", "rfc9113#6.5.3/unsupported-ignored", "rfc9113#5.5/unknown-ignored"],
    settings([0, 1], [0xfaf0, MOST], [0xffff, 0], ["MAX_CONCURRENT_STREAMS", 100]),
  ),
  taken(
    "all-at-their-most",
    "every setting at its greatest value",
    ["rfc9113#6.5/all-supported", "rfc9113#6.5.2/max-frame-size-range", "rfc9113#6.5.2/initial-window-too-large"],
    settings(
      ["HEADER_TABLE_SIZE", MOST],
      ["ENABLE_PUSH", 1],
      ["MAX_CONCURRENT_STREAMS", MOST],
      ["INITIAL_WINDOW_SIZE", 0x7fff_ffff],
      ["MAX_FRAME_SIZE", 16_777_215],
      ["MAX_HEADER_LIST_SIZE", MOST],
    ),
  ),
  taken(
    "no-streams-for-the-server",
    "MAX_CONCURRENT_STREAMS of 0",
    ["rfc9113#6.5.2/max-concurrent-zero"],
    settings(["MAX_CONCURRENT_STREAMS", 0]),
  ),
  taken(
    "with-unused-flags",
    "SETTINGS with flags that mean nothing on it",
    ["rfc9113#4.1/unused-flags"],
    { ...settings(), flags: 0xfe },
    "rfc9113#4.1",
  ),
  {
    id: "http2/settings-many-in-a-frame",
    spec: "rfc9113#6.5.1",
    covers: ["rfc9113#6.5.1/any-number"],
    level: "MUST",
    role: "server",
    title: "The server takes a hundred settings in one frame.",
    steps: [handshake, send(settings(...Array.from({ length: 100 }, (_, at) => [0xfa00 + at, at] as const)))],
    control: [handshake, send(settings())],
    allowed: [
      ...accepted,
      // A great number of settings may be taken for an attack, and some do so from 33 on.
      permitted({ see: "GOAWAY", code: "ENHANCE_YOUR_CALM" }, "rfc9113#10.5", "warn"),
    ],
  },
  {
    id: "http2/settings-each-acknowledged",
    spec: "rfc9113#6.5.3",
    covers: ["rfc9113#6.5.3/ack-each", "rfc9113#6.5.3/ack-immediately", "rfc9113#6.5.3/ack-in-order"],
    level: "MUST",
    role: "server",
    title: "The server acknowledges ten SETTINGS that come at once ten times.",
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
    title: "The server acknowledges the SETTINGS of the preface once, and no acknowledgement.",
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
    title: "The server goes by the last value where a SETTINGS frame names a setting several times.",
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
    title: "The server has applied a SETTINGS frame when it acknowledges it: a smaller window holds for the next request.",
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
    title: "The settings that the server sends are well formed and within their ranges, and do not enable push.",
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
    title: "The server allows a hundred streams at once, or more.",
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
    title: "The server answers a client that allows no dynamic table, and uses none.",
    steps: [{ do: "handshake", settings: [["HEADER_TABLE_SIZE", 0]] }, send(get(1), get(3))],
    control: [handshake, send(get(1), get(3))],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            ...answered(1).map(({ see }) => see),
            ...answered(3).map(({ see }) => see),
            { see: "holds", monitor: "no-dynamic-index-without-table" },
          ],
        },
      },
    ],
  },
];
