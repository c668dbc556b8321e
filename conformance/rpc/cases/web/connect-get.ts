import type { RequirementRef } from "../../../harness/case.ts";
import type { WebForm } from "../../../wire/rpc/web-forms.ts";
import type { WebMessage, WebSight } from "../../web-vocabulary.ts";
import { all, answer, call, DETAILS, fails, holds, http, planned, refused, type WebRow } from "./phrases.ts";

/** Unary calls of the dialect connect by GET (rpc-connect#unary-get-request). */

type Query = readonly (readonly [name: string, value: string])[];
const FORM = "rpc-connect#unary-get-request/form";
const get = (
  id: string,
  title: string,
  of: {
    readonly form?: WebForm;
    readonly covers?: RequirementRef;
    readonly query?: Query;
    readonly message?: WebMessage;
    readonly see?: WebSight;
    readonly gzip?: true;
  },
): WebRow => ({
  id: `connect-get-${id}`,
  title,
  covers: of.covers ?? FORM,
  needs: of.gzip === true ? ["get", "gzip"] : ["get"],
  steps: [
    call(of.form ?? "get json", {
      ...(of.query === undefined ? {} : { query: of.query }),
      ...(of.message === undefined ? {} : { messages: [of.message] }),
    }),
  ],
  allowed: of.see ?? answer(),
});

const VERSION = ["connect", "v1"] as const;
const JSON_FORMAT = ["encoding", "json"] as const;
const PROTO = ["encoding", "proto"] as const;
const BASE64 = ["base64", "1"] as const;
const MESSAGE = ["message", "{message}"] as const;
const OCTETS = ["message", "{base64}"] as const;
const PADDED = ["message", "{padded}"] as const;
const ORDER = "rpc-connect#unary-get-request/order";
const UNKNOWN = "rpc-connect#unary-get-request/unknown";
const PADDING = "rpc-connect#unary-get-request/base64-padding";
const GZIP = ["compression", "gzip"] as const;

const goods: readonly WebRow[] = [
  get("json", "A message in JSON may be percent-encoded.", { see: all(answer(), holds("success-type")) }),
  get("proto", "A message of octets is in Base64 for URLs.", { form: "get proto", see: all(answer(), holds("success-type")) }),
  get("proto-octets", "A message of octets may have every octet.", {
    form: "get proto",
    message: { size: 251 },
    see: answer({ sizes: [251] }),
  }),
  get("json-base64", "A message in JSON may be in Base64.", { query: [VERSION, BASE64, JSON_FORMAT, OCTETS] }),
  get("json-symbols", "A message in JSON may have members with every character.", {
    message: { text: '{"payload":"dG91Y2hzdG9uZQ==","plan":{"message":"ä & ☺ = ? + # % \\u0000"}}' },
  }),
  get("empty", "A message of octets may be empty.", { form: "get proto", message: { hex: "" }, see: answer({ payloads: [""] }) }),
  get("padded", "Base64 may have padding.", { covers: PADDING, form: "get proto", query: [VERSION, BASE64, PROTO, PADDED] }),
  get("padded-one", "Base64 may have two characters of padding.", {
    covers: PADDING,
    form: "get proto",
    message: { payload: "ab" },
    query: [VERSION, BASE64, PROTO, PADDED],
    see: answer({ payloads: ["ab"] }),
  }),
  get("unpadded", "Base64 may have no padding.", {
    covers: PADDING,
    form: "get proto",
    message: { payload: "ab" },
    see: answer({ payloads: ["ab"] }),
  }),
  get("order-message-first", "The message may come first.", { covers: ORDER, form: "get proto", query: [OCTETS, PROTO, BASE64, VERSION] }),
  get("order-version-last", "The version may come last.", { covers: ORDER, query: [JSON_FORMAT, MESSAGE, VERSION] }),
  get("order-base64-last", "The mark of Base64 may come last.", {
    covers: ORDER,
    form: "get proto",
    query: [VERSION, PROTO, OCTETS, BASE64],
  }),
  get("order-message-amid", "The message may stand between other parameters.", {
    covers: ORDER,
    form: "get proto",
    query: [BASE64, OCTETS, VERSION, PROTO],
  }),
  get("unknown-first", "An unknown parameter may come first.", { covers: UNKNOWN, query: [["x", "1"], VERSION, JSON_FORMAT, MESSAGE] }),
  get("unknown-last", "An unknown parameter may come last.", {
    covers: UNKNOWN,
    query: [VERSION, JSON_FORMAT, MESSAGE, ["utm_source", "a%20b"]],
  }),
  get("unknown-empty", "An unknown parameter may be empty.", {
    covers: UNKNOWN,
    form: "get proto",
    query: [VERSION, ["x", ""], BASE64, PROTO, OCTETS],
  }),
  get("unknown-prefix", "Parameters whose names begin like known ones are unknown.", {
    covers: UNKNOWN,
    query: [["messages", "2"], ["encodings", "proto"], ["base64x", "1"], VERSION, JSON_FORMAT, MESSAGE],
  }),
  ...["0", "true", "2"].map((value) =>
    get(`base64-${value}`, `A value of base64 that is ${value} is ignored.`, {
      covers: "rpc-connect#unary-get-request/base64-other",
      query: [VERSION, ["base64", value], JSON_FORMAT, MESSAGE],
    }),
  ),
  get("compression-identity", "The compression identity leaves a message as it is.", {
    covers: "rpc-connect#unary-get-request/identity",
    form: "get proto",
    query: [VERSION, BASE64, ["compression", "identity"], PROTO, OCTETS],
  }),
  get("compression-gzip", "A message may be compressed.", {
    form: "get proto",
    gzip: true,
    message: { compress: "gzip" },
    query: [VERSION, BASE64, GZIP, PROTO, OCTETS],
  }),
  get("compression-zero-length", "A message of no octets is not decompressed.", {
    covers: "rpc-connect#unary-get-request/zero-length",
    form: "get proto",
    gzip: true,
    message: { hex: "" },
    query: [VERSION, BASE64, GZIP, PROTO, OCTETS],
    see: answer({ payloads: [""] }),
  }),
];

