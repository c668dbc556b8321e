import { duringResponse, answerWith, clientConnectionError, content, untilRequest, respond, send, exchangeSucceeds } from "../phrases.ts";
import type { Case, ErrorName, FrameSpec, SettingName } from "../vocabulary.ts";

const plain = answerWith(respond(), content());

/** A frame that ends the connection, beside one that does not. */
const refused = (
  name: string,
  what: string,
  covers: Case["covers"],
  wrong: Omit<FrameSpec, "type">,
  right: Omit<FrameSpec, "type">,
  code: ErrorName,
  spec: Case["spec"] = "rfc9113#6.5",
): Case => ({
  id: `http2/client-settings-${name}`,
  spec,
  covers,
  level: "MUST",
  role: "client",
  title: `A client ends the connection for ${what} with ${code}.`,
  fence: "exit",
  steps: duringResponse({ type: "SETTINGS", ...wrong }),
  control: duringResponse({ type: "SETTINGS", ...right }),
  allowed: clientConnectionError(code),
});
const value = (
  name: string,
  setting: SettingName,
  wrong: number,
  right: number,
  covers: Case["covers"],
  code: ErrorName = "PROTOCOL_ERROR",
): Case =>
  refused(
    name,
    `${setting} of ${wrong}`,
    covers,
    { settings: [[setting, wrong]] },
    { settings: [[setting, right]] },
    code,
    "rfc9113#6.5.2",
  );

/** SETTINGS (rfc9113#6.5): its shape, its values, and its acknowledgement. */
export const cases: readonly Case[] = [
  refused(
    "on-a-stream",
    "SETTINGS on a stream",
    ["rfc9113#6.5/stream-not-zero"],
    { stream: "request", settings: [] },
    { settings: [] },
    "PROTOCOL_ERROR",
  ),
  refused(
    "of-five-octets",
    "SETTINGS of 5 octets",
    ["rfc9113#6.5/length"],
    { hex: "0003000000" },
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
  value("enable-push-from-server", "ENABLE_PUSH", 1, 0, ["rfc9113#6.5.2/enable-push-from-server"]),
  value("enable-push-two", "ENABLE_PUSH", 2, 0, ["rfc9113#6.5.2/enable-push-values"]),
  value(
    "window-beyond-maximum",
    "INITIAL_WINDOW_SIZE",
    0x8000_0000,
    0x7fff_ffff,
    ["rfc9113#6.5.2/initial-window-too-large"],
    "FLOW_CONTROL_ERROR",
  ),
  value("frame-size-too-small", "MAX_FRAME_SIZE", 16_383, 16_384, ["rfc9113#6.5.2/max-frame-size-range"]),
  value("frame-size-too-large", "MAX_FRAME_SIZE", 16_777_216, 16_777_215, ["rfc9113#6.5.2/max-frame-size-range"]),
  {
    id: "http2/client-settings-unknown",
    spec: "rfc9113#6.5.2",
    covers: ["rfc9113#6.5.2/unknown-ignored", "rfc9113#6.5.3/unsupported-ignored"],
    level: "MUST",
    role: "client",
    title: "A client ignores settings that it does not know, and acknowledges them.",
    fence: "exit",
    steps: [
      ...untilRequest,
      send({
        type: "SETTINGS",
        settings: [
          [0, 1],
          [0xfaf0, 0xffff_ffff],
          [0xffff, 0],
          ["MAX_CONCURRENT_STREAMS", 100],
        ],
      }),
      { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: true } } },
      send(respond(), content()),
    ],
    control: plain,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-settings-last-value-counts",
    spec: "rfc9113#6.5",
    covers: ["rfc9113#6.5/last-value", "rfc9113#6.5.3/processed-in-order"],
    level: "MUST",
    role: "client",
    title: "A client takes a SETTINGS frame that names one setting several times, each value valid.",
    fence: "exit",
    steps: duringResponse({
      type: "SETTINGS",
      settings: [
        ["INITIAL_WINDOW_SIZE", 0],
        ["INITIAL_WINDOW_SIZE", 0x7fff_ffff],
        ["INITIAL_WINDOW_SIZE", 65_535],
        ["MAX_FRAME_SIZE", 16_777_215],
        ["MAX_FRAME_SIZE", 16_384],
        ["HEADER_TABLE_SIZE", 0],
        ["HEADER_TABLE_SIZE", 4096],
      ],
    }),
    control: plain,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-settings-each-acknowledged",
    spec: "rfc9113#6.5.3",
    covers: ["rfc9113#6.5.3/ack-immediately", "rfc9113#6.5.3/ack-each"],
    level: "MUST",
    role: "client",
    title: "A client acknowledges every SETTINGS frame, so five of them five times.",
    fence: "exit",
    steps: [
      ...untilRequest,
      { do: "repeat", times: 5, frames: [{ type: "SETTINGS", settings: [["MAX_CONCURRENT_STREAMS", 100]] }] },
      { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: true }, count: 5 } },
      send(respond(), content()),
    ],
    control: plain,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-settings-values-valid",
    spec: "rfc9113#6.5.2",
    covers: ["rfc9113#6.5.2/enable-push-values", "rfc9113#6.5.2/max-frame-size-range", "rfc9113#6.5.2/initial-window-too-large"],
    level: "MUST",
    role: "client",
    title: "The settings that a client sends have values within their ranges.",
    fence: "exit",
    steps: plain,
    control: plain,
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "holds", monitor: "setting-values-legal" },
            { see: "exit", ok: true },
          ],
        },
      },
    ],
  },
];
