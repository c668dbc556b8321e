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

/** Errors of QUIC, for what QUIC forbids or limits where TLS does not (rfc9000#20.1). */
const TRANSPORT_ERRORS = { PROTOCOL_VIOLATION: 0x0a, CRYPTO_BUFFER_EXCEEDED: 0x0d } as const;
type TransportErrorName = keyof typeof TRANSPORT_ERRORS;

/** What ends a connection. */
export type Code = AlertName | TransportErrorName;

const isTransportError = (code: Code): code is TransportErrorName => code in TRANSPORT_ERRORS;
/** The error code of an alert is 0x0100 and its description (rfc9001#4.8). */
const CRYPTO_ERROR = 0x01_00;

/** The error code of the CONNECTION_CLOSE frame that reports it (rfc9001#4.8). */
export const transportCode = (code: Code): number => (isTransportError(code) ? TRANSPORT_ERRORS[code] : CRYPTO_ERROR + ALERTS[code]);
