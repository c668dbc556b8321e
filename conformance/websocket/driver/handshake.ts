import type { Handshake } from "../vocabulary.ts";

/** The fields of a valid handshake (rfc6455#4.1), in sending order. */
const GOOD: Readonly<Record<string, string>> = {
  Host: "{authority}",
  Upgrade: "websocket",
  Connection: "Upgrade",
  "Sec-WebSocket-Key": "{key}",
  "Sec-WebSocket-Version": "13",
};

/** A handshake as text, with its braces. */
export const handshakeText = ({ start = "GET {path} HTTP/1.1", ...rest }: Handshake): string => handshakeLines(start, GOOD, rest);

/** A start line and the valid fields, with the handshake's replacements and additions. */
export function handshakeLines(start: string, good: Readonly<Record<string, string>>, handshake: Omit<Handshake, "start">): string {
  const { instead = {}, more = [], content = "" } = handshake;
  const fields = Object.entries(good).flatMap(([name, plain]) => {
    const value = instead[name] ?? plain;
    return value === "none" ? [] : [`${name}: ${value}`];
  });
  return `${[start, ...fields, ...more, "", ""].join("\r\n")}${content}`;
}
