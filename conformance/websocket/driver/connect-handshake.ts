import type { Handshake } from "../vocabulary.ts";

/** A valid handshake over HTTP/2 and HTTP/3: pseudo-fields for the authority and the protocol, and no key (rfc8441#5, rfc9220#3). */
const GOOD: Readonly<Record<string, string>> = {
  ":method": "CONNECT",
  ":protocol": "websocket",
  ":scheme": "{scheme}",
  ":authority": "{authority}",
  ":path": "{path}",
  "sec-websocket-version": "13",
};

type Fields = (readonly [name: string, value: string])[];

/** The fields of an extended CONNECT, with their braces; names are in lower case, as both versions require. */
export const handshakeFields = (handshake: Handshake): Fields => fieldsFrom(GOOD, handshake);

/** The valid fields with the replacements and additions of a handshake. */
export function fieldsFrom(valid: Readonly<Record<string, string>>, { instead = {}, more = [] }: Handshake): Fields {
  const others = Object.fromEntries(Object.entries(instead).map(([name, value]) => [name.toLowerCase(), value]));
  const fields = Object.entries(valid).flatMap(([name, good]) => {
    const value = others[name] ?? good;
    return value === "none" ? [] : [[name, value] as const];
  });
  const lines = more.map((line) => {
    const colon = line.indexOf(":", 1);
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return [...fields, ...lines];
}
