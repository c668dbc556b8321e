import type { SpecRef } from "../../reference/core/index.ts";
import type { ErrorName, FieldSpec, FrameSpec, Outcome, Step, StreamRef } from "./vocabulary.ts";

/** Turns of phrase that most cases share. A case stays data: these only spell it shorter. */

export const handshake: Step = { do: "handshake" };
export const send = (...frames: FrameSpec[]): Step => ({ do: "send", frames });

/** The pseudo-fields of a plain request to the subject's own path, then more fields. */
export const request = (method = "GET", ...more: FieldSpec[]): FieldSpec[] => [
  [":method", method],
  [":scheme", "{scheme}"],
  [":authority", "{authority}"],
  [":path", "{path}"],
  ...more,
];

/** A whole request without content. */
export const get = (stream: number, ...more: FieldSpec[]): FrameSpec => ({
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

/** A connection error: GOAWAY with the code; dropping the connection without a word is a warning (rfc9113#5.4.1). */
export const connectionError = (code: ErrorName | readonly ErrorName[], ...others: Outcome[]): Allowed => [
  { see: { see: "GOAWAY", code } },
  { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" },
  ...others,
];

/** A stream error: RST_STREAM with the code; treating it as a connection error of the same code is permitted. */
export const streamError = (stream: StreamRef, code: ErrorName | readonly ErrorName[], ...others: Outcome[]): Allowed => [
  { see: { see: "RST_STREAM", stream, code } },
  ...others,
  { see: { see: "GOAWAY", code }, by: "rfc9113#5.4.1" },
  { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" },
];

/** A malformed request: RST_STREAM, or an answer that says so before the stream ends (rfc9113#8.1.1). */
export const malformed = (stream: number): Allowed =>
  streamError(stream, "PROTOCOL_ERROR", {
    see: { see: "response", stream, status: [400, 431] },
    by: "rfc9113#8.1.1",
  });

/** What must be taken without complaint. */
export const accepted: Allowed = [{ see: { see: "accepted" } }];
export const answered = (stream: number): Allowed => [{ see: { see: "response", stream } }];
/** For outcomes that a passage makes optional. */
export const permitted = (see: Outcome["see"], by: SpecRef, verdict: "pass" | "warn" = "pass"): Outcome => ({ see, by, verdict });
