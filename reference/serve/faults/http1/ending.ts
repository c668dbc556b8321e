import { HOW, MOST_FRAMES, MOST_OCTETS, number, word } from "../fault.ts";
import type { Http1Fault, Kit } from "./kit.ts";
import { cut, headOctets, octets } from "./unit.ts";

/** Messages and connections that end early, or never. */
export const ending = (kit: Kit): readonly Http1Fault[] => [
  kit.define("drop", {
    title: `drops the connection within a ${kit.message}: after its head and a number of octets of content`,
    args: { octets: number(0, MOST_OCTETS, 0, "octets of content"), how: HOW, after: kit.after },
    start: ({ octets: most, how, after }) => {
      const begins = kit.onMessage({ after, times: 1 }, (head, pass) => {
        chosen = head.stream;
        pass(head);
      });
      let chosen = 0;
      let left = most;
      return {
        outgoing: (unit, pass) => {
          if (unit.stream === 0 || unit.stream !== chosen) return begins.outgoing(unit, pass);
          if (unit.is === "content" && left >= unit.bytes.length) {
            left -= unit.bytes.length;
            return pass(unit);
          }
          if (unit.is === "content" && left > 0) pass({ ...unit, bytes: unit.bytes.subarray(0, left) });
          return pass(cut(0, how));
        },
      };
    },
  }),
  kit.define("half-head", {
    title: `sends half of the head of a ${kit.message}, and drops the connection`,
    args: { how: HOW, after: kit.after },
    start: ({ how, after }, line) =>
      kit.insteadOfMessage({ after, times: 1 }, line, (head, pass) => {
        const whole = headOctets(head);
        pass(octets(head.stream, whole.subarray(0, whole.length >>> 1)));
        pass(cut(0, how));
      }),
  }),
  kit.define("hang-up", {
    title: `closes the connection instead of a ${kit.message}, or after one that promised to keep it`,
    args: { when: word(["before", "after"], `before the ${kit.message}, or after it`), how: HOW, after: kit.after },
    start: ({ when, how, after }, line) =>
      when === "before"
        ? kit.insteadOfMessage({ after, times: 1 }, line, (_, pass) => pass(cut(0, how)))
        : kit.afterMessage({ after, times: 1 }, (_, pass) => pass(cut(0, how))),
  }),
  kit.define("silence", {
    title: `sends nothing after a number of ${kit.message}s, and leaves the connection open`,
    args: { after: number(0, MOST_FRAMES, 0, `the number of ${kit.message}s`) },
    start: ({ after }, line) => {
      let count = 0;
      return {
        outgoing: (unit, pass) => {
          if (kit.begins(unit)) count++;
          if (count > after) line.drop(unit);
          else pass(unit);
        },
      };
    },
  }),
  kit.define("unfinished", {
    title: `sends a ${kit.message} without the end of its content, and leaves the connection open`,
    args: {
      octets: number(0, MOST_OCTETS, 1, "octets of content that are left out; chunked content lacks its last chunk too"),
      ...kit.messages,
    },
    start: ({ octets: fewer, ...messages }) => {
      const chosen = new Set<number>();
      const begins = kit.onMessage(messages, (head, pass) => {
        chosen.add(head.stream);
        pass(head);
      });
      /** The newest octets, which may be the last ones. */
      let held = Buffer.alloc(0);
      return {
        outgoing: (unit, pass) => {
          if (!chosen.has(unit.stream)) return begins.outgoing(unit, pass);
          if (unit.is !== "content") return unit.is === "octets" ? pass(unit) : undefined;
          held = Buffer.concat([held, unit.bytes]);
          const leaving = held.subarray(0, Math.max(held.length - fewer, 0));
          held = held.subarray(leaving.length);
          return pass({ ...unit, bytes: leaving });
        },
      };
    },
  }),
];
