import { closing, frame, hex, named, OP, refused, utf8, valid, type Draft, type Head, type Note, type Received, type Source } from "./craft.ts";

const D = "rfc7692#7.2.2";
const R = "rfc7692#6";
const KEPT = { bits: 15, takeover: true } as const;
const ALONE = { bits: 15, takeover: false } as const;
const HELLO = { text: "Hello" } as const;
/** "Hello" in a block of fixed codes, and the same again by looking back. */
const FIXED = "f2 48 cd c9 c9 07 00";
const BACK = "f2 00 11 00 00";

const PANGRAMS = `${"the quick brown fox jumps over the lazy dog, ".repeat(3)}pack my box with five dozen liquor jugs; sphinx of black quartz, judge my vow; how vexingly quick daft zebras jump`;
const DYNAMIC =
  "b48edb0d852014045bd902ecc06a400e0f450ef296ea6f34b6703f27d9d94cb184abbaed804cdc03340fecf58c19dc28a1588217f38662b3bcf49f7114db81f386e481ee8a85768da07852807757e584bd9abc2247ebc2006b48ff385715a9cc057b55869e87c67d85e58e46c305e3ef2f42095d30492691df8c1f00";

const compressed = (payload: string, op: number = OP.text, more: Head = {}): string => frame(op, hex(payload), { rsv: 0x40, ...more });
const number16 = (value: number): string => [value & 0xff, value >> 8].map((octet) => octet.toString(16).padStart(2, "0")).join("");
/** Octets in a block without compression, and the octet that ends a message. */
const stored = (payload: string): string => `00${number16(payload.length / 2)}${number16(0xffff - payload.length / 2)}${payload}`;
const whole = (payload: string): string => `${stored(payload)}00`;
/** A message in frames of these payloads. */
const inFrames = (payloads: readonly string[], op: number = OP.text): readonly string[] =>
  payloads.map((payload, i) => frame(i === 0 ? op : OP.more, hex(payload), { rsv: i === 0 ? 0x40 : 0, fin: i === payloads.length - 1 }));

const good = (note: Note, wire: string | readonly string[], messages: readonly Received[], deflate: { readonly bits: number; readonly takeover: boolean } = KEPT): Draft =>
  valid({ note, spec: D, wire, messages, flags: ["Message"],  deflate });
const corrupt = (note: Note, payload: string, deflate: { readonly bits: number; readonly takeover: boolean } = KEPT): Draft =>
  refused({ note, spec: D, wire: compressed(payload), failure: ["compressionInvalid", 1007], flags: ["Corrupt"],  deflate });
const misplaced = (note: Note, wire: string | readonly string[], fault: string, more: { readonly before?: readonly Received[]; readonly plain?: true } = {}): Draft =>
  refused({ note, spec: R, wire, failure: [fault, 1002], flags: ["Bit"],  ...(more.plain ? {} : { deflate: KEPT }), ...(more.before === undefined ? {} : { before: more.before }) });
const badText = (note: Note, wire: string | readonly string[]): Draft => refused({ note, spec: "rfc6455#8.1", wire, failure: ["textInvalid", 1007], flags: ["Text"],  deflate: KEPT });

