import type { VectorSource } from "../../write.ts";
import { data, type Fields, frame, GET, headers, hex, integer, OK, POST, type ConnectionVector, type Message, type Step } from "./craft.ts";

type Row = VectorSource<ConnectionVector>["vectors"][number];
type To = Row["to"];
type Parts = { readonly wire: readonly string[]; readonly end?: boolean; readonly method?: string };

const control = (to: To): Step => ({ stream: to === "server" ? 2 : 3, wire: `00${frame(4)}` });
const stepsOf = (to: To, { wire, end = true }: Parts): Step[] => [control(to), ...wire.map((one, at): Step => ({ stream: 0, wire: one, ...(end && at === wire.length - 1 && { end }) }))];
const base = (to: To, note: string, spec: string, parts: Parts): Pick<Row, "note" | "spec" | "to" | "steps" | "requests"> => ({
  note,
  spec,
  to,
  ...(to === "client" && { requests: [parts.method ?? "GET"] }),
  steps: stepsOf(to, parts),
});
type Meant = Partial<Message> & { readonly flag?: string };
const valid = (to: To, [note, spec]: readonly [string, string], parts: Parts, { flag = "Sequence", ...message }: Meant): Row => ({
  ...base(to, note, spec, parts),
  result: "valid",
  messages: [{ stream: 0, fields: to === "server" ? GET : OK, content: "", ended: parts.end ?? true, ...message }],
  flags: [flag],
});
const refused = (scope: "connection" | "stream", code: string, flag: string) => (to: To, [note, spec]: readonly [string, string], fault: string, parts: Parts): Row => ({
  ...base(to, note, spec, parts),
  result: "invalid",
  scope,
  code,
  fault,
  flags: [flag],
});
const unexpected = refused("connection", "H3_FRAME_UNEXPECTED", "Sequence");
const malformed = refused("stream", "H3_MESSAGE_ERROR", "Malformed");
const length = refused("stream", "H3_MESSAGE_ERROR", "Length");

const CONNECT: Fields = [
  [":method", "CONNECT"],
  [":authority", "a.example:443"],
];
const EARLY: Fields = [[":status", "103"]];
const TRAILERS: Fields = [["x-checksum", "1"]];
const withField = (...fields: Fields): string => headers([...GET, ...fields]);
const without = (name: string): string => headers(GET.filter(([one]) => one !== name));

/** Field sections of requests that are malformed, with the reason in words and by name. */
const SECTIONS: readonly (readonly [string, string, string, string])[] = [
  ["a name in upper case", "rfc9114#4.2", "fieldNameInvalid", withField(["X-Name", "1"])],
  ["an empty name", "rfc9114#10.3", "fieldNameInvalid", withField(["", "1"])],
  ["a name with a space", "rfc9114#10.3", "fieldNameInvalid", withField(["x y", "1"])],
  ["a value with CR", "rfc9114#10.3", "fieldValueInvalid", withField(["x", "a\rb"])],
  ["a value with LF", "rfc9114#10.3", "fieldValueInvalid", withField(["x", "a\nb"])],
  ["a value with NUL", "rfc9114#10.3", "fieldValueInvalid", withField(["x", "a\0b"])],
  ["connection", "rfc9114#4.2", "fieldConnectionSpecific", withField(["connection", "close"])],
  ["transfer-encoding", "rfc9114#4.2", "fieldConnectionSpecific", withField(["transfer-encoding", "chunked"])],
  ["keep-alive", "rfc9114#4.2", "fieldConnectionSpecific", withField(["keep-alive", "1"])],
  ["upgrade", "rfc9114#4.2", "fieldConnectionSpecific", withField(["upgrade", "h2c"])],
  ["te that is not trailers", "rfc9114#4.2", "teNotTrailers", withField(["te", "gzip"])],
  ["an unknown pseudo-field", "rfc9114#4.3", "pseudoFieldUnknown", headers([...GET, [":extra", "1"]])],
  [":status in a request", "rfc9114#4.3", "pseudoFieldUnknown", headers([...GET, [":status", "200"]])],
  ["a pseudo-field after another field", "rfc9114#4.3", "pseudoFieldLate", headers([...GET.slice(0, 3), ["x", "1"], [":path", "/"]])],
  [":method twice", "rfc9114#4.3.1", "pseudoFieldTwice", headers([[":method", "GET"], ...GET])],
  ["no :method", "rfc9114#4.3.1", "pseudoFieldMissing", without(":method")],
  ["no :scheme", "rfc9114#4.3.1", "pseudoFieldMissing", without(":scheme")],
  ["no :path", "rfc9114#4.3.1", "pseudoFieldMissing", without(":path")],
  ["an empty :path", "rfc9114#4.3.1", "pathInvalid", headers([...GET.slice(0, 3), [":path", ""]])],
  ["neither :authority nor host", "rfc9114#4.3.1", "authorityMissing", without(":authority")],
  ["CONNECT with :scheme", "rfc9114#4.4", "connectMalformed", headers([...CONNECT, [":scheme", "https"]])],
  ["CONNECT with :path", "rfc9114#4.4", "connectMalformed", headers([...CONNECT, [":path", "/"]])],
];

