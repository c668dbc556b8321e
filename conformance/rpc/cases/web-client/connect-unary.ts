import { CODES, STATUS_OF_HTTP } from "../../../wire/rpc/web-forms.ts";
import { STATUSES } from "../../../wire/rpc/statuses.ts";
import type { WebClientStep } from "../../web-client-vocabulary.ts";
import { DETAILS, MESSAGES } from "../web/phrases.ts";
import {
  all,
  answer,
  ask,
  close,
  content,
  drop,
  ends,
  error,
  GOOD,
  good,
  head,
  headWith,
  PAYLOAD,
  preferably,
  received,
  refused,
  type Row,
  say,
  unary,
  words,
} from "./phrases.ts";

/** What a client of the dialect connect makes of answers to unary calls. */

const SUCCESS = "rpc-connect#unary-response/success";
const LEADING = "rpc-connect#unary-response/leading";
const TRAILING = "rpc-connect#unary-response/trailer-prefix";
const PADDING = "rpc-connect#unary-request/binary-padding";
const JSON_CALL = { channel: { format: "json" } } as const;

const successes: readonly Row[] = [
  good("connect-success", "A message with the HTTP status 200 is a success.", SUCCESS, { steps: unary(head(), say()) }),
  good("connect-success-json", "A message in JSON with the HTTP status 200 is a success.", SUCCESS, {
    needs: ["json"],
    steps: [ask({}, JSON_CALL), received(), head(), say(), close],
  }),
  good("connect-success-get", "A GET is answered as a POST is.", SUCCESS, {
    needs: ["get"],
    steps: [ask({ get: true }), received(), head(), say(), close],
  }),
  ...[1, 2, 5, 11].map((cut) =>
    good(`connect-success-cut-${cut}`, `Content may come in pieces of ${cut} octets.`, SUCCESS, {
      steps: unary(head(), say([{}], { cut })),
    }),
  ),
  good("connect-success-long", "A message may have 200,000 octets.", SUCCESS, {
    steps: unary(head(), say([{ size: 200_000 }])),
    see: answer({ sizes: [200_000] }),
  }),
  good("connect-success-empty", "A message may have no octets.", SUCCESS, {
    steps: unary(head()),
    see: answer({ payloads: [""] }),
  }),
  good("connect-success-gzip", "An answer may be compressed.", "rpc-connect#unary-request/content-encoding", {
    needs: ["gzip"],
    steps: unary(headWith(["content-encoding", "gzip"]), say([{ compress: "gzip" }])),
  }),
  good("connect-success-identity", "The encoding identity leaves content as it is.", "rpc-connect#unary-request/content-encoding", {
    steps: unary(headWith(["content-encoding", "identity"]), say()),
  }),
  {
    id: "connect-zero-length-gzip",
    title: "Content of no octets is not decompressed.",
    covers: "rpc-connect#unary-response/zero-length",
    needs: ["gzip"],
    steps: unary(headWith(["content-encoding", "gzip"])),
    control: GOOD,
    allowed: answer({ payloads: [""] }),
  },
  good("connect-leading", "Leading metadata is reported, also that in Base64.", LEADING, {
    steps: unary(headWith(["x-a", "1"], ["x-a", "2"], ["x-b-bin", "AP8"]), say()),
    see: answer({ headers: { "x-a": "1,2", "x-b-bin": "00ff" } }),
  }),
  good("connect-trailing", "Fields with the prefix trailer- are trailing metadata without it.", TRAILING, {
    steps: unary(headWith(["trailer-x-t", "1"], ["trailer-x-t", "2"], ["trailer-x-b-bin", "AP8"]), say()),
    see: answer({ trailers: { "x-t": "1,2", "x-b-bin": "00ff" } }),
  }),
  good("connect-trailing-apart", "Trailing metadata is no leading metadata, and the other way round.", TRAILING, {
    steps: unary(headWith(["x-h", "1"], ["trailer-x-t", "2"]), say()),
    see: answer({ headers: { "x-h": "1", "x-t": false, "trailer-x-t": false }, trailers: { "x-t": "2", "x-h": false } }),
  }),
  ...(
    [
      ["padded", "AP8="],
      ["padded-twice", "AA=="],
      ["unpadded", "AP8"],
    ] as const
  ).map(([id, value]) =>
    good(`connect-binary-${id}`, `A binary value is read from "${value}".`, PADDING, {
      steps: unary(headWith(["x-b-bin", value]), say()),
      see: answer({ headers: { "x-b-bin": Buffer.from(value, "base64").toString("hex") } }),
    }),
  ),
];

