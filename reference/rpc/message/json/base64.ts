/** Octets as base64 with padding. */
export function toBase64(octets: Uint8Array): string {
  let text = "";
  for (let at = 0; at < octets.length; at += 8_192) text += String.fromCharCode(...octets.subarray(at, at + 8_192));
  return btoa(text);
}

/** Octets of base64 in either alphabet, with or without padding; undefined if it is not base64. */
export function fromBase64(text: string): Uint8Array | undefined {
  const plain = text.replace(/=+$/, "").replaceAll("-", "+").replaceAll("_", "/");
  if (!/^[A-Za-z0-9+/]*$/.test(plain) || plain.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
}
