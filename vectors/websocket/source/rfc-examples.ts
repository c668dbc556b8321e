import { frame, hex, named, OP, utf8, valid, type Source } from "./craft.ts";

const E = "rfc6455#5.7";
const D = "rfc7692#7.2.3";
const deflate = { bits: 15, takeover: true } as const;
const HELLO = { text: "Hello" } as const;
const compressed = (payload: string): string => frame(OP.text, hex(payload), { rsv: 0x40, key: false });

export const source: Source = {
  kind: "websocket-frames",
  about: "The specifications' own examples of frames (RFC 6455, 5.7) and of compressed messages (RFC 7692, 7.2.3)",
  spec: E,
  flags: {
    Example: { why: "an example of the specification", bug: "MISREAD_FRAME" },
    Deflate: { why: "an example of permessage-deflate", bug: "MISREAD_COMPRESSION" },
  },
  vectors: [
    valid({ note: "a text message in one frame, not masked", spec: E, wire: hex("81 05 48 65 6c 6c 6f"), messages: [HELLO], flags: ["Example"],  to: "client" }),
    valid({ note: "a text message in one frame, masked", spec: E, wire: hex("81 85 37 fa 21 3d 7f 9f 4d 51 58"), messages: [HELLO], flags: ["Example"] }),
    valid({ note: "a text message in two frames, not masked", spec: E, wire: hex("01 03 48 65 6c 80 02 6c 6f"), messages: [HELLO], flags: ["Example"],  to: "client" }),
    valid({ note: "a ping, not masked", spec: E, wire: hex("89 05 48 65 6c 6c 6f"), messages: [{ ping: utf8("Hello") }], flags: ["Example"],  to: "client" }),
    valid({ note: named("the-pong-that-answers-it-masked", "the pong in response, masked"), spec: E, wire: hex("8a 85 37 fa 21 3d 7f 9f 4d 51 58"), messages: [{ pong: utf8("Hello") }], flags: ["Example"] }),
    valid({ note: "256 octets in one frame", spec: E, wire: hex("82 7e 01 00") + "5a".repeat(256), messages: [{ binary: "5a".repeat(256) }], flags: ["Example"],  to: "client" }),
    valid({ note: "64 KiB in one frame", spec: E, wire: hex("82 7f 00 00 00 00 00 01 00 00") + "a5".repeat(65_536), messages: [{ binary: "a5".repeat(65_536) }], flags: ["Example"],  to: "client" }),
    valid({ note: "one block", spec: "rfc7692#7.2.3.1", wire: compressed("f2 48 cd c9 c9 07 00"), messages: [HELLO], flags: ["Deflate"],  to: "client", deflate }),
    valid({ note: "one block, in two frames", spec: "rfc7692#7.2.3.1", wire: hex("41 03 f2 48 cd 80 04 c9 c9 07 00"), messages: [HELLO], flags: ["Deflate"],  to: "client", deflate }),
    valid({ note: named("the-same-again-which-refers-to-the-first", "the same message again, as a reference to the first"), spec: "rfc7692#7.2.3.2", wire: [compressed("f2 48 cd c9 c9 07 00"), compressed("f2 00 11 00 00")], messages: [HELLO, HELLO], flags: ["Deflate"],  to: "client", deflate }),
    valid({ note: "a block without compression", spec: "rfc7692#7.2.3.3", wire: compressed("00 05 00 fa ff 48 65 6c 6c 6f 00"), messages: [HELLO], flags: ["Deflate"],  to: "client", deflate }),
    valid({ note: named("a-block-that-is-marked-as-the-last", "a block with BFINAL set"), spec: "rfc7692#7.2.3.4", wire: compressed("f3 48 cd c9 c9 07 00 00"), messages: [HELLO], flags: ["Deflate"],  to: "client", deflate }),
    valid({ note: "two blocks", spec: "rfc7692#7.2.3.5", wire: compressed("f2 48 05 00 00 00 ff ff ca c9 c9 07 00"), messages: [HELLO], flags: ["Deflate"],  to: "client", deflate }),
    valid({ note: named("nothing-as-its-last-frame", "an empty block as the last frame"), spec: "rfc7692#7.2.3.6", wire: [frame(OP.text, hex("f2 48 cd c9 c9 07 00 00 00 ff ff"), { fin: false, rsv: 0x40, key: false }), frame(OP.more, "00", { key: false })], messages: [HELLO], flags: ["Deflate"],  to: "client", deflate }),
    valid({ note: named("not-compressed-at-all-which-stays-allowed", "an uncompressed message, which remains allowed"), spec: D, wire: frame(OP.text, utf8("Hello"), { key: false }), messages: [HELLO], flags: ["Deflate"],  to: "client", deflate }),
  ],
};
