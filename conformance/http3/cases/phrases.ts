import type { SpecRef } from "../../../reference/core/index.ts";
import type { Budget } from "../../harness/case.ts";
import { toHex } from "../../wire/octets.ts";
import type { Case, CodeName, FieldSpec, FrameSpec, Outcome, Step, StreamRef } from "../vocabulary.ts";

/** Steps, frames and outcomes that many cases share. Each is plain data under a short name. */

export const handshake: Step = { do: "handshake" };
/** Frames on a stream. */
export const send = (on: StreamRef, ...frames: FrameSpec[]): Step => ({ do: "send", on, frames });
/** The last frames on a stream. */
export const whole = (on: StreamRef, ...frames: FrameSpec[]): Step => ({ do: "send", on, frames, end: true });

/** The fields of a request for the subject's path, or that for POST: pseudo-header fields, then more. */
export const request = (method = "GET", ...more: FieldSpec[]): FieldSpec[] => [
  [":method", method],
  [":scheme", "{scheme}"],
  [":authority", "{authority}"],
  [":path", method === "POST" ? "{post}" : "{path}"],
  ...more,
];

/** The header section of a request without content. */
export const get = (...more: FieldSpec[]): FrameSpec => ({ type: "HEADERS", fields: request("GET", ...more) });
/** The header section of a request whose content follows. */
export const post = (...more: FieldSpec[]): FrameSpec => ({ type: "HEADERS", fields: request("POST", ...more) });
export const data = (content: string | number = "content"): FrameSpec => ({ type: "DATA", data: content });
export const trailers = (...fields: FieldSpec[]): FrameSpec => ({ type: "HEADERS", fields });
/** A whole request on a stream. */
export const getOn = (on: StreamRef, ...more: FieldSpec[]): Step => whole(on, get(...more));

type Allowed = readonly [Outcome, ...Outcome[]];

/** An outcome that this section permits. */
export const permitted = (see: Outcome["see"], by: SpecRef, verdict: "pass" | "warn" = "pass"): Outcome => ({ see, by, verdict });

/** The codes for an endpoint that declines to use a more specific one (rfc9114#8.1), without those in `code`. */
const general = (code: CodeName | readonly CodeName[]): CodeName[] =>
  (["H3_GENERAL_PROTOCOL_ERROR", "H3_INTERNAL_ERROR"] as const).filter((name) => !code.includes(name));

/** A connection error with the code. A general code, or an end without one that HTTP/3 names, is a warning. */
export const connectionError = (code: CodeName | readonly CodeName[], ...others: Outcome[]): Allowed => [
  { see: { see: "close", code } },
  ...others,
  permitted({ see: "close", code: general(code) }, "rfc9114#8.1", "warn"),
  permitted({ see: "closed" }, "rfc9114#8", "warn"),
];

/** A stream error with the code, or a connection error with the same one (rfc9114#8). Otherwise as `connectionError`. */
export const streamError = (on: StreamRef, code: CodeName | readonly CodeName[], ...others: Outcome[]): Allowed => [
  { see: { see: "stream error", on, code } },
  ...others,
  permitted({ see: "close", code }, "rfc9114#8"),
  permitted({ see: "stream error", on, code: general(code) }, "rfc9114#8.1", "warn"),
  permitted({ see: "close", code: general(code) }, "rfc9114#8.1", "warn"),
  permitted({ see: "closed" }, "rfc9114#8", "warn"),
];

/** Other statuses that blame the request. An unknown path (404) or method (405) says nothing about a mistake in its fields. */
const BLAMES: readonly number[] = [403, 411, 413, 414, 421, 422, 501, 505];
/** A malformed request: a stream error, or a response (rfc9114#4.1.2 names no status): one other than 400 or 431 is a warning. */
export const malformedRequest = (on: StreamRef = "request"): Allowed =>
  streamError(
    on,
    "H3_MESSAGE_ERROR",
    permitted({ see: "response", on, status: [400, 431] }, "rfc9114#4.1.2"),
    permitted({ see: "response", on, status: BLAMES }, "rfc9114#4.1.2", "warn"),
  );

/** Everything must be accepted. */
export const accepted: Allowed = [{ see: { see: "accepted" } }];
/** Accepted, and answered on this stream with any status. */
export const acceptedAndAnswered = (on: StreamRef): Allowed => [
  { see: { see: "all", of: [{ see: "accepted" }, { see: "response", on, complete: true }] } },
];

/** A GET on the first stream and its response, with which later responses are compared. */
export const firstExchange: readonly Step[] = [
  handshake,
  getOn("request"),
  { do: "await", see: { see: "response", on: "request", complete: true } },
];
/** Accepted, and answered with the status of the first exchange, so understood as the same request. */
const answeredLikeFirst = (on: StreamRef): Allowed => [
  { see: { see: "all", of: [{ see: "accepted" }, { see: "response", on, sameStatusAs: "request" }] } },
];

/** Accepted, and everything the subject sent has these properties (`driver/monitors.ts`). */
export const holds = (...monitors: readonly [string, ...string[]]): Allowed => [
  { see: { see: "all", of: [{ see: "accepted" }, ...monitors.map((monitor) => ({ see: "holds", monitor }) as const)] } },
];

/** A GET with an invalid field section on the first stream; the control has a valid one. */
export const malformedFields = (
  wrong: FieldSpec[],
  right: FieldSpec[] = request(),
): Pick<Case, "role" | "steps" | "control" | "allowed"> => ({
  role: "server",
  steps: [handshake, whole("request", { type: "HEADERS", fields: wrong })],
  control: [handshake, whole("request", { type: "HEADERS", fields: right })],
  allowed: malformedRequest(),
});
/** A GET with these fields on the second stream is answered like a plain one on the first. */
export const acceptedFields = (fields: FieldSpec[]): Pick<Case, "role" | "steps" | "control" | "allowed"> => ({
  role: "server",
  steps: [...firstExchange, whole("request 2", { type: "HEADERS", fields })],
  control: [...firstExchange, getOn("request 2")],
  allowed: answeredLikeFirst("request 2"),
});

/** A header section in hex. */
export const sectionOf = (...parts: readonly Uint8Array[]): FrameSpec => ({ type: "HEADERS", hex: parts.map(toHex).join("") });
/** Octets on a stream of QPACK. */
export const octetsOn = (on: StreamRef, note: string, ...parts: readonly Uint8Array[]): Step => ({
  do: "octets",
  on,
  hex: parts.map(toHex).join(""),
  note,
});

/** A stopped attack: H3_EXCESSIVE_LOAD, another error, or the end of the connection (rfc9114#10.5). */
export const attackStopped = (...others: Outcome[]): Allowed => [
  { see: { see: "close", code: "H3_EXCESSIVE_LOAD" } },
  ...others,
  permitted({ see: "close", code: "any error" }, "rfc9114#10.5"),
  permitted({ see: "closed" }, "rfc9114#8"),
];

/**
 * The budget for an attack of at most 4 MB. A server that stops it used 1 to 30 MiB and at most 800 ms; packets cost more than over TCP. The
 * budget is a few times that, so noise does not decide.
 */
export const FLOOD_BUDGET: Budget = { memoryMiB: 96, cpuMs: 2_500 };
