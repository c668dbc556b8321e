import type { RequirementRef } from "../../../harness/case.ts";
import { STATUSES } from "../../../wire/rpc/statuses.ts";
import type { Step } from "../../client-vocabulary.ts";
import type { StatusName } from "../../vocabulary.ts";
import { answer, ask, fails, GOOD, head, only, received, refused, type Row, say, trailers } from "./phrases.ts";

/** The status of a call: in trailers, in trailers alone, missing, doubled, invalid, or that of HTTP. */

const BEGUN: readonly Step[] = [ask(), received()];
const words = (name: string): string => name.toLowerCase().replaceAll("_", "-");

const codes: readonly Row[] = STATUSES.slice(1).flatMap((status): Row[] => [
  {
    id: `status-${words(status)}`,
    title: `A call whose trailers have the status ${status} ends with it.`,
    covers: "rpc-status#codes/set",
    steps: [...BEGUN, head(), trailers({ status, message: "as asked" })],
    control: GOOD,
    allowed: answer({ status, message: "as asked" }),
  },
  {
    id: `status-alone-${words(status)}`,
    title: `A call that is answered with trailers alone and the status ${status} ends with it.`,
    covers: ["rpc-http2#responses/trailers-only", "rpc-status#codes/set"],
    steps: [...BEGUN, only(status, { message: "as asked" })],
    control: GOOD,
    allowed: answer({ status, message: "as asked" }),
  },
]);

/** Statuses that are not numbers. */
const UNPARSABLE = [
  ["empty", ""],
  ["word", "abc"],
  ["name", "NOT_FOUND"],
  ["negative", "-1"],
  ["signed", "+5"],
  ["hexadecimal", "0x5"],
  ["fraction", "5.0"],
  ["letter-behind", "5x"],
  ["space-inside", "1 2"],
  ["list", "0,5"],
] as const;
const unparsable: readonly Row[] = [
  ...UNPARSABLE.map(([id, status]): Row => ({
    id: `status-unparsable-${id}`,
    title: `A status that cannot be parsed, here "${status}", is UNKNOWN.`,
    covers: "rpc-status#codes/unparsable",
    steps: [...BEGUN, head(), trailers({ status: false, fields: [["{rpc}-status", status]] })],
    control: GOOD,
    allowed: fails("UNKNOWN", "rpc-status#codes"),
  })),
  ...(["17", "99", "4294967296", "99999999999999999999"] as const).map((status): Row => ({
    id: `status-beyond-${status}`,
    title: `A call with the status ${status}, which is none of the seventeen, does not succeed.`,
    covers: "rpc-status#codes/set",
    steps: [...BEGUN, head(), trailers({ status })],
    control: GOOD,
    allowed: refused,
  })),
  {
    id: "status-leading-zeros",
    title: "A status of 05 does not succeed: leading zeros are not allowed, and it is not 0.",
    covers: "rpc-http2#responses/status-form",
    steps: [...BEGUN, head(), trailers({ status: "05" })],
    control: GOOD,
    allowed: refused,
  },
];

const SYNTHESIZED: RequirementRef = "rpc-http2#responses/synthesized";
const missing: readonly Row[] = [
  {
    id: "status-missing-in-trailers",
    title: "A call whose trailers have no status ends with UNKNOWN, since the HTTP status is 200.",
    covers: [SYNTHESIZED, "rpc-http-status#table/others"],
    steps: [...BEGUN, head(), say(), trailers({ status: false, fields: [["x-trailer", "1"]] })],
    control: GOOD,
    allowed: fails("UNKNOWN", "rpc-http-status#table"),
  },
  {
    id: "status-missing-alone",
    title: "A call that is answered with headers alone, without a status, ends with UNKNOWN.",
    covers: [SYNTHESIZED, "rpc-http-status#table/others"],
    steps: [...BEGUN, only(false)],
    control: GOOD,
    allowed: fails("UNKNOWN", "rpc-http-status#table"),
  },
  {
    id: "trailers-missing",
    title: "A response that ends with DATA, without trailers, is no success.",
    covers: [SYNTHESIZED, "rpc-http-status#table/others"],
    steps: [...BEGUN, head(), say([{}], { end: true })],
    control: GOOD,
    allowed: fails("UNKNOWN", "rpc-http-status#table"),
  },
  {
    id: "trailers-missing-no-message",
    title: "A response that ends with empty DATA, without messages and trailers, is no success.",
    covers: [SYNTHESIZED, "rpc-http-status#table/others"],
    steps: [...BEGUN, head(), say([], { end: true })],
    control: GOOD,
    allowed: fails("UNKNOWN", "rpc-http-status#table"),
  },
  {
    id: "status-in-headers-not-trailers",
    title: "A status in the response headers does not replace that of the trailers.",
    covers: SYNTHESIZED,
    level: "SHOULD",
    steps: [...BEGUN, head({ fields: [["{rpc}-status", "0"]] }), say(), trailers({ status: "NOT_FOUND" })],
    control: GOOD,
    allowed: refused,
  },
  ...(
    [
      ["ok-then-error", "0", "5"],
      ["error-then-ok", "5", "0"],
      ["two-errors", "5", "7"],
    ] as const
  ).map(([id, first, second]): Row => ({
    id: `status-doubled-${id}`,
    title: `Trailers with the statuses ${first} and ${second} are no success.`,
    covers: "rpc-http2#responses/status-form",
    steps: [...BEGUN, head(), say(), trailers({ status: first, fields: [["{rpc}-status", second]] })],
    control: GOOD,
    allowed: refused,
  })),
];

