/** Conversions between octets and text. */

export const fromHex = (hex: string): Uint8Array => {
  const plain = hex.replaceAll(/\s/g, "");
  if (plain.length % 2 !== 0 || /[^0-9a-f]/i.test(plain)) throw new RangeError(`"${hex.slice(0, 40)}" is not whole octets of hex`);
  return new Uint8Array(Buffer.from(plain, "hex"));
};

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");

/** Each character up to U+00FF is one octet; a text with others is encoded as UTF-8. */
export const fromLatin1 = (text: string): Uint8Array => {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0xff) return new TextEncoder().encode(text);
  return new Uint8Array(Buffer.from(text, "latin1"));
};

export const toLatin1 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");

export function join(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Text for people: octets outside printable ASCII as `\xNN`, long text cut. */
export function printable(text: string, limit = 120): string {
  const shown = text
    .slice(0, limit)
    .replaceAll(/[^\x20-\x7e]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return text.length > limit ? `${shown}… (${text.length} octets)` : shown;
}
