import type { Vector, VectorField } from "../../load.ts";
import type { VectorSource } from "../../write.ts";

/** Field sections of HTTP/2 and HTTP/3, whole. Append to the list only: the position of a vector is its id. */

export type Section = {
  readonly of: "request" | "response" | "trailers";
  readonly fields: readonly VectorField[];
  readonly method?: string;
  readonly status?: number;
  readonly protocol?: string;
  readonly contentLength?: number;
  readonly priority?: string;
  readonly origin?: string;
  readonly joined?: readonly VectorField[];
  /** The combined values of some fields (rfc9110#5.2), with those of their lines. */
  readonly combined?: readonly Combined[];
};
type Combined = readonly [name: string, value: string | null, lines: readonly string[]];
/** Schema: http-fields-v1. */
export type FieldsVector = Vector & { readonly sections: readonly Section[]; readonly extended?: true; readonly fault?: string };
type Draft = Omit<FieldsVector, "id">;
type Meant = Omit<Section, "of" | "fields">;

const METHOD: VectorField = [":method", "GET"];
const SCHEME: VectorField = [":scheme", "http"];
const AUTHORITY: VectorField = [":authority", "a"];
const PATH: VectorField = [":path", "/"];
const GET: readonly VectorField[] = [METHOD, SCHEME, AUTHORITY, PATH];
const OK: VectorField = [":status", "200"];
const meansGet: Meant = { method: "GET", origin: "http://a" };

/** The pseudo-header fields of a GET, some with other values, or without some. */
const but = (other: Readonly<Record<string, string | undefined>>): VectorField[] =>
  GET.flatMap(([name, value]): VectorField[] => {
    if (!Object.hasOwn(other, name)) return [[name, value]];
    const instead = other[name];
    return instead === undefined ? [] : [[name, instead]];
  });

const request = (fields: readonly VectorField[], meant: Meant = meansGet): Section => ({ of: "request", fields, ...meant });
const get = (...more: readonly VectorField[]): Section => request([...GET, ...more]);
const response = (fields: readonly VectorField[], meant: Meant = { status: 200 }): Section => ({ of: "response", fields, ...meant });
const trailers = (...fields: readonly VectorField[]): Section => ({ of: "trailers", fields });
const connect = (...more: readonly VectorField[]): Section => ({ of: "request", fields: [[":method", "CONNECT"], ...more], method: "CONNECT" });

type About = Pick<Draft, "note" | "spec"> & { readonly flag: string; readonly extended?: true };
const valid = ({ flag, ...about }: About, ...sections: readonly Section[]): Draft => ({ ...about, sections, result: "valid", flags: [flag] });
/** The last section is malformed; of what it would mean, nothing counts. */
const malformed = ({ flag, ...about }: About, fault: string, ...sections: readonly Section[]): Draft => ({
  ...about,
  sections: sections.map((section, at) => (at === sections.length - 1 ? { of: section.of, fields: section.fields } : section)),
  result: "invalid",
  fault,
  flags: [flag],
});
/** A recipient may accept the last section. */
const refused = (about: About, fault: string, ...sections: readonly Section[]): Draft => ({
  ...malformed(about, fault, ...sections),
  result: "acceptable",
});

const NAME = "rfc9113#8.2.1";
const SPECIFIC = "rfc9113#8.2.2";
const COOKIE = "rfc9113#8.2.3";
const PSEUDO = "rfc9113#8.3";
const TARGET = "rfc9113#8.3.1";
const STATUS = "rfc9113#8.3.2";
const CONNECT = "rfc9113#8.5";
const EXTENDED = "rfc8441#4";
const LENGTH = "rfc9113#8.1.1";
const PRIORITY = "rfc9218#5";
const KINDS = ["request", "response", "trailers"] as const;
/** A section of each kind with this field. */
const withField = (of: (typeof KINDS)[number], field: VectorField): Section =>
  of === "request" ? get(field) : of === "response" ? response([OK, field]) : trailers(field);

/** A field that is wrong wherever it is. */
const wrongEverywhere = (note: string, about: Omit<About, "note">, fault: string, ...fields: readonly VectorField[]): Draft[] =>
  fields.flatMap((field) => KINDS.map((of) => malformed({ note: `${note}: ${JSON.stringify(field[0])} in a ${of}`, ...about }, fault, withField(of, field))));
