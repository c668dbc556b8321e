import type { SpecRef } from "../../../reference/core/index.ts";
import type { Budget } from "../../harness/case.ts";
import { limitFeature, type LimitName } from "../limits.ts";
import type { Case, ErrorName, FieldSpec, FrameSpec, Outcome, Row, Step, StreamRef } from "../vocabulary.ts";

/** Steps, frames and outcomes that many cases share. Each is plain data under a short name. */

export const handshake: Step = { do: "handshake" };
export const send = (...frames: FrameSpec[]): Step => ({ do: "send", frames });

/** The fields of a request for the subject's path, or that for POST: pseudo-header fields, then more. */
export const request = (method = "GET", ...more: FieldSpec[]): [FieldSpec, FieldSpec, FieldSpec, FieldSpec, ...FieldSpec[]] => [
  [":method", method],
  [":scheme", "{scheme}"],
  [":authority", "{authority}"],
  [":path", method === "POST" ? "{post}" : "{path}"],
  ...more,
];

/** The fields of a GET without :method, for cases that encode :method themselves. */
export const withoutMethod: FieldSpec[] = request().slice(1);

/** A complete request without content. */
export const get = (stream: number, ...more: FieldSpec[]): FrameSpec & { readonly stream: number } => ({
  type: "HEADERS",
  stream,
  flags: ["END_STREAM", "END_HEADERS"],
  fields: request("GET", ...more),
});
/** A request whose content follows. */
export const post = (stream: number, ...more: FieldSpec[]): FrameSpec => ({
  type: "HEADERS",
  stream,
  flags: ["END_HEADERS"],
  fields: request("POST", ...more),
});

/** The content of a request on stream 1, and its end. */
export const finalData: FrameSpec = { type: "DATA", stream: 1, flags: ["END_STREAM"], data: "content" };

type Allowed = readonly [Outcome, ...Outcome[]];

/** The general codes, which rfc9113#5.4 permits for any error, without those in `code`. */
export const generalErrors = (code: ErrorName | readonly ErrorName[]): ErrorName[] =>
  (["PROTOCOL_ERROR", "INTERNAL_ERROR"] as const).filter((name) => !code.includes(name));

/** A connection error: GOAWAY with the code. A general code (rfc9113#5.4), or a close without GOAWAY, is a warning. */
export const connectionError = (code: ErrorName | readonly ErrorName[], ...others: Outcome[]): Allowed => [
  { see: { see: "GOAWAY", code } },
  ...others,
  { see: { see: "GOAWAY", code: generalErrors(code) }, by: "rfc9113#5.4", verdict: "warn" },
  { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" },
];

/** A stream error: RST_STREAM with the code, or a connection error with the same code. Otherwise as `connectionError`. */
export const streamError = (stream: StreamRef, code: ErrorName | readonly ErrorName[], ...others: Outcome[]): Allowed => [
  { see: { see: "RST_STREAM", stream, code } },
  ...others,
  { see: { see: "GOAWAY", code }, by: "rfc9113#5.4.1" },
  { see: { see: "RST_STREAM", stream, code: generalErrors(code) }, by: "rfc9113#5.4", verdict: "warn" },
  { see: { see: "GOAWAY", code: generalErrors(code) }, by: "rfc9113#5.4", verdict: "warn" },
  { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" },
];

/** Other statuses that blame the request. An unknown path (404) or method (405) says nothing about a mistake in its fields. */
const BLAMES: readonly number[] = [403, 411, 413, 414, 421, 422, 501, 505];
/** A malformed request: RST_STREAM, or first a response (rfc9113#8.1.1 names no status): one other than 400 or 431 is a warning. */
export const malformedRequest = (stream: number): Allowed =>
  streamError(
    stream,
    "PROTOCOL_ERROR",
    { see: { see: "response", stream, status: [400, 431] }, by: "rfc9113#8.1.1" },
    { see: { see: "response", stream, status: BLAMES }, by: "rfc9113#8.1.1", verdict: "warn" },
  );

/** Everything must be accepted. */
export const accepted: Allowed = [{ see: { see: "accepted" } }];
export const answered = (stream: number): Allowed => [{ see: { see: "response", stream } }];
/** Accepted, and answered on this stream with any status. */
export const acceptedAndAnswered = (stream: number): Allowed => [
  { see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream }] } },
];