/** What the table says of HTTP statuses; every other is UNKNOWN. */
const OF_HTTP: readonly (readonly [number, StatusName])[] = [
  [400, "INTERNAL"],
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "UNIMPLEMENTED"],
  [429, "UNAVAILABLE"],
  [431, "INTERNAL"],
  [502, "UNAVAILABLE"],
  [503, "UNAVAILABLE"],
  [504, "UNAVAILABLE"],
];
const OTHERS = [201, 204, 302, 402, 405, 415, 418, 500, 501, 505] as const;
const page = (status: number, end?: true): Step =>
  head({ replace: { ":status": String(status), "content-type": "text/html" }, ...(end === undefined ? {} : { end }) });
const http: readonly Row[] = [
  ...[...OF_HTTP, ...OTHERS.map((code) => [code, "UNKNOWN"] as const)].map(([code, status]): Row => ({
    id: `http-${code}`,
    title: `A response with HTTP status ${code} and no status of the call gives ${status}.`,
    covers: [SYNTHESIZED, status === "UNKNOWN" ? "rpc-http-status#table/others" : "rpc-http-status#table/mapping"],
    steps: [...BEGUN, page(code, true)],
    control: GOOD,
    allowed: fails(status, "rpc-http-status#table"),
  })),
  ...([404, 503, 500] as const).map((code): Row => ({
    id: `http-${code}-with-content`,
    title: `A response with HTTP status ${code} and a page gives ${code === 404 ? "UNIMPLEMENTED" : code === 503 ? "UNAVAILABLE" : "UNKNOWN"}.`,
    covers: [SYNTHESIZED, code === 500 ? "rpc-http-status#table/others" : "rpc-http-status#table/mapping"],
    steps: [
      ...BEGUN,
      page(code),
      { do: "frames", frames: [{ type: "DATA", stream: "request", flags: ["END_STREAM"], data: "<p>Not here" }] },
    ],
    control: GOOD,
    allowed: fails(code === 404 ? "UNIMPLEMENTED" : code === 503 ? "UNAVAILABLE" : "UNKNOWN", "rpc-http-status#table"),
  })),
  ...([400, 404, 500, 503] as const).map((code): Row => ({
    id: `http-${code}-with-status`,
    title: `A response with HTTP status ${code} and a status of the call ends with the latter.`,
    covers: "rpc-http-status#table/given",
    steps: [...BEGUN, only("ABORTED", { message: "given", replace: { ":status": String(code) } })],
    control: GOOD,
    allowed: answer({ status: "ABORTED" }),
  })),
];

const types: readonly Row[] = [
  ...(
    [
      ["html", "text/html"],
      ["json", "application/json"],
      ["plain", "text/plain; charset=utf-8"],
      ["absent", false],
    ] as const
  ).map(([id, value]): Row => ({
    id: `content-type-${id}`,
    title: `A response ${value === false ? "without a content type" : `of ${value}`} that has no status gives UNKNOWN.`,
    covers: [SYNTHESIZED, "rpc-http-status#table/others"],
    steps: [
      ...BEGUN,
      head({ replace: { "content-type": value } }),
      { do: "frames", frames: [{ type: "DATA", stream: "request", flags: ["END_STREAM"], data: "<p>Welcome" }] },
    ],
    control: GOOD,
    allowed: fails("UNKNOWN", "rpc-http-status#table"),
  })),
  ...(["+proto", ""] as const).map((format): Row => ({
    id: `content-type-${format === "" ? "alone" : "proto"}`,
    title: `A response whose content type ${format === "" ? "has no format" : "names the format proto"} is read.`,
    covers: "rpc-http2#requests/content-type-form",
    steps: [...BEGUN, head({ replace: { "content-type": `application/{rpc}${format}` } }), say(), trailers()],
    allowed: answer(),
  })),
];

