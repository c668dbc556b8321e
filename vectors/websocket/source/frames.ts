import { closing, frame, hex, named, OP, refused, times, titled, utf8, valid, type Draft, type Head, type Note, type Received, type Source } from "./craft.ts";

const F = "rfc6455#5.2";
const M = "rfc6455#5.1";
const sides = ["server", "client"] as const;
const keyFor = (to: "server" | "client"): Head => (to === "server" ? {} : { key: false });
const heard = (op: number, payload: string): Received =>
  op === OP.text ? { text: Buffer.from(payload, "hex").toString() } : op === OP.ping ? { ping: payload } : op === OP.pong ? { pong: payload } : { binary: payload };

const lengths = [0, 1, 2, 3, 4, 5, 7, 8, 9, 124, 125, 126, 127, 128, 255, 256, 257, 1_000];
const long = (note: Note, size: number, length: readonly [number, string], fault: string): Draft[] =>
  sides.map((to) => refused({ note: named(`${titled(note).name}-to-the-${to}`, `${titled(note).note}, to the ${to}`), spec: F, wire: frame(OP.binary, times("61", size), { length, ...keyFor(to) }), failure: [fault, 1002], flags: ["Length"],  to }));
const octets = (count: number): string => (count === 1 ? "1 octet" : `${count} octets`);
const zeros = (count: number): string => "00".repeat(count);

