import { ErrorCode, FrameType, SettingId } from "../../http2/index.ts";
import { goaway, isAck, octetsOfFrame, ping, settings, settingsAck, windowUpdate } from "./frames.ts";
import { AFTER, kind, type Kind } from "./step.ts";

const CODE = { default: "PROTOCOL_ERROR", words: Object.keys(ErrorCode), about: "the error code" } as const;
const { SETTINGS, PING, WINDOW_UPDATE } = FrameType;

/** Faults of the connection: how it is set up, kept alive and ended. */
export const connection: readonly Kind[] = [
  kind(
    "response",
    "goaway",
    "GOAWAY now, and nothing after it",
    {
      code: { ...CODE, default: "NO_ERROR" },
      after: AFTER,
      last: { default: 0, least: 0, most: 0x7fff_ffff, about: "the last stream looked at" },
    },
    ({ code, after, last }) => {
      let sent = 0;
      return (frame, next, line) => {
        if (sent++ < after) return next(frame);
        if (sent > after + 1) return undefined;
        next(goaway(last, code));
        return line.cut("end");
      };
    },
  ),
  kind(
    "response",
    "drop",
    "the transport is dropped",
    { after: AFTER, how: { default: "reset", words: ["reset", "end"], about: "with a RST, or with a FIN" } },
    ({ after, how }) => {
      let sent = 0;
      return (frame, next, line) => {
        if (sent++ < after) next(frame);
        else line.cut(how as "reset" | "end");
      };
    },
  ),
  kind("response", "half-frame", "half of a frame, then the end of the transport", { after: AFTER }, ({ after }) => {
    let sent = 0;
    return (frame, next, line) => {
      if (sent++ < after) return next(frame);
      if (sent > after + 1) return undefined;
      const octets = octetsOfFrame(frame);
      line.raw(octets.subarray(0, Math.ceil(octets.length / 2)));
      return line.cut("end");
    };
  }),
  kind(
    "response",
    "garbage",
    "octets that are no frames",
    { after: AFTER, octets: { default: 64, least: 1, most: 65_536, about: "octets" } },
    ({ after, octets }) => {
      let sent = 0;
      return (frame, next, line) => {
        if (sent++ === after) line.raw(new Uint8Array(octets).fill(0xff));
        next(frame);
      };
    },
  ),
  kind("connection", "http1", "an answer in HTTP/1.1", {}, () => {
    let isSaid = false;
    return (_, __, line) => {
      if (isSaid) return;
      isSaid = true;
      line.raw(Buffer.from("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"));
      line.cut("end");
    };
  }),
  kind("connection", "no-settings", "the first frame is not SETTINGS", {}, () => (frame, next) => {
    if (frame.type !== SETTINGS || isAck(frame)) next(frame);
  }),
  kind(
    "connection",
    "settings",
    "a setting of one's own choice, right or wrong",
    {
      id: { default: SettingId.ENABLE_PUSH, least: 0, most: 0xffff, about: "which, by its number" },
      value: { default: 2, least: 0, most: 0xffff_ffff, about: "its value" },
    },
    ({ id, value }) => {
      let isSaid = false;
      return (frame, next) => {
        if (!isSaid && frame.type === SETTINGS && !isAck(frame)) {
          isSaid = true;
          next({ ...frame, payload: Buffer.concat([frame.payload, settings(id, value).payload]) });
        } else next(frame);
      };
    },
  ),
  kind("connection", "no-settings-ack", "SETTINGS are never acknowledged", {}, () => (frame, next) => {
    if (frame.type !== SETTINGS || !isAck(frame)) next(frame);
  }),
  kind("connection", "wrong-settings-ack", "the acknowledgement of SETTINGS has content", {}, () => (frame, next) => {
    next(frame.type === SETTINGS && isAck(frame) ? settingsAck(settings(SettingId.INITIAL_WINDOW_SIZE, 65_535).payload) : frame);
  }),
  kind("connection", "unasked-settings-ack", "SETTINGS are acknowledged that nobody sent", {}, () => (frame, next) => {
    next(frame);
    if (frame.type === SETTINGS && isAck(frame)) next(settingsAck());
  }),
  kind("connection", "no-ping-ack", "PING is never answered", {}, () => (frame, next) => {
    if (frame.type !== PING || !isAck(frame)) next(frame);
  }),
  kind("connection", "wrong-ping-ack", "PING is answered with other octets", {}, () => (frame, next) => {
    next(frame.type === PING && isAck(frame) ? { ...frame, payload: frame.payload.map((octet) => octet ^ 0xff) } : frame);
  }),
  kind(
    "connection",
    "ping-flood",
    "PINGs that all ask for an answer",
    { count: { default: 1_000, least: 1, most: 100_000, about: "how many" } },
    ({ count }) => {
      let isSaid = false;
      return (frame, next) => {
        next(frame);
        if (isSaid) return;
        isSaid = true;
        for (let i = 0; i < count; i++) next(ping());
      };
    },
  ),
  kind(
    "connection",
    "no-window-update",
    "content is read, and its credit never returned",
    { on: { default: "both", words: ["both", "stream", "connection"], about: "whose" } },
    ({ on }) =>
      (frame, next) => {
        const whose = frame.stream === 0 ? "connection" : "stream";
        if (frame.type !== WINDOW_UPDATE || (on !== "both" && on !== whose)) next(frame);
      },
  ),
  kind(
    "response",
    "window-update",
    "WINDOW_UPDATE with any increment: 0, or more than fits",
    {
      by: { default: 0, least: 0, most: 0x7fff_ffff, about: "the increment" },
      on: { default: "stream", words: ["stream", "connection"], about: "whose" },
    },
    ({ by, on }) => {
      let isSaid = false;
      return (frame, next) => {
        if (!isSaid && frame.stream !== 0) {
          isSaid = true;
          next(windowUpdate(on === "stream" ? frame.stream : 0, by));
        }
        next(frame);
      };
    },
  ),
];
