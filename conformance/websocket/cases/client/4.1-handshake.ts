import { comesBackWith, holds, open, send, text } from "../phrases.ts";
import type { Ask, Case, Handshake } from "../../vocabulary.ts";
import { failsHandshake } from "./phrases.ts";

/** RFC 6455, section 4.1: the handshake that a client sends. */

const HELLO = text("Hello");

/** A plain exchange, and a property of the client's handshake. */
const looked = ({
  monitor,
  handshake = {},
  ...entry
}: Pick<Case, "id" | "covers" | "title"> &
  Partial<Pick<Case, "spec" | "needs" | "ask">> & { readonly monitor: string; readonly handshake?: Handshake }): Case => ({
  spec: "rfc6455#4.1",
  level: "MUST",
  role: "client",
  steps: [open(handshake), send(HELLO)],
  control: [open(handshake), send(HELLO)],
  allowed: comesBackWith(holds(monitor)),
  ...entry,
});

const PROTOCOLS: Ask = { protocols: ["chat", "superchat"] };
/** Some clients require one of the subprotocols that they offer. */
const CHOSEN: Handshake = { more: ["Sec-WebSocket-Protocol: chat"] };
const HOST = "Host of the address";
const RESOURCE = "resource name of the address";

export const cases: readonly Case[] = [
  looked({
    id: "websocket/client-handshake-well-formed",
    covers: ["rfc6455#4.1/request"],
    title: "The client sends its handshake as a well-formed HTTP request.",
    monitor: "valid HTTP request",
  }),
  looked({
    id: "websocket/client-handshake-get",
    covers: ["rfc6455#4.1/get"],
    title: "The client sends its handshake as a GET request of HTTP/1.1.",
    monitor: "GET with HTTP/1.1",
  }),
  looked({
    id: "websocket/client-handshake-resource",
    covers: ["rfc6455#4.1/resource"],
    title: "The client sends the path of the address as the target of its handshake.",
    monitor: RESOURCE,
  }),
  looked({
    id: "websocket/client-handshake-resource-with-query",
    covers: ["rfc6455#4.1/resource"],
    title: "The client sends the query of the address in the target of its handshake.",
    monitor: RESOURCE,
    ask: { path: "/a/b?c=d&e=%20f" },
  }),
  looked({
    id: "websocket/client-handshake-resource-empty",
    covers: ["rfc6455#4.1/resource"],
    title: "The client sends a slash as the target of its handshake for an address without a path.",
    monitor: RESOURCE,
    ask: { path: "" },
  }),
  looked({
    id: "websocket/client-handshake-host",
    covers: ["rfc6455#4.1/host"],
    title: "The client sends one Host field with the host and port of the address.",
    monitor: HOST,
  }),
  looked({
    id: "websocket/client-handshake-upgrade",
    covers: ["rfc6455#4.1/upgrade"],
    title: "The client lists websocket in Upgrade.",
    monitor: "Upgrade lists websocket",
  }),
  looked({
    id: "websocket/client-handshake-connection",
    covers: ["rfc6455#4.1/connection"],
    title: "The client lists Upgrade in Connection.",
    monitor: "Connection lists Upgrade",
  }),
  looked({
    id: "websocket/client-handshake-key",
    covers: ["rfc6455#4.1/key", "rfc6455#11.3.1/key-once"],
    title: "The client sends one Sec-WebSocket-Key with 16 octets in Base64.",
    monitor: "16-octet Sec-WebSocket-Key",
  }),
  looked({
    id: "websocket/client-handshake-key-fresh",
    covers: ["rfc6455#4.1/fresh-nonce"],
    title: "The client sends a different key in every handshake.",
    monitor: "fresh Sec-WebSocket-Key",
  }),
  looked({
    id: "websocket/client-handshake-version",
    covers: ["rfc6455#4.1/version", "rfc6455#11.3.5/version-once"],
    title: "The client sends one Sec-WebSocket-Version field with the value 13.",
    monitor: "Sec-WebSocket-Version 13",
  }),
  looked({
    id: "websocket/client-handshake-origin",
    covers: ["rfc6455#4.1/origin"],
    title: "The client sends at most one Origin field, a serialized origin.",
    monitor: "valid Origin",
  }),
  looked({
    id: "websocket/client-handshake-extensions",
    covers: ["rfc6455#4.1/extensions"],
    title: "The client offers extensions in a well-formed list.",
    monitor: "well-formed extensions",
  }),
  looked({
    id: "websocket/client-handshake-deflate-offer",
    covers: ["rfc7692#7/offer"],
    title: "The client offers permessage-deflate with defined parameters only, each once and with a valid value.",
    monitor: "valid permessage-deflate offer",
    spec: "rfc7692#7.1",
    needs: ["deflate"],
  }),
  looked({
    id: "websocket/client-handshake-subprotocols",
    covers: ["rfc6455#4.1/subprotocols"],
    title: "The client offers subprotocols that are tokens, none twice.",
    monitor: "valid subprotocols",
    ask: PROTOCOLS,
    needs: ["subprotocol"],
    handshake: CHOSEN,
  }),
  looked({
    id: "websocket/client-handshake-subprotocols-none",
    covers: ["rfc6455#4.1/subprotocols"],
    title: "The client that offers no subprotocol sends no empty list of them.",
    monitor: "valid subprotocols",
  }),
  {
    id: "websocket/client-waits-for-the-answer",
    spec: "rfc6455#4.1",
    covers: ["rfc6455#4.1/client-waits"],
    level: "MUST",
    role: "client",
    title: "The client sends nothing after its handshake before the response.",
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
    title: "The client fails the connection on a 426 that lists other versions; it may try one of those on a new connection.",
    steps: [
      open({
        start: "HTTP/1.1 426 Upgrade Required",
        instead: { "Sec-WebSocket-Accept": "none" },
        more: ["Sec-WebSocket-Version: 8, 7", "Content-Length: 0"],
      }),
    ],
    control: [open()],
    allowed: failsHandshake(),
  },
];
