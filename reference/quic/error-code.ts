/** Why a connection ends, in CONNECTION_CLOSE of the transport (rfc9000#20.1, rfc9368#10.2). */
export const TransportError = {
  NO_ERROR: 0x00,
  INTERNAL_ERROR: 0x01,
  CONNECTION_REFUSED: 0x02,
  FLOW_CONTROL_ERROR: 0x03,
  STREAM_LIMIT_ERROR: 0x04,
  STREAM_STATE_ERROR: 0x05,
  FINAL_SIZE_ERROR: 0x06,
  FRAME_ENCODING_ERROR: 0x07,
  TRANSPORT_PARAMETER_ERROR: 0x08,
  CONNECTION_ID_LIMIT_ERROR: 0x09,
  PROTOCOL_VIOLATION: 0x0a,
  INVALID_TOKEN: 0x0b,
  APPLICATION_ERROR: 0x0c,
  CRYPTO_BUFFER_EXCEEDED: 0x0d,
  KEY_UPDATE_ERROR: 0x0e,
  AEAD_LIMIT_REACHED: 0x0f,
  NO_VIABLE_PATH: 0x10,
  /** rfc9368#10.2 */
  VERSION_NEGOTIATION_ERROR: 0x11,
} as const;
export type TransportError = keyof typeof TransportError;

/** The first of the 256 codes that carry an alert of TLS (rfc9001#4.8). */
const CRYPTO_ERROR = 0x0100;
/** The code that carries an alert of TLS. */
export const cryptoError = (alert: number): number => CRYPTO_ERROR + alert;

const NAMES: readonly string[] = Object.keys(TransportError);
/** The name of a code from the wire, for people: `CRYPTO_ERROR(40)` carries an alert, and an unknown code is its number. */
export function sayTransportError(code: number): string {
  if (code >= CRYPTO_ERROR && code < CRYPTO_ERROR + 0x100) return `CRYPTO_ERROR(${code - CRYPTO_ERROR})`;
  return NAMES[code] ?? `0x${code.toString(16)}`;
}
