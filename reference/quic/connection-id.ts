import { latin1, type Brand } from "../core/index.ts";

/** A connection ID as a string with a character for each octet, which maps can have as a key. */
export type ConnectionIdKey = Brand<string, "quic.ConnectionIdKey">;
export const keyOf = (id: Uint8Array): ConnectionIdKey => latin1(id, 0, id.length) as ConnectionIdKey;

export function sameOctets(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
