import { STATUSES, type StatusName } from "../../wire/rpc/statuses.ts";
import { Answer, statusOf } from "./answers.ts";

/** The status that a client makes of a response, written apart from `reference/`. */

/** Codes of RST_STREAM (rpc-http2#errors); any other gives UNKNOWN. */
const OF_RESET: Readonly<Record<string, StatusName>> = {
  NO_ERROR: "INTERNAL",
  PROTOCOL_ERROR: "INTERNAL",
  INTERNAL_ERROR: "INTERNAL",
  FLOW_CONTROL_ERROR: "INTERNAL",
  SETTINGS_TIMEOUT: "INTERNAL",
  FRAME_SIZE_ERROR: "INTERNAL",
  REFUSED_STREAM: "UNAVAILABLE",
  CANCEL: "CANCELLED",
  COMPRESSION_ERROR: "INTERNAL",
  CONNECT_ERROR: "INTERNAL",
  ENHANCE_YOUR_CALM: "RESOURCE_EXHAUSTED",
  INADEQUATE_SECURITY: "PERMISSION_DENIED",
};
/** Statuses of HTTP (rpc-http-status#table); any other gives UNKNOWN. */
const OF_HTTP: Readonly<Record<string, StatusName>> = {
  "400": "INTERNAL",
  "401": "UNAUTHENTICATED",
  "403": "PERMISSION_DENIED",
  "404": "UNIMPLEMENTED",
  "429": "UNAVAILABLE",
  "431": "INTERNAL",
  "502": "UNAVAILABLE",
  "503": "UNAVAILABLE",
  "504": "UNAVAILABLE",
};

/** Undefined while the call goes on. `isGone`: the connection has ended. */
export function madeStatus(answer: Answer, text: (value: string) => string, isGone: boolean): StatusName | undefined {
  const given = statusOf(answer, { text });
  if (given !== undefined) return STATUSES[given] ?? "UNKNOWN";
  if (answer.reset !== undefined && answer.endedBy === undefined) return OF_RESET[answer.reset] ?? "UNKNOWN";
  if (answer.endedBy !== undefined) return OF_HTTP[answer.head === undefined ? "" : (Answer.statusOf(answer.head) ?? "")] ?? "UNKNOWN";
  return isGone ? "UNAVAILABLE" : undefined;
}
