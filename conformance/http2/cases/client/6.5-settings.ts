import {
  clientConnectionError,
  content,
  duringResponse,
  exchangeSucceeds,
  plainExchange,
  respond,
  send,
  untilRequest,
} from "../phrases.ts";
import type { Case, ErrorName, FrameSpec, Row, SettingName } from "../../vocabulary.ts";

/** An invalid SETTINGS frame that ends the connection; the control sends a valid one. */
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
  role: "client",
  fence: "exit",
  steps: duringResponse({ type: "SETTINGS", ...wrong }),
  control: duringResponse({ type: "SETTINGS", ...legal }),
  allowed: clientConnectionError(code),
  ...row,
});
const value = ({
  setting,
  wrong,
  legal,
  code = "PROTOCOL_ERROR",
  ...row
}: Row<"covers"> & { readonly setting: SettingName; readonly wrong: number; readonly legal: number; readonly code?: ErrorName }): Case =>
  rejects({ wrong: { settings: [[setting, wrong]] }, legal: { settings: [[setting, legal]] }, code, spec: "rfc9113#6.5.2", ...row });

/** SETTINGS (rfc9113#6.5): its layout, values and acknowledgement. */
export const cases: readonly Case[] = [
  rejects({
    id: "http2/client-settings-on-a-stream",
    title: "A client treats SETTINGS on a stream as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.5/stream-not-zero"],
    wrong: { stream: "request", settings: [] },
    legal: { settings: [] },
    code: "PROTOCOL_ERROR",
  }),
  rejects({
    id: "http2/client-settings-of-five-octets",
    title: "A client treats SETTINGS of 5 octets as a connection error of type FRAME_SIZE_ERROR.",
    covers: ["rfc9113#6.5/length"],
    wrong: { hex: "0003000000" },
    legal: { hex: "000300000064" },
    code: "FRAME_SIZE_ERROR",
  }),
  rejects({
    id: "http2/client-settings-ack-with-payload",
    title: "A client treats a SETTINGS ACK with settings as a connection error of type FRAME_SIZE_ERROR.",
    covers: ["rfc9113#6.5/ack-with-payload"],
    wrong: { flags: ["ACK"], settings: [["MAX_CONCURRENT_STREAMS", 100]] },
    legal: { settings: [["MAX_CONCURRENT_STREAMS", 100]] },
    code: "FRAME_SIZE_ERROR",
  }),
  value({
    id: "http2/client-settings-enable-push-from-server",
    title: "A client treats ENABLE_PUSH of 1 from a server as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.5.2/enable-push-from-server"],
    setting: "ENABLE_PUSH",
    wrong: 1,
    legal: 0,
  }),
  value({
    id: "http2/client-settings-enable-push-two",
    title: "A client treats ENABLE_PUSH of 2 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.5.2/enable-push-values"],
    setting: "ENABLE_PUSH",
    wrong: 2,
    legal: 0,
  }),
  value({
    id: "http2/client-settings-window-beyond-maximum",
    title: "A client treats INITIAL_WINDOW_SIZE of 2^31 as a connection error of type FLOW_CONTROL_ERROR.",
    covers: ["rfc9113#6.5.2/initial-window-too-large"],
    setting: "INITIAL_WINDOW_SIZE",
    wrong: 0x8000_0000,
    legal: 0x7fff_ffff,
    code: "FLOW_CONTROL_ERROR",
  }),
  value({
    id: "http2/client-settings-frame-size-too-small",
    title: "A client treats MAX_FRAME_SIZE of 16,383 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.5.2/max-frame-size-range"],
    setting: "MAX_FRAME_SIZE",
    wrong: 16_383,
    legal: 16_384,
  }),
  value({
    id: "http2/client-settings-frame-size-too-large",
    title: "A client treats MAX_FRAME_SIZE of 2^24 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.5.2/max-frame-size-range"],
    setting: "MAX_FRAME_SIZE",
    wrong: 16_777_216,
    legal: 16_777_215,
  }),
  {
    id: "http2/client-settings-unknown",
    spec: "rfc9113#6.5.2",
    covers: ["rfc9113#6.5.2/unknown-ignored", "rfc9113#6.5.3/unsupported-ignored"],
    level: "MUST",
    role: "client",
    title: "A client ignores unknown settings and acknowledges the frame.",
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
    control: plainExchange,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-settings-last-value-counts",
    spec: "rfc9113#6.5",
    covers: ["rfc9113#6.5/last-value", "rfc9113#6.5.3/processed-in-order"],
    level: "MUST",
    role: "client",
    title: "A client accepts a SETTINGS frame with several valid values of one setting.",
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
        ["ENABLE_CONNECT_PROTOCOL", 0],
        ["ENABLE_CONNECT_PROTOCOL", 1],
      ],
    }),
    control: plainExchange,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-settings-each-acknowledged",
    spec: "rfc9113#6.5.3",
    covers: ["rfc9113#6.5.3/ack-immediately", "rfc9113#6.5.3/ack-each"],
    level: "MUST",
    role: "client",
    title: "A client acknowledges each of five SETTINGS frames.",
    fence: "exit",
    steps: [
      ...untilRequest,
      { do: "repeat", times: 5, frames: [{ type: "SETTINGS", settings: [["MAX_CONCURRENT_STREAMS", 100]] }] },
      { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: true }, count: 5 } },
      send(respond(), content()),
    ],
    control: plainExchange,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-settings-values-valid",
    spec: "rfc9113#6.5.2",
    covers: ["rfc9113#6.5.2/enable-push-values", "rfc9113#6.5.2/max-frame-size-range", "rfc9113#6.5.2/initial-window-too-large"],
    level: "MUST",
    role: "client",
    title: "A client sends settings within their ranges.",
    fence: "exit",
    steps: plainExchange,
    control: plainExchange,
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