export const source: Source = {
  kind: "websocket-frames",
  about: "Compressed messages: blocks of every kind, contexts, the RSV1 bit, and invalid DEFLATE data",
  spec: D,
  flags: {
    Message: { why: "a valid message", bug: "MISREAD_COMPRESSION" },
    Context: { why: "whether a message may refer to earlier ones", bug: "WRONG_CONTEXT" },
    Final: { why: "a block with BFINAL set", bug: "LOST_STATE" },
    Corrupt: { why: "invalid DEFLATE data", bug: "MISSING_CHECK" },
    Bit: { why: "RSV1 in a frame that does not allow it", bug: "MISSING_CHECK" },
    Text: { why: "text is checked after inflation", bug: "MISSING_CHECK" },
  },
  vectors: [
    good(named("a-block-of-fixed-codes", "a block with fixed codes"), compressed(FIXED), [HELLO]),
    good("a block without compression", compressed(whole(utf8("Hello"))), [HELLO]),
    good("two blocks without compression", compressed(stored(utf8("Hel")) + whole(utf8("lo"))), [HELLO]),
    good("an empty block before another", compressed(`${stored("")}${whole(utf8("Hello"))}`), [HELLO]),
    good(named("nothing", "an empty message"), compressed("00"), [{ text: "" }]),
    good(named("nothing-in-a-block-of-fixed-codes", "an empty message in a block with fixed codes"), compressed("02 00"), [{ text: "" }]),
    good(named("a-hundred-letters-by-looking-back-by-one", "a hundred letters by a reference of distance 1"), compressed("4a4ca43d0000"), [{ text: "a".repeat(100) }]),
    good("a thousand letters", compressed("4a4c1c05a360140c770000"), [{ text: "a".repeat(1_000) }]),
    good(named("a-block-with-codes-of-its-own", "a block with dynamic codes"), compressed(DYNAMIC), [{ text: PANGRAMS }]),
    good("a window of 512 octets", compressed("4a4c4a4e494d4bcfc8cccacec9cdcb2f282c2a2e292d2bafa8ac3230343236313533b7b04c1c5533aa6654cda81a24350000"), [{ text: "abcdefghijklmnopqrstuvwxyz0123456789".repeat(30) }], { bits: 9, takeover: true }),
    good(named("binary", "a binary message"), compressed(whole("00ff80"), OP.binary), [{ binary: "00ff80" }]),
    good("characters of all lengths", compressed(whole(utf8("aé€😀"))), [{ text: "aé€😀" }]),
    good(named("in-two-frames", "a message in two frames"), inFrames(["f2 48 cd", "c9 c9 07 00"]), [HELLO]),
    good(named("an-octet-a-frame", "one octet per frame"), inFrames(FIXED.split(" ")), [HELLO]),
    good(named("with-empty-frames-in-front-between-and-behind", "a message with empty frames before, between and after"), inFrames(["", "f2 48 cd", "", "c9 c9 07 00", ""]), [HELLO]),
    good(named("in-frames-with-a-ping-between", "a ping between the frames of a message"), [frame(OP.text, hex("f2 48 cd"), { rsv: 0x40, fin: false }), frame(OP.ping, "01"), frame(OP.more, hex("c9 c9 07 00"))], [{ ping: "01" }, HELLO]),
    good(named("cut-within-a-character", "frames that split a character"), inFrames([stored("f09f"), whole("9880")]), [{ text: "😀" }]),
    good("a message that is not compressed", frame(OP.text, utf8("Hello")), [HELLO]),
    good(named("both-kinds-one-behind-the-other", "compressed and uncompressed messages in turn"), [compressed(FIXED), frame(OP.text, utf8("a")), compressed(FIXED)], [HELLO, { text: "a" }, HELLO]),
    good("a ping and a Close, which are never compressed", [frame(OP.ping, utf8("Hello")), frame(OP.close, closing(1000))], [{ ping: utf8("Hello") }, { close: 1000, reason: "" }]),

    valid({ note: named("a-message-looks-back-at-the-one-before-it", "a message that refers to the previous one"), spec: "rfc7692#7.2.3.2", wire: [compressed(FIXED), compressed(BACK)], messages: [HELLO, HELLO], flags: ["Context"],  deflate: KEPT }),
    valid({ note: named("and-at-one-before-that", "a message that refers to the one before the previous"), spec: "rfc7692#7.2.3.2", wire: [compressed(FIXED), compressed("00"), compressed(BACK)], messages: [HELLO, { text: "" }, HELLO], flags: ["Context"],  deflate: KEPT }),
    valid({ note: named("what-is-not-compressed-is-not-looked-back-at", "an uncompressed message, which is not part of the context"), spec: "rfc7692#7.2.3.2", wire: [compressed(FIXED), frame(OP.text, utf8("xyz")), compressed(BACK)], messages: [HELLO, { text: "xyz" }, HELLO], flags: ["Context"],  deflate: KEPT }),
    valid({ note: named("without-take-over-each-message-stands-for-itself", "independent messages without context takeover"), spec: "rfc7692#7.1.1", wire: [compressed(FIXED), compressed(FIXED)], messages: [HELLO, HELLO], flags: ["Context"],  deflate: ALONE }),
    valid({ note: named("within-a-message-frames-look-back-at-each-other-without-take-over-too", "a reference to an earlier frame of the same message, without context takeover"), spec: "rfc7692#7.1.1", wire: inFrames([`${FIXED} 00 00 ff ff`, BACK]), messages: [{ text: "HelloHello" }], flags: ["Context"],  deflate: ALONE }),
    refused({ note: named("without-take-over-a-message-looks-back-all-the-same", "a reference to an earlier message without context takeover"), spec: "rfc7692#7.1.1", wire: [compressed(FIXED), compressed(BACK)], failure: ["compressionInvalid", 1007], flags: ["Context"],  deflate: ALONE, before: [HELLO] }),
    refused({ note: named("the-first-message-looks-back", "a reference before the first message"), spec: "rfc7692#7.1.1", wire: compressed(BACK), failure: ["compressionInvalid", 1007], flags: ["Context"],  deflate: KEPT }),

    valid({ note: "a final block", spec: "rfc7692#7.2.3.4", wire: compressed("f3 48 cd c9 c9 07 00 00"), messages: [HELLO], flags: ["Final"],  deflate: KEPT }),
    valid({ note: named("messages-behind-a-final-block", "messages after a final block"), spec: "rfc7692#7.2.3.4", wire: [compressed("f3 48 cd c9 c9 07 00 00"), compressed(FIXED), compressed("f3 48 cd c9 c9 07 00 00")], messages: [HELLO, HELLO, HELLO], flags: ["Final"],  deflate: KEPT }),
    valid({ note: named("a-message-looks-back-over-a-final-block", "a message that refers to a final block of an earlier one"), spec: "rfc7692#7.2.3.4", wire: [compressed("f3 48 cd c9 c9 07 00 00"), compressed(BACK)], messages: [HELLO, HELLO], flags: ["Final"],  deflate: KEPT }),
    valid({ note: "a final block without compression", spec: "rfc7692#7.2.3.4", wire: compressed("01 05 00 fa ff 48 65 6c 6c 6f 00"), messages: [HELLO], flags: ["Final"],  deflate: KEPT }),
    valid({ note: "two final blocks in one message", spec: "rfc7692#7.2.3.4", wire: compressed("01 03 00 fc ff 48 65 6c 01 02 00 fd ff 6c 6f 00"), messages: [HELLO], flags: ["Final"],  deflate: KEPT }),

    corrupt(named("a-block-of-the-kind-that-there-is-not", "a block of the reserved type"), "07 00"),
    corrupt(named("a-block-without-compression-whose-lengths-do-not-agree", "an uncompressed block whose LEN and NLEN disagree"), "00 05 00 00 00 48 65 6c 6c 6f 00"),
    corrupt(named("a-block-of-the-kind-that-there-is-not-behind-a-good-one", "a block of the reserved type after a valid one"), `${FIXED} 00 00 ff ff 06 00`),
    corrupt(named("ones", "all bits set"), "ff ff ff ff ff ff"),
    corrupt(named("a-distance-beyond-the-start-within-the-message", "a distance beyond the start of the message"), "4a 84 0b 00"),
    corrupt(named("too-many-codes-for-lengths", "too many length codes"), "fc ff ff ff ff ff ff"),

    misplaced(named("on-a-continuation", "RSV1 on a continuation"), [frame(OP.text, hex("f2 48 cd"), { rsv: 0x40, fin: false }), frame(OP.more, hex("c9 c9 07 00"), { rsv: 0x40 })], "compressedBitMisplaced"),
    misplaced(named("on-a-continuation-alone", "RSV1 only on a continuation"), [frame(OP.text, utf8("a"), { fin: false }), frame(OP.more, hex(FIXED), { rsv: 0x40 })], "compressedBitMisplaced"),
    misplaced(named("on-a-ping", "RSV1 on a ping"), frame(OP.ping, utf8("a"), { rsv: 0x40 }), "compressedBitMisplaced"),
    misplaced(named("on-a-pong", "RSV1 on a pong"), frame(OP.pong, utf8("a"), { rsv: 0x40 }), "compressedBitMisplaced"),
    misplaced(named("on-a-close", "RSV1 on a Close"), frame(OP.close, closing(1000), { rsv: 0x40 }), "compressedBitMisplaced"),
    misplaced(named("rsv2-which-means-nothing-here-either", "RSV2 on a compressed message"), frame(OP.text, hex(FIXED), { rsv: 0x60 }), "reservedBitSet"),
    misplaced(named("rsv3", "RSV3 on a compressed message"), frame(OP.text, hex(FIXED), { rsv: 0x50 }), "reservedBitSet"),
    misplaced(named("on-a-text-and-nothing-was-agreed-on", "RSV1 on a text message without negotiated compression"), compressed(FIXED), "reservedBitSet", { plain: true }),
    misplaced(named("on-a-binary-message-and-nothing-was-agreed-on", "RSV1 on a binary message without negotiated compression"), compressed(FIXED, OP.binary), "reservedBitSet", { plain: true }),
    misplaced(named("on-a-ping-behind-a-compressed-message", "RSV1 on a ping after a compressed message"), [compressed(FIXED), frame(OP.ping, "", { rsv: 0x40 })], "compressedBitMisplaced", { before: [HELLO] }),

    badText(named("no-utf-8-comes-out", "inflated text with invalid UTF-8"), compressed(whole("c328"))),
    badText(named("a-character-is-cut-off-by-the-end", "inflated text that ends within a character"), compressed(whole("61e282"))),
    badText(named("a-surrogate-cut-between-frames", "inflated text with a surrogate split between frames"), inFrames([stored("ed"), whole("a080")])),
    badText(named("good-text-in-front", "inflated text with invalid UTF-8 after valid text"), compressed(whole(`${utf8("Hello")}ff`))),
    good(named("what-comes-out-of-a-binary-message-may-be-anything", "a binary message that inflates to invalid UTF-8"), compressed(whole("c328"), OP.binary), [{ binary: "c328" }]),
  ],
};