/** A GET on stream 1 and its response, with which later responses are compared. */
export const firstExchange: readonly Step[] = [
  handshake,
  send(get(1)),
  { do: "await", see: { see: "response", stream: 1, complete: true } },
];
/** Accepted, and answered with the status of stream 1, so understood as the same request. */
export const answeredLikeFirst = (stream: number): Allowed => [
  { see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream, sameStatusAs: 1 }] } },
];
/** A field block that cannot be decoded (rfc9113#4.3). */
export const compressionError: Allowed = connectionError("COMPRESSION_ERROR");
/** A field block that ends too early. Some servers report FRAME_SIZE_ERROR. */
export const truncatedBlock: Allowed = connectionError("COMPRESSION_ERROR", {
  see: { see: "GOAWAY", code: "FRAME_SIZE_ERROR" },
  by: "rfc9113#5.4",
  verdict: "warn",
});
/** A GET with an invalid field section on stream 1; the control has a valid one. */
export const malformedFields = (wrong: FieldSpec[], right: FieldSpec[]): Pick<Case, "role" | "steps" | "control" | "allowed"> => ({
  role: "server",
  steps: [handshake, send({ ...get(1), fields: wrong })],
  control: [handshake, send({ ...get(1), fields: right })],
  allowed: malformedRequest(1),
});
/** A stopped attack: GOAWAY with ENHANCE_YOUR_CALM or another error, or the end of the connection. */
export const attackStopped = (...others: Outcome[]): Allowed => [
  { see: { see: "GOAWAY", code: "ENHANCE_YOUR_CALM" } },
  ...others,
  { see: { see: "GOAWAY", code: "any error" }, by: "rfc9113#5.4" },
  // The server closes while the client still sends, so its last frames may be lost.
  { see: { see: "closed" }, by: "rfc9113#5.4.1" },
  { see: { see: "frame", type: "GOAWAY" }, by: "rfc9113#6.8" },
];

/**
 * The budget for a flood of at most 4 MB. Ten servers used 0 to 19 MiB and at most 210 ms, whether they stopped it or not; the budget is
 * several times that, so noise does not decide.
 */
export const FLOOD_BUDGET: Budget = { memoryMiB: 64, cpuMs: 1000 };

/** Accepted, and everything the subject sent has these properties (`driver/monitors.ts`). */
export const holds = (...monitors: readonly [string, ...string[]]): Allowed => [
  { see: { see: "all", of: [{ see: "accepted" }, ...monitors.map((monitor) => ({ see: "holds", monitor }) as const)] } },
];
/** An invalid preface. GOAWAY is optional (rfc9113#3.4), and a port for both versions may treat it as HTTP/1.1 (rfc9113#3.3). */
export const invalidPreface: Allowed = [
  { see: { see: "GOAWAY", code: "PROTOCOL_ERROR" } },
  { see: { see: "http1" }, by: "rfc9113#3.3" },
  { see: { see: "closed" }, by: "rfc9113#3.4" },
  { see: { see: "GOAWAY", code: ["INTERNAL_ERROR", "FRAME_SIZE_ERROR"] }, by: "rfc9113#5.4", verdict: "warn" },
];

/** Stream windows of 0: a response with content stops after its header section, and its stream stays half-closed (remote). */
export const withoutStreamWindows: Step = { do: "handshake", settings: [["INITIAL_WINDOW_SIZE", 0]] };
/** Opens the stream windows, so that responses can complete. */
export const openStreamWindows: FrameSpec = { type: "SETTINGS", settings: [["INITIAL_WINDOW_SIZE", 65_535]] };
/** A request on stream 1 whose response cannot end before `reopen`. Needs `body`. */
export const halfClosedRemote: readonly Step[] = [withoutStreamWindows, send(get(1)), { do: "fence", by: "ping" }];

/** An outcome that this section permits. */
export const permitted = (see: Outcome["see"], by: SpecRef, verdict: "pass" | "warn" = "pass"): Outcome => ({ see, by, verdict });

/** A subject that distrusts a SETTINGS frame with the same setting twice, which `http2/settings-last-value-counts` judges. */
export const refusesRepeatedSettings = permitted({ see: "GOAWAY", code: ["PROTOCOL_ERROR", "ENHANCE_YOUR_CALM"] }, "rfc9113#10.5", "warn");

