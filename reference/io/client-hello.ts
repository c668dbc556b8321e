/** The name of a server in a ClientHello (rfc8446#4.1.2, rfc6066#3), for a server that chooses its settings before the handshake begins. */

/** `name` is undefined if the client names no server. `invalid`: no ClientHello; the TLS engine says so better than we do. */
export type Named = { readonly is: "short" | "invalid" } | { readonly is: "named"; readonly name: string | undefined };

const SHORT: Named = { is: "short" };
const INVALID: Named = { is: "invalid" };
const HANDSHAKE_RECORD = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const HOST_NAME = 0;
const RECORD_HEAD = 5;
const RECORD_OCTETS = 16_384;
/** A ClientHello with two key shares and a session ticket is below 4 KiB; post-quantum ones stay below 16. */
export const LONGEST_HELLO = 65_536;

/** Reads the server name from the first octets of a connection. */
export function serverNameIn(octets: Buffer): Named {
  const message = handshakeIn(octets);
  if (!(message instanceof Uint8Array)) return message;
  try {
    return { is: "named", name: nameIn(message) };
  } catch (error) {
    if (error instanceof RangeError) return INVALID;
    throw error;
  }
}

/** The ClientHello without the records that carry it (rfc8446#5.1). */
function handshakeIn(octets: Buffer): Buffer | Named {
  const parts: Buffer[] = [];
  let at = 0;
  let length = 0;
  for (;;) {
    if (octets.length > at && octets[at] !== HANDSHAKE_RECORD) return INVALID;
    if (octets.length < at + RECORD_HEAD) return octets.length > LONGEST_HELLO ? INVALID : SHORT;
    const size = octets.readUInt16BE(at + 3);
    if (size === 0 || size > RECORD_OCTETS) return INVALID;
    const part = octets.subarray(at + RECORD_HEAD, at + RECORD_HEAD + size);
    parts.push(part);
    length += part.length;
    const message = parts.length === 1 ? part : Buffer.concat(parts, length);
    if (message.length >= 1 && message[0] !== CLIENT_HELLO) return INVALID;
    if (message.length >= 4) {
      const whole = 4 + message.readUIntBE(1, 3);
      if (whole > LONGEST_HELLO) return INVALID;
      if (message.length >= whole) return message.subarray(4, whole);
    }
    if (part.length < size) return SHORT;
    at += RECORD_HEAD + size;
  }
}

/** Throws `RangeError` where a length leads beyond the message. */
function nameIn(hello: Buffer): string | undefined {
  // legacy_version and random
  let at = 34;
  at += 1 + hello.readUInt8(at); // legacy_session_id
  at += 2 + hello.readUInt16BE(at); // cipher_suites
  at += 1 + hello.readUInt8(at); // legacy_compression_methods
  if (at === hello.length) return undefined;
  const end = at + 2 + hello.readUInt16BE(at);
  at += 2;
  while (at < end) {
    const type = hello.readUInt16BE(at);
    const length = hello.readUInt16BE(at + 2);
    at += 4;
    if (type === SERVER_NAME) return hostIn(hello.subarray(at, at + length));
    at += length;
  }
  return undefined;
}

function hostIn(list: Buffer): string | undefined {
  if (list.readUInt16BE(0) !== list.length - 2 || list.readUInt8(2) !== HOST_NAME) return undefined;
  const length = list.readUInt16BE(3);
  if (5 + length > list.length) throw new RangeError("the name is cut");
  return list.toString("latin1", 5, 5 + length).toLowerCase();
}
