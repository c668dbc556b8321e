import type { FieldSpec, FrameSpec } from "../../http2/vocabulary.ts";
import type { Case, Outcome, Step } from "../vocabulary.ts";
import { all, type Allowed, answer, any, nothingWhole, permitted } from "./phrases.ts";

/** Turns of phrase for the way from HTTP/2 to HTTP/1.1: all of a case happens on stream 1. */

export const FRONT = { role: "proxy", needs: ["http2 front"] } as const;
export const pseudo = (method: string, path = "{path}"): FieldSpec[] => [
  [":method", method],
  [":scheme", "{scheme}"],
  [":authority", "{authority}"],
  [":path", path],
];
export const headers = (fields: readonly FieldSpec[], end = true): FrameSpec => ({
  type: "HEADERS",
  stream: 1,
  flags: end ? ["END_STREAM", "END_HEADERS"] : ["END_HEADERS"],
  fields,
});
export const data = (content: string, end = true): FrameSpec => ({
  type: "DATA",
  stream: 1,
  ...(end ? { flags: ["END_STREAM"] } : {}),
  data: content,
});
export const http2 = (...frames: FrameSpec[]): Step => ({ do: "http2", frames });
export const get = (...more: FieldSpec[]): FrameSpec => headers([...pseudo("GET"), ...more]);
export const post = (...more: FieldSpec[]): FrameSpec => headers([...pseudo("POST"), ...more], false);
export const awaitAnswer: Step = {
  do: "await",
  see: any(answer(), { see: "stream reset", stream: 1 }, { see: "goaway" }, { see: "connection closed" }),
};

export const exchange = (...steps: readonly Step[]): Pick<Case, "role" | "needs" | "steps" | "control"> => ({
  ...FRONT,
  steps,
  control: steps,
});
/** A malformed request: its stream is reset, or it is answered first, or the connection ends; nothing of it is processed behind the proxy. */
export const malformed = (...others: readonly Outcome[]): Allowed => [
  { see: all({ see: "stream reset", stream: 1 }, nothingWhole) },
  permitted(all(answer({ status: ["4xx", 501] }), nothingWhole), "rfc9113#8.1.1"),
  ...others,
  permitted(all({ see: "goaway" }, nothingWhole), "rfc9113#5.4.1"),
  permitted(all(answer({ status: ["5xx"] }), nothingWhole), "rfc9113#8.1.1", "warn"),
  permitted(all({ see: "connection closed" }, nothingWhole), "rfc9113#5.4.1", "warn"),
];
