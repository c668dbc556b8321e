import type { FieldSpec, FrameSpec } from "../../../http2/vocabulary.ts";
import type { Allowed, Case, Outcome, Step } from "../../vocabulary.ts";
import { all, answer, any, notForwarded, permitted } from "./phrases.ts";

/** Short forms for proxies that forward HTTP/2 as HTTP/1.1. Each case uses stream 1 only. */

export const FRONT = { role: "proxy", needs: ["http2 front"] } as const;
export const pseudo = (method: string, path = "{path}"): FieldSpec[] => [
  [":method", method],
  [":scheme", "{scheme}"],
  [":authority", "{authority}"],
  [":path", path],
];
/** A complete request without content. */
export const headers = (fields: readonly FieldSpec[]): FrameSpec => ({
  type: "HEADERS",
  stream: 1,
  flags: ["END_STREAM", "END_HEADERS"],
  fields,
});
/** The last content of the request. */
export const data = (content: string): FrameSpec => ({ type: "DATA", stream: 1, flags: ["END_STREAM"], data: content });
/** Content with more to come: data, or trailers. */
export const partialData = (content: string): FrameSpec => ({ type: "DATA", stream: 1, data: content });
export const http2 = (...frames: FrameSpec[]): Step => ({ do: "http2", frames });
export const get = (...more: FieldSpec[]): FrameSpec => headers([...pseudo("GET"), ...more]);
/** The head of a POST; its content follows. */
export const post = (...more: FieldSpec[]): FrameSpec => ({
  type: "HEADERS",
  stream: 1,
  flags: ["END_HEADERS"],
  fields: [...pseudo("POST"), ...more],
});
export const awaitAnswer: Step = {
  do: "await",
  see: any(answer(), { see: "stream reset", stream: 1 }, { see: "goaway" }, { see: "connection closed" }),
};

export const exchange = (...steps: readonly Step[]): Pick<Case, "role" | "needs" | "steps" | "control"> => ({
  ...FRONT,
  steps,
  control: steps,
});
/** A malformed request: the proxy resets its stream, sends an error response first, or ends the connection, and forwards nothing complete. */
export const malformed = (...others: readonly Outcome[]): Allowed => [
  { see: all({ see: "stream reset", stream: 1 }, notForwarded) },
  permitted(all(answer({ status: ["4xx", 501] }), notForwarded), "rfc9113#8.1.1"),
  ...others,
  permitted(all({ see: "goaway" }, notForwarded), "rfc9113#5.4.1"),
  permitted(all(answer({ status: ["5xx"] }), notForwarded), "rfc9113#8.1.1", "warn"),
  permitted(all({ see: "connection closed" }, notForwarded), "rfc9113#5.4.1", "warn"),
];