/** Messages: what may follow what on a request stream, and the fields of a message. */
export const source: VectorSource<ConnectionVector> = {
  about: "Messages on request streams: sequences of frames, malformed field sections, lengths of content",
  spec: "rfc9114#4.1",
  flags: {
    Sequence: { why: "which frames may follow which", bug: "WRONG_ORDER" },
    Malformed: { why: "a field section that makes its message malformed", bug: "MISSING_CHECK" },
    Length: { why: "content of another length than content-length says", bug: "MISSING_CHECK" },
    Fields: { why: "fields that a message may have", bug: "TOO_STRICT" },
  },
  vectors: [
    valid("server", ["a request without content", "rfc9114#4.1"], { wire: [headers(GET)] }, {}),
    valid("server", ["a request whose end comes later", "rfc9114#4.1"], { wire: [headers(GET), ""] }, {}),
    valid("server", ["a request with content", "rfc9114#4.1"], { wire: [headers(POST) + data("he") + data("llo")] }, { fields: POST, content: hex("hello") }),
    valid("server", ["a request with content and trailers", "rfc9114#4.1"], { wire: [headers(POST) + data("hi") + headers(TRAILERS)] }, { fields: POST, content: hex("hi"), trailers: TRAILERS }),
    valid("server", ["a request with trailers alone", "rfc9114#4.1"], { wire: [headers(POST) + headers(TRAILERS)] }, { fields: POST, trailers: TRAILERS }),
    valid("server", ["a request with DATA that is empty", "rfc9114#4.1"], { wire: [headers(POST) + data("") + data("a") + data("")] }, { fields: POST, content: hex("a") }),
    valid("server", ["a request with unknown frames everywhere", "rfc9114#9"], { wire: [frame(0x21, "aa") + headers(POST) + frame(0x40) + data("a") + frame(0x21) + headers(TRAILERS) + frame(0x5f, "00")] }, { fields: POST, content: hex("a"), trailers: TRAILERS }),
    valid("server", ["a request cut into octets", "rfc9114#7"], { wire: (headers(POST) + data("abc")).match(/../g)! }, { fields: POST, content: hex("abc") }),
    valid("server", ["a request that has not ended", "rfc9114#4.1"], { wire: [headers(POST) + integer(0) + integer(5) + hex("ab")], end: false }, { fields: POST, content: hex("ab") }),
    valid("server", ["a tunnel", "rfc9114#4.4"], { wire: [headers(CONNECT) + data("ping")], end: false }, { fields: CONNECT, content: hex("ping") }),
    valid("client", ["a response without content", "rfc9114#4.1"], { wire: [headers(OK)] }, {}),
    valid("client", ["a response with content and trailers", "rfc9114#4.1"], { wire: [headers(OK) + data("hi") + headers(TRAILERS)] }, { content: hex("hi"), trailers: TRAILERS }),
    valid("client", ["two interim responses, then the final one", "rfc9114#4.1"], { wire: [headers(EARLY) + headers([[":status", "100"]]) + headers(OK) + data("a")] }, { interim: [EARLY, [[":status", "100"]]], content: hex("a") }),
    valid("client", ["a response to HEAD with a length", "rfc9110#9.3.2"], { wire: [headers([...OK, ["content-length", "9"]])], method: "HEAD" }, { fields: [...OK, ["content-length", "9"]] }),
    valid("client", ["a 304 with a length", "rfc9110#8.6"], { wire: [headers([[":status", "304"], ["content-length", "9"]])] }, { fields: [[":status", "304"], ["content-length", "9"]] }),
    unexpected("server", ["DATA before HEADERS", "rfc9114#4.1"], "dataBeforeHeaders", { wire: [data("a")] }),
    unexpected("server", ["DATA after trailers", "rfc9114#4.1"], "frameAfterTrailers", { wire: [headers(POST) + headers(TRAILERS) + data("a")] }),
    unexpected("server", ["HEADERS after trailers", "rfc9114#4.1"], "frameAfterTrailers", { wire: [headers(POST) + headers(TRAILERS) + headers(TRAILERS)] }),
    unexpected("server", ["HEADERS in a tunnel", "rfc9114#4.4"], "headersInTunnel", { wire: [headers(CONNECT) + headers(TRAILERS)], end: false }),
    unexpected("client", ["DATA before HEADERS, of a response", "rfc9114#4.1"], "dataBeforeHeaders", { wire: [data("a")] }),
    unexpected("client", ["DATA after an interim response", "rfc9114#4.1"], "dataBeforeHeaders", { wire: [headers(EARLY) + data("a")] }),
    unexpected("client", ["DATA after trailers, of a response", "rfc9114#4.1"], "frameAfterTrailers", { wire: [headers(OK) + headers(TRAILERS) + data("a")] }),
    refused("stream", "H3_REQUEST_INCOMPLETE", "Sequence")("server", ["a stream that ends before HEADERS", "rfc9114#4.1"], "requestIncomplete", { wire: [""] }),
    refused("stream", "H3_REQUEST_INCOMPLETE", "Sequence")("server", ["a stream with unknown frames alone", "rfc9114#4.1"], "requestIncomplete", { wire: [frame(0x21, "aa")] }),
    refused("stream", "H3_MESSAGE_ERROR", "Sequence")("client", ["an interim response alone", "rfc9114#4.1.2"], "responseIncomplete", { wire: [headers(EARLY)] }),
    ...SECTIONS.map(([note, spec, fault, wire]) => malformed("server", [note, spec], fault, { wire: [wire] })),
    malformed("server", ["a pseudo-field in trailers", "rfc9114#4.3"], "pseudoFieldInTrailers", { wire: [headers(POST) + headers([[":path", "/"]])] }),
    malformed("server", ["a name in upper case in trailers", "rfc9114#4.2"], "fieldNameInvalid", { wire: [headers(POST) + headers([["X", "1"]])] }),
    malformed("client", ["a response without :status", "rfc9114#4.3.2"], "statusMissing", { wire: [headers([["x", "1"]])] }),
    malformed("client", ["a response with :status of two digits", "rfc9114#4.3.2"], "statusInvalid", { wire: [headers([[":status", "20"]])] }),
    malformed("client", ["a response with :path", "rfc9114#4.3"], "pseudoFieldUnknown", { wire: [headers([...OK, [":path", "/"]])] }),
    malformed("client", ["a response with connection", "rfc9114#4.2"], "fieldConnectionSpecific", { wire: [headers([...OK, ["connection", "close"]])] }),
    malformed("client", ["a response with status 101", "rfc9114#4.5"], "statusSwitching", { wire: [headers([[":status", "101"]])], end: false }),
    length("server", ["less content than content-length says", "rfc9114#4.1.2"], "contentLengthWrong", { wire: [headers([...POST, ["content-length", "5"]]) + data("abc")] }),
    length("server", ["more content than content-length says", "rfc9114#4.1.2"], "contentLengthWrong", { wire: [headers([...POST, ["content-length", "2"]]) + data("abc")] }),
    length("server", ["no content, and content-length says 1", "rfc9114#4.1.2"], "contentLengthWrong", { wire: [headers([...POST, ["content-length", "1"]])] }),
    length("server", ["content-length that is no number", "rfc9114#4.1.2"], "contentLengthInvalid", { wire: [headers([...POST, ["content-length", "x"]])] }),
    length("client", ["less content than content-length says, in a response", "rfc9114#4.1.2"], "contentLengthWrong", { wire: [headers([...OK, ["content-length", "5"]]) + data("abc")] }),
    valid("server", ["content of the length that content-length says", "rfc9114#4.1.2"], { wire: [headers([...POST, ["content-length", "3"]]) + data("a") + data("bc")] }, { fields: [...POST, ["content-length", "3"]], content: hex("abc"), flag: "Length" }),
    valid("server", ["te: trailers", "rfc9114#4.2"], { wire: [withField(["te", "trailers"])] }, { fields: [...GET, ["te", "trailers"]], flag: "Fields" }),
    valid("server", ["host that equals :authority", "rfc9114#4.3.1"], { wire: [withField(["host", "a.example"])] }, { fields: [...GET, ["host", "a.example"]], flag: "Fields" }),
    valid("server", ["pseudo-fields in another order", "rfc9114#4.3"], { wire: [headers(GET.toReversed())] }, { fields: GET.toReversed(), flag: "Fields" }),
    valid("server", ["several cookie fields, which are joined", "rfc9114#4.2.1"], { wire: [withField(["cookie", "a=1"], ["cookie", "b=2"])] }, { fields: [...GET, ["cookie", "a=1; b=2"]], flag: "Fields" }),
    valid("server", ["a value with octets above 127", "rfc9110#5.5"], { wire: [withField(["x", "\u00e4\u00ff"])] }, { fields: [...GET, ["x", "\u00e4\u00ff"]], flag: "Fields" }),
  ],
};
