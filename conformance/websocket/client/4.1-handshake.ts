import type { RequirementRef } from "../../harness/case.ts";
import { comesBackWith, holds, open, send, text } from "../phrases.ts";
import type { Ask, Case, Handshake } from "../vocabulary.ts";
import { givesUp } from "./phrases.ts";

const HELLO = text("Hello");

/** A connection like any other, of which the handshake is looked at. */
const looked = (
  id: string,
  covers: RequirementRef,
  title: string,
  monitor: string,
  more: { readonly ask?: Ask; readonly needs?: readonly string[]; readonly spec?: Case["spec"] } = {},
): Case => ({
  id: `websocket/client-${id}`,
  spec: "rfc6455#4.1",
  covers: [covers],
  level: "MUST",
  role: "client",
  title,
  steps: [open(), send(HELLO)],
  control: [open(), send(HELLO)],
  allowed: comesBackWith(holds(monitor)),
  ...more,
});

const PROTOCOLS: Ask = { protocols: ["chat", "superchat"] };
/** Some cannot do without one of those that they offered. */
const CHOSEN: Handshake = { more: ["Sec-WebSocket-Protocol: chat"] };
const HOST = "Host of the address";
const RESOURCE = "resource name of the address";

export const cases: readonly Case[] = [
  looked(
    "handshake-well-formed",
    "rfc6455#4.1/request",
    "The handshake of the client is a well-formed request of HTTP.",
    "valid HTTP request",
  ),
  looked("handshake-get", "rfc6455#4.1/get", "The handshake is a GET request of HTTP/1.1.", "GET with HTTP/1.1"),
  looked("handshake-resource", "rfc6455#4.1/resource", "The target of the handshake is the path of the address.", RESOURCE),
  looked("handshake-resource-with-query", "rfc6455#4.1/resource", "The target of the handshake has the query of the address.", RESOURCE, {
    ask: { path: "/a/b?c=d&e=%20f" },
  }),
  looked(
    "handshake-resource-empty",
    "rfc6455#4.1/resource",
    "Where the address has no path the target of the handshake is a slash.",
    RESOURCE,
    {
      ask: { path: "" },
    },
  ),
  looked("handshake-host", "rfc6455#4.1/host", "The handshake has one Host field with the host and the port of the address.", HOST),
  looked("handshake-upgrade", "rfc6455#4.1/upgrade", "The Upgrade field of the handshake includes websocket.", "Upgrade lists websocket"),
  looked(
    "handshake-connection",
    "rfc6455#4.1/connection",
    "The Connection field of the handshake includes Upgrade.",
    "Connection lists Upgrade",
  ),
  looked(
    "handshake-key",
    "rfc6455#4.1/key",
    "The handshake has one Sec-WebSocket-Key with 16 octets in Base64.",
    "16-octet Sec-WebSocket-Key",
  ),
  looked("handshake-key-fresh", "rfc6455#4.1/fresh-nonce", "No two handshakes have the same key.", "fresh Sec-WebSocket-Key"),
  looked(
    "handshake-version",
    "rfc6455#4.1/version",
    "The handshake has one Sec-WebSocket-Version field with the value 13.",
    "Sec-WebSocket-Version 13",
  ),
  looked(
    "handshake-origin",
    "rfc6455#4.1/origin",
    "Where the handshake has an Origin field, it is one, with the serialization of an origin.",
    "valid Origin",
  ),
  looked(
    "handshake-extensions",
    "rfc6455#4.1/extensions",
    "The extensions that the handshake offers are a well-formed list.",
    "well-formed extensions",
  ),
  looked(
    "handshake-deflate-offer",
    "rfc7692#7/offer",
    "The offer of permessage-deflate has parameters that are defined, each once, with valid values.",
    "valid permessage-deflate offer",
    {
      spec: "rfc7692#7.1",
      needs: ["deflate"],
    },
  ),
  {
    ...looked(
      "handshake-subprotocols",
      "rfc6455#4.1/subprotocols",
      "The sub-protocols that the handshake offers are tokens, none of them twice.",
      "valid subprotocols",
      { ask: PROTOCOLS, needs: ["subprotocol"] },
    ),
    steps: [open(CHOSEN), send(HELLO)],
    control: [open(CHOSEN), send(HELLO)],
  },
  {
    id: "websocket/client-waits-for-the-answer",
    spec: "rfc6455#4.1",
    covers: ["rfc6455#4.1/client-waits"],
    level: "MUST",
    role: "client",
    title: "Behind its handshake the client sends nothing before it was answered.",
    steps: [{ do: "wait", ms: 150 }, open(), send(HELLO)],
    control: [open(), send(HELLO)],
    allowed: comesBackWith(holds("nothing before the handshake response")),
  },
  {
    id: "websocket/client-other-versions",
    spec: "rfc6455#4.4",
    covers: ["rfc6455#4.4/several-versions", "rfc6455#4.1/status"],
    level: "MUST",
    role: "client",
    title: "Told by 426 which other versions are understood the client gives up; it may ask for one of those on a new connection.",
    steps: [
      open({
        start: "HTTP/1.1 426 Upgrade Required",
        instead: { "Sec-WebSocket-Accept": "none" },
        more: ["Sec-WebSocket-Version: 8, 7", "Content-Length: 0"],
      }),
    ],
    control: [open()],
    allowed: givesUp(),
  },
];
