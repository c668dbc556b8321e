import type { Case } from "../../vocabulary.ts";
import {
  all,
  answer,
  any,
  atOrigin,
  awaitAnswer,
  get,
  origin,
  permitted,
  postOf,
  requests,
  response,
  send,
  unambiguous,
} from "./phrases.ts";

/** RFC 9110, section 15.2: which interim responses a proxy keeps to itself. */

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const HINT = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n";
const hinted = { see: "interim", status: 103 } as const;

export const cases: readonly Case[] = [
  {
    id: "http1/proxy-103-forwarded-to-expectant-client",
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/proxy-forwards"],
    level: "MUST",
    role: "proxy",
    title: "The proxy passes on a 103 of the origin to a client that expects 100, too.",
    steps: [
      origin("none"),
      send(postOf("", "Content-Length: 5", "Expect: 100-continue")),
      { do: "await", see: any(atOrigin({}), { see: "interim", status: 100 }, answer()) },
      { do: "origin send", text: HINT + CONTINUE },
      { do: "await", see: any({ see: "interim", status: 100 }, answer(), { see: "connection closed" }) },
      send("hello"),
      { do: "await", see: any(atOrigin({ body: "hello" }), answer(), { see: "connection closed" }) },
      { do: "origin send", text: response("ok") },
      awaitAnswer,
    ],
    control: [origin(response("ok")), send(postOf("hello", "Content-Length: 5")), awaitAnswer],
    allowed: [{ see: all(answer({ status: [200], body: "ok" }), hinted, requests(1), atOrigin({ body: "hello" }), unambiguous) }],
  },
  {
    id: "http1/proxy-100-forwarded-unexpected",
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/proxy-forwards"],
    level: "MUST",
    role: "proxy",
    title: "The proxy passes on a 100 of the origin that nobody expects, or the final response alone.",
    steps: [origin(CONTINUE + response("ok")), send(get()), awaitAnswer],
    control: [origin(response("ok")), send(get()), awaitAnswer],
    allowed: [
      { see: all(answer({ status: [200], body: "ok" }), { see: "interim", status: 100 }) },
      // A client may discard it, and so may a proxy that is one (rfc9110#15.2.1): the final response is what counts.
      permitted(answer({ status: [200], body: "ok" }), "rfc9110#15.2.1", "warn"),
    ],
  },
];
