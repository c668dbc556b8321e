import { CONNECTION, Flag, streamId, type StreamId } from "../../../http2/index.ts";
import { MOST_FRAMES, MOST_OCTETS, number, word } from "../fault.ts";
import type { Http2Fault, Kit } from "./kit.ts";
import { frame, octets, u32, type FrameUnit } from "./unit.ts";

/** A larger window is not overrun: its client receives content within its window. */
const MOST_OVERRUN = 4 * MOST_OCTETS;
const UNDEFINED_TYPE = 0xf0;

const FLOOD: Record<"ping" | "settings" | "empty-data" | "unknown", (stream: StreamId, count: number) => FrameUnit> = {
  ping: (_, count) => frame("PING", CONNECTION, u32(0, count)),
  settings: () => frame("SETTINGS", CONNECTION),
  "empty-data": (stream) => frame("DATA", stream),
  unknown: (stream) => ({ is: "frame", stream, type: UNDEFINED_TYPE, flags: 0xff, payload: u32(0) }),
};

const WRONG = ["idle", "even", "connection"] as const;
const WRONG_OF_CLIENT = ["even", "connection"] as const;

/** Frames with a wrong size, on a wrong stream or at a wrong time. */
export const frames = (kit: Kit): readonly Http2Fault[] => [
  kit.define("oversize-frame", {
    title: `sends DATA longer than the ${kit.other}'s SETTINGS_MAX_FRAME_SIZE`,
    args: kit.messages,
    start: (messages, line) =>
      kit.insteadOfMessage(messages, line, (head, pass) => {
        pass({ ...head, endStream: false });
        // A length has 24 bits.
        pass(frame("DATA", head.stream, new Uint8Array(Math.min(line.maxFrameSize + 1, 0xff_ffff)), Flag.END_STREAM));
      }),
  }),
  kit.define("window-overrun", {
    title: `sends content beyond the ${kit.other}'s window`,
    args: { octets: number(1, MOST_OCTETS, 65_536, "octets beyond the window; at most 4 MiB in a message"), ...kit.messages },
    start: ({ octets: beyond, ...messages }, line) =>
      kit.insteadOfMessage(messages, line, (head, pass) => {
        pass({ ...head, endStream: false });
        const size = Math.min(line.maxFrameSize, MOST_OCTETS);
        let left = Math.min(Math.max(line.window(head.stream), 0) + beyond, MOST_OVERRUN);
        // The same frame again and again: it is held once, however large the window is.
        const whole = octets(head.stream, line.octetsOf(frame("DATA", head.stream, new Uint8Array(size))));
        for (; left >= size; left -= size) pass(whole);
        if (left > 0) pass(frame("DATA", head.stream, new Uint8Array(left)));
      }),
  }),
  kit.define("wrong-stream", {
    title:
      kit.side === "server" ? "responds on a stream that the client has not opened" : "sends a request on a stream that no client can open",
    args: {
      which: word(kit.side === "server" ? WRONG : WRONG_OF_CLIENT, "a later stream of the client, a stream of the server, or stream 0"),
      ...kit.messages,
    },
    start: ({ which, ...messages }, line) => {
      const other = (stream: number): StreamId =>
        which === "connection" ? CONNECTION : streamId(which === "idle" ? stream + 1_000 : stream + 1);
      return kit.insteadOfMessage(messages, line, (head, pass) => pass({ ...head, stream: other(head.stream), endStream: true }));
    },
  }),
  kit.define("data-after-end", {
    title: "sends DATA on a stream after its END_STREAM",
    args: kit.messages,
    start: (messages) => kit.afterMessage(messages, (stream, pass) => pass(frame("DATA", stream, Buffer.from("late"), Flag.END_STREAM))),
  }),
  kit.define("headers-after-end", {
    title: "sends HEADERS on a stream after its END_STREAM",
    args: kit.messages,
    start: (messages) =>
      kit.afterMessage(messages, (stream, pass) => pass(frame("HEADERS", stream, Uint8Array.of(0x88), Flag.END_HEADERS | Flag.END_STREAM))),
  }),
  kit.define("data-before-headers", {
    title: `sends DATA before the ${kit.message} begins`,
    args: kit.messages,
    start: (messages) =>
      kit.onMessage(messages, (head, pass) => {
        pass(frame("DATA", head.stream, Buffer.from("early")));
        pass(head);
      }),
  }),
  kit.define("padding-lie", {
    title: "sends DATA with a pad length beyond its payload",
    args: kit.messages,
    start: (messages, line) =>
      kit.insteadOfMessage(messages, line, (head, pass) => {
        pass({ ...head, endStream: false });
        pass(frame("DATA", head.stream, Uint8Array.of(0xff, 0x78), Flag.PADDED | Flag.END_STREAM));
      }),
  }),
  kit.define("flood", {
    title: `sends many frames without effect before a ${kit.message}`,
    args: {
      what: word(["ping", "settings", "empty-data", "unknown"], "the kind of frame; those of unknown type are legal"),
      frames: number(1, MOST_FRAMES, 1_000, "how many"),
      after: kit.after,
    },
    start: ({ what, frames: count, after }) =>
      kit.onMessage({ after, times: 1 }, (head, pass) => {
        // Empty DATA belongs within a response.
        if (what === "empty-data") pass({ ...head, endStream: false });
        for (let sent = 1; sent <= count; sent++) pass(FLOOD[what](head.stream, sent));
        if (what !== "empty-data") pass(head);
        else if (head.endStream) pass(frame("DATA", head.stream, new Uint8Array(0), Flag.END_STREAM));
      }),
  }),
];
