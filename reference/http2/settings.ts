import { Misuse } from "../core/index.ts";
import { fault, type Fault } from "./faults.ts";
import { SettingId, type Setting } from "./frame/settings.ts";
import { MAX_WINDOW } from "./flow-window.ts";
import type { Side } from "./stream-id.ts";

/** How one side wants to be spoken to (rfc9113#6.5.2, rfc8441#3, rfc9218#2.1). */
export type Settings = {
  /** Octets of the dynamic table that the other side's encoder may use. */
  readonly headerTableSize: number;
  readonly enablePush: boolean;
  /** Streams that the other side may have open at a time. */
  readonly maxConcurrentStreams: number;
  /** Octets of content that a new stream may carry before credit is given. */
  readonly initialWindowSize: number;
  /** Octets of payload in one frame. */
  readonly maxFrameSize: number;
  /** Octets of a field section, 32 a field line included; advisory. */
  readonly maxHeaderListSize: number;
  readonly enableConnectProtocol: boolean;
  /** The deprecated priority signals of rfc7540 are neither sent nor heeded. */
  readonly noRfc7540Priorities: boolean;
};

/** What holds for a side before its SETTINGS say otherwise (rfc9113#6.5.2). */
export const INITIAL_SETTINGS: Settings = {
  headerTableSize: 4_096,
  enablePush: true,
  maxConcurrentStreams: Number.POSITIVE_INFINITY,
  initialWindowSize: 65_535,
  maxFrameSize: 16_384,
  maxHeaderListSize: Number.POSITIVE_INFINITY,
  enableConnectProtocol: false,
  noRfc7540Priorities: false,
};

export const MIN_FRAME_SIZE = 16_384;
export const MAX_FRAME_SIZE = 0xff_ffff;

/** The settings after a frame of the peer's, or the rule that it breaks. `from` is the side that sent it; `first` marks its first frame. */
export function applySettings(old: Settings, frame: readonly Setting[], from: Side, first: boolean): Settings | Fault {
  if (frame.length === 0) return old;
  const next: { -readonly [Name in keyof Settings]: Settings[Name] } = { ...old };
  for (const { id, value } of frame) {
    switch (id) {
      case SettingId.HEADER_TABLE_SIZE:
        next.headerTableSize = value;
        break;
      case SettingId.ENABLE_PUSH:
        if (value > 1) return fault("enablePushNot0Or1");
        if (from === "server" && value === 1) return fault("enablePushByServer");
        next.enablePush = value === 1;
        break;
      case SettingId.MAX_CONCURRENT_STREAMS:
        next.maxConcurrentStreams = value;
        break;
      case SettingId.INITIAL_WINDOW_SIZE:
        if (value > MAX_WINDOW) return fault("initialWindowTooLarge");
        next.initialWindowSize = value;
        break;
      case SettingId.MAX_FRAME_SIZE:
        if (value < MIN_FRAME_SIZE || value > MAX_FRAME_SIZE) return fault("maxFrameSizeOutOfRange");
        next.maxFrameSize = value;
        break;
      case SettingId.MAX_HEADER_LIST_SIZE:
        next.maxHeaderListSize = value;
        break;
      case SettingId.ENABLE_CONNECT_PROTOCOL:
        if (value > 1) return fault("enableConnectProtocolNot0Or1");
        if (value === 0 && next.enableConnectProtocol) return fault("enableConnectProtocolWithdrawn");
        next.enableConnectProtocol = value === 1;
        break;
      case SettingId.NO_RFC7540_PRIORITIES:
        if (value > 1) return fault("noRfc7540PrioritiesNot0Or1");
        if (!first && (value === 1) !== old.noRfc7540Priorities) return fault("noRfc7540PrioritiesChanged");
        next.noRfc7540Priorities = value === 1;
        break;
      default:
      // What nobody here knows is ignored (rfc9113#6.5.2).
    }
  }
  return next;
}

/** What to send so that the peer's view goes from `old` to `next`: the parameters that differ. */
export function settingsFrame(old: Settings, next: Settings): Setting[] {
  const frame: Setting[] = [];
  for (const [name, id] of WIRE) {
    const value = Number(next[name]);
    if (next[name] !== old[name]) frame.push({ id, value: Number.isFinite(value) ? value : 0xffff_ffff });
  }
  return frame;
}

const WIRE: readonly (readonly [keyof Settings, number])[] = [
  ["headerTableSize", SettingId.HEADER_TABLE_SIZE],
  ["enablePush", SettingId.ENABLE_PUSH],
  ["maxConcurrentStreams", SettingId.MAX_CONCURRENT_STREAMS],
  ["initialWindowSize", SettingId.INITIAL_WINDOW_SIZE],
  ["maxFrameSize", SettingId.MAX_FRAME_SIZE],
  ["maxHeaderListSize", SettingId.MAX_HEADER_LIST_SIZE],
  ["enableConnectProtocol", SettingId.ENABLE_CONNECT_PROTOCOL],
  ["noRfc7540Priorities", SettingId.NO_RFC7540_PRIORITIES],
];

/** Our own settings must be ones that a peer accepts. */
export function checkSettings(settings: Settings, side: Side): void {
  const wrong = (name: keyof Settings, why: string): never => {
    throw new Misuse(`${name} is ${settings[name]}: ${why}`);
  };
  const whole = (name: keyof Settings, low: number, high: number): void => {
    const value = settings[name] as number;
    if (value === Number.POSITIVE_INFINITY && high === 0xffff_ffff) return;
    if (!Number.isInteger(value) || value < low || value > high) wrong(name, `give a whole number from ${low} to ${high}`);
  };
  whole("headerTableSize", 0, 0xffff_ffff);
  whole("maxConcurrentStreams", 0, 0xffff_ffff);
  whole("initialWindowSize", 0, MAX_WINDOW);
  whole("maxFrameSize", MIN_FRAME_SIZE, MAX_FRAME_SIZE);
  whole("maxHeaderListSize", 0, 0xffff_ffff);
  if (side === "server" && settings.enablePush) wrong("enablePush", "a server has nothing to be pushed (rfc9113#6.5.2)");
}