const MESSAGES = [
  ["ascii", "not found", "not found"],
  ["percent-sign", "100%", "100%"],
  ["two-octets", "caf\u00e9", "caf\u00e9"],
  ["four-octets", "\u{1f600} or not", "\u{1f600} or not"],
  ["line-end", "one\ntwo", "one\ntwo"],
  ["quotes", '"a" & <b>, c: d; e=f', '"a" & <b>, c: d; e=f'],
  ["percent-and-digits", "%41 is not A", "%41 is not A"],
  ["spaces-inside", "a  b", "a  b"],
] as const;
/** Invalid messages, as they are sent, and what may become of them besides that. */
const INVALID = [
  ["lone-percent", "100%", ["100?", "100\ufffd"]],
  ["cut", "a%4", ["a?4", "a\ufffd4", "a?", "a\ufffd"]],
  ["no-digits", "a%zzb", ["a?zzb", "a\ufffdzzb", "a?b", "a\ufffdb"]],
  ["mixed", "%41%zz", ["A%zz", "A?zz", "A\ufffdzz", "A?", "A\ufffd"]],
  ["not-utf-8", "a%FFb", ["a\ufffdb", "a?b", "a\u00ffb"]],
  ["small-digits", "caf%c3%a9", ["caf\u00e9"]],
] as const;
const messages: readonly Row[] = [
  ...MESSAGES.map(([id, message, wanted]): Row => ({
    id: `status-message-${id}`,
    title: `The status message is decoded from its percent-encoding, here ${JSON.stringify(message)}.`,
    covers: "rpc-http2#responses/message-encoding",
    steps: [...BEGUN, head(), trailers({ status: "NOT_FOUND", message })],
    control: GOOD,
    allowed: answer({ status: "NOT_FOUND", message: wanted }),
  })),
  ...INVALID.map(([id, raw, others]): Row => ({
    id: `status-message-invalid-${id}`,
    title: `The status message ${raw}, which is invalid, is neither an error nor dropped.`,
    covers: "rpc-http2#responses/message-invalid",
    steps: [...BEGUN, head(), trailers({ status: "NOT_FOUND", fields: [["{rpc}-message", raw]] })],
    control: GOOD,
    allowed: answer({ status: "NOT_FOUND", messageAmong: [raw, ...others] }),
  })),
  {
    id: "status-message-absent",
    title: "A status without a message ends the call with that status.",
    covers: "rpc-status#codes/set",
    steps: [...BEGUN, only("NOT_FOUND")],
    control: GOOD,
    allowed: answer({ status: "NOT_FOUND" }),
  },
  {
    id: "status-message-of-ok",
    title: "A message beside OK changes nothing.",
    covers: "rpc-http2#responses/status",
    steps: [...BEGUN, head(), say(), trailers({ message: "all went well" })],
    allowed: answer(),
  },
  {
    id: "status-ok-without-message-of-unary",
    title: "A unary call that ends with OK and no response is no success.",
    covers: "rpc-status#codes/cardinality",
    steps: [...BEGUN, head(), trailers()],
    control: GOOD,
    allowed: fails(["UNIMPLEMENTED", "INTERNAL"], "rpc-status#codes"),
  },
  {
    id: "status-ok-alone-of-unary",
    title: "A unary call that is answered with OK in trailers alone is no success.",
    covers: "rpc-status#codes/cardinality",
    steps: [...BEGUN, only("OK")],
    control: GOOD,
    allowed: fails(["UNIMPLEMENTED", "INTERNAL"], "rpc-status#codes"),
  },
  {
    id: "two-responses-of-unary",
    title: "A unary call with two responses is no success.",
    covers: "rpc-status#codes/cardinality",
    steps: [...BEGUN, head(), say([{}, {}]), trailers()],
    control: GOOD,
    allowed: fails(["UNIMPLEMENTED", "INTERNAL"], "rpc-status#codes"),
  },
  {
    id: "status-after-message",
    title: "A unary call with a response and the status ABORTED ends with the status.",
    covers: "rpc-http2#errors/trailers",
    steps: [...BEGUN, head(), say(), trailers({ status: "ABORTED", message: "late" })],
    control: GOOD,
    allowed: answer({ status: "ABORTED", message: "late" }),
  },
];

export const rows: readonly Row[] = [...codes, ...unparsable, ...missing, ...http, ...types, ...messages];
