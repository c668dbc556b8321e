import type { VectorSource } from "../../write.ts";
import { data, frame, GET, headers, integer, OK, type ConnectionVector, type Step } from "./craft.ts";

type Row = VectorSource<ConnectionVector>["vectors"][number];
type To = Row["to"];

/** The unidirectional streams of the side that sends. */
const uni = (to: To, ordinal: number): number => ordinal * 4 + (to === "server" ? 2 : 3);
const start = (type: number, to: To, ordinal: number, more = ""): Step => ({ stream: uni(to, ordinal), wire: integer(type) + more });
const SETTINGS = frame(4);
const control = (to: To, more = ""): Step => start(0, to, 0, SETTINGS + more);

type What = readonly [note: string, spec: string];
const row = (to: To, [note, spec]: What, steps: readonly Step[], wrong?: readonly [string, string]): Row => ({
  note,
  spec,
  to,
  steps,
  ...(wrong === undefined ? { result: "valid", messages: [], flags: ["Legal"] } : { result: "invalid", scope: "connection", code: wrong[0], fault: wrong[1], flags: ["Breach"] }),
});
const both = ([note, spec]: What, steps: (to: To) => readonly Step[], wrong?: readonly [string, string]): Row[] =>
  (["server", "client"] as const).map((to) => row(to, [`${note}, to a ${to}`, spec], steps(to), wrong));

const CREATION = "H3_STREAM_CREATION_ERROR";
const CLOSED = "H3_CLOSED_CRITICAL_STREAM";
const KINDS = [
  ["control", 0, "rfc9114#6.2.1"],
  ["encoder", 2, "rfc9204#4.2"],
  ["decoder", 3, "rfc9204#4.2"],
] as const;
const begin = (type: number, to: To, ordinal: number): Step => start(type, to, ordinal, type === 0 ? SETTINGS : "");

