import { connectionError, handshake, send } from "../phrases.ts";
import type { Case, ErrorName, FrameSpec, Row, SettingName } from "../../vocabulary.ts";

const MAX = 0xffff_ffff;

/** A value outside the range of a setting, and a value inside it. */
type Value = { readonly setting: SettingName; readonly wrong: number; readonly legal: number; readonly code?: ErrorName };
const set = (setting: SettingName, value: number): FrameSpec => ({ type: "SETTINGS", settings: [[setting, value]] });

const value = ({ setting, wrong, legal, code = "PROTOCOL_ERROR", ...row }: Row<"covers"> & Value): Case => ({
  spec: "rfc9113#6.5.2",
  level: "MUST",
  role: "server",
  steps: [handshake, send(set(setting, wrong))],
  control: [handshake, send(set(setting, legal))],
  allowed: connectionError(code),
  ...row,
});
/** The same in the SETTINGS of the client's preface. */
const valueInPreface = ({ setting, wrong, legal, code = "PROTOCOL_ERROR", ...row }: Row<"covers"> & Value): Case => ({
  spec: "rfc9113#6.5.2",
  level: "MUST",
  role: "server",
  steps: [{ do: "handshake", settings: [[setting, wrong]] }],
  control: [{ do: "handshake", settings: [[setting, legal]] }],
  allowed: connectionError(code),
  ...row,
});
/** Values of settings outside their ranges (rfc9113#6.5.2). */
export const cases: readonly Case[] = [
  value({
    id: "http2/settings-enable-push-two",
    title: "The server treats ENABLE_PUSH of 2 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.5.2/enable-push-values"],
    setting: "ENABLE_PUSH",
    wrong: 2,
    legal: 0,
  }),
  value({
    id: "http2/settings-enable-push-most",
    title: "The server treats ENABLE_PUSH of 2^32-1 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.5.2/enable-push-values"],
    setting: "ENABLE_PUSH",
    wrong: MAX,
    legal: 1,
  }),
  value({
    id: "http2/settings-window-beyond-maximum",
    title: "The server treats INITIAL_WINDOW_SIZE of 2^31 as a connection error of type FLOW_CONTROL_ERROR.",
    covers: ["rfc9113#6.5.2/initial-window-too-large"],
    setting: "INITIAL_WINDOW_SIZE",
    wrong: 0x8000_0000,
    legal: 0x7fff_ffff,
    code: "FLOW_CONTROL_ERROR",
  }),
  value({
    id: "http2/settings-window-of-all-bits",
    title: "The server treats INITIAL_WINDOW_SIZE of 2^32-1 as a connection error of type FLOW_CONTROL_ERROR.",
    covers: ["rfc9113#6.5.2/initial-window-too-large"],
    setting: "INITIAL_WINDOW_SIZE",
    wrong: MAX,
    legal: 0x7fff_ffff,
    code: "FLOW_CONTROL_ERROR",
  }),
  value({
    id: "http2/settings-frame-size-too-small",
    title: "The server treats MAX_FRAME_SIZE of 16,383 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.5.2/max-frame-size-range"],
    setting: "MAX_FRAME_SIZE",
    wrong: 16_383,
    legal: 16_384,
  }),
  value({
    id: "http2/settings-frame-size-zero",
    title: "The server treats MAX_FRAME_SIZE of 0 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.5.2/max-frame-size-range"],
    setting: "MAX_FRAME_SIZE",
    wrong: 0,
    legal: 16_384,
  }),
  value({
    id: "http2/settings-frame-size-too-large",
    title: "The server treats MAX_FRAME_SIZE of 2^24 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.5.2/max-frame-size-range"],
    setting: "MAX_FRAME_SIZE",
    wrong: 16_777_216,
    legal: 16_777_215,
  }),
  value({
    id: "http2/settings-frame-size-of-all-bits",
    title: "The server treats MAX_FRAME_SIZE of 2^32-1 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.5.2/max-frame-size-range"],
    setting: "MAX_FRAME_SIZE",
    wrong: MAX,
    legal: 16_777_215,
  }),
  valueInPreface({
    id: "http2/settings-enable-push-two-in-preface",
    title: "The server treats ENABLE_PUSH of 2 in the client's preface as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.5.2/enable-push-values"],
    setting: "ENABLE_PUSH",
    wrong: 2,
    legal: 1,
  }),
  valueInPreface({
    id: "http2/settings-window-beyond-maximum-in-preface",
    title: "The server treats INITIAL_WINDOW_SIZE of 2^31 in the client's preface as a connection error of type FLOW_CONTROL_ERROR.",
    covers: ["rfc9113#6.5.2/initial-window-too-large"],
    setting: "INITIAL_WINDOW_SIZE",
    wrong: 0x8000_0000,
    legal: 0x7fff_ffff,
    code: "FLOW_CONTROL_ERROR",
  }),
  valueInPreface({
    id: "http2/settings-frame-size-too-small-in-preface",
    title: "The server treats MAX_FRAME_SIZE of 16,383 in the client's preface as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.5.2/max-frame-size-range"],
    setting: "MAX_FRAME_SIZE",
    wrong: 16_383,
    legal: 16_384,
  }),
];
