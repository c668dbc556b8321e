import { frame, hex, OP, utf8, valid, type Source } from "./craft.ts";

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
    valid("a text message in one frame, not masked", E, hex("81 05 48 65 6c 6c 6f"), [HELLO], ["Example"], { to: "client" }),
    valid("a text message in one frame, masked", E, hex("81 85 37 fa 21 3d 7f 9f 4d 51 58"), [HELLO], ["Example"]),
    valid("a text message in two frames, not masked", E, hex("01 03 48 65 6c 80 02 6c 6f"), [HELLO], ["Example"], { to: "client" }),
    valid("a ping, not masked", E, hex("89 05 48 65 6c 6c 6f"), [{ ping: utf8("Hello") }], ["Example"], { to: "client" }),
    valid("the pong that answers it, masked", E, hex("8a 85 37 fa 21 3d 7f 9f 4d 51 58"), [{ pong: utf8("Hello") }], ["Example"]),
    valid("256 octets in one frame", E, hex("82 7e 01 00") + "5a".repeat(256), [{ binary: "5a".repeat(256) }], ["Example"], { to: "client" }),
    valid("64 KiB in one frame", E, hex("82 7f 00 00 00 00 00 01 00 00") + "a5".repeat(65_536), [{ binary: "a5".repeat(65_536) }], ["Example"], { to: "client" }),
    valid("one block", "rfc7692#7.2.3.1", compressed("f2 48 cd c9 c9 07 00"), [HELLO], ["Deflate"], { to: "client", deflate }),
    valid("one block, in two frames", "rfc7692#7.2.3.1", hex("41 03 f2 48 cd 80 04 c9 c9 07 00"), [HELLO], ["Deflate"], { to: "client", deflate }),
    valid("the same again, which refers to the first", "rfc7692#7.2.3.2", [compressed("f2 48 cd c9 c9 07 00"), compressed("f2 00 11 00 00")], [HELLO, HELLO], ["Deflate"], { to: "client", deflate }),
    valid("a block without compression", "rfc7692#7.2.3.3", compressed("00 05 00 fa ff 48 65 6c 6c 6f 00"), [HELLO], ["Deflate"], { to: "client", deflate }),
    valid("a block that is marked as the last", "rfc7692#7.2.3.4", compressed("f3 48 cd c9 c9 07 00 00"), [HELLO], ["Deflate"], { to: "client", deflate }),
    valid("two blocks", "rfc7692#7.2.3.5", compressed("f2 48 05 00 00 00 ff ff ca c9 c9 07 00"), [HELLO], ["Deflate"], { to: "client", deflate }),
    valid("nothing, as its last frame", "rfc7692#7.2.3.6", [frame(OP.text, hex("f2 48 cd c9 c9 07 00 00 00 ff ff"), { fin: false, rsv: 0x40, key: false }), frame(OP.more, "00", { key: false })], [HELLO], ["Deflate"], { to: "client", deflate }),
    valid("not compressed at all, which stays allowed", D, frame(OP.text, utf8("Hello"), { key: false }), [HELLO], ["Deflate"], { to: "client", deflate }),
  ],
};