export const source: Source = {
  kind: "websocket-frames",
  about: "Frame heads: the first octet, every form of a length, masks",
  spec: F,
  flags: {
    Length: { why: "a length at the edge of a form, or in a form that is not the shortest", bug: "MISREAD_LENGTH" },
    Masked: { why: "the masking key applies from the first octet of the payload", bug: "WRONG_MASK" },
    MaskMissing: { why: "a client masks every frame, a server masks none", bug: "MISSING_CHECK" },
    Reserved: { why: "a reserved bit, or an undefined opcode", bug: "MISSING_CHECK" },
    Control: { why: "a control frame is short and not fragmented", bug: "MISSING_CHECK" },
    Order: { why: "several frames in sequence", bug: "MISREAD_FRAME" },
  },
  vectors: [
    ...lengths.flatMap((size) =>
      sides.map((to) => valid({ note: named(`${size}-octets-to-the-${to}`, `${octets(size)}, to the ${to}`), spec: F, wire: frame(OP.binary, times("61", size), keyFor(to)), messages: [{ binary: times("61", size) }], flags: ["Length"],  to })),
    ),
    ...sides.map((to, i) => {
      const payload = times("61", 65_535 + i);
      return valid({ note: `${65_535 + i} octets, to the ${to}`, spec: F, wire: frame(OP.binary, payload, keyFor(to)), messages: [{ binary: payload }], flags: ["Length"],  to });
    }),
    ...long("125 octets with a length of 16 bits", 125, [126, "007d"], "lengthNotMinimal"),
    ...long(named("none-with-a-length-of-16-bits", "no payload, with a length of 16 bits"), 0, [126, "0000"], "lengthNotMinimal"),
    ...long("125 octets with a length of 64 bits", 125, [127, `${zeros(7)}7d`], "lengthNotMinimal"),
    ...long("126 octets with a length of 64 bits", 126, [127, `${zeros(7)}7e`], "lengthNotMinimal"),
    ...long(named("65535-octets-with-a-length-of-64-bits-of-which-the-first-ten-are-there", "a length of 65535 in 64 bits, with the first ten octets"), 10, [127, `${zeros(6)}ffff`], "lengthNotMinimal"),
    ...long("a length whose top bit is set", 5, [127, `80${zeros(6)}05`], "lengthTopBitSet"),
    ...long(named("a-length-of-nothing-but-ones", "a length with all bits set"), 5, [127, "ff".repeat(8)], "lengthTopBitSet"),
    refused({ note: named("the-longest-length-that-can-be-written", "the largest possible length"), spec: F, wire: frame(OP.binary, "61", { length: [127, `7f${"ff".repeat(7)}`] }), failure: ["messageTooLarge", 1009], flags: ["Length"] }),
    refused({ note: named("a-mebibyte-of-mebibytes", "a length of 2^40 octets"), spec: F, wire: frame(OP.binary, "61", { length: [127, "0000010000000000"] }), failure: ["messageTooLarge", 1009], flags: ["Length"] }),

    ...["00000000", "ffffffff", "01020304", "80000000", "000000ff"].map((key) => valid({ note: named(`key-${key}`, `masking key ${key}`), spec: "rfc6455#5.3", wire: frame(OP.text, utf8("Hello, world"), { key }), messages: [{ text: "Hello, world" }], flags: ["Masked"] })),
    valid({ note: named("each-frame-of-a-message-has-a-key-of-its-own", "a different key in each frame of a message"), spec: "rfc6455#5.3", wire: [frame(OP.text, utf8("abc"), { fin: false, key: "01020304" }), frame(OP.more, utf8("def"), { key: "f0e0d0c0" })], messages: [{ text: "abcdef" }], flags: ["Masked"] }),
    valid({ note: "a masked payload that looks like text before it is unmasked", spec: "rfc6455#5.3", wire: frame(OP.binary, hex("ff fe fd fc fb"), { key: "9e9b9190" }), messages: [{ binary: "fffefdfcfb" }], flags: ["Masked"] }),
    ...[OP.text, OP.binary, OP.ping, OP.pong].map((op) => refused({ note: `opcode ${op} to a server, without a mask`, spec: M, wire: frame(op, utf8("a"), { key: false }), failure: ["maskMissing", 1002], flags: ["MaskMissing"] })),
    ...[OP.text, OP.binary, OP.ping, OP.pong].map((op) => refused({ note: `opcode ${op} to a client, with a mask`, spec: M, wire: frame(op, utf8("a")), failure: ["maskForbidden", 1002], flags: ["MaskMissing"],  to: "client" })),
    refused({ note: "a Close to a server, without a mask", spec: M, wire: frame(OP.close, closing(1000), { key: false }), failure: ["maskMissing", 1002], flags: ["MaskMissing"] }),
    refused({ note: "a Close to a client, with a mask", spec: M, wire: frame(OP.close, closing(1000)), failure: ["maskForbidden", 1002], flags: ["MaskMissing"],  to: "client" }),
    refused({ note: named("to-a-client-with-a-mask-of-zeros", "a frame to a client with a mask of zeros"), spec: M, wire: frame(OP.text, utf8("a"), { key: "00000000" }), failure: ["maskForbidden", 1002], flags: ["MaskMissing"],  to: "client" }),
    refused({ note: "the second fragment without a mask", spec: M, wire: [frame(OP.text, utf8("a"), { fin: false }), frame(OP.more, utf8("b"), { key: false })], failure: ["maskMissing", 1002], flags: ["MaskMissing"] }),

    ...[0x40, 0x20, 0x10, 0x70].flatMap((rsv) => [OP.text, OP.binary, OP.ping, OP.pong, OP.close].map((op) => refused({ note: named(`bits-${rsv.toString(16)}-with-opcode-${op}`, `reserved bits 0x${rsv.toString(16)} with opcode ${op}`), spec: F, wire: frame(op, "", { rsv }), failure: ["reservedBitSet", 1002], flags: ["Reserved"] }))),
    ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].flatMap((op) => sides.map((to) => refused({ note: `opcode ${op}, to the ${to}`, spec: F, wire: frame(op, "", keyFor(to)), failure: ["opcodeReserved", 1002], flags: ["Reserved"],  to }))),
    refused({ note: named("a-reserved-bit-behind-a-good-message", "a reserved bit after a valid message"), spec: F, wire: [frame(OP.text, utf8("a")), frame(OP.text, utf8("b"), { rsv: 0x10 })], failure: ["reservedBitSet", 1002], flags: ["Reserved"],  before: [{ text: "a" }] }),
    refused({ note: "opcode 3 in the middle of a message", spec: F, wire: [frame(OP.text, utf8("a"), { fin: false }), frame(3, utf8("b"))], failure: ["opcodeReserved", 1002], flags: ["Reserved"] }),

    ...[OP.ping, OP.pong].flatMap((op) => [0, 1, 125].map((size) => valid({ note: named(`opcode-${op}-with-${size}-octets`, `opcode ${op} with ${octets(size)}`), spec: "rfc6455#5.5", wire: frame(op, times("fe", size)), messages: [heard(op, times("fe", size))], flags: ["Control"] }))),
    ...[OP.close, OP.ping, OP.pong].flatMap((op) => [
      refused({ note: `opcode ${op} with 126 octets`, spec: "rfc6455#5.5", wire: frame(op, times("03e8", 63)), failure: ["controlTooLong", 1002], flags: ["Control"] }),
      refused({ note: `opcode ${op} with 65536 octets`, spec: "rfc6455#5.5", wire: frame(op, "", { length: [127, `${zeros(5)}010000`] }), failure: ["controlTooLong", 1002], flags: ["Control"] }),
      refused({ note: `opcode ${op} that is not the last fragment`, spec: "rfc6455#5.5", wire: frame(op, "", { fin: false }), failure: ["controlFragmented", 1002], flags: ["Control"] }),
    ]),

    valid({ note: "several messages without a pause", spec: F, wire: [frame(OP.text, utf8("a")), frame(OP.binary, "00"), frame(OP.ping, "01"), frame(OP.text, "")], messages: [{ text: "a" }, { binary: "00" }, { ping: "01" }, { text: "" }], flags: ["Order"] }),
    valid({ note: "200 empty messages", spec: F, wire: Array.from({ length: 200 }, () => frame(OP.binary, "", { key: "00000000" })), messages: Array.from({ length: 200 }, () => ({ binary: "" })), flags: ["Order"] }),
  ],
};
