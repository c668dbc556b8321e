import type { FrameSpec } from "../../../http2/vocabulary.ts";
import type { Case, Outcome, Sight, Step } from "../../vocabulary.ts";
import { awaitAnswer, get, http2 } from "./http2-phrases.ts";
import { all, answer, any, atOrigin, origin, permitted, response } from "./phrases.ts";
import { awaiting, connect, frame, reached, exactly, SWITCHES, TEXT } from "./websocket-phrases.ts";

/** RFC 8441, section 5: a WebSocket that comes by extended CONNECT over HTTP/2 and continues by Upgrade over HTTP/1.1. */

const cancel: FrameSpec = { type: "RST_STREAM", stream: 1, code: "CANCEL" };
const opened: Sight = { see: "response", status: [200] };
const awaitOpen: Step = awaiting(
  any({ see: "response" }, { see: "stream reset", stream: 1 }, { see: "goaway" }, { see: "connection closed" }),
);
const open: readonly [Step, ...Step[]] = [origin(SWITCHES), http2(connect()), awaitOpen];
/** DATA is written as text, so these octets are no frame: a blind relay does not mind. */
const hello = "hello through the stream";
const reply = frame(TEXT, "world");
/** The content that came begins with these octets. */
const came = (octets: string): Sight => ({ see: "response", bodyPattern: `^${exactly(octets)}$` });

const REFUSAL = "HTTP/1.1 403 Forbidden\r\nContent-Length: 8\r\n\r\nno entry";
/** No WebSocket, and no reason either. */
const STREAM_ENDS: readonly Outcome[] = [
  permitted({ see: "stream reset", stream: 1 }, "rfc9113#8.5"),
  permitted({ see: "goaway" }, "rfc9113#5.4.1", "warn"),
];

type Passing = Pick<Case, "id" | "title" | "steps" | "allowed"> & Partial<Case>;
const passing = (it: Passing): Case => ({
  spec: "rfc8441#5",
  covers: ["rfc9110#7.8/relayed"],
  level: "SHOULD",
  role: "proxy",
  needs: ["websocket over http2"],
  fence: "new",
  control: [origin(response("ok")), http2(get()), awaitAnswer],
  ...it,
});

export const cases: readonly Case[] = [
  passing({
    id: "http1/proxy-h2-ws-handshake",
    covers: ["rfc6455#4.1/get", "rfc6455#4.1/upgrade", "rfc6455#4.1/connection", "rfc6455#4.1/key", "rfc6455#4.1/version"],
    level: "MUST",
    title: "The proxy turns an extended CONNECT into a WebSocket handshake of HTTP/1.1.",
    steps: open,
    allowed: [
      {
        see: atOrigin({
          method: "GET",
          version: "HTTP/1.1",
          fields: [
            { name: "Upgrade", pattern: "^websocket$" },
            { name: "Connection", pattern: "(^|[ ,])upgrade($|[ ,])", joined: true },
            { name: "Sec-WebSocket-Version", value: "13" },
            { name: "Sec-WebSocket-Key", pattern: "^[A-Za-z0-9+/]{22}==$" },
          ],
        }),
      },
    ],
  }),
  passing({
    id: "http1/proxy-h2-ws-answer",
    covers: ["rfc8441#5/no-connection-fields-answered"],
    level: "MUST NOT",
    title: "The proxy turns a 101 into a 200 without Connection and Upgrade.",
    steps: open,
    allowed: [
      {
        see: {
          see: "response",
          status: [200],
          fields: ["connection", "upgrade"].map((name) => ({ name, absent: true as const })),
        },
      },
    ],
  }),
  passing({
    id: "http1/proxy-h2-ws-no-accept",
    covers: ["rfc8441#5/no-accept"],
    level: "SHOULD NOT",
    title: "The proxy does not pass Sec-WebSocket-Accept on to HTTP/2.",
    steps: open,
    allowed: [{ see: { see: "response", status: [200], fields: [{ name: "sec-websocket-accept", absent: true }] } }],
  }),
  passing({
    id: "http1/proxy-h2-ws-octets",
    title: "The proxy relays the octets of a WebSocket between a stream and a connection.",
    steps: [
      ...open,
      http2({ type: "DATA", stream: 1, data: hello }),
      awaiting(reached(hello)),
      { do: "origin send", text: reply },
      awaiting(came(reply)),
    ],
    allowed: [{ see: all(opened, reached(hello), came(reply)) }],
  }),
  passing({
    id: "http1/proxy-h2-ws-client-resets",
    title: "When the client resets the stream of a WebSocket, the proxy ends the connection to the origin.",
    steps: [...open, http2(cancel), awaiting({ see: "origin closed" })],
    allowed: [{ see: { see: "origin closed" } }],
  }),
  passing({
    id: "http1/proxy-h2-ws-origin-closes",
    title: "When the origin closes a WebSocket, the proxy delivers what it sent and ends the stream.",
    steps: [
      ...open,
      { do: "origin send", text: reply, close: "end" },
      awaiting(any(answer(), { see: "stream reset", stream: 1 }, { see: "connection closed" })),
    ],
    allowed: [{ see: all(came(reply), answer()) }, permitted(all(came(reply), { see: "stream reset", stream: 1 }), "rfc8441#5", "warn")],
  }),
  passing({
    id: "http1/proxy-h2-ws-not-switched",
    spec: "rfc8441#4",
    covers: ["rfc8441#4/protocol-spoken"],
    level: "MUST NOT",
    title: "The proxy does not turn a success without a switch into an open WebSocket.",
    steps: [origin(response("no WebSocket")), http2(connect()), awaitOpen],
    allowed: [{ see: answer({ status: ["4xx", "5xx"] }) }, ...STREAM_ENDS],
  }),
  passing({
    id: "http1/proxy-h2-ws-refused",
    covers: ["rfc9110#7.8/relayed"],
    title: "The proxy forwards the origin's refusal of a WebSocket.",
    steps: [origin(REFUSAL), http2(connect()), awaitOpen],
    allowed: [{ see: answer({ status: [403], body: "no entry" }) }],
  }),
];
