import { MOST_FRAMES, number, word } from "../fault.ts";
import { GARBAGE_ARGS, garbage } from "../garbage.ts";
import type { Http3Fault, Kit } from "./kit.ts";
import { FRAME, frame, octets } from "./unit.ts";
import { written } from "./units.ts";

/** Settings that no peer may send: one of HTTP/2, one twice, one that is not a boolean, half of one (rfc9114#7.2.4). */
const BAD_SETTINGS = {
  reserved: [0x02, 0x00],
  twice: [0x06, 0x41, 0x00, 0x06, 0x41, 0x00],
  "connect-protocol": [0x08, 0x02],
  length: [0x06],
} as const;
/** Sections that no decoder can read: an index beyond the static table, a prefix that is cut, a count of insertions beyond any table (rfc9204#4.5). */
const BAD_BLOCKS = {
  index: [0x00, 0x00, 0xff, 0xff, 0x07],
  cut: [0x00],
  table: [0xff, 0xe9, 0x05, 0x00, 0x80],
} as const;
/** A push identifier, and a section with `:method: GET`. */
const PROMISE = Uint8Array.of(0x00, 0x00, 0x00, 0xd1);

/** Frames that do not belong where they are, or cannot be read. */
export const frames = (kit: Kit): readonly Http3Fault[] => {
  const before = (name: string, title: string, payload: Uint8Array, type: keyof typeof FRAME): Http3Fault =>
    kit.define(name, {
      title,
      args: kit.messages,
      start: (messages) =>
        kit.onMessage(messages, (head, pass) => {
          pass(frame(type, head.stream, payload));
          pass(head);
        }),
    });
  return [
    before("data-before-headers", `sends DATA before the ${kit.message} begins`, Buffer.from("early"), "DATA"),
    before("settings-on-stream", `sends SETTINGS on the stream of a ${kit.message}`, new Uint8Array(0), "SETTINGS"),
    ...(kit.side === "server"
      ? [
          before("push-unasked", "promises a response that the client has not allowed", PROMISE, "PUSH_PROMISE"),
          kit.define("open-bidirectional", {
            title: "opens a bidirectional stream, which only clients may do, before a response",
            args: kit.messages,
            start: (messages, line) =>
              kit.onMessage(messages, (head, pass) => {
                const id = line.open("bidirectional");
                if (id !== undefined) pass(octets(id, written(FRAME.UNKNOWN, new Uint8Array(0))));
                pass(head);
              }),
          }),
        ]
      : []),
    kit.define("headers-in-content", {
      title: `sends a second field section within the content of a ${kit.message}`,
      args: kit.messages,
      start: (messages, line) =>
        kit.insteadOfMessage(messages, line, (head, pass) => {
          pass({ ...head, fields: head.fields.filter(({ name }) => name !== "content-length"), end: false });
          pass(frame("HEADERS", head.stream, Uint8Array.of(0x00, 0x00)));
          pass(frame("DATA", head.stream, Buffer.from("late"), true));
        }),
    }),
    kit.define("bad-block", {
      title: "sends a field section that cannot be decoded",
      args: { how: word(["index", "cut", "table"], "what is wrong"), ...kit.messages },
      start: ({ how, ...messages }, line) =>
        kit.insteadOfMessage(messages, line, ({ stream }, pass) => pass(frame("HEADERS", stream, Uint8Array.from(BAD_BLOCKS[how]), true))),
    }),
    kit.define("bad-setting", {
      title: `sends SETTINGS that are not permitted in place of its own`,
      args: { which: word(["reserved", "twice", "connect-protocol", "length"], "what is wrong") },
      byRequest: false,
      start: ({ which }, line) => {
        let isSent = false;
        return {
          outgoing: (unit, pass) => {
            // The type of the control stream comes alone.
            if (isSent || unit.is !== "octets" || unit.on !== line.control || unit.bytes.length <= 1) return pass(unit);
            isSent = true;
            return pass({ ...unit, bytes: written(FRAME.SETTINGS, Uint8Array.from(BAD_SETTINGS[which])) });
          },
        };
      },
    }),
    kit.define("settings-twice", {
      title: `sends SETTINGS again before a ${kit.message}`,
      args: { after: kit.after },
      start: ({ after }, line) =>
        kit.onMessage({ after, times: 1 }, (head, pass) => {
          if (line.control !== undefined) pass(octets(line.control, written(FRAME.SETTINGS, new Uint8Array(0))));
          pass(head);
        }),
    }),
    kit.define("flood", {
      title: `sends many frames without effect in a ${kit.message}`,
      args: {
        what: word(["unknown", "empty-data"], "the kind of frame; those of unknown type are legal"),
        frames: number(1, MOST_FRAMES, 2_000, "how many"),
        after: kit.after,
      },
      start: ({ what, frames: count, after }) =>
        kit.onMessage({ after, times: 1 }, (head, pass) => {
          pass({ ...head, end: false });
          for (let sent = 0; sent < count; sent++) pass(frame(what === "unknown" ? "UNKNOWN" : "DATA", head.stream));
          if (head.end) pass(frame("UNKNOWN", head.stream, new Uint8Array(0), true));
        }),
    }),
    kit.define("garbage", {
      title: `sends random octets instead of a ${kit.message}`,
      args: { ...GARBAGE_ARGS, after: kit.after },
      start: ({ octets: count, seed, after }, line) =>
        kit.insteadOfMessage({ after, times: 1 }, line, (head, pass) =>
          pass(kit.part({ ...head, end: true }, garbage(count, seed, 1), true)),
        ),
    }),
  ];
};
