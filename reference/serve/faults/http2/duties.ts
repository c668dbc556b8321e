import { CONNECTION, Flag, FrameType, SettingId } from "../../../http2/index.ts";
import { word, type Actor, type Pass } from "../fault.ts";
import type { Http2Fault, Kit } from "./kit.ts";
import { frame, u32, type FrameUnit, type Unit } from "./unit.ts";

const MAX_WINDOW = 0x7fff_ffff;

/** Acts on frames of one type. */
const onFrames = (type: FrameType, flag: number, act: (unit: FrameUnit, pass: Pass<Unit>) => void): Actor<Unit> => ({
  outgoing: (unit, pass) =>
    unit.is === "frame" && unit.type === FrameType[type] && (unit.flags & flag) === flag ? act(unit, pass) : pass(unit),
});

/** A setting in a frame: 16 bits of identifier, 32 bits of value (rfc9113#6.5.1). */
function setting(id: number, value: number): Uint8Array {
  return Uint8Array.of(id >>> 8, id, ...u32(value));
}
const BAD_SETTINGS = {
  "enable-push": setting(SettingId.ENABLE_PUSH, 2),
  "initial-window": setting(SettingId.INITIAL_WINDOW_SIZE, MAX_WINDOW + 1),
  "max-frame-size": setting(SettingId.MAX_FRAME_SIZE, 1),
  length: Uint8Array.of(0, SettingId.INITIAL_WINDOW_SIZE, 0, 0, 0xff),
};

/** Faults in acknowledgements, window updates and settings. */
export const duties = (kit: Kit): readonly Http2Fault[] => [
  kit.define("settings-ack", {
    title: `never acknowledges the ${kit.other}'s SETTINGS, or acknowledges them twice`,
    args: { how: word(["never", "twice"], "how to misbehave") },
    byRequest: false,
    start: ({ how }) =>
      onFrames("SETTINGS", Flag.ACK, (unit, pass) => {
        if (how === "never") return;
        pass(unit);
        pass(unit);
      }),
  }),
  kit.define("ping-ack", {
    title: "never answers PING, or answers it twice or with other octets",
    args: { how: word(["never", "wrong", "twice"], "how to misbehave") },
    byRequest: false,
    start: ({ how }) =>
      onFrames("PING", Flag.ACK, (unit, pass) => {
        if (how === "never") return;
        pass(how === "wrong" ? { ...unit, payload: unit.payload.map((octet) => octet ^ 0xff) } : unit);
        if (how === "twice") pass(unit);
      }),
  }),
  kit.define("window-update", {
    title: `never sends WINDOW_UPDATE; or sends one with an increment of 0, or of 2^31-1, on the stream of a ${kit.message}`,
    args: { how: word(["never", "zero", "overflow"], "how to misbehave"), ...kit.messages },
    start: ({ how, ...messages }) => {
      if (how === "never") return onFrames("WINDOW_UPDATE", 0, () => {});
      return kit.onMessage(messages, (head, pass) => {
        pass(frame("WINDOW_UPDATE", head.stream, u32(how === "zero" ? 0 : MAX_WINDOW)));
        pass(head);
      });
    },
  }),
  kit.define("bad-setting", {
    title: "sends SETTINGS with a value out of range, or with an invalid length",
    args: { which: word(["enable-push", "initial-window", "max-frame-size", "length"], "what is wrong"), ...kit.messages },
    start: ({ which, ...messages }) =>
      kit.onMessage(messages, (head, pass) => {
        pass(frame("SETTINGS", CONNECTION, BAD_SETTINGS[which]));
        pass(head);
      }),
  }),
  kit.define("settings-on-stream", {
    title: `sends SETTINGS on the stream of a ${kit.message}`,
    args: kit.messages,
    start: (messages) =>
      kit.onMessage(messages, (head, pass) => {
        pass(frame("SETTINGS", head.stream));
        pass(head);
      }),
  }),
];
