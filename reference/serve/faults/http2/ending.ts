import { CONNECTION, ErrorCode, streamId } from "../../../http2/index.ts";
import { HOW, MOST_FRAMES, number, word, type Pass } from "../fault.ts";
import type { Http2Fault, Kit } from "./kit.ts";
import { cut, frame, octets, u32, type Unit } from "./unit.ts";

const CODES = Object.keys(ErrorCode) as [ErrorCode, ...ErrorCode[]];

/** Faults that end streams and connections early. */
export const ending = (kit: Kit): readonly Http2Fault[] => [
  kit.define("reset", {
    title: `sends RST_STREAM instead of a ${kit.message}`,
    args: { code: { ...word(CODES, "why"), default: "CANCEL" }, ...kit.messages },
    start: ({ code, ...messages }, line) =>
      kit.insteadOfMessage(messages, line, ({ stream }, pass) => pass(frame("RST_STREAM", stream, u32(ErrorCode[code])))),
  }),
  kit.define("reset-midway", {
    title: `begins a ${kit.message} and resets the stream`,
    args: { code: { ...word(CODES, "why"), default: "INTERNAL_ERROR" }, ...kit.messages },
    start: ({ code, ...messages }, line) =>
      kit.insteadOfMessage(messages, line, (head, pass) => {
        pass({ ...head, endStream: false });
        pass(frame("RST_STREAM", head.stream, u32(ErrorCode[code])));
      }),
  }),
  kit.define("goaway", {
    title: `sends GOAWAY before a ${kit.message}; with an error code it also closes the connection`,
    args: {
      code: word(CODES, "why"),
      last: word(["this", "before"], "the last stream identifier: that of this message, or the one before it; a client says 0"),
      after: kit.after,
    },
    start: ({ code, last, after }, line) => {
      const say = (stream: number, pass: Pass<Unit>): void => {
        const highest = kit.side === "client" ? 0 : last === "this" ? stream : Math.max(stream - 2, 0);
        pass(frame("GOAWAY", CONNECTION, u32(highest, ErrorCode[code])));
        if (code !== "NO_ERROR") pass(cut(CONNECTION, "end"));
      };
      const messages = { after, times: 1 };
      if (last === "before") return kit.insteadOfMessage(messages, line, ({ stream }, pass) => say(stream, pass));
      return kit.onMessage(messages, (head, pass) => {
        say(head.stream, pass);
        pass(head);
      });
    },
  }),
  kit.define("drop", {
    title: "drops the connection after a number of stream frames",
    args: { after: number(0, MOST_FRAMES, 1, "the number of frames"), how: HOW },
    start: ({ after, how }) => {
      let count = 0;
      return {
        outgoing: (unit, pass) => {
          if (unit.stream === CONNECTION || ++count <= after) pass(unit);
          else pass(cut(CONNECTION, how));
        },
      };
    },
  }),
  kit.define("half-frame", {
    title: `sends half of the first frame of a ${kit.message}, and drops the connection`,
    args: { how: HOW, after: kit.after },
    start: ({ how, after }, line) =>
      kit.insteadOfMessage({ after, times: 1 }, line, (head, pass) => {
        const whole = line.octetsOf(head);
        pass(octets(head.stream, whole.subarray(0, whole.length >>> 1)));
        pass(cut(CONNECTION, how));
      }),
  }),
  kit.define("stray-reset", {
    title: "resets a stream that was never opened",
    args: kit.messages,
    start: (messages) =>
      kit.onMessage(messages, (head, pass) => {
        pass(frame("RST_STREAM", streamId(head.stream + 1_000), u32(ErrorCode.CANCEL)));
        pass(head);
      }),
  }),
];
