import { get, head, permitted, send } from "../phrases.ts";
import type { Case, Step } from "../../vocabulary.ts";

/** RFC 9110, section 9.3.6: what a 2xx to CONNECT promises. */

const open: readonly Step[] = [
  send(head("CONNECT {authority} HTTP/1.1", "Host: {authority}")),
  { do: "await", see: { see: "response", status: ["2xx"] } },
];

export const cases: readonly Case[] = [
  {
    id: "http1/connect-answer-opens-tunnel",
    spec: "rfc9110#9.3.6",
    covers: ["rfc9110#9.3.6/tunnel"],
    level: "MUST",
    role: "server",
    needs: ["connect"],
    fence: "new",
    title: "The server that answers CONNECT to itself with 2xx opens a tunnel.",
    steps: [
      ...open,
      send(get("Connection: close")),
      { do: "await", see: { see: "any", of: [{ see: "tunnel octets", pattern: "^(?:HTTP/1|GET )" }, { see: "connection closed" }] } },
    ],
    control: open,
    allowed: [
      { see: { see: "tunnel octets", pattern: "^HTTP/1" } },
      // The far end is an echo: the octets passed through, and no sentence binds the server to one destination.
      permitted({ see: "tunnel octets", pattern: "^GET " }, "rfc9110#9.3.6"),
      // The far end may have refused.
      permitted({ see: "connection closed" }, "rfc9110#9.3.6", "warn"),
    ],
  },
];
