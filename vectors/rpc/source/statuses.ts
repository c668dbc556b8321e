import { reading, type Rule, type Source, writing } from "./craft.ts";

const SET: readonly [Rule, Rule] = ["rpc-status#codes/set", "rpc-http2#responses/status-form"];
const UNPARSABLE: readonly [Rule, Rule] = ["rpc-status#codes/unparsable", "rpc-http2#responses/status-form"];
const TABLE: readonly [Rule, Rule] = ["rpc-http-status#table/mapping", "rpc-http2#responses/synthesized"];
const OTHERS: readonly [Rule, Rule] = ["rpc-http-status#table/others", "rpc-http2#responses/synthesized"];
const GIVEN: readonly [Rule] = ["rpc-http-status#table/given"];
const RESET: readonly [Rule] = ["rpc-http2#errors/reset-codes"];

const NAMES = [
  "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
] as const;
const code = (name: (typeof NAMES)[number]): number => NAMES.indexOf(name);
const UNKNOWN = { code: code("UNKNOWN") };

type Pair = readonly [name: string, value: string];
const given = (http: number, ...fields: readonly Pair[]) => ({ http, fields });
const unparsable = (value: string, note: string) =>
  reading("status", given(200, ["rpc-status", value]), { note, rules: UNPARSABLE, messages: [UNKNOWN], flag: "Unparsable" });
/** A number without a name: UNKNOWN, or passed on. */
const unnamed = (value: number) =>
  reading("status", given(200, ["rpc-status", String(value)]), { note: `the number ${value}`, rules: UNPARSABLE, messages: [UNKNOWN], or: [{ messages: [{ code: value }], by: "rpc-http2#responses" }], flag: "Unnamed" });

export const source: Source = {
  kind: "rpc-read",
  about: "the status of a call from its trailers, or from the HTTP status",
  spec: "rpc-status#codes",
  flags: {
    Code: { why: "a code and its message", bug: "WRONG_STATUS" },
    Unnamed: { why: "a number that is no code", bug: "TAKEN_FOR_OK" },
    Unparsable: { why: "a status that is not a number", bug: "TAKEN_FOR_OK" },
    Http: { why: "a response without a status", bug: "WRONG_STATUS" },
    Both: { why: "a status beside an HTTP status that says otherwise", bug: "WRONG_STATUS" },
  },
  vectors: [
    ...NAMES.map((name, number) =>
      reading("status", given(200, ["rpc-status", String(number)]), { note: name, rules: SET, messages: [{ code: number }], flag: "Code" }),
    ),
    reading("status", given(200, ["rpc-status", "5"], ["rpc-message", "no caf%C3%A9"]), { note: "a status with a message", rules: ["rpc-http2#responses/message-encoding"], messages: [{ code: 5, text: "no café" }], flag: "Code" }),
    reading("status", given(200, ["rpc-message", "first"], ["rpc-status", "10"]), { note: "the message before the status", rules: SET, messages: [{ code: 10, text: "first" }], flag: "Code" }),
    reading("status", given(200, ["rpc-status", "13"], ["rpc-message", ""]), { note: "an empty message", rules: SET, messages: [{ code: 13, text: "" }], flag: "Code" }),
    reading("status", given(200, ["a", "1"], ["rpc-status", "7"], ["status", "0"]), { note: "other fields around the status", rules: SET, messages: [{ code: 7 }], flag: "Code" }),
    ...[17, 18, 100, 255].map(unnamed),
    unparsable("", "an empty status"),
    unparsable("abc", "a word"),
    unparsable("OK", "the name of a code"),
    unparsable("-1", "a negative number"),
    unparsable("0x5", "hexadecimal digits"),
    unparsable("5.5", "a fraction"),
    unparsable("5;", "a semicolon after the number"),
    unparsable("0, 0", "two statuses in one field"),
    reading("status", given(200, ["rpc-status", "05"]), { note: "a leading zero", rules: UNPARSABLE, messages: [UNKNOWN], or: [{ messages: [{ code: 5 }], by: "rpc-http2#responses" }], flag: "Unparsable" }),
    reading("status", given(200, ["rpc-status", "00"]), { note: "two zeros", rules: UNPARSABLE, messages: [UNKNOWN], or: [{ messages: [{ code: 0 }], by: "rpc-http2#responses" }], flag: "Unparsable" }),
    ...(
      [
        [400, "INTERNAL"], [401, "UNAUTHENTICATED"], [403, "PERMISSION_DENIED"], [404, "UNIMPLEMENTED"], [429, "UNAVAILABLE"],
        [431, "INTERNAL"], [502, "UNAVAILABLE"], [503, "UNAVAILABLE"], [504, "UNAVAILABLE"],
      ] as const
    ).map(([http, name]) =>
      // Earlier editions of the table do not list 431.
      reading("status", given(http), { note: `HTTP status ${http}`, rules: TABLE, messages: [{ code: code(name) }], ...(http === 431 ? { or: [{ messages: [UNKNOWN], by: "rpc-http-status#table" }] } : {}), flag: "Http" }),
    ),
    ...[200, 201, 204, 301, 302, 304, 402, 405, 406, 408, 409, 411, 413, 414, 415, 421, 428, 430, 499, 500, 501, 505, 511, 599].map((http) =>
      reading("status", given(http), { note: `HTTP status ${http}`, rules: OTHERS, messages: [UNKNOWN], flag: "Http" }),
    ),
    reading("status", given(200, ["rpc-message", "lost"]), { note: "a message without a status", rules: OTHERS, messages: [UNKNOWN], flag: "Http" }),
    reading("status", given(503, ["server", "a proxy"]), { note: "other fields and HTTP status 503", rules: TABLE, messages: [{ code: code("UNAVAILABLE") }], flag: "Http" }),
    ...[[404, 5], [503, 8], [500, 13], [403, 16], [429, 9], [200, 14]].map(([http = 0, number = 0]) =>
      reading("status", given(http, ["rpc-status", String(number)], ["rpc-message", "given"]), { note: `status ${number} with HTTP status ${http}`, rules: GIVEN, messages: [{ code: number, text: "given" }], flag: "Both" }),
    ),
    ...[399, 432].map((http) => reading("status", given(http), { note: `HTTP status ${http}, beside one of the table`, rules: OTHERS, messages: [UNKNOWN], flag: "Http" })),
    reading("status", given(200, ["rpc-status", "5"], ["rpc-status", "0"]), { note: "a failure, and a success after it", rules: UNPARSABLE, messages: [UNKNOWN], or: [{ messages: [{ code: 5 }], by: "rpc-http2#responses" }, { messages: [{ code: 0 }], by: "rpc-http2#responses" }], flag: "Unparsable" }),
  ],
};

