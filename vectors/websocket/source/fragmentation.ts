import { closing, frame, named, OP, refused, utf8, valid, type Draft, type Note, type Received, type Source } from "./craft.ts";

const G = "rfc6455#5.4";
const open = (payload: string, op: number = OP.text): string => frame(op, payload, { fin: false });
const more = (payload: string): string => frame(OP.more, payload, { fin: false });
const last = (payload: string): string => frame(OP.more, payload);
const whole = (note: Note, wire: readonly string[], ...messages: readonly Received[]): Draft => valid({ note, spec: G, wire, messages, flags: ["Fragments"] });
const between = (note: Note, wire: readonly string[], ...messages: readonly Received[]): Draft => valid({ note, spec: G, wire, messages, flags: ["Interleaved"] });
const wrong = (note: Note, wire: readonly string[], fault: string, ...before: readonly Received[]): Draft =>
  refused({ note, spec: G, wire, failure: [fault, 1002], flags: ["OutOfOrder"],  before });
const a = utf8("a");
const b = utf8("b");

export const source: Source = {
  kind: "websocket-frames",
  about: "Messages in several frames, control frames between them, and frames out of order",
  spec: G,
  flags: {
    Fragments: { why: "a message is the same in any fragments", bug: "MISREAD_MESSAGE" },
    Interleaved: { why: "control frames between the frames of a message", bug: "LOST_STATE" },
    OutOfOrder: { why: "a frame that the state of the message does not allow", bug: "MISSING_CHECK" },
  },
  vectors: [
    whole("two frames", [open(a), last(b)], { text: "ab" }),
    whole("three frames", [open(a), more(b), last(a)], { text: "aba" }),
    whole(named("binary-in-two-frames", "a binary message in two frames"), [open("00ff", OP.binary), last("ff00")], { binary: "00ffff00" }),
    whole("an empty first frame", [open(""), last(a)], { text: "a" }),
    whole("an empty last frame", [open(a), last("")], { text: "a" }),
    whole(named("nothing-but-empty-frames", "only empty frames"), [open(""), more(""), more(""), last("")], { text: "" }),
    whole(named("binary-that-is-nothing-but-empty-frames", "a binary message of only empty frames"), [open("", OP.binary), last("")], { binary: "" }),
    whole(named("one-octet-a-frame", "one octet per frame"), [open(utf8("H")), ...[..."ello, worl"].map((letter) => more(utf8(letter))), last(utf8("d"))], { text: "Hello, world" }),
    whole("a hundred frames", [open(a), ...Array.from({ length: 98 }, () => more(a)), last(a)], { text: "a".repeat(100) }),
    whole(named("frames-of-several-forms-of-a-length", "frames with every form of a length"), [open("61".repeat(125), OP.binary), more("62".repeat(126)), last("63".repeat(400))], { binary: "61".repeat(125) + "62".repeat(126) + "63".repeat(400) }),
    whole("a character of two octets in two frames", [open("c3"), last("a9")], { text: "é" }),
    whole("a character of three octets in three frames", [open("e2"), more("82"), last("ac")], { text: "€" }),
    whole("a character of four octets in four frames", [open("f0"), more("9f"), more("98"), last("80")], { text: "😀" }),
    whole("a character in two frames with an empty one between", [open("f09f"), more(""), last("9880")], { text: "😀" }),
    whole(named("a-message-in-frames-behind-one-in-one-frame", "a fragmented message after an unfragmented one"), [frame(OP.text, a), open(b), last(b), frame(OP.binary, "01")], { text: "a" }, { text: "bb" }, { binary: "01" }),

    between(named("a-ping", "a ping between frames"), [open(a), frame(OP.ping, "01"), last(b)], { ping: "01" }, { text: "ab" }),
    between(named("a-pong", "a pong between frames"), [open(a), frame(OP.pong, "01"), last(b)], { pong: "01" }, { text: "ab" }),
    between(named("an-empty-ping", "an empty ping between frames"), [open(a), frame(OP.ping, ""), last(b)], { ping: "" }, { text: "ab" }),
    between(named("pings-behind-each-frame", "pings after each frame"), [open(a), frame(OP.ping, "01"), more(b), frame(OP.ping, "02"), frame(OP.ping, "03"), last(a)], { ping: "01" }, { ping: "02" }, { ping: "03" }, { text: "aba" }),
    between(named("a-ping-of-125-octets", "a ping of 125 octets between frames"), [open(a), frame(OP.ping, "ff".repeat(125)), last(b)], { ping: "ff".repeat(125) }, { text: "ab" }),
    between(named("a-ping-within-a-character", "a ping between the octets of a character"), [open("f09f"), frame(OP.ping, "98"), last("9880")], { ping: "98" }, { text: "😀" }),
    between(named("a-ping-whose-payload-is-no-utf-8", "a ping with invalid UTF-8 between frames"), [open(a), frame(OP.ping, "ff"), last(b)], { ping: "ff" }, { text: "ab" }),
    between(named("a-close-with-which-the-message-is-not-told", "a Close within a message, which is dropped"), [open(a), frame(OP.close, closing(1000))], { close: 1000, reason: "" }),
    between(named("what-stands-behind-a-close-is-not-looked-at", "octets after a Close, which are ignored"), [frame(OP.close, closing(1000)), frame(OP.text, a), "ffff"], { close: 1000, reason: "" }),

    wrong(named("a-continuation-of-nothing", "a continuation without a message"), [frame(OP.more, a)], "continuationUnexpected"),
    wrong(named("a-continuation-of-nothing-not-the-last", "a continuation without a message, with FIN clear"), [more(a)], "continuationUnexpected"),
    wrong(named("an-empty-continuation-of-nothing", "an empty continuation without a message"), [frame(OP.more, "")], "continuationUnexpected"),
    wrong(named("a-continuation-behind-a-whole-message", "a continuation after an unfragmented message"), [frame(OP.text, a), last(b)], "continuationUnexpected", { text: "a" }),
    wrong(named("a-continuation-behind-the-last-one", "a continuation after the last one"), [open(a), last(b), last(a)], "continuationUnexpected", { text: "ab" }),
    wrong(named("a-continuation-behind-a-ping", "a continuation after a ping"), [frame(OP.ping, "01"), last(b)], "continuationUnexpected", { ping: "01" }),
    wrong("a text in the middle of a text", [open(a), frame(OP.text, b)], "messageInterrupted"),
    wrong(named("a-text-that-begins-in-the-middle-of-a-text", "the first fragment of a text in the middle of a text"), [open(a), open(b)], "messageInterrupted"),
    wrong("a binary message in the middle of a text", [open(a), frame(OP.binary, b)], "messageInterrupted"),
    wrong("a text in the middle of a binary message", [open(a, OP.binary), frame(OP.text, b)], "messageInterrupted"),
    wrong(named("a-text-behind-a-ping-in-the-middle-of-a-text", "a text after a ping in the middle of a text"), [open(a), frame(OP.ping, "01"), frame(OP.text, b)], "messageInterrupted", { ping: "01" }),
    wrong("an empty text in the middle of a text", [open(a), frame(OP.text, "")], "messageInterrupted"),
    wrong(named("a-text-behind-a-continuation-that-was-not-the-last", "a text after a continuation with FIN clear"), [open(a), more(b), frame(OP.text, a)], "messageInterrupted"),
  ],
};
