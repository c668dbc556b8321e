import { Writer, writeVarint } from "../../../core/index.ts";
import { ErrorCode } from "../../../http3/index.ts";
import { HOW, MOST_FRAMES, number, word } from "../fault.ts";
import type { Http3Fault, Kit } from "./kit.ts";
import { CONNECTION, cut, FRAME, octets } from "./unit.ts";
import { written } from "./units.ts";

const CODES = Object.keys(ErrorCode) as [ErrorCode, ...ErrorCode[]];
const ENDS = { ...HOW, does: "end closes the connection with H3_NO_ERROR, reset with H3_INTERNAL_ERROR" };

/** Faults that end streams and connections early, or do nothing. */
export const ending = (kit: Kit): readonly Http3Fault[] => [
  kit.define("reset", {
    title: `resets the stream instead of a ${kit.message}`,
    args: { code: { ...word(CODES, "why"), default: "H3_REQUEST_CANCELLED" }, ...kit.messages },
    start: ({ code, ...messages }, line) =>
      kit.insteadOfMessage(messages, line, ({ stream }, pass) => pass({ is: "reset", stream, code: ErrorCode[code] })),
  }),
  kit.define("reset-midway", {
    title: `begins a ${kit.message} and resets the stream`,
    args: { code: { ...word(CODES, "why"), default: "H3_INTERNAL_ERROR" }, ...kit.messages },
    start: ({ code, ...messages }, line) =>
      kit.insteadOfMessage(messages, line, (head, pass) => {
        pass({ ...head, end: false });
        // A reset overtakes what was sent in the same turn.
        setTimeout(() => pass({ is: "reset", stream: head.stream, code: ErrorCode[code] }), MIDWAY_MS);
      }),
  }),
  kit.define("goaway", {
    title: `sends GOAWAY before a ${kit.message}`,
    args: {
      last: word(["this", "before"], "whether this message is processed or given up; a client says that it takes no push"),
      after: kit.after,
    },
    start: ({ last, after }, line) => {
      const isBefore = last === "before";
      const messages = { after, times: 1 };
      const say = (stream: number) => {
        const writer = new Writer(8);
        writeVarint(writer, kit.side === "client" ? 0 : (isBefore ? stream - 1 : stream) * 4);
        return octets(line.control ?? 0, written(FRAME.GOAWAY, writer.take()));
      };
      if (isBefore) return kit.insteadOfMessage(messages, line, ({ stream }, pass) => pass(say(stream)));
      return kit.onMessage(messages, (head, pass) => {
        pass(say(head.stream));
        pass(head);
      });
    },
  }),
  kit.define("drop", {
    title: "drops the connection after a number of frames on the streams of requests",
    args: { after: number(0, MOST_FRAMES, 1, "the number of frames"), how: ENDS },
    start: ({ after, how }) => {
      let count = 0;
      return {
        outgoing: (unit, pass) => {
          if (unit.stream === CONNECTION || ++count <= after) pass(unit);
          else pass(cut(how));
        },
      };
    },
  }),
  kit.define("half-frame", {
    title: `sends half of the first frame of a ${kit.message}, and ends the stream`,
    args: kit.messages,
    start: (messages, line) =>
      kit.insteadOfMessage(messages, line, (head, pass) => {
        const whole = line.octetsOf(head);
        pass(kit.part({ ...head, end: true }, whole.subarray(0, whole.length >>> 1), true));
      }),
  }),
  kit.define("close-control", {
    title: `ends its control stream instead of a ${kit.message}`,
    args: { after: kit.after },
    start: ({ after }, line) =>
      kit.insteadOfMessage({ after, times: 1 }, line, (_, pass) => {
        if (line.control !== undefined) pass(octets(line.control, new Uint8Array(0), true));
      }),
  }),
  kit.define("silence", {
    title: "sends nothing after a number of frames on the streams of requests, and leaves the connection open",
    args: { after: number(0, MOST_FRAMES, 0, "the number of frames") },
    start: ({ after }, line) => {
      let count = 0;
      return {
        outgoing: (unit, pass) => {
          if (unit.stream !== CONNECTION) count++;
          if (count > after) line.drop(unit);
          else pass(unit);
        },
      };
    },
  }),
];
const MIDWAY_MS = 20;