const codes: readonly Row[] = CODES.flatMap((code, at): Row[] =>
  at === 0
    ? []
    : [
        good(`connect-code-${words(code)}`, `An error with the code ${code} ends the call with it.`, "rpc-connect#error-codes/names", {
          steps: unary(...error(at, { message: "as asked" })),
          see: ends(STATUSES[at]!, { message: "as asked" }),
        }),
      ],
);

const ERROR = "rpc-connect#error-end-stream/error";
const [DETAIL] = DETAILS.found;
const value = Buffer.from(DETAIL[1], "hex").toString("base64").replace(/=+$/, "");
const detail = { type: DETAIL[0], value };
const errors: readonly Row[] = [
  ...MESSAGES.map(([id, message]) =>
    good(`connect-message-${id}`, `The message of an error is text in JSON (${words(id).replaceAll("-", " ")}).`, ERROR, {
      steps: unary(...error(5, { message })),
      see: ends("NOT_FOUND", { message }),
    }),
  ),
  good("connect-error-code-alone", "An error may be a code alone.", ERROR, { steps: unary(...error(14)), see: ends("UNAVAILABLE") }),
  good("connect-error-more", "An error may have other members.", ERROR, {
    steps: unary(...error(14, { message: "m", more: { a: [1] } })),
    see: ends("UNAVAILABLE", { message: "m" }),
  }),
  good("connect-error-get", "A GET fails as a POST does.", ERROR, {
    needs: ["get"],
    steps: [ask({ get: true }), received(), ...error(5, { message: "gone" }), close],
    see: ends("NOT_FOUND", { message: "gone" }),
  }),
  good("connect-error-json", "A call in JSON fails as one of octets does.", ERROR, {
    needs: ["json"],
    steps: [ask({}, JSON_CALL), received(), ...error(5, { message: "gone" }), close],
    see: ends("NOT_FOUND", { message: "gone" }),
  }),
  ...(
    [
      ["not-found-with-500", 5, 500],
      ["unauthenticated-with-403", 16, 403],
      ["aborted-with-404", 10, 404],
      ["internal-with-503", 13, 503],
    ] as const
  ).map(([id, at, http]) =>
    good(
      `connect-code-${id}`,
      `The code of an error counts, not its HTTP status (${id.replaceAll("-", " ")}).`,
      "rpc-connect#error-codes/names",
      {
        steps: unary(...error(at, { message: "m" }, http)),
        see: ends(STATUSES[at]!, { message: "m" }),
      },
    ),
  ),
  good("connect-error-gzip", "An error may be compressed.", "rpc-connect#unary-request/content-encoding", {
    needs: ["gzip"],
    steps: unary(
      head({ status: 404, type: "application/json", fields: [["content-encoding", "gzip"]] }),
      content('{"code":"not_found","message":"gone"}', { compress: "gzip" }),
    ),
    see: ends("NOT_FOUND", { message: "gone" }),
  }),
  good("connect-error-metadata", "An error has leading and trailing metadata.", TRAILING, {
    steps: unary(
      head({
        status: 404,
        type: "application/json",
        fields: [
          ["x-h", "1"],
          ["trailer-x-t", "2"],
        ],
      }),
      content('{"code":"not_found"}'),
    ),
    see: all(ends("NOT_FOUND"), {
      see: "any",
      of: [
        ends("NOT_FOUND", { headers: { "x-h": "1" }, trailers: { "x-t": "2" } }),
        // Libraries give all metadata of an error as one.
        ends("NOT_FOUND", { trailers: { "x-h": "1", "x-t": "2" } }),
      ],
    }),
  }),
  good("connect-details", "A detail has a type, and octets in Base64.", "rpc-connect#error-end-stream/details", {
    needs: ["details"],
    steps: unary(...error(8, { details: [detail] })),
    see: ends("RESOURCE_EXHAUSTED", { details: [[DETAIL[0], DETAIL[1]]] }),
  }),
  good("connect-details-two", "An error may have several details, which keep their order.", "rpc-connect#error-end-stream/details", {
    needs: ["details"],
    steps: unary(...error(8, { details: [detail, { type: DETAIL[0], value: "CgF5" }] })),
    see: ends("RESOURCE_EXHAUSTED", {
      details: [
        [DETAIL[0], DETAIL[1]],
        [DETAIL[0], "0a0179"],
      ],
    }),
  }),
  good("connect-details-debug", "What a detail has for debugging does not replace its octets.", "rpc-connect#error-end-stream/debug", {
    needs: ["details"],
    steps: unary(...error(8, { details: [{ ...detail, debug: { call: "other" } }] })),
    see: ends("RESOURCE_EXHAUSTED", { details: [[DETAIL[0], DETAIL[1]]] }),
  }),
];

