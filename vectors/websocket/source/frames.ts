import { closing, frame, hex, OP, refused, times, utf8, valid, type Draft, type Head, type Received, type Source } from "./craft.ts";

const F = "rfc6455#5.2";
const M = "rfc6455#5.1";
const sides = ["server", "client"] as const;
const keyFor = (to: "server" | "client"): Head => (to === "server" ? {} : { key: false });
const heard = (op: number, payload: string): Received =>
  op === OP.text ? { text: Buffer.from(payload, "hex").toString() } : op === OP.ping ? { ping: payload } : op === OP.pong ? { pong: payload } : { binary: payload };

const lengths = [0, 1, 2, 3, 4, 5, 7, 8, 9, 124, 125, 126, 127, 128, 255, 256, 257, 1_000];
const long = (note: string, size: number, length: readonly [number, string], fault: string): Draft[] =>
  sides.map((to) => refused(`${note}, to the ${to}`, F, frame(OP.binary, times("61", size), { length, ...keyFor(to) }), [fault, 1002], ["Length"], { to }));
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
      sides.map((to) => valid(`${size} octets, to the ${to}`, F, frame(OP.binary, times("61", size), keyFor(to)), [{ binary: times("61", size) }], ["Length"], { to })),
    ),
    ...sides.map((to, i) => {
      const payload = times("61", 65_535 + i);
      return valid(`${65_535 + i} octets, to the ${to}`, F, frame(OP.binary, payload, keyFor(to)), [{ binary: payload }], ["Length"], { to });
    }),
    ...long("125 octets with a length of 16 bits", 125, [126, "007d"], "lengthNotMinimal"),
    ...long("none with a length of 16 bits", 0, [126, "0000"], "lengthNotMinimal"),
    ...long("125 octets with a length of 64 bits", 125, [127, `${zeros(7)}7d`], "lengthNotMinimal"),
    ...long("126 octets with a length of 64 bits", 126, [127, `${zeros(7)}7e`], "lengthNotMinimal"),
    ...long("65535 octets with a length of 64 bits, of which the first ten are there", 10, [127, `${zeros(6)}ffff`], "lengthNotMinimal"),
    ...long("a length whose top bit is set", 5, [127, `80${zeros(6)}05`], "lengthTopBitSet"),
    ...long("a length of nothing but ones", 5, [127, "ff".repeat(8)], "lengthTopBitSet"),
    refused("the longest length that can be written", F, frame(OP.binary, "61", { length: [127, `7f${"ff".repeat(7)}`] }), ["messageTooLarge", 1009], ["Length"]),
    refused("a mebibyte of mebibytes", F, frame(OP.binary, "61", { length: [127, "0000010000000000"] }), ["messageTooLarge", 1009], ["Length"]),

    ...["00000000", "ffffffff", "01020304", "80000000", "000000ff"].map((key) => valid(`key ${key}`, "rfc6455#5.3", frame(OP.text, utf8("Hello, world"), { key }), [{ text: "Hello, world" }], ["Masked"])),
    valid("each frame of a message has a key of its own", "rfc6455#5.3", [frame(OP.text, utf8("abc"), { fin: false, key: "01020304" }), frame(OP.more, utf8("def"), { key: "f0e0d0c0" })], [{ text: "abcdef" }], ["Masked"]),
    valid("a masked payload that looks like text before it is unmasked", "rfc6455#5.3", frame(OP.binary, hex("ff fe fd fc fb"), { key: "9e9b9190" }), [{ binary: "fffefdfcfb" }], ["Masked"]),
    ...[OP.text, OP.binary, OP.ping, OP.pong].map((op) => refused(`opcode ${op} to a server, without a mask`, M, frame(op, utf8("a"), { key: false }), ["maskMissing", 1002], ["MaskMissing"])),
    ...[OP.text, OP.binary, OP.ping, OP.pong].map((op) => refused(`opcode ${op} to a client, with a mask`, M, frame(op, utf8("a")), ["maskForbidden", 1002], ["MaskMissing"], { to: "client" })),
    refused("a Close to a server, without a mask", M, frame(OP.close, closing(1000), { key: false }), ["maskMissing", 1002], ["MaskMissing"]),
    refused("a Close to a client, with a mask", M, frame(OP.close, closing(1000)), ["maskForbidden", 1002], ["MaskMissing"], { to: "client" }),
    refused("to a client, with a mask of zeros", M, frame(OP.text, utf8("a"), { key: "00000000" }), ["maskForbidden", 1002], ["MaskMissing"], { to: "client" }),
    refused("the second fragment without a mask", M, [frame(OP.text, utf8("a"), { fin: false }), frame(OP.more, utf8("b"), { key: false })], ["maskMissing", 1002], ["MaskMissing"]),

    ...[0x40, 0x20, 0x10, 0x70].flatMap((rsv) => [OP.text, OP.binary, OP.ping, OP.pong, OP.close].map((op) => refused(`bits ${rsv.toString(16)} with opcode ${op}`, F, frame(op, "", { rsv }), ["reservedBitSet", 1002], ["Reserved"]))),
    ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].flatMap((op) => sides.map((to) => refused(`opcode ${op}, to the ${to}`, F, frame(op, "", keyFor(to)), ["opcodeReserved", 1002], ["Reserved"], { to }))),
    refused("a reserved bit behind a good message", F, [frame(OP.text, utf8("a")), frame(OP.text, utf8("b"), { rsv: 0x10 })], ["reservedBitSet", 1002], ["Reserved"], { before: [{ text: "a" }] }),
    refused("opcode 3 in the middle of a message", F, [frame(OP.text, utf8("a"), { fin: false }), frame(3, utf8("b"))], ["opcodeReserved", 1002], ["Reserved"]),

    ...[OP.ping, OP.pong].flatMap((op) => [0, 1, 125].map((size) => valid(`opcode ${op} with ${size} octets`, "rfc6455#5.5", frame(op, times("fe", size)), [heard(op, times("fe", size))], ["Control"]))),
    ...[OP.close, OP.ping, OP.pong].flatMap((op) => [
      refused(`opcode ${op} with 126 octets`, "rfc6455#5.5", frame(op, times("03e8", 63)), ["controlTooLong", 1002], ["Control"]),
      refused(`opcode ${op} with 65536 octets`, "rfc6455#5.5", frame(op, "", { length: [127, `${zeros(5)}010000`] }), ["controlTooLong", 1002], ["Control"]),
      refused(`opcode ${op} that is not the last fragment`, "rfc6455#5.5", frame(op, "", { fin: false }), ["controlFragmented", 1002], ["Control"]),
    ]),

    valid("several messages without a pause", F, [frame(OP.text, utf8("a")), frame(OP.binary, "00"), frame(OP.ping, "01"), frame(OP.text, "")], [{ text: "a" }, { binary: "00" }, { ping: "01" }, { text: "" }], ["Order"]),
    valid("200 empty messages", F, Array.from({ length: 200 }, () => frame(OP.binary, "", { key: "00000000" })), Array.from({ length: 200 }, () => ({ binary: "" })), ["Order"]),
  ],
};
