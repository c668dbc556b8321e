import { envelope, type Rule, type Source, stream, writing } from "./craft.ts";

const FORM: readonly [Rule, Rule] = ["rpc-http2#requests/messages", "rpc-http2#requests/compressed-flag"];
const CUT: readonly [Rule] = ["rpc-http2#data-frames/boundaries"];
const FLAGS: readonly [Rule] = ["rpc-http2#requests/flags-reserved"];
const SHORT: readonly [Rule] = ["rpc-http2#requests/cut-short"];
const LIMIT: readonly [Rule] = ["rpc-status#codes/too-large"];
const octets = (text: string): { octets: string } => ({ octets: text.replaceAll(" ", "") });
const RESOURCE_EXHAUSTED = 8;

const three = `${envelope("0a 0b")}${envelope("")}${envelope("0c 0d 0e")}`;
const read = [octets("0a0b"), octets(""), octets("0c0d0e")];
/** The wire in pieces of this many octets. */
const every = (wire: string, size: number): string[] => wire.match(new RegExp(`.{1,${size * 2}}`, "g")) ?? [];
const at = (wire: string, ...places: number[]): string[] =>
  [0, ...places].map((from, i) => wire.slice(from * 2, i < places.length ? (places[i] ?? 0) * 2 : undefined));

