const ENCODER = new TextEncoder();
/** A message may begin with U+FEFF. */
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
const PERCENT = 0x25;
const HEX = "0123456789ABCDEF";
const PLAIN = /^[ -$&-~]*$/;
/** Without a space at either end, where a field value has none (rfc9113#8.2.1). */
const SENDABLE = /^(?! )[ -$&-~]*(?<! )$/;
const SPACE = 0x20;

/** Whether an octet stands for itself: a space or a visible ASCII character except the percent sign (rpc-http2#responses). */
const isPlain = (octet: number): boolean => octet >= 0x20 && octet <= 0x7e && octet !== PERCENT;

/**
 * Encodes a status message as a field value: UTF-8, percent-encoded (rpc-http2#responses). A lone surrogate becomes U+FFFD. A space at either
 * end is encoded, too: HTTP/2 refuses it there.
 */
export function percentEncode(message: string): string {
  if (SENDABLE.test(message)) return message;
  const octets = ENCODER.encode(message);
  let text = "";
  for (const [at, octet] of octets.entries()) {
    const isEdge = octet === SPACE && (at === 0 || at === octets.length - 1);
    text += isPlain(octet) && !isEdge ? String.fromCharCode(octet) : `%${HEX[octet >>> 4]}${HEX[octet & 0xf]}`;
  }
  return text;
}

/**
 * Decodes the status message of a peer. It never fails (rpc-http2#responses): a percent sign without two hexadecimal digits stays, and octets
 * that are not UTF-8 become U+FFFD. Octets that should have been encoded count as UTF-8.
 */
export function percentDecode(value: string): string {
  if (PLAIN.test(value)) return value;
  const octets = new Uint8Array(value.length);
  let length = 0;
  for (let at = 0; at < value.length; at++) {
    const octet = value.charCodeAt(at);
    const digits = octet === PERCENT ? value.slice(at + 1, at + 3) : "";
    const isEncoded = /^[0-9A-Fa-f]{2}$/.test(digits);
    octets[length++] = isEncoded ? Number.parseInt(digits, 16) : octet;
    if (isEncoded) at += 2;
  }
  return DECODER.decode(octets.subarray(0, length));
}
