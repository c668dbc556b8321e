import { HOW, MOST_FRAMES, number, word } from "../fault.ts";
import type { Kit, WebSocketFault } from "./kit.ts";
import { cut, frameOctets, isClose, like, octets, Opcode, type Unit } from "./unit.ts";

/** Payloads that no Close has (rfc6455#5.5.1, rfc6455#7.4.1). */
const BAD_CLOSES = {
  short: [0x03],
  reserved: [0x03, 0xed],
  unassigned: [0x03, 0xe7],
  reason: [0x03, 0xe8, 0xc3, 0x28],
} as const;

/** Connections that end early, wrongly, or never. */
export const ending = (kit: Kit): readonly WebSocketFault[] => [
  kit.define("drop", {
    title: "drops the connection instead of a message",
    args: { how: HOW, after: kit.after },
    start: ({ how, after }, line) => kit.insteadOfMessage({ after, times: 1 }, line, (_, pass) => pass(cut(0, how))),
  }),
  kit.define("half-frame", {
    title: "sends half of the first frame of a message, and drops the connection",
    args: { how: HOW, after: kit.after },
    start: ({ how, after }, line) =>
      kit.insteadOfMessage({ after, times: 1 }, line, (head, pass) => {
        const whole = frameOctets(head);
        pass(octets(head.stream, whole.subarray(0, whole.length >>> 1)));
        pass(cut(0, how));
      }),
  }),
  kit.define("silence", {
    title: "sends nothing after a number of messages, not even a Pong or a Close, and leaves the connection open",
    args: { after: number(0, MOST_FRAMES, 0, "the number of messages") },
    start: ({ after }) => {
      let count = 0;
      let isOver = after === 0;
      return {
        outgoing: (unit, pass) => {
          if (isOver) return undefined;
          if (kit.begins(unit) && ++count > after) return void (isOver = true);
          return pass(unit);
        },
      };
    },
  }),
  kit.define("no-close", {
    title: "sends no Close, neither first nor in answer: it does nothing, or drops the connection",
    args: { how: word(["nothing", "end", "reset"], "nothing, or FIN or RST in place of the Close") },
    start: ({ how }) => {
      let isOver = false;
      return {
        outgoing: (unit, pass) => {
          if (isOver) return;
          if (!isClose(unit)) return pass(unit);
          isOver = true;
          if (how !== "nothing") pass(cut(0, how));
        },
      };
    },
  }),
  kit.define("bad-close", {
    title: "sends a Close whose payload breaks the rules",
    args: {
      how: word(
        ["short", "reserved", "unassigned", "reason"],
        "one octet; code 1005, which never appears in a frame; code 999; a reason that is not UTF-8",
      ),
    },
    start: ({ how }) => ({
      outgoing: (unit, pass) => pass(isClose(unit) ? like(unit, { payload: Uint8Array.from(BAD_CLOSES[how]) }) : unit),
    }),
  }),
  kit.define("after-close", {
    title: "sends a message after its Close",
    args: {},
    start: () => ({
      outgoing: (unit: Unit, pass) => {
        pass(unit);
        if (isClose(unit)) pass(like(unit, { opcode: Opcode.text, payload: Buffer.from("late") }));
      },
    }),
  }),
];
