import type { Handshake } from "../vocabulary.ts";

/** The fields of a good handshake (rfc6455#4.1), in the order in which they go out. */
const GOOD: Readonly<Record<string, string>> = {
  Host: "{authority}",
  Upgrade: "websocket",
  Connection: "Upgrade",
  "Sec-WebSocket-Key": "{key}",
  "Sec-WebSocket-Version": "13",
};

/** A handshake as text, its braces still in it. */
export function handshakeText({ start = "GET {path} HTTP/1.1", instead = {}, more = [], content = "" }: Handshake): string {
  const fields = Object.entries(GOOD).flatMap(([name, good]) => {
    const value = instead[name] ?? good;
    return value === "none" ? [] : [`${name}: ${value}`];
  });
  return `${[start, ...fields, ...more, "", ""].join("\r\n")}${content}`;
}
