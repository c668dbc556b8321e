import type { ResetCode } from "../../http/index.ts";
import type { ErrorCode as Http2Code } from "../../http2/index.ts";
import type { ErrorCode } from "../../http3/index.ts";
import { failureOf, type BrokenRule, type StreamFailed } from "../errors.ts";

/** Codes of HTTP/3 by the names that all versions have in common (rfc9114#8.1, appendix A.4). */

const OF_RESET: Readonly<Record<ResetCode, ErrorCode>> = {
  NO_ERROR: "H3_NO_ERROR",
  PROTOCOL_ERROR: "H3_GENERAL_PROTOCOL_ERROR",
  INTERNAL_ERROR: "H3_INTERNAL_ERROR",
  REFUSED_STREAM: "H3_REQUEST_REJECTED",
  CANCEL: "H3_REQUEST_CANCELLED",
  CONNECT_ERROR: "H3_CONNECT_ERROR",
  ENHANCE_YOUR_CALM: "H3_EXCESSIVE_LOAD",
  HTTP_1_1_REQUIRED: "H3_VERSION_FALLBACK",
  INADEQUATE_SECURITY: "H3_GENERAL_PROTOCOL_ERROR",
  // The transport has its own codes for these: they cannot be what the owner means.
  FLOW_CONTROL_ERROR: "H3_INTERNAL_ERROR",
  SETTINGS_TIMEOUT: "H3_INTERNAL_ERROR",
  STREAM_CLOSED: "H3_INTERNAL_ERROR",
  FRAME_SIZE_ERROR: "H3_INTERNAL_ERROR",
  COMPRESSION_ERROR: "H3_INTERNAL_ERROR",
};
export const codeOf = (code: ResetCode): ErrorCode => OF_RESET[code];

const COMMON: Partial<Readonly<Record<ErrorCode, Http2Code>>> = {
  H3_NO_ERROR: "NO_ERROR",
  H3_INTERNAL_ERROR: "INTERNAL_ERROR",
  H3_REQUEST_REJECTED: "REFUSED_STREAM",
  H3_REQUEST_CANCELLED: "CANCEL",
  H3_CONNECT_ERROR: "CONNECT_ERROR",
  H3_EXCESSIVE_LOAD: "ENHANCE_YOUR_CALM",
  H3_VERSION_FALLBACK: "HTTP_1_1_REQUIRED",
};

/** The failure of a stream that was given up. */
export const failed = (code: ErrorCode, by: "peer" | "us", fault?: BrokenRule): StreamFailed =>
  failureOf(COMMON[code] ?? "PROTOCOL_ERROR", by, fault);
