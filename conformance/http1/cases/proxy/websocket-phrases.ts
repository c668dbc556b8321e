import type { FieldSpec, FrameSpec } from "../../../http2/vocabulary.ts";
import type { Sight, Step, Text } from "../../vocabulary.ts";
import { any, get, head, origin, request, send } from "./phrases.ts";

/** WebSocket through a proxy: the opening handshake, and octets of frames. */

const FIELDS = ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="] as const;
/** The handshake of a client, with further fields. */
export const handshake = (...fields: readonly Text[]): Text => get("Connection: Upgrade", ...FIELDS, ...fields);
export const HANDSHAKE = handshake();
/** The same with another method; its content follows. */
export const handshakeOf = (method: string, ...fields: readonly Text[]): Text =>
  request(method, "Connection: Upgrade", ...FIELDS, ...fields);
/** The same in HTTP/1.0, where Upgrade means nothing. */
export const oldHandshake: Text = head("GET {path} HTTP/1.0", "Host: {authority}", "Connection: Upgrade", ...FIELDS);

/** The 101 of an origin, with further fields. */
export const switches = (...fields: readonly Text[]): Text =>
  head("HTTP/1.1 101 Switching Protocols", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Accept: {accept}", ...fields);
export const SWITCHES = switches();

/** A frame of a server: the first octet of its head, and its payload of fewer than 126 octets. */
export const frame = (first: number, payload: Text): Text => String.fromCharCode(first, payload.length) + payload;
/** The mask of our frames. */
const MASK = [0x37, 0xfa, 0x21, 0x3d];
/** A frame of a client, masked. */
export const masked = (first: number, payload: Text): Text => {
  const octets = [...payload].map((one, at) => String.fromCharCode(one.charCodeAt(0) ^ (MASK[at % MASK.length] ?? 0)));
  return String.fromCharCode(first, 0x80 | payload.length, ...MASK) + octets.join("");
};
export const TEXT = 0x81;
export const BEGIN = 0x01;
export const LAST = 0x80;
export const RSV1 = 0x40;
export const CLOSE = 0x88;
export const PING = 0x89;

/** Octets as a pattern, each as it is. */
export const exactly = (octets: Text): string => [...octets].map((one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
/** These octets came through the tunnel, and nothing else. */
export const came = (octets: Text): Sight => ({ see: "tunnel octets", pattern: `^${exactly(octets)}$` });
/** The origin got these octets last. */
export const reached = (octets: Text): Sight => ({ see: "origin octets", pattern: `\\r\\n\\r\\n${exactly(octets)}$` });

export const switched: Sight = { see: "interim", status: 101 };
/** Waits for the 101, or for another answer. */
export const awaitSwitch: Step = { do: "await", see: any(switched, { see: "response" }, { see: "connection closed" }) };
/** Opens a WebSocket through the proxy. */
export const open: readonly [Step, ...Step[]] = [origin(SWITCHES), send(HANDSHAKE), awaitSwitch];
/** The control of what passes through a WebSocket: it opens, and we close it. */
export const opens: readonly [Step, ...Step[]] = [...open, { do: "close" }];
export const awaiting = (see: Sight): Step => ({ do: "await", see });

/** An extended CONNECT for a WebSocket on stream 1 (rfc8441#4). */
export const connect = (...more: readonly FieldSpec[]): FrameSpec => ({
  type: "HEADERS",
  stream: 1,
  flags: ["END_HEADERS"],
  fields: [
    [":method", "CONNECT"],
    [":protocol", "websocket"],
    [":scheme", "{scheme}"],
    [":authority", "{authority}"],
    [":path", "{path}"],
    ["sec-websocket-version", "13"],
    ...more,
  ],
});