export const resets: Source = {
  kind: "rpc-read",
  about: "the status of a call that RST_STREAM ends, by its error code",
  spec: "rpc-http2#errors",
  flags: { Reset: { why: "an error code of HTTP/2", bug: "WRONG_STATUS" } },
  vectors: (
    [
      [0, "NO_ERROR", "INTERNAL"], [1, "PROTOCOL_ERROR", "INTERNAL"], [2, "INTERNAL_ERROR", "INTERNAL"], [3, "FLOW_CONTROL_ERROR", "INTERNAL"],
      [4, "SETTINGS_TIMEOUT", "INTERNAL"], [6, "FRAME_SIZE_ERROR", "INTERNAL"], [7, "REFUSED_STREAM", "UNAVAILABLE"], [8, "CANCEL", "CANCELLED"],
      [9, "COMPRESSION_ERROR", "INTERNAL"], [10, "CONNECT_ERROR", "INTERNAL"], [11, "ENHANCE_YOUR_CALM", "RESOURCE_EXHAUSTED"],
      [12, "INADEQUATE_SECURITY", "PERMISSION_DENIED"],
    ] as const
  ).map(([number, error, name]) =>
    reading("reset", number, { note: error, rules: RESET, messages: [{ code: code(name) }], flag: "Reset" }),
  ),
};

const ENCODED: readonly [Rule] = ["rpc-http2#responses/message-encoding"];
const field = (name: string, value: string) => ({ name, value });
const write = (name: (typeof NAMES)[number], [text, encoded]: readonly [string, string], note: string, rules: readonly [Rule, ...Rule[]] = SET) =>
  writing("status", { status: name, text }, { note, rules, messages: [field("rpc-status", String(code(name))), ...(encoded === "" ? [] : [field("rpc-message", encoded)])], flag: "Written" });

export const written: Source = {
  kind: "rpc-write",
  about: "statuses that are written into trailers, by their names",
  spec: "rpc-status#codes",
  flags: { Written: { why: "the number of a name, and its message", bug: "WRONG_STATUS" } },
  vectors: [
    ...NAMES.map((name) => write(name, ["", ""], name)),
    write("NOT_FOUND", ["no such call", "no such call"], "a status with a message"),
    write("INTERNAL", ["100% caf\u00e9\r\n", "100%25 caf%C3%A9%0D%0A"], "a message that must be encoded", ENCODED),
    write("OK", ["fine", "fine"], "a success with a message"),
  ],
};
