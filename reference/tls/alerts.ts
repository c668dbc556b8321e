/** Alert descriptions that an endpoint of QUIC may send (rfc8446#6). */
export const ALERTS = {
  unexpected_message: 10,
  handshake_failure: 40,
  bad_certificate: 42,
  unsupported_certificate: 43,
  certificate_revoked: 44,
  certificate_expired: 45,
  certificate_unknown: 46,
  illegal_parameter: 47,
  unknown_ca: 48,
  decode_error: 50,
  decrypt_error: 51,
  protocol_version: 70,
  internal_error: 80,
  missing_extension: 109,
  unsupported_extension: 110,
  unrecognized_name: 112,
  certificate_required: 116,
  no_application_protocol: 120,
} as const;
export type AlertName = keyof typeof ALERTS;

/** The error code of QUIC for an alert: 0x0100 and the description (rfc9001#4.8). */
const CRYPTO_ERROR = 0x01_00;
const PROTOCOL_VIOLATION = 0x0a;

/** What ends a connection: an alert, or an error of QUIC where QUIC forbids what TLS permits. */
export type Code = AlertName | "PROTOCOL_VIOLATION";

/** The error code of the CONNECTION_CLOSE frame that reports it (rfc9001#4.8). */
export const transportCode = (code: Code): number => (code === "PROTOCOL_VIOLATION" ? PROTOCOL_VIOLATION : CRYPTO_ERROR + ALERTS[code]);
