import { MOST_FRAMES, MOST_OCTETS, number, word } from "../fault.ts";
import { GARBAGE_ARGS, garbage } from "../garbage.ts";
import type { Kit, WebSocketFault } from "./kit.ts";
import { FIN, frameOctets, like, octets, Opcode } from "./unit.ts";

/** Octets that are not UTF-8 (rfc3629#3). */
const NOT_UTF8 = { octet: [0x61, 0xff], cut: [0xe2, 0x82], overlong: [0xc0, 0xaf], surrogate: [0xed, 0xa0, 0x80] } as const;
const MOST_SENT = 64 * MOST_OCTETS;
/** Announced without being sent: 1 TiB. */
const HUGE = 2 ** 40;
const PIECE = Buffer.alloc(MOST_OCTETS, "oversize ");
const NOTHING = new Uint8Array(0);

/** Frames and messages that break a rule. */
export const frames = (kit: Kit): readonly WebSocketFault[] => [
  kit.define("bad-mask", {
    title: kit.side === "server" ? "masks its frames, which no server may" : "sends its frames without a mask",
    args: kit.messages,
    start: (messages) => kit.onMessage(messages, (head, pass) => pass({ ...head, isMasked: !head.isMasked })),
  }),
  kit.define("bad-utf8", {
    title: "sends text that is not UTF-8 instead of a message",
    args: { how: word(["octet", "cut", "overlong", "surrogate"], "what is wrong"), ...kit.messages },
    start: ({ how, ...messages }, line) =>
      kit.insteadOfMessage(messages, line, (head, pass) =>
        pass(like(head, { opcode: Opcode.text, payload: Uint8Array.from(NOT_UTF8[how]) })),
      ),
  }),
  kit.define("oversize", {
    title: "sends a message that is too large",
    args: {
      how: word(["announced", "sent", "bit"], "a frame announces 1 TiB; all octets are sent; or the length has its highest bit set"),
      octets: number(1, MOST_SENT, MOST_OCTETS + 1, "octets of a message that is sent"),
      ...kit.messages,
    },
    start: ({ how, octets: count, ...messages }, line) =>
      kit.insteadOfMessage(messages, line, (head, pass) => {
        const empty = like(head, { opcode: Opcode.binary, payload: NOTHING });
        if (how === "sent") {
          for (let left = count; left > 0; left -= PIECE.length) {
            const bits = left > PIECE.length ? 0 : FIN;
            pass(like(empty, { bits, opcode: left === count ? Opcode.binary : Opcode.continuation, payload: PIECE.subarray(0, left) }));
          }
          return;
        }
        const announced = frameOctets(empty, HUGE);
        if (how === "bit") announced[2] = 0x80;
        pass(octets(head.stream, announced));
      }),
  }),
  kit.define("reserved-bit", {
    title: "sends a frame with a reserved bit that no extension has given a meaning",
    args: { bit: number(1, 3, 3, "RSV1, RSV2 or RSV3; permessage-deflate uses RSV1"), ...kit.messages },
    start: ({ bit, ...messages }) => kit.onMessage(messages, (head, pass) => pass({ ...head, bits: head.bits | (FIN >> bit) })),
  }),
  kit.define("bad-opcode", {
    title: "sends a frame with an undefined opcode",
    args: { opcode: number(3, 15, 3, "3 to 7 for data, 11 to 15 for control; 8 to 10 are defined"), ...kit.messages },
    start: ({ opcode, ...messages }, line) =>
      kit.insteadOfMessage(messages, line, (head, pass) => pass(like(head, { opcode, payload: NOTHING }))),
  }),
  kit.define("bad-control", {
    title: "sends a Ping that is fragmented, or longer than 125 octets",
    args: { how: word(["fragmented", "long"], "what is wrong"), ...kit.messages },
    start: ({ how, ...messages }) =>
      kit.onMessage(messages, (head, pass) => {
        pass(like(head, { opcode: Opcode.ping, ...(how === "long" ? { payload: new Uint8Array(126) } : { bits: 0, payload: NOTHING }) }));
        pass(head);
      }),
  }),
  kit.define("bad-fragment", {
    title: "sends a continuation of no message, or a message within the fragments of another",
    args: { how: word(["stray", "nested"], "what is wrong"), ...kit.messages },
    start: ({ how, ...messages }, line) =>
      kit.insteadOfMessage(messages, line, (head, pass) => {
        if (how === "nested") pass(like(head, { bits: 0, opcode: Opcode.text, payload: NOTHING }));
        pass(like(head, { opcode: how === "nested" ? Opcode.text : Opcode.continuation, payload: NOTHING }));
      }),
  }),
  kit.define("long-length", {
    title: "writes the length of a frame in more octets than it needs",
    args: kit.messages,
    start: (messages) => kit.onMessage(messages, (head, pass) => pass(octets(head.stream, frameOctets(head, head.payload.length, true)))),
  }),
  kit.define("ping-ack", {
    title: "never answers Ping, or answers it twice or with other octets",
    args: { how: word(["never", "wrong", "twice"], "how to misbehave") },
    start: ({ how }) => ({
      outgoing: (unit, pass) => {
        if (unit.is !== "frame" || unit.opcode !== Opcode.pong) return pass(unit);
        if (how === "never") return;
        pass(how === "wrong" ? { ...unit, payload: Buffer.from("other") } : unit);
        if (how === "twice") pass(unit);
      },
    }),
  }),
  kit.define("flood", {
    title: "sends many frames without effect before a message",
    args: {
      what: word(["ping", "pong", "empty"], "the kind of frame; empty fragments precede the message as one of its own"),
      frames: number(1, MOST_FRAMES, 1_000, "how many"),
      after: kit.after,
    },
    start: ({ what, frames: count, after }) =>
      kit.onMessage({ after, times: 1 }, (head, pass) => {
        for (let sent = 0; sent < count; sent++) {
          const isLast = sent === count - 1;
          if (what !== "empty") pass(like(head, { opcode: Opcode[what], payload: NOTHING }));
          else pass(like(head, { bits: isLast ? FIN : 0, opcode: sent === 0 ? Opcode.binary : Opcode.continuation, payload: NOTHING }));
        }
        pass(head);
      }),
  }),
  kit.define("garbage", {
    title: "sends random octets instead of a message",
    args: { ...GARBAGE_ARGS, after: kit.after },
    start: ({ octets: count, seed, after }, line) =>
      kit.insteadOfMessage({ after, times: 1 }, line, (head, pass) => {
        // The first octets are the head of a frame with all reserved bits.
        pass(octets(head.stream, garbage(count, seed, 2)));
      }),
  }),
  kit.define("http", {
    title: "sends a message of HTTP instead of a frame",
    args: { after: kit.after },
    start: ({ after }, line) =>
      kit.insteadOfMessage({ after, times: 1 }, line, ({ stream }, pass) =>
        pass(octets(stream, Buffer.from("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"))),
      ),
  }),
];
