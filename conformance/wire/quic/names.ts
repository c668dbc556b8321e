/** The names and numbers of QUIC version 1 (rfc9000#19, #20, rfc9001#4.8, rfc8446#6.2, rfc9368#10). */

export const FRAME_TYPES = {
  PADDING: 0x00,
  PING: 0x01,
  ACK: 0x02,
  ACK_ECN: 0x03,
  RESET_STREAM: 0x04,
  STOP_SENDING: 0x05,
  CRYPTO: 0x06,
  NEW_TOKEN: 0x07,
  STREAM: 0x08,
  MAX_DATA: 0x10,
  MAX_STREAM_DATA: 0x11,
  MAX_STREAMS_BIDI: 0x12,
  MAX_STREAMS_UNI: 0x13,
  DATA_BLOCKED: 0x14,
  STREAM_DATA_BLOCKED: 0x15,
  STREAMS_BLOCKED_BIDI: 0x16,
  STREAMS_BLOCKED_UNI: 0x17,
  NEW_CONNECTION_ID: 0x18,
  RETIRE_CONNECTION_ID: 0x19,
  PATH_CHALLENGE: 0x1a,
  PATH_RESPONSE: 0x1b,
  CONNECTION_CLOSE: 0x1c,
  CONNECTION_CLOSE_APP: 0x1d,
  HANDSHAKE_DONE: 0x1e,
} as const;
export type FrameName = keyof typeof FRAME_TYPES;

const CODES = {
  NO_ERROR: 0x0,
  INTERNAL_ERROR: 0x1,
  CONNECTION_REFUSED: 0x2,
  FLOW_CONTROL_ERROR: 0x3,
  STREAM_LIMIT_ERROR: 0x4,
  STREAM_STATE_ERROR: 0x5,
  FINAL_SIZE_ERROR: 0x6,
  FRAME_ENCODING_ERROR: 0x7,
  TRANSPORT_PARAMETER_ERROR: 0x8,
  CONNECTION_ID_LIMIT_ERROR: 0x9,
  PROTOCOL_VIOLATION: 0xa,
  INVALID_TOKEN: 0xb,
  APPLICATION_ERROR: 0xc,
  CRYPTO_BUFFER_EXCEEDED: 0xd,
  KEY_UPDATE_ERROR: 0xe,
  AEAD_LIMIT_REACHED: 0xf,
  NO_VIABLE_PATH: 0x10,
  VERSION_NEGOTIATION_ERROR: 0x11,
  "alert unexpected_message": 0x10a,
  "alert handshake_failure": 0x128,
  "alert bad_certificate": 0x12a,
  "alert unsupported_certificate": 0x12b,
  "alert certificate_expired": 0x12d,
  "alert certificate_unknown": 0x12e,
  "alert illegal_parameter": 0x12f,
  "alert unknown_ca": 0x130,
  "alert decode_error": 0x132,
  "alert decrypt_error": 0x133,
  "alert protocol_version": 0x146,
  "alert internal_error": 0x150,
  "alert missing_extension": 0x16d,
  "alert unsupported_extension": 0x16e,
  "alert unrecognized_name": 0x170,
  "alert no_application_protocol": 0x178,
} as const;
/** Codes of the transport; `alert …` are those of TLS (rfc9001#4.8). */
export type CodeName = keyof typeof CODES;
export type ReadCode = CodeName | `0x${string}`;

const NAMES = new Map<number, CodeName>(Object.entries(CODES).map(([name, code]) => [code, name as CodeName]));
export const codeOf = (code: CodeName | number): number => (typeof code === "number" ? code : CODES[code]);
export const codeName = (code: number): ReadCode => NAMES.get(code) ?? `0x${code.toString(16)}`;

/** Transport parameters (rfc9000#18.2). */
export const PARAMETERS = {
  original_destination_connection_id: 0x00,
  max_idle_timeout: 0x01,
  stateless_reset_token: 0x02,
  max_udp_payload_size: 0x03,
  initial_max_data: 0x04,
  initial_max_stream_data_bidi_local: 0x05,
  initial_max_stream_data_bidi_remote: 0x06,
  initial_max_stream_data_uni: 0x07,
  initial_max_streams_bidi: 0x08,
  initial_max_streams_uni: 0x09,
  ack_delay_exponent: 0x0a,
  max_ack_delay: 0x0b,
  disable_active_migration: 0x0c,
  preferred_address: 0x0d,
  active_connection_id_limit: 0x0e,
  initial_source_connection_id: 0x0f,
  retry_source_connection_id: 0x10,
  /** RFC 9368 */
  version_information: 0x11,
  /** RFC 9287: packets to this end may lack the fixed bit. */
  grease_quic_bit: 0x2ab2,
} as const;
export type ParameterName = keyof typeof PARAMETERS;
