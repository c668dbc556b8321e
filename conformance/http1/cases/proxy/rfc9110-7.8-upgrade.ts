import type { Case, Text } from "../../vocabulary.ts";
import {
  all,
  answer,
  any,
  atOrigin,
  awaitAnswer,
  get,
  goodPost,
  head,
  holds,
  not,
  origin,
  permitted,
  refusedOnly,
  response,
  send,
  understood,
} from "./phrases.ts";
import {
  awaiting,
  awaitSwitch,
  BEGIN,
  came,
  CLOSE,
  frame,
  HANDSHAKE,
  handshake,
  handshakeOf,
  LAST,
  masked,
  oldHandshake,
  open,
  opens,
  PING,
  reached,
  RSV1,
  switched,
  switches,
  TEXT,
} from "./websocket-phrases.ts";

/**
 * RFC 9110, section 7.8: WebSocket through a proxy. Upgrade concerns one connection only, so a proxy may ignore it: cases about tunnels are for
 * proxies that pass a handshake on. What no sentence demands of a proxy is a warning at most.
 */

type Passing = Pick<Case, "id" | "title" | "steps" | "allowed"> & Partial<Case>;
/** What passes through a WebSocket that the proxy has opened. */
const passing = (it: Passing): Case => ({
  spec: "rfc9110#7.8",
  covers: ["rfc9110#7.8/relayed"],
  level: "SHOULD",
  role: "proxy",
  needs: ["websocket"],
  fence: "new",
  control: opens,
  ...it,
});
const hello = masked(TEXT, "hello");
const reply = frame(TEXT, "world");
/** A message in two fragments with a reserved bit, which means nothing without an extension that both ends know. */
const fragments = (write: typeof frame): Text => write(BEGIN | RSV1, "frag") + write(LAST, "ments");
const NUMBERS = { text: `{n} ${"touchstone ".repeat(27)}`, times: 1_000 } as const;

/** A request that no proxy forwards as it is: its version and Connection are replaced (rfc9112#2.3, rfc9110#7.6.1). */
const ODD = head("GET {path} HTTP/1.2", "hOsT:  {authority}", "Connection: x-hop", "X-Hop: a");
const RAW = "GET {path} HTTP/1\\.2\\r\\nhOsT:  {authority}\\r\\nConnection: x-hop\\r\\nX-Hop: a\\r\\n";
/** The origin refuses to switch: the connection stays one of HTTP/1.1. */
const refused = (status: string, ...fields: readonly Text[]): Case => ({
  id: `http1/proxy-ws-refused-with-${status.slice(0, 3)}`,
  spec: "rfc9110#7.8",
  covers: ["rfc9112#2.3/own-version", "rfc9110#7.6.1/itself-removed", "rfc9112#11.2/no-smuggling"],
  level: "MUST",
  role: "proxy",
  title: `After the origin refused to switch protocols with ${status}, the proxy still reads requests of HTTP/1.1.`,
  fence: "new",
  steps: [
    origin(response("ok", ...fields).replace("200 OK", status)),
    send(HANDSHAKE),
    awaitAnswer,
    origin(response("ok")),
    send(ODD),
    awaiting(any({ see: "response", nth: 2, complete: true }, { see: "connection closed" })),
  ],
  control: [origin(response("ok")), send(get()), awaitAnswer, send(get()), awaiting({ see: "response", nth: 2, complete: true })],
  // A proxy may also reject that version, or end the connection after any response.
  allowed: [{ see: all(not({ see: "origin octets", pattern: RAW }), any(answer({ nth: 2 }), { see: "connection closed" })) }],
});

/** A proxy may refuse an upgrade together with content. */
const [{ see: isRefused }, ...others] = refusedOnly("rfc9110#7.8");
const refusals = [permitted(isRefused, "rfc9110#7.8"), ...others];