/** A limit that the server was given (rfc9113#10.5). */
export const given = (limit: LimitName, row: Row<"steps" | "control" | "allowed">, ...needs: readonly LimitName[]): Case => ({
  spec: "rfc9113#10.5",
  covers: ["rfc9113#10.5/track-and-limit", "rfc9113#10.5/enhance-your-calm"],
  level: "SHOULD",
  role: "server",
  needs: [limit, ...needs].map(limitFeature),
  fence: "ping",
  ...row,
});

// Client role. The subject is a command that requests one URL, on the stream named "request".

/** Both prefaces, then the subject's request. */
export const untilRequest: readonly Step[] = [handshake, { do: "await", see: { see: "request" } }];

/** The header section of a final response whose content follows. */
export const respond = (...more: FieldSpec[]): FrameSpec => ({
  type: "HEADERS",
  stream: "request",
  flags: ["END_HEADERS"],
  fields: [[":status", "200"], ["content-type", "text/plain"], ...more],
});
/** Content that ends the stream. */
export const content = (data: string | number = "ok"): FrameSpec => ({ type: "DATA", stream: "request", flags: ["END_STREAM"], data });

/** The subject's request, answered with these frames in one write. */
export const answerWith = (...frames: FrameSpec[]): Step[] => [...untilRequest, send(...frames)];
/** A request and its response, without anything special. */
export const plainExchange: readonly Step[] = answerWith(respond(), content());
/** These frames between the header section of the response and its content, so that the subject keeps reading. */
export const duringResponse = (...frames: FrameSpec[]): Step[] => answerWith(respond(), ...frames, content());
/** A response with exactly these header fields, `:status` included, then its content. */
export const respondWith = (...fields: FieldSpec[]): Step[] =>
  answerWith({ type: "HEADERS", stream: "request", flags: ["END_HEADERS"], fields }, content());
/** A promise on the stream of the request, by default of a plain GET. */
export const promise = (promised: number, fields: readonly FieldSpec[] = pushed()): FrameSpec => ({
  type: "PUSH_PROMISE",
  stream: "request",
  flags: ["END_HEADERS"],
  promised,
  fields,
});
/** The fields of a promised request. */
export const pushed = (method = "GET", ...more: FieldSpec[]): FieldSpec[] => [
  [":method", method],
  [":scheme", "{scheme}"],
  [":authority", "{authority}"],
  [":path", "/pushed"],
  ...more,
];
/** A complete response without content, on any stream. */
export const emptyResponse = (stream: StreamRef): FrameSpec => ({
  type: "HEADERS",
  stream,
  flags: ["END_STREAM", "END_HEADERS"],
  fields: [[":status", "200"]],
});

/** A connection error of a client: GOAWAY with the code. A general code, or a close with a failing exit status, is a warning. */
export const clientConnectionError = (code: ErrorName | readonly ErrorName[], ...others: Outcome[]): Allowed => [
  { see: { see: "GOAWAY", code } },
  ...others,
  { see: { see: "GOAWAY", code: generalErrors(code) }, by: "rfc9113#5.4", verdict: "warn" },
  { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" },
];

/** A stream error of a client: RST_STREAM with the code, or a connection error with it. Otherwise as `clientConnectionError`. */
export const clientStreamError = (code: ErrorName, stream: StreamRef = "request", ...others: Outcome[]): Allowed => [
  { see: { see: "RST_STREAM", stream, code } },
  ...others,
  { see: { see: "GOAWAY", code }, by: "rfc9113#5.4.1" },
  { see: { see: "RST_STREAM", stream, code: generalErrors(code) }, by: "rfc9113#5.4", verdict: "warn" },
  { see: { see: "GOAWAY", code: generalErrors(code) }, by: "rfc9113#5.4", verdict: "warn" },
  { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" },
];
/** A header section without :status, which is always malformed. */
export const responseWithoutStatus: FrameSpec = { ...respond(), fields: [["content-type", "text/plain"]] };
/** A malformed response (rfc9113#8.1.1). */
export const malformedResponse: Allowed = clientStreamError("PROTOCOL_ERROR");

/** The exchange succeeds: nothing was rejected, and the command exits with status 0. */
export const exchangeSucceeds: Allowed = [{ see: { see: "all", of: [{ see: "accepted" }, { see: "exit", ok: true }] } }];
