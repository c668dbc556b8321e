import { answered, closedAfter, head, send, servedWith } from "../phrases.ts";
import type { Case, Sight } from "../../vocabulary.ts";

/** RFC 8297: 103 before the final response, for servers that send it. */

const host = "Host: {authority}";
const early = head("GET {early} HTTP/1.1", host);
const hinted = (nth = 1): Sight => ({ see: "interim", status: 103, nth, fields: [{ name: "link" }] });
const whole = (nth = 1): Sight => answered(nth, { status: ["2xx", "3xx", "4xx"] });

export const cases: readonly Case[] = [
  {
    id: "http1/early-hints",
    spec: "rfc8297#2",
    covers: ["rfc8297#2/one-final", "rfc8297#2/likely-fields", "rfc9110#15/one-final"],
    level: "MUST",
    role: "server",
    needs: ["early"],
    title: "The server sends Link in a 103, then one final response.",
    steps: [send(early)],
    control: [send(early)],
    allowed: [{ see: servedWith(2, hinted(), whole()) }],
  },
  {
    id: "http1/early-hints-without-content",
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/no-content", "rfc9110#8.6/no-length-in-1xx-204", "rfc9112#6.1/no-coding-in-1xx-204"],
    level: "MUST NOT",
    role: "server",
    needs: ["early"],
    title: "The server sends neither content nor framing fields with a 103.",
    steps: [send(early)],
    control: [send(early)],
    allowed: [
      {
        see: servedWith(
          2,
          whole(),
          { see: "holds", monitor: "no framing fields without content" },
          { see: "holds", monitor: "no octets between responses" },
          { see: "holds", monitor: "valid field lines" },
        ),
      },
    ],
  },
  {
    id: "http1/early-hints-pipelined",
    spec: "rfc8297#2",
    covers: ["rfc8297#2/one-final", "rfc9112#9.3.2/in-order"],
    level: "MUST",
    role: "server",
    needs: ["early", "pipelining"],
    title: "The server sends the hints of each pipelined request before its final response.",
    steps: [send(`${early}${early}${early}`)],
    control: [send(early)],
    allowed: [{ see: servedWith(4, ...[1, 2, 3].flatMap((nth) => [hinted(nth), whole(nth)])) }],
  },
  {
    id: "http1/early-hints-not-to-older-version",
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/not-to-1.0"],
    level: "MUST NOT",
    role: "server",
    needs: ["early"],
    title: "The server sends no 103 to an HTTP/1.0 client.",
    steps: [send(head("GET {early} HTTP/1.0", host))],
    control: [send(early)],
    allowed: [{ see: { see: "all", of: [whole(), closedAfter(1), { see: "holds", monitor: "no 1xx to HTTP/1.0" }] } }],
  },
  {
    id: "http1/early-hints-with-close",
    spec: "rfc8297#2",
    covers: ["rfc8297#2/one-final", "rfc9112#9.6/server-closes"],
    level: "MUST",
    role: "server",
    needs: ["early"],
    title: "The server sends hints and the final response to a request with close, then closes.",
    steps: [send(head("GET {early} HTTP/1.1", host, "Connection: close"))],
    control: [send(early)],
    allowed: [{ see: { see: "all", of: [whole(), closedAfter(1), { see: "holds", monitor: "complete messages" }] } }],
  },
];