const many = (count: number, size: number): VectorField[] => Array.from({ length: count }, (_, at): VectorField => [`x-${"n".repeat(at % 7)}${at}`, "v".repeat(size + at)]);

export const source: VectorSource<FieldsVector> = {
  about: "Field sections of HTTP/2 and HTTP/3: pseudo-header fields, connection-specific fields, lengths, cookies, names and values",
  spec: "rfc9113#8",
  flags: {
    Plain: { why: "a well-formed section", bug: "TOO_STRICT" },
    Name: { why: "an octet that no name contains", bug: "MISSING_CHECK" },
    Value: { why: "an octet that no value contains, or white space around it", bug: "MISSING_CHECK" },
    Specific: { why: "a field that concerns an HTTP/1.1 connection", bug: "MISSING_CHECK" },
    Length: { why: "one content-length that is a number", bug: "MISSING_CHECK" },
    Cookie: { why: "several cookie lines are one field", bug: "MISREAD_VALUE" },
    Priority: { why: "several lines of a list are one field", bug: "MISREAD_VALUE" },
    Pseudo: { why: "pseudo-header fields come first, once, and are known", bug: "MISSING_CHECK" },
    Missing: { why: "a pseudo-header field is missing", bug: "MISSING_CHECK" },
    Target: { why: "scheme, authority, host and path fit together", bug: "MISSING_CHECK" },
    Connect: { why: "CONNECT names an authority only", bug: "MISSING_CHECK" },
    Extended: { why: "CONNECT with a protocol names everything", bug: "MISSING_CHECK" },
    Status: { why: "a response has one status of three digits", bug: "MISSING_CHECK" },
    Next: { why: "nothing of a section is left for the next one", bug: "STATE_LEFT" },
    Combined: { why: "several lines of one name are one value", bug: "MISREAD_VALUE" },
    Repeated: { why: "what was valid once is judged again where the rest differs", bug: "STATE_LEFT" },
  },
  vectors: [
    valid({ note: "a plain request", spec: TARGET, flag: "Plain" }, get()),
    valid({ note: "pseudo-header fields in another order", spec: PSEUDO, flag: "Plain" }, request([...GET].reverse())),
    valid({ note: "fields of every kind", spec: NAME, flag: "Plain" }, get(["accept", "*/*"], ["x", ""], ["x", "a b\tc"], ["x-1!#$%&'*+-.^_`|~", "\x80\xff!~"], ["user-agent", "u"])),
    valid({ note: "a plain response", spec: STATUS, flag: "Plain" }, response([OK, ["content-type", "text/plain"], ["server", "s"]])),
    valid({ note: "plain trailers", spec: "rfc9113#8.1", flag: "Plain" }, trailers(["x", "1"])),
    valid({ note: "empty trailers", spec: "rfc9113#8.1", flag: "Plain" }, trailers()),
    valid({ note: "an unknown method", spec: TARGET, flag: "Plain" }, request(but({ ":method": "BREW" }), { ...meansGet, method: "BREW" }), request(but({ ":method": "POST" }), { ...meansGet, method: "POST" })),

    ...wrongEverywhere("a letter in upper case", { spec: NAME, flag: "Name" }, "fieldNameInvalid", ["X", "1"], ["aZ", "1"], ["A-b", "1"]),
    ...wrongEverywhere("no name", { spec: NAME, flag: "Name" }, "fieldNameInvalid", ["", "1"]),
    ...wrongEverywhere("an octet of no name", { spec: NAME, flag: "Name" }, "fieldNameInvalid", ["a b", "1"], ["a\0", "1"], ["\x1f", "1"], ["a\x7f", "1"], ["\x80", "1"], ["\xff", "1"], ["a:", "1"], ["a\n", "1"]),
    ...wrongEverywhere("an octet of no value", { spec: NAME, flag: "Value" }, "fieldValueInvalid", ["x", "a\0b"], ["x", "a\nb"], ["x", "a\r"], ["accept", "\n"], ["content-length", "1\n"]),
    ...wrongEverywhere("white space around a value", { spec: NAME, flag: "Value" }, "fieldValueInvalid", ["x", " a"], ["x", "a "], ["x", "\ta"], ["x", "a\t"], ["accept", " "], ["cookie", "a=1 "]),
    ...wrongEverywhere("a connection-specific field", { spec: SPECIFIC, flag: "Specific" }, "fieldConnectionSpecific", ["connection", "close"], ["proxy-connection", "close"], ["keep-alive", "timeout=1"], ["transfer-encoding", "chunked"], ["upgrade", "h2c"]),
    valid({ note: "TE with trailers", spec: SPECIFIC, flag: "Specific" }, get(["te", "trailers"]), get(["te", "Trailers"])),
    malformed({ note: "TE with a coding", spec: SPECIFIC, flag: "Specific" }, "teNotTrailers", get(["te", "gzip"])),
    malformed({ note: "TE with a coding besides trailers", spec: SPECIFIC, flag: "Specific" }, "teNotTrailers", get(["te", "trailers, gzip"])),
    malformed({ note: "TE in a response", spec: SPECIFIC, flag: "Specific" }, "teNotTrailers", response([OK, ["te", "trailers"]])),
    malformed({ note: "TE in trailers", spec: SPECIFIC, flag: "Specific" }, "teNotTrailers", trailers(["te", "trailers"])),

    valid({ note: "a length", spec: LENGTH, flag: "Length" }, request([...GET, ["content-length", "5"]], { ...meansGet, contentLength: 5 }), response([OK, ["content-length", "0"]], { status: 200, contentLength: 0 })),
    valid({ note: "a length, and then none", spec: LENGTH, flag: "Next" }, request([...GET, ["content-length", "5"]], { ...meansGet, contentLength: 5 }), get()),
    ...["", "-1", "+1", "a", "1,1", "1 1", "0x1"].flatMap((value) => KINDS.map((of) => malformed({ note: `${JSON.stringify(value)} as a length in a ${of}`, spec: LENGTH, flag: "Length" }, "contentLengthInvalid", withField(of, ["content-length", value])))),
    malformed({ note: "two different lengths", spec: LENGTH, flag: "Length" }, "contentLengthInvalid", get(["content-length", "1"], ["content-length", "2"])),
    malformed({ note: "the length 0, and another", spec: LENGTH, flag: "Length" }, "contentLengthInvalid", get(["content-length", "0"], ["content-length", "2"])),
    malformed({ note: "a length, and then 0", spec: LENGTH, flag: "Length" }, "contentLengthInvalid", response([OK, ["content-length", "2"], ["content-length", "0"]])),

    valid(
      { note: "several cookie lines", spec: COOKIE, flag: "Cookie" },
      request([...GET, ["cookie", "a=1"], ["x", "1"], ["cookie", "b=2"], ["cookie", "c=3"], ["y", "2"]], { ...meansGet, joined: [...GET, ["cookie", "a=1; b=2; c=3"], ["x", "1"], ["y", "2"]] }),
    ),
    valid(
      { note: "cookie lines, one never indexed", spec: "rfc7541#7.1.3", flag: "Cookie" },
      request([...GET, ["cookie", "a=1"], ["cookie", "b=2", true]], { ...meansGet, joined: [...GET, ["cookie", "a=1; b=2", true]] }),
      request([...GET, ["cookie", "a=1", true], ["cookie", "b=2"]], { ...meansGet, joined: [...GET, ["cookie", "a=1; b=2", true]] }),
      request([...GET, ["cookie", "a=1"], ["cookie", "b=2"]], { ...meansGet, joined: [...GET, ["cookie", "a=1; b=2"]] }),
    ),
    valid({ note: "one cookie line after several", spec: COOKIE, flag: "Next" }, request([...GET, ["cookie", "a=1"], ["cookie", "b=2"]], { ...meansGet, joined: [...GET, ["cookie", "a=1; b=2"]] }), get(["cookie", "a=1"])),
    valid(
      { note: "a priority, in one line, in two, and in none", spec: PRIORITY, flag: "Priority" },
      request([...GET, ["priority", "u=1"]], { ...meansGet, priority: "u=1" }),
      request([...GET, ["priority", "u=1"], ["x", "1"], ["priority", "i"]], { ...meansGet, priority: "u=1, i" }),
      request([...GET, ["priority", "u=1"], ["priority", "i"], ["priority", "u=2"]], { ...meansGet, priority: "u=1, i, u=2" }),
      get(),
    ),
    valid({ note: "a priority in a response", spec: PRIORITY, flag: "Priority" }, response([OK, ["priority", "u=5"]], { status: 200, priority: "u=5" }), response([OK])),

    malformed({ note: "an unknown pseudo-header field", spec: PSEUDO, flag: "Pseudo" }, "pseudoFieldUnknown", get([":fragment", "a"])),
    malformed({ note: "a colon alone", spec: PSEUDO, flag: "Pseudo" }, "pseudoFieldUnknown", get([":", "a"])),
    malformed({ note: "an unknown pseudo-header field first", spec: PSEUDO, flag: "Pseudo" }, "pseudoFieldUnknown", request([[":x", "a"], ...GET])),
    malformed({ note: ":status in a request", spec: PSEUDO, flag: "Pseudo" }, "pseudoFieldUnknown", get(OK)),
    ...[METHOD, SCHEME, AUTHORITY, PATH].flatMap((field): Draft[] => [
      malformed({ note: `${field[0]} twice`, spec: PSEUDO, flag: "Pseudo" }, "pseudoFieldTwice", get(field)),
      malformed({ note: `${field[0]} twice, together`, spec: PSEUDO, flag: "Pseudo" }, "pseudoFieldTwice", request([field, field, ...GET.filter((other) => other !== field)])),
      malformed({ note: `${field[0]} in a response`, spec: PSEUDO, flag: "Pseudo" }, "pseudoFieldUnknown", response([OK, field])),
      malformed({ note: `${field[0]} after a regular field`, spec: PSEUDO, flag: "Pseudo" }, "pseudoFieldLate", request([...GET.filter((other) => other !== field), ["accept", "a"], field])),
      malformed({ note: `${field[0]} in trailers`, spec: "rfc9113#8.1", flag: "Pseudo" }, "pseudoFieldInTrailers", trailers(field)),
    ]),
    malformed({ note: ":status in trailers", spec: "rfc9113#8.1", flag: "Pseudo" }, "pseudoFieldInTrailers", trailers(["x", "1"], OK)),
    malformed({ note: "another :path after a regular field", spec: PSEUDO, flag: "Pseudo" }, "pseudoFieldLate", get(["x", "1"], PATH)),

    ...[":method", ":scheme", ":path"].map((name) => malformed({ note: `no ${name}`, spec: TARGET, flag: "Missing" }, "pseudoFieldMissing", request(but({ [name]: undefined })))),
    malformed({ note: "no field at all", spec: TARGET, flag: "Missing" }, "pseudoFieldMissing", request([])),
    malformed({ note: "no pseudo-header field", spec: TARGET, flag: "Missing" }, "pseudoFieldMissing", request([["x", "1"]])),
    ...[":method", ":scheme", ":path"].map((name) => malformed({ note: `no ${name} after a request with one`, spec: TARGET, flag: "Next" }, "pseudoFieldMissing", get(), request(but({ [name]: undefined })))),
    malformed({ note: "no :status after a response with one", spec: STATUS, flag: "Next" }, "statusMissing", response([OK]), response([["x", "1"]])),
    ...["", "G ET", "GET/", "G\0T", "G\xe9"].map((method) => malformed({ note: `the method ${JSON.stringify(method)}`, spec: TARGET, flag: "Target" }, "methodInvalid", request(but({ ":method": method })))),
    ...["", "ht tp", "1http", "http:", "h\0", "-a"].map((scheme) => malformed({ note: `the scheme ${JSON.stringify(scheme)}`, spec: TARGET, flag: "Target" }, "schemeInvalid", request(but({ ":scheme": scheme })))),
    valid(
      { note: "schemes in capitals, and of other protocols", spec: TARGET, flag: "Target" },
      request(but({ ":scheme": "HTTPS", ":authority": "A:443" }), { method: "GET", origin: "https://a" }),
      request(but({ ":scheme": "https", ":authority": "a:80" }), { method: "GET", origin: "https://a:80" }),
      request(but({ ":scheme": "x+1.-y", ":path": "b" }), { method: "GET", origin: "x+1.-y://a" }),
      request(but({ ":scheme": "urn", ":authority": undefined, ":path": "b" }), { method: "GET" }),
      request(but({ ":scheme": "file", ":authority": "", ":path": "/b" }), { method: "GET", origin: "file://" }),
      request(but({ ":scheme": "ftp", ":path": "" }), { method: "GET", origin: "ftp://a" }),
    ),
    ...["http", "https", "HTTP", "Https"].flatMap((scheme): Draft[] => [
      malformed({ note: `${scheme} without an authority`, spec: TARGET, flag: "Target" }, "authorityMissing", request(but({ ":scheme": scheme, ":authority": undefined }))),
      malformed({ note: `${scheme} with an empty authority`, spec: TARGET, flag: "Target" }, "authorityMissing", request(but({ ":scheme": scheme, ":authority": "" }))),
      malformed({ note: `${scheme} with an empty host`, spec: TARGET, flag: "Target" }, "authorityMissing", request([...but({ ":scheme": scheme, ":authority": undefined }), ["host", ""]])),
      malformed({ note: `${scheme} with userinfo`, spec: TARGET, flag: "Target" }, "authorityWithUserinfo", request(but({ ":scheme": scheme, ":authority": "u@a" }))),
      malformed({ note: `${scheme} with an empty path`, spec: TARGET, flag: "Target" }, "pathInvalid", request(but({ ":scheme": scheme, ":path": "" }))),
      malformed({ note: `${scheme} with a path without its slash`, spec: TARGET, flag: "Target" }, "pathInvalid", request(but({ ":scheme": scheme, ":path": "b" }))),
    ]),
    malformed({ note: "an authority of another scheme with userinfo, which is no authority here", spec: TARGET, flag: "Target" }, "authorityInvalid", request(but({ ":scheme": "ftp", ":authority": "u@a" }))),
    ...["a b", "a/", "[a", "a:b", "a\\b"].map((authority) => malformed({ note: `the authority ${JSON.stringify(authority)}`, spec: TARGET, flag: "Target" }, "authorityInvalid", request(but({ ":authority": authority })))),
    malformed({ note: "a good authority, then an invalid one", spec: TARGET, flag: "Repeated" }, "authorityInvalid", get(), request(but({ ":authority": "a b" }))),
    valid({ note: "an authority twice, another, and the first again", spec: TARGET, flag: "Repeated" }, get(), get(), request(but({ ":authority": "b:1" }), { method: "GET", origin: "http://b:1" }), get()),
    ...["/a b", "/a#b", "/\0", "/\x7f", "/a\tb", "/a\n"].map((path) => malformed({ note: `the path ${JSON.stringify(path)}`, spec: TARGET, flag: "Target" }, "pathInvalid", request(but({ ":path": path })))),
    malformed({ note: "an asterisk with GET", spec: TARGET, flag: "Target" }, "pathInvalid", request(but({ ":path": "*" }))),
    malformed({ note: "more than an asterisk with OPTIONS", spec: TARGET, flag: "Target" }, "pathInvalid", request(but({ ":method": "OPTIONS", ":path": "*a" }))),
    malformed({ note: "a path without its slash with OPTIONS", spec: TARGET, flag: "Target" }, "pathInvalid", request(but({ ":method": "OPTIONS", ":path": "a" }))),
    ...[".", "0", "a"].map((path) => malformed({ note: `the path ${path}`, spec: TARGET, flag: "Target" }, "pathInvalid", request(but({ ":path": path })))),
    valid({ note: "OPTIONS with an asterisk, and with a path", spec: TARGET, flag: "Target" }, request(but({ ":method": "OPTIONS", ":path": "*" }), { ...meansGet, method: "OPTIONS" }), request(but({ ":method": "OPTIONS" }), { ...meansGet, method: "OPTIONS" })),

    valid(
      { note: "host instead of :authority, or equivalent to it", spec: TARGET, flag: "Target" },
      request([...but({ ":authority": undefined }), ["host", "A:80"]]),
      get(["host", "a"]),
      get(["host", "A:80"]),
      get(["host", "a:"]),
      request([...but({ ":scheme": "https" }), ["host", "a:443"]], { method: "GET", origin: "https://a" }),
      get(["host", "a"], ["host", "a"]),
    ),
    ...["b", "a:443", "a.", "u@a"].map((host) => refused({ note: `the host ${host} beside another :authority`, spec: TARGET, flag: "Target" }, "hostDiffers", get(["host", host]))),
    malformed({ note: "two hosts", spec: "rfc9110#7.2", flag: "Target" }, "hostDiffers", request([...but({ ":authority": undefined }), ["host", "a"], ["host", "b"]])),
    malformed({ note: "an empty host beside :authority", spec: TARGET, flag: "Target" }, "authorityMissing", get(["host", ""])),
    malformed({ note: "no authority after a request with host", spec: TARGET, flag: "Next" }, "authorityMissing", request([...but({ ":authority": undefined }), ["host", "a"]]), request(but({ ":authority": undefined }))),
    valid({ note: "another host than that of the request before", spec: TARGET, flag: "Next" }, get(["host", "a"]), request([...but({ ":authority": "b" }), ["host", "b"]], { method: "GET", origin: "http://b" })),
    valid({ note: "host fields in a response and in trailers have no meaning", spec: TARGET, flag: "Target" }, response([OK, ["host", "a"], ["host", "b"]]), trailers(["host", "a"], ["host", "b"])),

    valid({ note: "CONNECT", spec: CONNECT, flag: "Connect" }, connect([":authority", "a:443"]), connect([":authority", "[::1]:1"], ["x", "1"])),
    malformed({ note: "CONNECT without an authority", spec: CONNECT, flag: "Connect" }, "connectMalformed", connect()),
    malformed({ note: "CONNECT with host alone", spec: CONNECT, flag: "Connect" }, "connectMalformed", connect(["host", "a:443"])),
    ...["a", "a:", ":1", "a:65536", "u@a:1", ""].map((authority) => malformed({ note: `CONNECT to ${JSON.stringify(authority)}`, spec: CONNECT, flag: "Connect" }, "connectMalformed", connect([":authority", authority]))),
    malformed({ note: "CONNECT with :path", spec: CONNECT, flag: "Connect" }, "connectMalformed", connect([":authority", "a:443"], PATH)),
    malformed({ note: "CONNECT with :scheme", spec: CONNECT, flag: "Connect" }, "connectMalformed", connect([":authority", "a:443"], SCHEME)),
    malformed({ note: "CONNECT with both", spec: CONNECT, flag: "Connect" }, "connectMalformed", connect([":authority", "a:443"], SCHEME, PATH)),

    valid(
      { note: "CONNECT with a protocol, and then without", spec: EXTENDED, flag: "Extended", extended: true },
      { ...connect([":protocol", "websocket"], SCHEME, AUTHORITY, PATH), protocol: "websocket", origin: "http://a" },
      connect([":authority", "a:443"]),
      get(),
    ),
    malformed({ note: ":protocol that nobody enabled", spec: "rfc8441#3", flag: "Extended" }, "protocolNotEnabled", connect([":protocol", "websocket"], SCHEME, AUTHORITY, PATH)),
    malformed({ note: ":protocol with GET", spec: EXTENDED, flag: "Extended", extended: true }, "protocolWithoutConnect", get([":protocol", "websocket"])),
    malformed({ note: ":protocol twice", spec: PSEUDO, flag: "Extended", extended: true }, "pseudoFieldTwice", connect([":protocol", "a"], [":protocol", "a"], SCHEME, AUTHORITY, PATH)),
    ...["", "a b", "a/b"].map((protocol) => malformed({ note: `the protocol ${JSON.stringify(protocol)}`, spec: EXTENDED, flag: "Extended", extended: true }, "fieldValueInvalid", connect([":protocol", protocol], SCHEME, AUTHORITY, PATH))),
    malformed({ note: "a protocol without :scheme", spec: EXTENDED, flag: "Extended", extended: true }, "pseudoFieldMissing", connect([":protocol", "a"], AUTHORITY, PATH)),
    malformed({ note: "a protocol without :path", spec: EXTENDED, flag: "Extended", extended: true }, "pseudoFieldMissing", connect([":protocol", "a"], SCHEME, AUTHORITY)),
    malformed({ note: "a protocol without :authority", spec: EXTENDED, flag: "Extended", extended: true }, "authorityMissing", connect([":protocol", "a"], SCHEME, PATH)),
    malformed({ note: "a protocol in a response", spec: EXTENDED, flag: "Extended", extended: true }, "pseudoFieldUnknown", response([OK, [":protocol", "a"]])),

    valid({ note: "statuses", spec: STATUS, flag: "Status" }, ...[100, 103, 199, 204, 304, 599].map((status) => response([[":status", String(status)]], { status }))),
    ...["", "20", "2000", "2 0", "abc", "+20", "099"].map((status) => malformed({ note: `the status ${JSON.stringify(status)}`, spec: STATUS, flag: "Status" }, "statusInvalid", response([[":status", status]]))),
    malformed({ note: "two statuses", spec: PSEUDO, flag: "Status" }, "pseudoFieldTwice", response([OK, OK])),
    malformed({ note: "two different statuses", spec: PSEUDO, flag: "Status" }, "pseudoFieldTwice", response([OK, [":status", "100"]])),
    malformed({ note: "no status", spec: STATUS, flag: "Status" }, "statusMissing", response([])),
    malformed({ note: "a status after a regular field", spec: PSEUDO, flag: "Status" }, "pseudoFieldLate", response([["x", "1"], OK])),

    valid({ note: "the same fields again and again", spec: NAME, flag: "Repeated" }, ...Array.from({ length: 3 }, () => request([...GET, ...many(40, 0), ["content-length", "3"], ["priority", "i"]], { ...meansGet, contentLength: 3, priority: "i" }))),
    valid({ note: "more different fields than a recipient remembers", spec: NAME, flag: "Repeated" }, ...Array.from({ length: 2 }, () => get(...many(300, 0)))),
    valid({ note: "long values", spec: NAME, flag: "Repeated" }, ...Array.from({ length: 2 }, () => get(...many(5, 508)))),
    malformed({ note: "a repeated TE that was valid in a request, in trailers", spec: SPECIFIC, flag: "Repeated" }, "teNotTrailers", get(["te", "trailers"]), trailers(["te", "trailers"])),
    malformed({ note: "a repeated length, then another", spec: LENGTH, flag: "Repeated" }, "contentLengthInvalid", request([...GET, ["content-length", "5"]], { ...meansGet, contentLength: 5 }), get(["content-length", "5"], ["content-length", "6"])),
    malformed({ note: "a value like a repeated one, with a control character", spec: NAME, flag: "Repeated" }, "fieldValueInvalid", get(["x", "abc"]), get(["x", "abc"]), get(["x", "a\nc"])),
    malformed({ note: "a name like a repeated one, in upper case", spec: NAME, flag: "Repeated" }, "fieldNameInvalid", get(["x", "abc"]), get(["x", "abc"]), get(["X", "abc"])),
    valid(
      { note: "what was valid before more different fields than a recipient first remembers", spec: LENGTH, flag: "Repeated" },
      ...Array.from({ length: 3 }, () =>
        request([...GET, ["content-length", "3"], ["priority", "i"], ["cookie", "a"], ["cookie", "b"], ["te", "trailers"], ...many(40, 0)], {
          ...meansGet,
          contentLength: 3,
          priority: "i",
          joined: [...GET, ["content-length", "3"], ["priority", "i"], ["cookie", "a; b"], ["te", "trailers"], ...many(40, 0)],
        }),
      ),
    ),
    malformed(
      { note: "TE that was valid before many different fields, in trailers", spec: SPECIFIC, flag: "Repeated" },
      "teNotTrailers",
      get(["te", "trailers"]),
      get(...many(40, 0)),
      get(["te", "trailers"]),
      trailers(["te", "trailers"]),
    ),
    valid({ note: "cookie lines at the beginning of a section", spec: COOKIE, flag: "Cookie" }, {
      ...trailers(["cookie", "a=1"], ["cookie", "b=2"], ["x", "1"], ["cookie", "c=3"]),
      joined: [["cookie", "a=1; b=2; c=3"], ["x", "1"]],
    }),
    valid(
      { note: "combined values", spec: "rfc9110#5.2", flag: "Combined" },
      {
        ...get(["x", "1"], ["y", ""], ["x", "2"], ["cookie", "a=1"], ["x", ""], ["cookie", "b=2"]),
        joined: [...GET, ["x", "1"], ["y", ""], ["x", "2"], ["cookie", "a=1; b=2"], ["x", ""]],
        combined: [
          ["x", "1, 2, ", ["1", "2", ""]],
          ["y", "", [""]],
          ["z", null, []],
          ["cookie", "a=1; b=2", ["a=1", "b=2"]],
          [":path", "/", ["/"]],
        ],
      },
      { ...trailers(), combined: [["x", null, []]] },
      { ...trailers(["x", "1"]), combined: [["x", "1", ["1"]], ["y", null, []]] },
    ),
  ],
};