/** Content of errors that states no code. */
const MALFORMED: readonly (readonly [id: string, words: string, steps: readonly WebClientStep[]])[] = [
  ["text", "text", [content("go away")]],
  ["cut-json", "JSON cut short", [content('{"code":"not_fou')]],
  ["list", "a list", [content('["not_found"]')]],
  ["null", "null", [content("null")]],
  ["number", "a number", [content("5")]],
];
/** Errors in JSON without a valid code. */
const CODELESS: readonly (readonly [id: string, json: object])[] = [
  ["empty", {}],
  ["null", { code: null }],
  ["number", { code: 5 }],
  ["unknown", { code: "no_such_code" }],
  ["upper-case", { code: "NOT_FOUND" }],
  ["message-only", { message: "busy" }],
];
const INFERRED = "rpc-connect#unary-response/inferred";
const OTHERS = [402, 405, 409, 415, 418, 422, 431, 451, 500, 501, 505, 599] as const;
const mapped: readonly Row[] = [
  ...[...Object.keys(STATUS_OF_HTTP).map(Number), ...OTHERS].flatMap((http): Row[] => {
    const status = STATUSES[STATUS_OF_HTTP[http] ?? 2]!;
    return [
      {
        id: `connect-http-${http}`,
        title: `An answer with the HTTP status ${http} and no content is ${status}.`,
        covers: INFERRED,
        steps: unary(head({ status: http, type: false })),
        control: GOOD,
        allowed: ends(status),
      },
    ];
  }),
  ...[403, 404, 502, 500].map((http): Row => {
    const status = STATUSES[STATUS_OF_HTTP[http] ?? 2]!;
    return {
      id: `connect-page-${http}`,
      title: `A page with the HTTP status ${http} is ${status}.`,
      covers: INFERRED,
      steps: unary(head({ status: http, type: "text/html" }), content("<html><body>no</body></html>")),
      control: GOOD,
      allowed: ends(status),
    };
  }),
  ...MALFORMED.map(([id, what, steps]): Row => ({
    id: `connect-malformed-${id}`,
    title: `An error whose content is ${what} has the code of its HTTP status.`,
    covers: INFERRED,
    steps: unary(head({ status: 503, type: "application/json" }), ...steps),
    control: GOOD,
    allowed: ends("UNAVAILABLE"),
  })),
  ...CODELESS.map(([id, json]): Row => ({
    id: `connect-codeless-${id}`,
    title: `An error without a valid code (${id.replaceAll("-", " ")}) has the code of its HTTP status.`,
    covers: ["rpc-connect#error-codes/inferred", "rpc-connect#error-end-stream/valid"],
    steps: unary(head({ status: 429, type: "application/json" }), content(JSON.stringify(json))),
    control: GOOD,
    allowed: preferably("UNAVAILABLE", "rpc-connect#error-codes"),
  })),
  {
    id: "connect-zero-length-error",
    title: "An error of no octets is not decompressed.",
    covers: ["rpc-connect#unary-response/zero-length", INFERRED],
    needs: ["gzip"],
    steps: unary(head({ status: 503, type: "application/json", fields: [["content-encoding", "gzip"]] })),
    control: GOOD,
    allowed: ends("UNAVAILABLE"),
  },
];

