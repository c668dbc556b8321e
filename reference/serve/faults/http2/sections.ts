import { field } from "../../../core/index.ts";
import { Flag, streamId } from "../../../http2/index.ts";
import { MOST_FRAMES, number, word } from "../fault.ts";
import type { Http2Fault, Kit } from "./kit.ts";
import { fieldFaults } from "../fields.ts";
import { frame } from "./unit.ts";

/** Blocks that no decoder can read (rfc7541#2.3.3, rfc7541#5.2, rfc7541#6.3). */
const BAD_BLOCKS = {
  /** Index 0 is unused. */
  index: [0x80],
  /** A name of one octet with the beginning of EOS: padding longer than seven bits. */
  huffman: [0x00, 0x82, 0xff, 0xff, 0x01, 0x61],
  /** A name of five octets, of which one is present. */
  cut: [0x00, 0x05, 0x61],
  /** A table larger than any client allows by default. */
  size: [0x3f, 0xe1, 0xff, 0xff, 0x07],
} as const;

/** `x: y` as a literal without indexing. */
const FILLER = Uint8Array.of(0x00, 0x01, 0x78, 0x01, 0x79);
/** `:status: 200` and `:method: GET`, indexed. */
const FIRST = { server: 0x88, client: 0x82 } as const;

const pushUnasked = (kit: Kit): Http2Fault =>
  kit.define("push-unasked", {
    title: "pushes a response, even if the client does not allow pushes",
    args: kit.messages,
    start: (messages) => {
      let promised = 0;
      return kit.onMessage(messages, (head, pass) => {
        const fields = [field(":method", "GET"), field(":scheme", "http"), field(":authority", "localhost"), field(":path", "/unasked")];
        pass({ is: "fields", stream: head.stream, endStream: false, fields, promised: streamId((promised += 2)) });
        pass(head);
      });
    },
  });

/** Field sections that are malformed or cannot be decoded. */
export const sections = (kit: Kit): readonly Http2Fault[] => {
  return [
    kit.define("bad-block", {
      title: "sends a field block that cannot be decoded",
      args: { how: word(["index", "huffman", "cut", "size"], "what is wrong"), ...kit.messages },
      start: ({ how, ...messages }, line) =>
        kit.insteadOfMessage(messages, line, ({ stream }, pass) =>
          pass(frame("HEADERS", stream, Uint8Array.from(BAD_BLOCKS[how]), Flag.END_HEADERS)),
        ),
    }),
    kit.define("endless-continuation", {
      title: "begins a field block that never ends: CONTINUATION frames follow without END_HEADERS",
      args: { frames: number(1, MOST_FRAMES, 200, "CONTINUATION frames"), after: kit.after },
      start: ({ frames, after }, line) =>
        kit.insteadOfMessage({ after, times: 1 }, line, ({ stream }, pass) => {
          pass(frame("HEADERS", stream, Uint8Array.of(FIRST[kit.side])));
          for (let sent = 0; sent < frames; sent++) pass(frame("CONTINUATION", stream, FILLER));
        }),
    }),
    kit.define("stray-continuation", {
      title: "sends CONTINUATION without an open field block",
      args: kit.messages,
      start: (messages) =>
        kit.onMessage(messages, (head, pass) => {
          pass(head);
          pass(frame("CONTINUATION", head.stream, FILLER, Flag.END_HEADERS));
        }),
    }),
    ...fieldFaults(kit),
    ...(kit.side === "server" ? [pushUnasked(kit)] : []),
  ];
};