const planOf = (
  id: string,
  title: string,
  of: { readonly covers: RequirementRef; readonly plan: Parameters<typeof planned>[1]; readonly see: WebSight },
): WebRow => ({
  id: `connect-get-${id}`,
  title,
  covers: of.covers,
  needs: ["get"],
  steps: [planned("get proto", of.plan)],
  allowed: of.see,
});
const answers: readonly WebRow[] = [
  {
    id: "connect-get-timeout",
    title: "The timeout of a GET is the deadline of the handler.",
    covers: "rpc-connect#unary-get-request/timeout",
    needs: ["get"],
    steps: [call("get json", { fields: [["connect-timeout-ms", "5000"]] })],
    allowed: answer({ left: [1, 5000] }),
  },
  {
    id: "connect-get-metadata",
    title: "A handler sees the metadata of a GET.",
    covers: "rpc-connect#unary-request/metadata",
    needs: ["get"],
    steps: [call("get json", { fields: [["x-a", "1"]] })],
    allowed: answer({ metadata: { "x-a": "1" } }),
  },
  planOf("trailers", "The answer to a GET has trailing metadata with the prefix trailer-.", {
    covers: "rpc-connect#unary-response/trailer-prefix",
    plan: { trailers: [["x-t", "1"]], headers: [["x-h", "2"]] },
    see: answer({ trailers: { "x-t": "1" }, headers: { "x-h": "2" } }),
  }),
  planOf("error", "The error of a GET is JSON with its code.", {
    covers: "rpc-connect#error-codes/names",
    plan: { status: 5, message: "gone" },
    see: all(answer({ status: "NOT_FOUND", message: "gone" }), holds("error-json")),
  }),
  planOf("error-type", "The error of a GET has the content type application/json.", {
    covers: "rpc-connect#unary-response/error-content-type",
    plan: { status: 16, message: "who" },
    see: all(answer({ status: "UNAUTHENTICATED" }), holds("error-type")),
  }),
  planOf("error-details", "The error of a GET has its details.", {
    covers: "rpc-connect#error-end-stream/details",
    plan: { status: 5, message: "gone", details: DETAILS.hex },
    see: all(answer({ status: "NOT_FOUND", details: DETAILS.found }), holds("error-details")),
  }),
];

const refusal = (id: string, title: string, of: Pick<WebRow, "covers" | "steps" | "allowed">): WebRow => ({
  id: `connect-get-${id}`,
  title,
  needs: ["get"],
  control: [call("get proto")],
  ...of,
});
const refusals: readonly WebRow[] = [
  ...["xml", "protobuf", "text"].map((format) =>
    refusal(`415-${format}`, `A query in the format ${format} gets the HTTP status 415.`, {
      covers: "rpc-connect#unary-get-request/content-type-415",
      steps: [call("get proto", { query: [VERSION, BASE64, ["encoding", format], OCTETS] })],
      allowed: http(415),
    }),
  ),
  refusal("compression-unknown", "A compression that the server does not know fails the call with unimplemented.", {
    covers: "rpc-connect#unary-get-request/encoding-unknown",
    steps: [call("get proto", { query: [VERSION, BASE64, ["compression", "touchstone"], PROTO, OCTETS] })],
    allowed: fails("UNIMPLEMENTED", "rpc-connect#unary-get-request"),
  }),
  refusal("base64-damaged", "A message that is not Base64 although it says so fails the call.", {
    covers: FORM,
    steps: [call("get proto", { query: [VERSION, BASE64, PROTO, ["message", "*%21*"]] })],
    allowed: refused,
  }),
  refusal("message-missing", "A query without a message fails the call.", {
    covers: FORM,
    steps: [call("get proto", { query: [VERSION, BASE64, PROTO] })],
    allowed: refused,
  }),
  refusal("side-effects", "A method that is not marked as free of side effects does not answer GET.", {
    covers: "rpc-connect#unary-get-request/side-effects",
    steps: [call("get proto", { method: "Fate", messages: [{ hex: "" }] })],
    allowed: refused,
  }),
];

export const rows: readonly WebRow[] = [...goods, ...answers, ...refusals];
