/** Why a stream or a connection ends: the codes that RST_STREAM and GOAWAY carry (rfc9113#7). */
export const ErrorCode = {
  NO_ERROR: 0x0,
  PROTOCOL_ERROR: 0x1,
  INTERNAL_ERROR: 0x2,
  FLOW_CONTROL_ERROR: 0x3,
  SETTINGS_TIMEOUT: 0x4,
  STREAM_CLOSED: 0x5,
  FRAME_SIZE_ERROR: 0x6,
  REFUSED_STREAM: 0x7,
  CANCEL: 0x8,
  COMPRESSION_ERROR: 0x9,
  CONNECT_ERROR: 0xa,
  ENHANCE_YOUR_CALM: 0xb,
  INADEQUATE_SECURITY: 0xc,
  HTTP_1_1_REQUIRED: 0xd,
} as const;
export type ErrorCode = keyof typeof ErrorCode;

const NAMES: readonly ErrorCode[] = Object.keys(ErrorCode) as ErrorCode[];

/** The name of a code from the wire. An unknown code is treated as INTERNAL_ERROR (rfc9113#7). */
export const errorCode = (wire: number): ErrorCode => NAMES[wire] ?? "INTERNAL_ERROR";
