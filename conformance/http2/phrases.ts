import type { SpecRef } from "../../reference/core/index.ts";
import type { Budget } from "../harness/case.ts";
import type { Case, ErrorName, FieldSpec, FrameSpec, Outcome, Sight, Step, StreamRef } from "./vocabulary.ts";

/** Turns of phrase that most cases share. A case stays data: these only spell it shorter. */

export const handshake: Step = { do: "handshake" };
export const send = (...frames: FrameSpec[]): Step => ({ do: "send", frames });

/** The pseudo-fields of a plain request to the subject's own path, then more fields. */
export const request = (method = "GET", ...more: FieldSpec[]): [FieldSpec, FieldSpec, FieldSpec, FieldSpec, ...FieldSpec[]] => [
  [":method", method],
  [":scheme", "{scheme}"],
  [":authority", "{authority}"],
  [":path", "{path}"],
  ...more,
];

/** A whole request without content. */
export const get = (stream: number, ...more: FieldSpec[]): FrameSpec & { readonly stream: number } => ({
  type: "HEADERS",
  stream,
  flags: ["END_STREAM", "END_HEADERS"],
  fields: request("GET", ...more),
});
/** A request whose content is still to come. */
export const post = (stream: number, ...more: FieldSpec[]): FrameSpec => ({
  type: "HEADERS",
  stream,
  flags: ["END_HEADERS"],
  fields: request("POST", ...more),
});

type Allowed = readonly [Outcome, ...Outcome[]];

/** Codes that say less than they could, which rfc9113#5.4 always permits. */
export const generalErrors = (code: ErrorName | readonly ErrorName[]): ErrorName[] =>
  (["PROTOCOL_ERROR", "INTERNAL_ERROR"] as const).filter((name) => !code.includes(name));

/** A connection error: GOAWAY with the code. A general code, or dropping the connection without a word, is a warning (rfc9113#5.4). */
export const connectionError = (code: ErrorName | readonly ErrorName[], ...others: Outcome[]): Allowed => [
  { see: { see: "GOAWAY", code } },
  ...others,
  { see: { see: "GOAWAY", code: generalErrors(code) }, by: "rfc9113#5.4", verdict: "warn" },
  { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" },
];

/** A stream error: RST_STREAM with the code; treating it as a connection error of the same code is permitted. Otherwise as above. */
export const streamError = (stream: StreamRef, code: ErrorName | readonly ErrorName[], ...others: Outcome[]): Allowed => [
  { see: { see: "RST_STREAM", stream, code } },
  ...others,
  { see: { see: "GOAWAY", code }, by: "rfc9113#5.4.1" },
  { see: { see: "RST_STREAM", stream, code: generalErrors(code) }, by: "rfc9113#5.4", verdict: "warn" },
  { see: { see: "GOAWAY", code: generalErrors(code) }, by: "rfc9113#5.4", verdict: "warn" },
  { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" },
];

/** A malformed request: RST_STREAM, or an answer that says so before the stream ends (rfc9113#8.1.1). */
export const malformedRequest = (stream: number): Allowed =>
  streamError(stream, "PROTOCOL_ERROR", {
    see: { see: "response", stream, status: [400, 431] },
    by: "rfc9113#8.1.1",
  });

/** What must be taken without complaint. */
export const accepted: Allowed = [{ see: { see: "accepted" } }];
export const answered = (stream: number): Allowed => [{ see: { see: "response", stream } }];
/** Taken without complaint, and answered on its stream, with whatever status. */
export const acceptedAndAnswered = (stream: number): Allowed => [
  { see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream }] } },
];

/** A plain GET on stream 1, with its response: what later ones on the connection are compared with. */
export const firstExchange: readonly Step[] = [
  handshake,
  send(get(1)),
  { do: "await", see: { see: "response", stream: 1, complete: true } },
];
/** Taken without complaint, and answered with the status of the response on stream 1: read as the same request. */
export const answeredLikeFirst = (stream: number): Allowed => [
  { see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream, sameStatusAs: 1 }] } },
];
/** A block that cannot be decoded (rfc9113#4.3). */
export const compressionError: Allowed = connectionError("COMPRESSION_ERROR");
/** A block that ends too early: some say so of the frame instead. */
export const truncatedBlock: Allowed = connectionError("COMPRESSION_ERROR", {
  see: { see: "GOAWAY", code: "FRAME_SIZE_ERROR" },
  by: "rfc9113#5.4",
  verdict: "warn",
});
/** A GET with a wrong field section on stream 1, beside the same with a right one. */
export const malformedFields = (wrong: FieldSpec[], right: FieldSpec[]): Pick<Case, "role" | "steps" | "control" | "allowed"> => ({
  role: "server",
  steps: [handshake, send({ ...get(1), fields: wrong })],
  control: [handshake, send({ ...get(1), fields: right })],
  allowed: malformedRequest(1),
});
/** An attack that was stopped: the connection said goodbye, with the code made for it or any other, or was simply ended. */
export const attackStopped = (...others: Outcome[]): Allowed => [
  { see: { see: "GOAWAY", code: "ENHANCE_YOUR_CALM" } },
  ...others,
  { see: { see: "GOAWAY", code: "any error" }, by: "rfc9113#5.4" },
  // How much of what it said last arrives is chance: it closes on a peer that is still sending.
  { see: { see: "closed" }, by: "rfc9113#5.4.1" },
  { see: { see: "frame", type: "GOAWAY" }, by: "rfc9113#6.8" },
];

/**
 * What a flood of at most 4 MB may cost. Ten servers were measured at 0 to 19 MiB and at most 210 ms, whether they stop it or bear it:
 * these are several times that, so that chance decides nothing.
 */
export const FLOOD_BUDGET: Budget = { memoryMiB: 64, cpuMs: 1000 };