export const source: Source = {
  kind: "rpc-messages",
  about: "messages in their envelopes: cuts, flags, lengths, limits, the end of the stream",
  spec: "rpc-http2#requests",
  flags: {
    Form: { why: "an envelope: flags, length, octets", bug: "MISREAD_ENVELOPE" },
    Cut: { why: "DATA frames that cut an envelope anywhere", bug: "FRAME_AS_MESSAGE" },
    Flags: { why: "reserved flags", bug: "MISSING_CHECK" },
    Short: { why: "a stream that ends inside a message", bug: "MISSING_CHECK" },
    Limit: { why: "the configured limit of a message", bug: "MISSING_LIMIT" },
  },
  vectors: [
    stream(envelope("08 96 01"), { note: "one message", rules: FORM, messages: [octets("089601")], flag: "Form" }),
    stream(envelope(""), { note: "an empty message", rules: FORM, messages: [octets("")], flag: "Form" }),
    stream(three, { note: "three messages in one frame", rules: FORM, messages: read, flag: "Form" }),
    stream([], { note: "no message", rules: FORM, messages: [], flag: "Form" }),
    stream(envelope("7f".repeat(256)), { note: "a length of 256", rules: FORM, messages: [octets("7f".repeat(256))], flag: "Form" }),
    stream(envelope("80".repeat(65_536)), { note: "a length of 65536", rules: FORM, messages: [octets("80".repeat(65_536))], flag: "Form" }),
    stream(envelope("00 00 00 00 01 ff"), { note: "a message that looks like an envelope", rules: FORM, messages: [octets("0000000001ff")], flag: "Form" }),
    stream(envelope("01 02"), { note: "one message to a client", rules: FORM, side: "client", messages: [octets("0102")], flag: "Form" }),
    stream(envelope("").repeat(40), { note: "forty empty messages", rules: FORM, messages: Array.from({ length: 40 }, () => octets("")), flag: "Form" }),

    ...[1, 2, 3, 4, 5, 6, 7].map((size) =>
      stream(every(three, size), { note: `frames of ${size} ${size === 1 ? "octet" : "octets"}`, rules: CUT, messages: read, flag: "Cut" }),
    ),
    ...[1, 2, 3, 4, 5, 6].map((place) =>
      stream(at(envelope("0a 0b"), place), { note: `a cut after octet ${place} of an envelope`, rules: CUT, messages: [octets("0a0b")], flag: "Cut" }),
    ),
    stream(at(three, 7), { note: "a cut between two messages", rules: CUT, messages: read, flag: "Cut" }),
    stream(at(three, 8, 13), { note: "a frame with the rest of one head and the start of the next", rules: CUT, messages: read, flag: "Cut" }),
    stream(["", ...at(three, 4), "", ""], { note: "empty frames", rules: CUT, messages: read, flag: "Cut" }),
    stream(at(three, 9, 9, 10), { note: "an empty frame inside a head", rules: CUT, messages: read, flag: "Cut" }),
    stream(every(envelope("5a".repeat(300)), 100), { note: "a message over four frames", rules: CUT, messages: [octets("5a".repeat(300))], flag: "Cut" }),
    stream(every(envelope("5b".repeat(70_000)), 16_384), { note: "a message of 70000 octets in frames of 16384", rules: CUT, messages: [octets("5b".repeat(70_000))], flag: "Cut" }),

    ...[2, 3, 4, 8, 16, 32, 64, 128, 129, 255].map((flags) =>
      stream(envelope("0a", flags), { note: `the flags ${flags}`, rules: FLAGS, fault: "flagsReserved", flag: "Flags" }),
    ),
    stream(envelope("0a") + envelope("0b", 2), { note: "reserved flags in the second message", rules: FLAGS, messages: [octets("0a")], fault: "flagsReserved", flag: "Flags" }),
    stream(envelope("0a", 4), { note: "reserved flags to a client", rules: FLAGS, side: "client", fault: "flagsReserved", flag: "Flags" }),

    ...[1, 2, 3, 4, 5, 6].map((place) =>
      stream(envelope("0a 0b").slice(0, place * 2), { note: `the end after octet ${place} of an envelope`, rules: SHORT, fault: "messageCutShort", flag: "Short" }),
    ),
    stream(`${three}00`, { note: "the end after the flags of a fourth message", rules: SHORT, messages: read, fault: "messageCutShort", flag: "Short" }),
    stream(three.slice(0, -2), { note: "the end one octet early", rules: SHORT, messages: read.slice(0, 2), fault: "messageCutShort", flag: "Short" }),
    stream("00000000ff 0a", { note: "the end of a client's stream inside a message", rules: SHORT, side: "client", fault: "messageCutShort", flag: "Short" }),
    stream(`${envelope("0a")}000000`, { note: "part of a head on an open stream", rules: FORM, ended: false, messages: [octets("0a")], flag: "Form" }),
    stream("0000000009 01 02", { note: "part of a message on an open stream", rules: FORM, ended: false, messages: [], flag: "Form" }),

    stream(envelope("0c".repeat(100)), { note: "a message of the limit", rules: LIMIT, limit: 100, messages: [octets("0c".repeat(100))], flag: "Limit" }),
    stream(envelope("0c".repeat(101)), { note: "a message above the limit", rules: LIMIT, limit: 100, fault: "messageTooLarge", code: RESOURCE_EXHAUSTED, flag: "Limit" }),
    stream(envelope("0c".repeat(101)), { note: "a message above the limit of a client", rules: LIMIT, side: "client", limit: 100, fault: "messageTooLarge", code: RESOURCE_EXHAUSTED, flag: "Limit" }),
    stream("0000000065", { note: "a length above the limit on an open stream", rules: LIMIT, ended: false, limit: 100, fault: "messageTooLarge", code: RESOURCE_EXHAUSTED, flag: "Limit" }),
    stream("00ffffffff", { note: "the largest length", rules: LIMIT, ended: false, limit: 4_194_304, fault: "messageTooLarge", code: RESOURCE_EXHAUSTED, flag: "Limit" }),
    stream("0080000000", { note: "a length with the highest bit", rules: LIMIT, ended: false, limit: 4_194_304, fault: "messageTooLarge", code: RESOURCE_EXHAUSTED, flag: "Limit" }),
    stream(envelope("0a".repeat(90)).repeat(3), { note: "messages that exceed the limit together only", rules: LIMIT, limit: 100, messages: [octets("0a".repeat(90)), octets("0a".repeat(90)), octets("0a".repeat(90))], flag: "Limit" }),
    stream(envelope("0a") + envelope("0c".repeat(101)), { note: "a second message above the limit", rules: LIMIT, limit: 100, messages: [octets("0a")], fault: "messageTooLarge", code: RESOURCE_EXHAUSTED, flag: "Limit" }),
    stream(envelope(""), { note: "an empty message under a limit of 0", rules: LIMIT, limit: 0, messages: [octets("")], flag: "Limit" }),
    stream(envelope("0a"), { note: "an octet under a limit of 0", rules: LIMIT, limit: 0, fault: "messageTooLarge", code: RESOURCE_EXHAUSTED, flag: "Limit" }),
    stream(["0000000004 0a0b", "0c0d 0000000004 1112", "1314"], { note: "a frame with the rest of one message and the start of the next", rules: CUT, messages: [octets("0a0b0c0d"), octets("11121314")], flag: "Cut" }),
    stream("00 01 00 00 00", { note: "a length of 16 MiB beyond a limit of 8 MiB", rules: LIMIT, ended: false, limit: 8_388_608, fault: "messageTooLarge", code: RESOURCE_EXHAUSTED, flag: "Limit" }),
  ],
};

const write = (messages: readonly string[], note: string) =>
  writing("stream", messages, { note, rules: FORM, messages: [{ octets: messages.map((one) => envelope(one)).join("") }], flag: "Written" });

export const written: Source = {
  kind: "rpc-write",
  about: "messages that are written to a stream, without compression",
  spec: "rpc-http2#requests",
  flags: { Written: { why: "envelopes: flags, length, octets", bug: "WRONG_LENGTH" } },
  vectors: [
    write(["0a0b"], "one message"),
    write([""], "an empty message"),
    write([], "no message"),
    write(["0a0b", "", "0c0d0e"], "three messages"),
    write(["7f".repeat(255), "80".repeat(256)], "lengths of 255 and 256"),
    write(["01".repeat(65_535), "02".repeat(65_536)], "lengths of 65535 and 65536"),
    write(["5a".repeat(0x01_02_03)], "a length of 66051"),
  ],
};