export const cases: readonly Case[] = [
  passing({
    id: "http1/proxy-ws-101-names-protocol",
    covers: ["rfc9110#7.8/101-names", "rfc9110#7.8/option"],
    level: "MUST",
    title: "The proxy passes a 101 on with Upgrade, and lists it in Connection.",
    steps: open,
    allowed: [
      {
        see: {
          see: "interim",
          status: 101,
          fields: [
            { name: "Upgrade", pattern: "^websocket$" },
            { name: "Connection", pattern: "(^|[ ,])upgrade($|[ ,])", joined: true },
          ],
        },
      },
    ],
  }),
  passing({
    id: "http1/proxy-ws-upgrade-listed",
    covers: ["rfc9110#7.8/option", "rfc9110#7.6.1/known-removed"],
    level: "MUST",
    title: "The proxy sends the Upgrade of a WebSocket handshake to the origin only if it lists it in Connection.",
    steps: open,
    allowed: [{ see: all(switched, holds("no unlisted connection-specific field at the origin")) }],
  }),
  passing({
    id: "http1/proxy-ws-request-fields-kept",
    covers: ["rfc9110#7.7/end-to-end-kept"],
    level: "SHOULD NOT",
    title: "The proxy does not change the other fields of a WebSocket handshake.",
    steps: [
      origin(switches()),
      send(
        handshake(
          "Origin: http://a.example",
          "Cookie: a=1",
          "Sec-WebSocket-Protocol: one, two",
          "Sec-WebSocket-Extensions: x-touchstone; a=1",
        ),
      ),
      awaitSwitch,
    ],
    allowed: [
      {
        see: atOrigin({
          method: "GET",
          fields: [
            { name: "Sec-WebSocket-Version", value: "13" },
            { name: "Sec-WebSocket-Key", pattern: "^[A-Za-z0-9+/]{22}==$" },
            { name: "Sec-WebSocket-Protocol", value: "one, two" },
            { name: "Sec-WebSocket-Extensions", value: "x-touchstone; a=1" },
            { name: "Origin", value: "http://a.example" },
            { name: "Cookie", value: "a=1" },
          ],
        }),
      },
    ],
  }),
  passing({
    id: "http1/proxy-ws-response-fields-kept",
    covers: ["rfc9110#7.7/end-to-end-kept"],
    level: "SHOULD NOT",
    title: "The proxy does not change the other fields of a 101.",
    steps: [
      origin(switches("Sec-WebSocket-Protocol: two", "Set-Cookie: a=1")),
      send(handshake("Sec-WebSocket-Protocol: one, two")),
      awaitSwitch,
    ],
    allowed: [
      {
        see: {
          see: "interim",
          status: 101,
          fields: [
            { name: "Sec-WebSocket-Accept", value: "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" },
            { name: "Sec-WebSocket-Protocol", value: "two" },
            { name: "Set-Cookie", value: "a=1" },
          ],
        },
      },
    ],
  }),
  passing({
    id: "http1/proxy-ws-wrong-accept",
    covers: ["rfc9110#7.7/end-to-end-kept"],
    level: "SHOULD NOT",
    title: "The proxy does not repair a wrong Sec-WebSocket-Accept.",
    steps: [origin(switches().replace("{accept}", "AAAAAAAAAAAAAAAAAAAAAAAAAAA=")), send(HANDSHAKE), awaitSwitch],
    allowed: [
      { see: { see: "interim", status: 101, fields: [{ name: "Sec-WebSocket-Accept", value: "AAAAAAAAAAAAAAAAAAAAAAAAAAA=" }] } },
      permitted(answer({ status: ["5xx"] }), "rfc9110#15.6.3"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5"),
    ],
  }),
  passing({
    id: "http1/proxy-ws-octets-to-origin",
    title: "The proxy relays what the client sends through a WebSocket, octet by octet.",
    steps: [...open, send(hello + masked(CLOSE, "\x03\xe8")), awaiting(reached(hello + masked(CLOSE, "\x03\xe8")))],
    allowed: [{ see: reached(hello + masked(CLOSE, "\x03\xe8")) }],
  }),
  passing({
    id: "http1/proxy-ws-octets-to-client",
    title: "The proxy relays what the origin sends through a WebSocket, octet by octet.",
    steps: [
      ...open,
      { do: "origin send", text: reply },
      { do: "origin send", text: frame(PING, "\r\n\r\n\0\xff") },
      awaiting(came(reply + frame(PING, "\r\n\r\n\0\xff"))),
    ],
    allowed: [{ see: came(reply + frame(PING, "\r\n\r\n\0\xff")) }],
  }),
  passing({
    id: "http1/proxy-ws-octets-with-101",
    title: "The proxy relays the octets that arrive from the origin together with its 101.",
    steps: [origin(switches() + reply), send(HANDSHAKE), awaitSwitch, awaiting(came(reply))],
    allowed: [{ see: came(reply) }],
  }),
  passing({
    id: "http1/proxy-ws-one-octet-with-101",
    title: "The proxy relays a single octet that arrives from the origin together with its 101, before those that follow.",
    steps: [
      origin(switches() + reply.slice(0, 1)),
      send(HANDSHAKE),
      awaitSwitch,
      { do: "origin send", text: reply.slice(1) },
      awaiting(came(reply)),
    ],
    allowed: [{ see: came(reply) }],
  }),
  passing({
    id: "http1/proxy-ws-answers-in-turn",
    title: "The proxy relays answers within a WebSocket while both sides keep it open.",
    steps: [
      ...open,
      send(hello),
      awaiting(reached(hello)),
      { do: "origin send", text: reply },
      awaiting(came(reply)),
      send(hello),
      awaiting(reached(hello + hello)),
    ],
    allowed: [{ see: all(came(reply), reached(hello + hello)) }],
  }),
  passing({
    id: "http1/proxy-ws-request-inside",
    title: "The proxy does not read octets of a WebSocket as a request, even if they look like one.",
    covers: ["rfc9110#7.8/relayed", "rfc9112#11.2/no-smuggling"],
    steps: [...open, send("{hidden}"), awaiting({ see: "origin octets", pattern: "/hidden HTTP/1\\.1\\r\\n.*\\r\\n\\r\\n$" })],
    allowed: [
      {
        see: all(
          { see: "requests", count: 1 },
          { see: "origin octets", pattern: "{path}[ ?].*\\r\\n\\r\\nGET {path}/hidden HTTP/1\\.1\\r\\n" },
        ),
      },
    ],
  }),
  passing({
    id: "http1/proxy-ws-long-to-origin",
    title: "The proxy relays 300 KB from the client whole and in order.",
    steps: [...open, { do: "repeat", ...NUMBERS }, awaiting({ see: "origin octets", pattern: "[^\\d]1000 (?:touchstone ){27}$" })],
    allowed: [
      {
        see: {
          see: "origin octets",
          pattern: "\\r\\n\\r\\n1 (?:touchstone ){27}2 .* 499 (?:touchstone ){27}500 .* 1000 (?:touchstone ){27}$",
        },
      },
    ],
  }),
  passing({
    id: "http1/proxy-ws-reserved-bits-to-origin",
    spec: "rfc6455#5.4",
    covers: ["rfc6455#5.4/intermediary-reserved"],
    level: "MUST NOT",
    title: "The proxy does not change the fragments of a message with a reserved bit, on the way to the origin.",
    steps: [...open, send(fragments(masked)), awaiting(reached(fragments(masked)))],
    allowed: [{ see: reached(fragments(masked)) }],
  }),
  passing({
    id: "http1/proxy-ws-reserved-bits-to-client",
    spec: "rfc6455#5.4",
    covers: ["rfc6455#5.4/intermediary-reserved"],
    level: "MUST NOT",
    title: "The proxy does not change the fragments of a message with a reserved bit, on the way to the client.",
    steps: [...open, { do: "origin send", text: fragments(frame) }, awaiting(came(fragments(frame)))],
    allowed: [{ see: came(fragments(frame)) }],
  }),
  passing({
    id: "http1/proxy-ws-extension-fragments",
    spec: "rfc6455#5.4",
    covers: ["rfc6455#5.4/intermediary-extensions"],
    level: "MUST NOT",
    title: "The proxy does not change fragments where an extension is negotiated that it cannot know.",
    steps: [
      origin(switches("Sec-WebSocket-Extensions: x-touchstone")),
      send(handshake("Sec-WebSocket-Extensions: x-touchstone")),
      awaitSwitch,
      { do: "origin send", text: frame(BEGIN, "frag") + frame(LAST, "ments") },
      awaiting(came(frame(BEGIN, "frag") + frame(LAST, "ments"))),
    ],
    allowed: [{ see: came(frame(BEGIN, "frag") + frame(LAST, "ments")) }],
  }),
  passing({
    id: "http1/proxy-ws-control-frame-whole",
    spec: "rfc6455#5.4",
    covers: ["rfc6455#5.4/intermediary-control"],
    level: "MUST NOT",
    title: "The proxy does not fragment a control frame.",
    steps: [...open, send(masked(PING, "x".repeat(125))), awaiting(reached(masked(PING, "x".repeat(125))))],
    allowed: [{ see: reached(masked(PING, "x".repeat(125))) }],
  }),
  passing({
    id: "http1/proxy-ws-origin-closes",
    title: "When the origin closes a WebSocket, the proxy delivers what it sent and closes the connection of the client.",
    steps: [...open, { do: "origin send", text: reply, close: "end" }, awaiting({ see: "connection closed" })],
    allowed: [{ see: all(came(reply), { see: "connection closed" }) }],
  }),
  passing({
    id: "http1/proxy-ws-origin-resets",
    title: "When the origin resets a WebSocket, the proxy ends the connection of the client.",
    steps: [...open, { do: "origin send", text: "", close: "reset" }, awaiting({ see: "connection closed" })],
    allowed: [{ see: { see: "connection closed" } }],
  }),
  passing({
    id: "http1/proxy-ws-client-closes",
    title: "When the client closes a WebSocket, the proxy delivers what it sent and ends the connection to the origin.",
    steps: [...open, send(hello), { do: "close" }, awaiting({ see: "origin closed" })],
    allowed: [{ see: all(reached(hello), { see: "origin closed" }) }],
  }),
  passing({
    id: "http1/proxy-ws-client-resets",
    title: "When the client resets a WebSocket, the proxy ends the connection to the origin.",
    steps: [...open, { do: "reset" }, awaiting({ see: "origin closed" })],
    allowed: [{ see: { see: "origin closed" } }],
  }),
  passing({
    id: "http1/proxy-ws-client-half-closes",
    title: "When the client ends its half of a WebSocket, the origin gets what it sent before.",
    steps: [...open, send(hello), { do: "half-close" }, awaiting({ see: "origin closed" })],
    allowed: [{ see: all(reached(hello), { see: "origin closed" }) }],
  }),
  refused("200 OK"),
  refused("400 Bad Request", "Sec-WebSocket-Version: 13"),
  refused("426 Upgrade Required", "Connection: Upgrade", "Upgrade: websocket"),
  {
    id: "http1/proxy-ws-refusal-forwarded",
    spec: "rfc9110#7.8",
    covers: ["rfc9110#7.7/end-to-end-kept"],
    level: "SHOULD NOT",
    role: "proxy",
    needs: ["websocket"],
    title: "The proxy passes on the response of an origin that refuses a WebSocket.",
    steps: [origin(response("not here", "X-Reason: a").replace("200 OK", "403 Forbidden")), send(HANDSHAKE), awaitAnswer],
    control: [origin(response("ok")), send(HANDSHAKE), awaitAnswer],
    allowed: [{ see: answer({ status: [403], body: "not here", fields: [{ name: "X-Reason", value: "a" }] }) }],
  },
  {
    id: "http1/proxy-upgrade-with-content",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length", "rfc9112#11.2/no-smuggling"],
    level: "MUST",
    role: "proxy",
    title: "The proxy reads the content of a POST with Upgrade by its length.",
    steps: [send(`${handshakeOf("POST", "Content-Length: 5")}hello`)],
    control: [send(goodPost)],
    allowed: [{ see: understood("hello") }, ...refusals],
  },
  {
    id: "http1/proxy-upgrade-in-old-version",
    spec: "rfc9110#7.8",
    covers: ["rfc9110#7.8/http-1.0", "rfc9110#15.2/not-to-1.0"],
    level: "SHOULD",
    role: "proxy",
    needs: ["websocket"],
    fence: "new",
    title: "The proxy ignores Upgrade in a request of HTTP/1.0.",
    steps: [origin(switches(), { close: "end" }), send(oldHandshake), awaiting(any(switched, answer(), { see: "connection closed" }))],
    control: [send(get()), awaitAnswer],
    allowed: [{ see: not(switched) }],
  },
];
