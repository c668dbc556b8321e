import { closing, frame, OP, refused, utf8, valid, type Draft, type Received, type Source } from "./craft.ts";

const G = "rfc6455#5.4";
const open = (payload: string, op: number = OP.text): string => frame(op, payload, { fin: false });
const more = (payload: string): string => frame(OP.more, payload, { fin: false });
const last = (payload: string): string => frame(OP.more, payload);
const whole = (note: string, wire: readonly string[], ...messages: readonly Received[]): Draft => valid({ note, spec: G, wire, messages, flags: ["Fragments"] });
const between = (note: string, wire: readonly string[], ...messages: readonly Received[]): Draft => valid({ note, spec: G, wire, messages, flags: ["Interleaved"] });
const wrong = (note: string, wire: readonly string[], fault: string, ...before: readonly Received[]): Draft =>
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
    whole("binary in two frames", [open("00ff", OP.binary), last("ff00")], { binary: "00ffff00" }),
    whole("an empty first frame", [open(""), last(a)], { text: "a" }),
    whole("an empty last frame", [open(a), last("")], { text: "a" }),
    whole("nothing but empty frames", [open(""), more(""), more(""), last("")], { text: "" }),
    whole("binary that is nothing but empty frames", [open("", OP.binary), last("")], { binary: "" }),
    whole("one octet a frame", [open(utf8("H")), ...[..."ello, worl"].map((letter) => more(utf8(letter))), last(utf8("d"))], { text: "Hello, world" }),
    whole("a hundred frames", [open(a), ...Array.from({ length: 98 }, () => more(a)), last(a)], { text: "a".repeat(100) }),
    whole("frames of several forms of a length", [open("61".repeat(125), OP.binary), more("62".repeat(126)), last("63".repeat(400))], { binary: "61".repeat(125) + "62".repeat(126) + "63".repeat(400) }),
    whole("a character of two octets in two frames", [open("c3"), last("a9")], { text: "é" }),
    whole("a character of three octets in three frames", [open("e2"), more("82"), last("ac")], { text: "€" }),
    whole("a character of four octets in four frames", [open("f0"), more("9f"), more("98"), last("80")], { text: "😀" }),
    whole("a character in two frames with an empty one between", [open("f09f"), more(""), last("9880")], { text: "😀" }),
    whole("a message in frames behind one in one frame", [frame(OP.text, a), open(b), last(b), frame(OP.binary, "01")], { text: "a" }, { text: "bb" }, { binary: "01" }),

    between("a ping", [open(a), frame(OP.ping, "01"), last(b)], { ping: "01" }, { text: "ab" }),
    between("a pong", [open(a), frame(OP.pong, "01"), last(b)], { pong: "01" }, { text: "ab" }),
    between("an empty ping", [open(a), frame(OP.ping, ""), last(b)], { ping: "" }, { text: "ab" }),
    between("pings behind each frame", [open(a), frame(OP.ping, "01"), more(b), frame(OP.ping, "02"), frame(OP.ping, "03"), last(a)], { ping: "01" }, { ping: "02" }, { ping: "03" }, { text: "aba" }),
    between("a ping of 125 octets", [open(a), frame(OP.ping, "ff".repeat(125)), last(b)], { ping: "ff".repeat(125) }, { text: "ab" }),
    between("a ping within a character", [open("f09f"), frame(OP.ping, "98"), last("9880")], { ping: "98" }, { text: "😀" }),
    between("a ping whose payload is no UTF-8", [open(a), frame(OP.ping, "ff"), last(b)], { ping: "ff" }, { text: "ab" }),
    between("a Close, with which the message is not told", [open(a), frame(OP.close, closing(1000))], { close: 1000, reason: "" }),
    between("what stands behind a Close is not looked at", [frame(OP.close, closing(1000)), frame(OP.text, a), "ffff"], { close: 1000, reason: "" }),

    wrong("a continuation of nothing", [frame(OP.more, a)], "continuationUnexpected"),
    wrong("a continuation of nothing, not the last", [more(a)], "continuationUnexpected"),
    wrong("an empty continuation of nothing", [frame(OP.more, "")], "continuationUnexpected"),
    wrong("a continuation behind a whole message", [frame(OP.text, a), last(b)], "continuationUnexpected", { text: "a" }),
    wrong("a continuation behind the last one", [open(a), last(b), last(a)], "continuationUnexpected", { text: "ab" }),
    wrong("a continuation behind a ping", [frame(OP.ping, "01"), last(b)], "continuationUnexpected", { ping: "01" }),
    wrong("a text in the middle of a text", [open(a), frame(OP.text, b)], "messageInterrupted"),
    wrong("a text that begins in the middle of a text", [open(a), open(b)], "messageInterrupted"),
    wrong("a binary message in the middle of a text", [open(a), frame(OP.binary, b)], "messageInterrupted"),
    wrong("a text in the middle of a binary message", [open(a, OP.binary), frame(OP.text, b)], "messageInterrupted"),
    wrong("a text behind a ping in the middle of a text", [open(a), frame(OP.ping, "01"), frame(OP.text, b)], "messageInterrupted", { ping: "01" }),
    wrong("an empty text in the middle of a text", [open(a), frame(OP.text, "")], "messageInterrupted"),
    wrong("a text behind a continuation that was not the last", [open(a), more(b), frame(OP.text, a)], "messageInterrupted"),
  ],
};
