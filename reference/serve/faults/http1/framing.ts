import { MOST_OCTETS, number, word, type Actor, type Pass } from "../fault.ts";
import type { Http1Fault, Kit } from "./kit.ts";
import { cut, headOctets, octets, valueIn, without, type HeadUnit, type Unit } from "./unit.ts";

/** What follows a head that announces chunks (rfc9112#7.1). */
const CHUNKS = {
  size: "5x\r\nhello\r\n0\r\n\r\n",
  sign: "-5\r\nhello\r\n0\r\n\r\n",
  huge: "fffffffffffffffff\r\nhello\r\n0\r\n\r\n",
  short: "5\r\nhelloo\r\n0\r\n\r\n",
  "bare-lf": "5\nhello\n0\n\n",
  cut: "5\r\nhello\r\n",
} as const;
const FRAMING = ["content-length", "transfer-encoding"] as const;
const chunkedHead = (head: HeadUnit): Unit =>
  octets(head.stream, headOctets({ start: head.start, lines: [...without(head.lines, ...FRAMING), "transfer-encoding: chunked"] }));

/** Messages whose end is wrong or in doubt (rfc9112#6.3, rfc9112#11.2). */
export const framing = (kit: Kit): readonly Http1Fault[] => {
  /** The message that a naive reader finds inside of another. */
  const hidden =
    kit.side === "server"
      ? "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 8\r\n\r\nsmuggled"
      : "GET /smuggled HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n";
  /** Changes heads, and sends content without chunks. */
  const withHead = (messages: Parameters<Kit["onMessage"]>[0], change: (head: HeadUnit) => readonly string[]): Actor<Unit> => {
    const changed = new Set<number>();
    const begins = kit.onMessage(messages, (head, pass) => {
      changed.add(head.stream);
      pass({ ...head, lines: change(head) });
    });
    return {
      outgoing: (unit, pass) => {
        if (!changed.has(unit.stream)) return begins.outgoing(unit, pass);
        if (unit.is === "content") return pass({ ...unit, isChunk: false });
        if (unit.is !== "end") return pass(unit);
        changed.delete(unit.stream);
        return pass({ ...unit, isChunked: false });
      },
    };
  };
  return [
    kit.define("false-length", {
      title: `sends a ${kit.message} whose Content-Length differs from its content`,
      args: { how: word(["long", "short"], "it announces more than follows, or less"), ...kit.messages },
      start: ({ how, ...messages }) =>
        withHead(messages, ({ lines }) => {
          const known = Number(valueIn(lines, "content-length") ?? (how === "long" ? MOST_OCTETS : 1));
          return [...without(lines, ...FRAMING), `content-length: ${how === "long" ? known + 1 : Math.max(known - 1, 0)}`];
        }),
    }),
    kit.define("two-lengths", {
      title: `sends a ${kit.message} with two different Content-Length fields`,
      args: kit.messages,
      start: (messages) =>
        withHead(messages, ({ lines }) => {
          const known = Number(valueIn(lines, "content-length") ?? 0);
          return [...without(lines, ...FRAMING), `content-length: ${known}`, `content-length: ${known + 1}`];
        }),
    }),
    kit.define("bad-chunk", {
      title: `sends a ${kit.message} in chunks that break the grammar`,
      args: {
        how: word(
          ["size", "sign", "huge", "short", "bare-lf", "cut"],
          "the size is not a number, negative, or beyond 64 bits; the data is longer than its size; lines end with LF alone; the last chunk is absent and the connection closes",
        ),
        ...kit.messages,
      },
      start: ({ how, ...messages }, line) =>
        kit.insteadOfMessage(messages, line, (head, pass) => {
          pass(chunkedHead(head));
          pass(octets(head.stream, CHUNKS[how]));
          if (how === "cut") pass(cut(0, "end"));
        }),
    }),
    kit.define("smuggle", {
      title: `hides a second ${kit.message} in the content of a first, whose end is ambiguous`,
      args: {
        how: word(
          ["cl-te", "te-cl", "te-te"],
          "by Content-Length the content ends after the hidden one, by Transfer-Encoding before it; the reverse; or two Transfer-Encoding fields, one of them unknown",
        ),
        ...kit.messages,
      },
      start: ({ how, ...messages }, line) =>
        kit.insteadOfMessage(messages, line, (head, pass) => {
          const lines = without(head.lines, ...FRAMING);
          const chunked = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
          const inContent = `0\r\n\r\n${hidden}`;
          const sent = {
            "cl-te": [[`content-length: ${inContent.length}`, "transfer-encoding: chunked"], inContent],
            "te-cl": [[`content-length: ${chunked.indexOf("\n") + 1}`, "transfer-encoding: chunked"], chunked],
            "te-te": [[`content-length: ${inContent.length}`, "transfer-encoding: chunked", "transfer-encoding: x-none"], inContent],
          } as const;
          const [added, content] = sent[how];
          pass(octets(head.stream, headOctets({ start: head.start, lines: [...lines, ...added] })));
          pass(octets(head.stream, content));
        }),
    }),
    kit.define("extra", {
      title: `sends octets after the end of a ${kit.message} that belong to none`,
      args: { octets: number(1, MOST_OCTETS, 16, "how many"), ...kit.messages },
      start: ({ octets: count, ...messages }) =>
        kit.afterMessage(messages, (stream, pass: Pass<Unit>) => pass(octets(stream, Buffer.alloc(count, "extra octets. ")))),
    }),
  ];
};