/** What a side must do about the streams of the other, and with which code a connection ends. */
export const source: VectorSource<ConnectionVector> = {
  about: "Streams of a connection: their types, how often they come, how they end, and what follows what on a control stream",
  spec: "rfc9114#6.2",
  flags: {
    Legal: { why: "what a peer may do", bug: "TOO_STRICT" },
    Breach: { why: "what ends the connection, with the code that says why", bug: "MISSING_CHECK" },
  },
  vectors: [
    ...both(["a control stream with SETTINGS", "rfc9114#6.2.1"], (to) => [control(to)]),
    ...both(["all three streams", "rfc9204#4.2"], (to) => [control(to), begin(2, to, 1), begin(3, to, 2)]),
    ...both(["the two streams of QPACK before the control stream", "rfc9114#6.2"], (to) => [begin(2, to, 0), begin(3, to, 1), begin(0, to, 2)]),
    ...both(["a type in eight octets", "rfc9000#16"], (to) => [{ stream: uni(to, 0), wire: integer(0, 8) + SETTINGS }]),
    ...both(["a control stream octet by octet", "rfc9114#6.2"], (to) => [..."000400"].flatMap((_, at, all) => (at % 2 === 0 ? [{ stream: uni(to, 0), wire: all[at]! + all[at + 1]! }] : []))),
    ...both(["a stream of a reserved type", "rfc9114#6.2.3"], (to) => [control(to), { stream: uni(to, 1), wire: `${integer(0x21)}${"aa".repeat(9)}`, end: true }]),
    ...both(["a stream of an unknown type", "rfc9114#6.2"], (to) => [control(to), start(0x54, to, 1, "00"), start(0x4242, to, 2)]),
    ...both(["a stream that ends before its type", "rfc9114#6.2"], (to) => [control(to), { stream: uni(to, 1), wire: "", end: true }, { stream: uni(to, 2), wire: "40", end: true }]),
    ...both(["a stream that is reset before its type", "rfc9114#6.2"], (to) => [control(to), { stream: uni(to, 1), wire: "40" }, { stream: uni(to, 1), reset: "H3_NO_ERROR" }]),
    ...KINDS.flatMap(([name, type, spec]) => both([`a second ${name} stream`, spec], (to) => [control(to), ...(type === 0 ? [] : [begin(type, to, 1)]), begin(type, to, 2)], [CREATION, `${name}StreamTwice`])),
    ...KINDS.flatMap(([name, type, spec]) => both([`the end of the ${name} stream`, spec], (to) => [...(type === 0 ? [] : [control(to)]), { ...begin(type, to, 1), end: true } as Step], [CLOSED, `${name}StreamClosed`])),
    ...KINDS.flatMap(([name, type, spec]) => both([`a reset of the ${name} stream`, spec], (to) => [...(type === 0 ? [] : [control(to)]), begin(type, to, 1), { stream: uni(to, 1), reset: "H3_NO_ERROR" }], [CLOSED, `${name}StreamClosed`])),
    row("server", ["a push stream of a client", "rfc9114#6.2.2"], [control("server"), start(1, "server", 1, "00")], [CREATION, "pushStreamByClient"]),
    row("client", ["a push stream that the client has not allowed", "rfc9114#4.6"], [control("client"), start(1, "client", 1, "00")], ["H3_ID_ERROR", "pushStreamUnallowed"]),
    row("client", ["a bidirectional stream of a server", "rfc9114#6.1"], [control("client"), { stream: 1, wire: "00" }], [CREATION, "bidirectionalByServer"]),
    ...both(["GOAWAY before SETTINGS", "rfc9114#6.2.1"], (to) => [start(0, to, 0, frame(7, "00") + SETTINGS)], ["H3_MISSING_SETTINGS", "settingsMissing"]),
    ...both(["a frame of a reserved type before SETTINGS", "rfc9114#6.2.1"], (to) => [start(0, to, 0, frame(0x21) + SETTINGS)], ["H3_MISSING_SETTINGS", "settingsMissing"]),
    ...both(["DATA before SETTINGS", "rfc9114#6.2.1"], (to) => [start(0, to, 0, data("a"))], ["H3_MISSING_SETTINGS", "settingsMissing"]),
    ...both(["SETTINGS twice", "rfc9114#7.2.4"], (to) => [control(to, SETTINGS)], ["H3_FRAME_UNEXPECTED", "settingsTwice"]),
    ...both(["GOAWAY with the same identifier, and with a smaller one", "rfc9114#5.2"], (to) => [control(to, frame(7, "08") + frame(7, "08") + frame(7, "04"))]),
    ...both(["GOAWAY with a greater identifier", "rfc9114#5.2"], (to) => [control(to, frame(7, "04") + frame(7, "08"))], ["H3_ID_ERROR", "goawayIdRises"]),
    row("server", ["MAX_PUSH_ID that rises, and one that repeats", "rfc9114#7.2.7"], [control("server", frame(0xd, "01") + frame(0xd, "01") + frame(0xd, "4100"))]),
    row("server", ["MAX_PUSH_ID that falls", "rfc9114#7.2.7"], [control("server", frame(0xd, "02") + frame(0xd, "01"))], ["H3_ID_ERROR", "maxPushIdFalls"]),
    row("server", ["an increment of 0 on a decoder stream", "rfc9204#4.4.3"], [control("server"), start(3, "server", 1, "00")], ["QPACK_DECODER_STREAM_ERROR", "decoderStreamWrong"]),
    row("server", ["an acknowledgment of a section that was not sent", "rfc9204#4.4.1"], [control("server"), start(3, "server", 1, "80")], ["QPACK_DECODER_STREAM_ERROR", "decoderStreamWrong"]),
    ...both(["a copy of an entry that is not there", "rfc9204#2.2.3"], (to) => [control(to), start(2, to, 1, "00")], ["QPACK_ENCODER_STREAM_ERROR", "encoderStreamWrong"]),
    row("server", ["a section that needs an entry of a table that is empty", "rfc9204#2.2.3"], [control("server"), { stream: 0, wire: frame(1, "000080") }], ["QPACK_DECOMPRESSION_FAILED", "sectionUndecodable"]),
    row("server", ["a section with an index beyond the static table", "rfc9204#3.1"], [control("server"), { stream: 0, wire: frame(1, "0000ff24") }], ["QPACK_DECOMPRESSION_FAILED", "sectionUndecodable"]),
    { ...row("server", ["a request before the control stream", "rfc9114#6.2.1"], [{ stream: 0, wire: headers(GET), end: true }, control("server")]), messages: [{ stream: 0, fields: GET, content: "", ended: true }] },
    { ...row("client", ["a response before the control stream", "rfc9114#6.2.1"], [{ stream: 0, wire: headers(OK), end: true }, control("client")]), requests: ["GET"], messages: [{ stream: 0, fields: OK, content: "", ended: true }] },
  ],
};
