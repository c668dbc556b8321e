import { CHUNKS, NUMBERS, NUMBERS_LENGTH } from "../long-phrases.ts";
import { CHUNKED, LAST } from "../framing-phrases.ts";
import { get, head, permitted, send } from "../phrases.ts";
import type { Allowed, Case, Sight, Step, Text } from "../../vocabulary.ts";

/** RFC 9110, section 9.3.6: the tunnel of a server that opens one to itself. What comes through it is its own response. */

const CLOSE = "Connection: close";
const open: readonly Step[] = [
  send(head("CONNECT {authority} HTTP/1.1", "Host: {authority}")),
  { do: "await", see: { see: "response", status: ["2xx"] } },
];
const echo = (...fields: readonly Text[]): Text => head("POST {echo} HTTP/1.1", "Host: {authority}", CLOSE, ...fields);

const opened: Sight = { see: "response", status: ["2xx"] };

const through = (pattern: string): Sight => ({ see: "tunnel octets", pattern });
const closed: Sight = { see: "connection closed" };
const both = (...of: readonly Sight[]): Sight => ({ see: "all", of });
/** A response and nothing before it: no chunk, no second head. */
const RESPONSE = "^HTTP/1\\.\\d \\d{3} ";
const inside = (end: string): Sight => through(`${RESPONSE}.*${end}`);

type Tunnel = Pick<Case, "id" | "title" | "steps" | "allowed"> & {
  readonly also?: Case["covers"];
  readonly needs?: readonly string[];
};
const tunnel = ({ also, needs = [], ...it }: Tunnel): Case => ({
  spec: "rfc9110#9.3.6",
  covers: ["rfc9110#9.3.6/tunnel", "rfc9112#6.3/connect-tunnel", ...(also ?? [])],
  level: "MUST",
  role: "server",
  needs: ["tunnel", ...needs],
  // The far end of the tunnel decides how long the connection lasts.
  fence: "new",
  control: open,
  ...it,
});

/** Content too long for a server that limits it gets an error through the tunnel: then that is what has to come. */
const cameBack = (end: string): Allowed => [{ see: inside(end) }, permitted(through("^HTTP/1\\.\\d 413 "), "rfc9110#15.5.14")];

export const cases: readonly Case[] = [
  tunnel({
    id: "http1/tunnel-carries-what-came-with-its-request",
    title: "The server carries octets through a tunnel that came right after the request for it, and does not read them as a request.",
    steps: [send(head("CONNECT {authority} HTTP/1.1", "Host: {authority}") + get(CLOSE)), { do: "await", see: through(RESPONSE) }],
    allowed: [{ see: through(RESPONSE) }],
  }),
  tunnel({
    id: "http1/tunnel-carries-one-octet-that-came-with-its-request",
    title: "The server carries a single octet through a tunnel that came right after the request for it, before those that follow.",
    steps: [
      send(head("CONNECT {authority} HTTP/1.1", "Host: {authority}") + get(CLOSE).slice(0, 1)),
      { do: "await", see: opened },
      send(get(CLOSE).slice(1)),
      { do: "await", see: through(RESPONSE) },
    ],
    // Without its first octet it is no request of a method that the server knows.
    allowed: [{ see: through("^HTTP/1\\.\\d (?!400|405|501)\\d{3} ") }],
  }),
  tunnel({
    id: "http1/tunnel-upgrade-is-named-in-connection",
    also: ["rfc9110#7.8/option"],
    title: "The server lists its Upgrade in Connection, also in the response that opens a tunnel.",
    steps: open,
    allowed: [{ see: both(opened, { see: "holds", monitor: "Upgrade listed in Connection" }) }],
  }),
  tunnel({
    id: "http1/tunnel-carries-requests",
    title: "The server carries a request and its response through a tunnel as they are.",
    steps: [...open, send(get(CLOSE)), { do: "await", see: through(RESPONSE) }],
    allowed: [{ see: through(RESPONSE) }],
  }),
  tunnel({
    id: "http1/tunnel-carries-pieces",
    title: "The server carries octets through a tunnel that come one by one.",
    steps: [...open, send(get(CLOSE), { cut: 1 }), { do: "await", see: through(RESPONSE) }],
    allowed: [{ see: through(RESPONSE) }],
  }),
  tunnel({
    id: "http1/tunnel-carries-several-requests",
    needs: ["keep-alive", "distinct"],
    title: "The server carries several requests through one tunnel, and their responses back.",
    steps: [
      ...open,
      send(get()),
      { do: "await", see: through(RESPONSE) },
      send(head("GET {missing} HTTP/1.1", "Host: {authority}", CLOSE)),
      { do: "await", see: closed },
    ],
    allowed: [{ see: inside("HTTP/1\\.\\d \\d{3} ") }],
  }),
  tunnel({
    id: "http1/tunnel-carries-long-content",
    needs: ["echo"],
    title: "The server carries long content through a tunnel in both directions, whole and in order.",
    steps: [...open, send(echo(`Content-Length: ${NUMBERS_LENGTH}`)), { do: "repeat", ...NUMBERS }, { do: "await", see: closed }],
    allowed: cameBack(`\\r\\n1 .*touchstone ${NUMBERS.times} (?:touchstone)+ (?:\\r\\n0\\r\\n\\r\\n)?$`),
  }),
  tunnel({
    id: "http1/tunnel-carries-chunks",
    needs: ["echo"],
    title: "The server carries chunks through a tunnel without reading them.",
    steps: [...open, send(echo(CHUNKED)), { do: "repeat", ...CHUNKS }, send(LAST), { do: "await", see: closed }],
    allowed: cameBack("ghijabcd(?:\\r\\n0\\r\\n\\r\\n)?$"),
  }),
  tunnel({
    id: "http1/tunnel-ends-with-its-far-end",
    also: ["rfc9110#9.3.6/tunnel-closed"],
    title: "When the far end of a tunnel closes, the server delivers what it sent, and then closes the connection.",
    steps: [...open, send(get(CLOSE)), { do: "await", see: closed }],
    allowed: [{ see: both(inside("\\r\\n\\r\\n"), closed) }],
  }),
  tunnel({
    id: "http1/tunnel-half-closed-by-client",
    also: ["rfc9110#9.3.6/tunnel-closed"],
    title: "When the client ends its half of a tunnel, the server delivers what it sent before.",
    steps: [...open, send(get(CLOSE)), { do: "half-close" }, { do: "await", see: closed }],
    // The response to what was delivered may come, or find nobody any more.
    allowed: [{ see: both(through(RESPONSE), closed) }, permitted(closed, "rfc9110#9.3.6")],
  }),
];