const refusals: readonly Row[] = [
  ...(
    [
      ["html", "text/html"],
      ["stream", "application/connect+proto"],
      ["other-format", "application/json"],
      ["none", false],
    ] as const
  ).map(([id, type]): Row => ({
    id: `connect-type-${id}`,
    title: `A success with ${type === false ? "no content type" : `the content type ${type}`} does not succeed.`,
    covers: SUCCESS,
    steps: unary(head({ type }), say()),
    control: GOOD,
    allowed: refused,
  })),
  {
    id: "connect-encoding-unknown",
    title: "An answer in an encoding that the client does not know does not succeed.",
    covers: "rpc-connect#unary-response/encoding-accepted",
    steps: unary(headWith(["content-encoding", "x-none"]), say()),
    control: GOOD,
    allowed: refused,
  },
  {
    id: "connect-gzip-damaged",
    title: "An answer whose compressed content is damaged does not succeed.",
    covers: "rpc-connect#unary-request/content-encoding",
    needs: ["gzip"],
    steps: unary(headWith(["content-encoding", "gzip"]), say([{ compress: "gzip", keep: 12 }])),
    control: GOOD,
    allowed: refused,
  },
  {
    id: "connect-not-compressed",
    title: "An answer without Content-Encoding is not decompressed, even if it looks compressed.",
    covers: "rpc-connect#unary-response/identity",
    steps: unary(head(), say([{ payload: "\u001f\u0008\u0000" }])),
    allowed: answer({ payloads: ["\u001f\u0008\u0000"] }),
  },
  ...(
    [
      ["before-the-head", []],
      ["after-the-head", [head()]],
      ["inside-the-message", [head(), say([{ keep: 6 }])]],
      ["behind-the-message", [head(), say()]],
    ] as const
  ).map(([id, steps]): Row => ({
    id: `connect-cut-off-${id}`,
    title: `An answer that is broken off ${id.replaceAll("-", " ")} does not succeed.`,
    covers: SUCCESS,
    steps: [ask(), received(), ...steps, drop],
    control: GOOD,
    allowed: refused,
  })),
  {
    id: "connect-late",
    title: "A call without an answer at its deadline fails with DEADLINE_EXCEEDED.",
    covers: "rpc-connect#error-codes/deadline",
    needs: ["deadline"],
    steps: [ask({ timeoutMs: 100 }), received()],
    control: GOOD,
    allowed: answer({ status: "DEADLINE_EXCEEDED" }),
  },
  {
    id: "connect-late-leaves",
    title: "A client leaves a call whose deadline has passed.",
    covers: "rpc-connect#error-codes/deadline",
    level: "SHOULD",
    needs: ["deadline"],
    steps: [ask({ timeoutMs: 100 }), received()],
    control: GOOD,
    allowed: all(answer({ status: "DEADLINE_EXCEEDED" }), { see: "left" }),
  },
  {
    id: "connect-cancelled",
    title: "A call that the application cancels fails with CANCELLED, and the client leaves it.",
    covers: "rpc-connect#error-codes/names",
    needs: ["cancel"],
    steps: [ask({ cancel: { afterMs: 50 } }), received()],
    control: GOOD,
    allowed: all(answer({ status: "CANCELLED" }), { see: "left" }),
  },
  {
    id: "connect-after-a-failure",
    title: "The channel makes further calls after one that failed.",
    covers: ERROR,
    steps: [
      ask({}, { later: [{ kind: "unary", path: "/touchstone.conformance.v1.Conformance/Unary", messages: ["61"] }] }),
      received(),
      ...error(14),
      close,
    ],
    control: GOOD,
    allowed: all(ends("UNAVAILABLE"), answer({ call: 2, payloads: [PAYLOAD] })),
  },
];

export const rows: readonly Row[] = [...successes, ...codes, ...errors, ...mapped, ...refusals];
