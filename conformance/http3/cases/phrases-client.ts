import type { CodeName, FieldSpec, FrameSpec, Outcome, Step } from "../vocabulary.ts";
import { handshake, permitted, send, whole } from "./phrases.ts";

/** Steps, frames and outcomes of cases for clients: the subject is a command that requests one URL. */

/** Our streams of the connection, then the subject's request. */
export const untilRequest: readonly Step[] = [handshake, { do: "await", see: { see: "request" } }];

/** The header section of a final response whose content follows. */
export const respond = (...more: FieldSpec[]): FrameSpec => ({
  type: "HEADERS",
  fields: [[":status", "200"], ["content-type", "text/plain"], ...more],
});
export const responseContent = (data: string | number = "ok"): FrameSpec => ({ type: "DATA", data });

/** The request, answered with these frames and the end of the stream. */
export const answerWith = (...frames: FrameSpec[]): readonly Step[] => [...untilRequest, whole("request", ...frames)];
/** A request and its response, without anything special. */
export const plainExchange: readonly Step[] = answerWith(respond(), responseContent());
/** Frames on our control stream while the response is incomplete; the driver completes it. */
export const onControl = (...frames: FrameSpec[]): readonly Step[] => [
  ...untilRequest,
  send("request", respond()),
  send("control", ...frames),
];

type Allowed = readonly [Outcome, ...Outcome[]];
const general = (code: CodeName | readonly CodeName[]): CodeName[] =>
  (["H3_GENERAL_PROTOCOL_ERROR", "H3_INTERNAL_ERROR"] as const).filter((name) => !code.includes(name));

/** A connection error of a client. A general code, or an end with a failing exit status, is a warning. */
export const clientError = (code: CodeName | readonly CodeName[], ...others: Outcome[]): Allowed => [
  { see: { see: "close", code } },
  ...others,
  permitted({ see: "close", code: general(code) }, "rfc9114#8.1", "warn"),
  permitted({ see: "closed" }, "rfc9114#8", "warn"),
];
/** A malformed response: a stream error, or a connection error with the same code. */
export const malformedResponse: Allowed = [
  { see: { see: "stream error", on: "request", code: "H3_MESSAGE_ERROR" } },
  permitted({ see: "close", code: "H3_MESSAGE_ERROR" }, "rfc9114#8"),
  permitted({ see: "stream error", on: "request", code: general("H3_MESSAGE_ERROR") }, "rfc9114#8.1", "warn"),
  permitted({ see: "close", code: general("H3_MESSAGE_ERROR") }, "rfc9114#8.1", "warn"),
  permitted({ see: "closed" }, "rfc9114#8", "warn"),
  // What was refused shows in the status of the command alone.
  permitted({ see: "exit", ok: false }, "rfc9114#4.1.2", "warn"),
];
/** The exchange succeeds: nothing was rejected, and the command exits with status 0. */
export const exchangeSucceeds: Allowed = [{ see: { see: "all", of: [{ see: "accepted" }, { see: "exit", ok: true }] } }];
