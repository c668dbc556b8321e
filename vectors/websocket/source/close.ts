import { closing, frame, hex, named, OP, refused, utf8, valid, type Draft, type Note, type Source } from "./craft.ts";

const C = "rfc6455#7.4";
const B = "rfc6455#5.5.1";
const code = (number: number): Draft => valid({ note: named(`${number}`, `code ${number}`), spec: C, wire: frame(OP.close, closing(number)), messages: [{ close: number, reason: "" }], flags: ["Code"] });
const noCode = (number: number): Draft => refused({ note: named(`${number}`, `code ${number}`), spec: C, wire: frame(OP.close, closing(number)), failure: ["closeCodeInvalid", 1002], flags: ["CodeInvalid"] });
const reason = (note: Note, text: string): Draft => valid({ note, spec: B, wire: frame(OP.close, closing(1000, utf8(text))), messages: [{ close: 1000, reason: text }], flags: ["Reason"] });
const noReason = (note: Note, octets: string): Draft => refused({ note, spec: B, wire: frame(OP.close, closing(1000, hex(octets))), failure: ["closeReasonInvalid", 1007], flags: ["ReasonInvalid"] });

export const source: Source = {
  kind: "websocket-frames",
  about: "Close frames: codes, reasons, and invalid payloads",
  spec: C,
  flags: {
    Code: { why: "a code that a Close may carry", bug: "TOO_STRICT" },
    CodeInvalid: { why: "a code that is reserved or not allowed in a Close", bug: "MISSING_CHECK" },
    Reason: { why: "a reason in UTF-8", bug: "TOO_STRICT" },
    ReasonInvalid: { why: "a reason with invalid UTF-8", bug: "MISSING_CHECK" },
    Empty: { why: "an empty payload, or one too short for a code", bug: "MISREAD_CLOSE" },
    Side: { why: "a Close to a client", bug: "MISREAD_CLOSE" },
  },
  vectors: [
    valid({ note: named("nothing", "no payload"), spec: B, wire: frame(OP.close, ""), messages: [{ close: null, reason: "" }], flags: ["Empty"] }),
    refused({ note: named("one-octet", "a payload of one octet"), spec: B, wire: frame(OP.close, "03"), failure: ["closeTooShort", 1002], flags: ["Empty"] }),
    refused({ note: named("one-octet-that-looks-like-a-letter", "a payload of one octet, an ASCII letter"), spec: B, wire: frame(OP.close, "61"), failure: ["closeTooShort", 1002], flags: ["Empty"] }),
    ...[1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3001, 3999, 4000, 4001, 4999].map(code),
    ...[0, 1, 125, 999, 1004, 1005, 1006, 1015, 1016, 1100, 1999, 2000, 2999, 5000, 5001, 9999, 32768, 65535].map(noCode),
    reason(named("one-letter", "a reason of one letter"), "a"),
    reason(named("of-123-octets-the-most-there-is-room-for", "a reason of 123 octets, the maximum"), "r".repeat(123)),
    reason(named("not-ascii", "a reason with non-ASCII characters"), "até logo, 再见 😀"),
    reason(named("with-nul", "a reason with NUL"), "a\0b"),
    reason(named("with-a-byte-order-mark", "a reason with a byte order mark"), "\ufeffa"),
    refused({ note: "a reason of 124 octets", spec: B, wire: frame(OP.close, closing(1000, "72".repeat(124))), failure: ["controlTooLong", 1002], flags: ["Reason"] }),
    noReason(named("a-lone-continuation", "a reason with a lone continuation octet"), "80"),
    noReason(named("a-character-that-is-cut-off", "a reason with a truncated character"), "61 e2 82"),
    noReason(named("a-surrogate", "a reason with a surrogate"), "ed a0 80"),
    noReason(named("an-over-long-form", "a reason with an overlong form"), "c0 af"),
    noReason(named("above-u-10ffff", "a reason with a code point above U+10FFFF"), "f4 90 80 80"),
    noReason(named("0xff-behind-letters", "a reason with 0xff after letters"), "62 79 65 ff"),
    valid({ note: named("to-a-client", "a code and a reason, to a client"), spec: B, wire: frame(OP.close, closing(1001, utf8("bye")), { key: false }), messages: [{ close: 1001, reason: "bye" }], flags: ["Side"],  to: "client" }),
    valid({ note: named("nothing-to-a-client", "no payload, to a client"), spec: B, wire: frame(OP.close, "", { key: false }), messages: [{ close: null, reason: "" }], flags: ["Side"],  to: "client" }),
    refused({ note: named("1005-to-a-client", "code 1005, to a client"), spec: C, wire: frame(OP.close, closing(1005), { key: false }), failure: ["closeCodeInvalid", 1002], flags: ["Side"],  to: "client" }),
    valid({ note: named("behind-a-message", "after a message"), spec: B, wire: [frame(OP.text, utf8("a")), frame(OP.close, closing(1000))], messages: [{ text: "a" }, { close: 1000, reason: "" }], flags: ["Code"] }),
    refused({ note: named("a-code-that-is-none-behind-a-message", "an invalid code after a message"), spec: C, wire: [frame(OP.text, utf8("a")), frame(OP.close, closing(1006))], failure: ["closeCodeInvalid", 1002], flags: ["CodeInvalid"],  before: [{ text: "a" }] }),
    valid({ note: named("a-second-close-is-not-looked-at", "a second Close, which is ignored"), spec: B, wire: [frame(OP.close, closing(1000)), frame(OP.close, closing(1005))], messages: [{ close: 1000, reason: "" }], flags: ["Code"] }),
  ],
};