/** What must be taken without complaint, and these not seen. */
export const acceptedWithout = (...not: readonly Sight[]): Allowed => [{ see: { see: "accepted without", not } }];
/** Properties that must hold of everything the subject sends, by the names of `driver/monitors.ts`. */
export const holds = (...monitors: readonly [string, ...string[]]): Allowed => [
  { see: { see: "all", of: [{ see: "accepted" }, ...monitors.map((monitor) => ({ see: "holds", monitor }) as const)] } },
];
/** A preface that is none. GOAWAY may be left out (rfc9113#3.4), and a port for both versions takes it for HTTP/1.1 (rfc9113#3.3). */
export const invalidPreface: Allowed = [
  { see: { see: "GOAWAY", code: "PROTOCOL_ERROR" } },
  { see: { see: "closed" }, by: "rfc9113#3.4" },
  { see: { see: "http1" }, by: "rfc9113#3.3" },
  { see: { see: "GOAWAY", code: ["INTERNAL_ERROR", "FRAME_SIZE_ERROR"] }, by: "rfc9113#5.4", verdict: "warn" },
];

/** The windows of streams are shut: a response with content stays where its header section ends, and its stream half-closed (remote). */
export const withoutStreamWindows: Step = { do: "handshake", settings: [["INITIAL_WINDOW_SIZE", 0]] };
/** Opens them again, so that all that was held comes to its end. */
export const openStreamWindows: FrameSpec = { type: "SETTINGS", settings: [["INITIAL_WINDOW_SIZE", 65_535]] };
/** A request on stream 1 whose response cannot end before `reopen`. Needs `body`. */
export const halfClosedRemote: readonly Step[] = [withoutStreamWindows, send(get(1)), { do: "fence", by: "ping" }];

/** For outcomes that a passage makes optional. */
export const permitted = (see: Outcome["see"], by: SpecRef, verdict: "pass" | "warn" = "pass"): Outcome => ({ see, by, verdict });

// Client role. The subject is any command that gets one URL: one request a run, on the stream named "request".

/** Both prefaces, and the subject's request. */
export const untilRequest: readonly Step[] = [handshake, { do: "await", see: { see: "request" } }];

/** The header section of a final response whose content is still to come. */
export const respond = (...more: FieldSpec[]): FrameSpec => ({
  type: "HEADERS",
  stream: "request",
  flags: ["END_HEADERS"],
  fields: [[":status", "200"], ["content-type", "text/plain"], ...more],
});
/** The last of the content, and the end of the stream. */
export const content = (data: string | number = "ok"): FrameSpec => ({ type: "DATA", stream: "request", flags: ["END_STREAM"], data });

/** A request, and what follows it in one write. */
export const answerWith = (...frames: FrameSpec[]): Step[] => [...untilRequest, send(...frames)];
/** The same between the header section of the response and its content: the subject has a reason to stay. */
export const duringResponse = (...frames: FrameSpec[]): Step[] => answerWith(respond(), ...frames, content());
/** A response whose header section is given whole, from `:status` on, then its content. */
export const respondWith = (...fields: FieldSpec[]): Step[] =>
  answerWith({ type: "HEADERS", stream: "request", flags: ["END_HEADERS"], fields }, content());
/** A promise on the stream of the request; the promised request is a plain GET unless `fields` says otherwise. */
export const promise = (promised: number, fields: readonly FieldSpec[] = pushed()): FrameSpec => ({
  type: "PUSH_PROMISE",
  stream: "request",
  flags: ["END_HEADERS"],
  promised,
  fields,
});
/** The request that a promise speaks of. */
export const pushed = (method = "GET", ...more: FieldSpec[]): FieldSpec[] => [
  [":method", method],
  [":scheme", "{scheme}"],
  [":authority", "{authority}"],
  [":path", "/pushed"],
  ...more,
];
/** A whole response without content, on any stream. */
export const emptyResponse = (stream: StreamRef): FrameSpec => ({
  type: "HEADERS",
  stream,
  flags: ["END_STREAM", "END_HEADERS"],
  fields: [[":status", "200"]],
});

/** A connection error of a client: GOAWAY with the code. A general code, or leaving with a failing exit status, is a warning. */
export const clientConnectionError = (code: ErrorName | readonly ErrorName[], ...others: Outcome[]): Allowed => [
  { see: { see: "GOAWAY", code } },
  ...others,
  { see: { see: "GOAWAY", code: generalErrors(code) }, by: "rfc9113#5.4", verdict: "warn" },
  { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" },
];

/** A stream error of a client: RST_STREAM with the code, or a connection error instead; otherwise as above. */
export const clientStreamError = (code: ErrorName, stream: StreamRef = "request", ...others: Outcome[]): Allowed => [
  { see: { see: "RST_STREAM", stream, code } },
  ...others,
  { see: { see: "GOAWAY", code }, by: "rfc9113#5.4.1" },
  { see: { see: "RST_STREAM", stream, code: generalErrors(code) }, by: "rfc9113#5.4", verdict: "warn" },
  { see: { see: "GOAWAY", code: generalErrors(code) }, by: "rfc9113#5.4", verdict: "warn" },
  { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" },
];
/** The header section of a response that has no status: every client that looks at it refuses its stream. */
export const responseWithoutStatus: FrameSpec = { ...respond(), fields: [["content-type", "text/plain"]] };
/** A response that no client may take for good (rfc9113#8.1.1). */
export const malformedResponse: Allowed = clientStreamError("PROTOCOL_ERROR");

/** The whole exchange came to its good end: nothing was refused, and the command says so too. */
export const exchangeSucceeds: Allowed = [{ see: { see: "all", of: [{ see: "accepted" }, { see: "exit", ok: true }] } }];
