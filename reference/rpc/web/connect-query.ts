/** The query of a unary GET in the dialect connect (rpc-connect#unary-get-request). */
export type ConnectQuery = {
  /** The format of the message; undefined if the query does not name it. */
  readonly format: string | undefined;
  /** Undefined if it is missing, or not what the query says that it is. */
  readonly message: Uint8Array | undefined;
  readonly encoding: string | undefined;
  readonly version: string | undefined;
};

/** Reads the part of a target behind the question mark. Parameters come in any order, and others among them. The first of a name counts. */
export function readQuery(query: string): ConnectQuery {
  const values = new Map<string, Uint8Array>();
  for (const part of query.split("&")) {
    const at = part.indexOf("=");
    const name = at < 0 ? part : part.slice(0, at);
    if (!values.has(name)) values.set(name, percentDecoded(at < 0 ? "" : part.slice(at + 1)));
  }
  const text = (name: string): string | undefined => {
    const octets = values.get(name);
    return octets === undefined ? undefined : LENIENT.decode(octets);
  };
  const message = values.get("message");
  return {
    format: text("encoding"),
    message: message !== undefined && text("base64") === "1" ? fromBase64(LENIENT.decode(message)) : message,
    encoding: text("compression"),
    version: text("connect"),
  };
}

/**
 * Writes a query, with its parameters in the order that caches expect. A message that is text is percent-encoded, any other one and every
 * compressed one is in Base64.
 */
export function writeQuery({ format, message, encoding, isText }: WrittenQuery): string {
  const isPlain = isText && encoding === undefined;
  return [
    "connect=v1",
    ...(isPlain ? [] : ["base64=1"]),
    ...(encoding === undefined ? [] : [`compression=${encodeURIComponent(encoding)}`]),
    `encoding=${format}`,
    `message=${isPlain ? encodeURIComponent(LENIENT.decode(message)) : message.toBase64({ alphabet: "base64url", omitPadding: true })}`,
  ].join("&");
}
type WrittenQuery = {
  readonly format: string;
  readonly message: Uint8Array;
  /** Undefined if the message is not compressed. */
  readonly encoding: string | undefined;
  readonly isText: boolean;
};

const LENIENT = new TextDecoder("utf-8", { ignoreBOM: true });
const ENCODER = new TextEncoder();

/** The octets of a value. A plus sign is a space, as in every query; a percent sign without two digits stays. */
function percentDecoded(value: string): Uint8Array {
  const octets = ENCODER.encode(value.replaceAll("+", " "));
  if (!value.includes("%")) return octets;
  const out = new Uint8Array(octets.length);
  let length = 0;
  for (let at = 0; at < octets.length; at++) {
    const digits = octets[at] === PERCENT ? LENIENT.decode(octets.subarray(at + 1, at + 3)) : "";
    const isEncoded = /^[0-9A-Fa-f]{2}$/.test(digits);
    out[length++] = isEncoded ? Number.parseInt(digits, 16) : octets[at]!;
    if (isEncoded) at += 2;
  }
  return out.subarray(0, length);
}
const PERCENT = 0x25;

/** The alphabet for URLs, padded or not. */
function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(text, { alphabet: "base64url" });
  } catch {
    return undefined;
  }
}
