import type { Case, Step } from "../../vocabulary.ts";
import {
  all,
  answer,
  any,
  atOrigin,
  awaitAnswer,
  exchange,
  get,
  head,
  holds,
  not,
  ok,
  unambiguous,
  origin,
  permitted,
  postOf,
  requests,
  response,
  send,
} from "./phrases.ts";

/** RFC 9110, sections 10.1.1 and 15.2: expectations and interim responses through a proxy. */

const EXPECT = "Expect: 100-continue";
const head5 = postOf("", "Content-Length: 5", EXPECT);
const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const HINT = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n";
/** The head of the request arrived at the origin, or the proxy answered by itself. */
const headArrived: Step = { do: "await", see: any(atOrigin({}), { see: "interim", status: 100 }, answer()) };
const hasContinue: Step = { do: "await", see: any({ see: "interim", status: 100 }, answer(), { see: "connection closed" }) };

/** A response that is later than this does not come at all, in milliseconds. */
const LATE_MS = 300;
/**
 * Interim responses before the final one, on a connection that stays open. A proxy that treats the first as final waits for its end and
 * passes on the rest unparsed.
 */
const early = (interim: string): Pick<Case, "role" | "steps" | "control" | "fence"> => {
  const asked: readonly Step[] = [send(get()), { do: "wait", ms: LATE_MS, until: answer() }];
  return { role: "proxy", steps: [origin(interim + response("ok")), ...asked], control: [origin(response("ok")), ...asked], fence: "new" };
};

export const cases: readonly Case[] = [
  {
    id: "http1/proxy-expect-passed-through",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/proxy", "rfc9110#10.1.1/immediate"],
    level: "MUST",
    title: "The proxy sends 100, its own or the origin's, to a client that expects it before sending content.",
    ...exchange(
      origin("none"),
      send(head5),
      headArrived,
      { do: "origin send", text: CONTINUE },
      hasContinue,
      send("hello"),
      {
        do: "await",
        see: atOrigin({ body: "hello" }),
      },
      { do: "origin send", text: response("ok") },
      awaitAnswer,
    ),
    allowed: [
      {
        see: all(
          answer({ status: [200], body: "ok" }),
          { see: "interim", status: 100 },
          requests(1),
          atOrigin({ body: "hello" }),
          unambiguous,
        ),
      },
    ],
  },
  {
    id: "http1/proxy-expect-refused-by-origin",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/proxy", "rfc9110#10.1.1/unknown"],
    level: "MUST",
    title: "The proxy passes on the origin's final response to an expectation.",
    role: "proxy",
    steps: [
      origin(head("HTTP/1.1 417 Expectation Failed", "Date: Thu, 01 Jan 2026 00:00:00 GMT", "Content-Length: 0"), { at: "head" }),
      send(head5),
      { do: "await", see: any({ see: "interim", status: 100 }, answer()) },
      send("hello"),
      awaitAnswer,
    ],
    control: [
      origin(head("HTTP/1.1 200 OK", "Date: Thu, 01 Jan 2026 00:00:00 GMT", "Content-Length: 0"), { at: "end" }),
      send(`${head5}hello`),
      awaitAnswer,
    ],
    allowed: [{ see: answer({ status: [417] }) }, permitted(answer({ status: ["5xx"] }), "rfc9110#15.6", "warn")],
  },
  {
    id: "http1/proxy-expect-final-without-continue",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/may-omit", "rfc9110#10.1.1/final-follows"],
    level: "MUST",
    title: "The proxy answers an expectation whose content arrives at once, and what follows.",
    role: "proxy",
    steps: [send(`${head5}hello`)],
    control: [send(postOf("hello", "Content-Length: 5"))],
    allowed: [
      {
        see: all(
          ok,
          requests(1),
          atOrigin({ body: "hello" }),
          unambiguous,
          any({ see: "all answered", responses: 2 }, { see: "closed after", responses: 1 }),
        ),
      },
    ],
  },
  {
    id: "http1/proxy-expect-in-http10",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/http-1.0", "rfc9110#15.2/not-to-1.0"],
    level: "MUST",
    title: "The proxy ignores an expectation in HTTP/1.0 and sends that client no 100.",
    ...exchange(send(`${head("POST {path} HTTP/1.0", "Host: {authority}", "Content-Length: 5", EXPECT)}hello`)),
    allowed: [{ see: all(ok, atOrigin({ body: "hello" }), holds("no 1xx to HTTP/1.0")) }],
  },
  {
    id: "http1/proxy-103-forwarded",
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/proxy-forwards", "rfc8297#2/one-final"],
    level: "MUST",
    title: "The proxy passes on a 103 of the origin before the final response.",
    ...early(HINT),
    allowed: [
      {
        see: all(answer({ status: [200], body: "ok" }), {
          see: "interim",
          status: 103,
          fields: [{ name: "Link", value: "</style.css>; rel=preload" }],
        }),
      },
    ],
  },
  {
    id: "http1/proxy-103-forwarded-at-once",
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/proxy-forwards"],
    level: "SHOULD",
    title: "The proxy passes on a 103 before the final response arrives.",
    role: "proxy",
    steps: [
      origin("none"),
      send(get()),
      { do: "await", see: requests(1) },
      { do: "origin send", text: HINT },
      { do: "wait", ms: LATE_MS, until: { see: "interim", status: 103 } },
    ],
    fence: "new",
    control: [origin(response("ok")), send(get()), awaitAnswer],
    // The origin never sends the final response.
    allowed: [{ see: { see: "interim", status: 103 } }],
  },
  {
    id: "http1/proxy-interim-chain",
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/proxy-forwards", "rfc9110#15/one-final", "rfc8297#2/more-than-one"],
    level: "MUST",
    title: "The proxy does not treat one of several interim responses as the final one, and loses no final response to them.",
    ...early(`${CONTINUE}HTTP/1.1 102 Processing\r\n\r\n${HINT}${HINT}`),
    allowed: [{ see: all(answer({ status: [200], body: "ok" }), { see: "interim", status: 103 }) }],
  },
  {
    id: "http1/proxy-interim-not-to-http10",
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/not-to-1.0"],
    level: "MUST NOT",
    title: "The proxy does not pass on a 103 to an HTTP/1.0 client.",
    role: "proxy",
    steps: [origin(HINT + response("ok"), { close: "end" }), send(head("GET {path} HTTP/1.0", "Host: {authority}")), awaitAnswer],
    control: [origin(response("ok")), send(head("GET {path} HTTP/1.0", "Host: {authority}")), awaitAnswer],
    allowed: [
      { see: all(answer({ status: [200], body: "ok" }), holds("no 1xx to HTTP/1.0")) },
      permitted(answer({ status: ["5xx"] }), "rfc9110#15.6.3", "warn"),
    ],
  },
  {
    id: "http1/proxy-unasked-101",
    spec: "rfc9110#7.8",
    covers: ["rfc9110#7.8/offered-only"],
    level: "MUST NOT",
    title: "The proxy opens no tunnel for an unrequested 101.",
    role: "proxy",
    steps: [
      origin("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: touchstone/1\r\n\r\ntunnel", { close: "end" }),
      send(get()),
      { do: "await", see: any(answer(), { see: "connection closed" }, { see: "interim", status: 101 }) },
    ],
    control: [origin(response("ok")), send(get()), awaitAnswer],
    allowed: [
      { see: answer({ status: ["5xx"] }) },
      permitted(all(answer({ status: ["2xx"], body: "" }), not({ see: "interim", status: 101 })), "rfc9110#15.6.3", "warn"),
      permitted(all({ see: "closed after", responses: 0 }, not({ see: "interim", status: 101 })), "rfc9112#9.5", "warn"),
    ],
  },
  {
    id: "http1/proxy-101-to-another-protocol",
    spec: "rfc9110#7.8",
    covers: ["rfc9110#7.8/offered-only", "rfc9110#7.8/101-names"],
    level: "SHOULD NOT",
    title: "The proxy opens no tunnel for a 101 to a protocol that the client did not request.",
    role: "proxy",
    steps: [
      origin("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other/2\r\n\r\ntunnel", { close: "end" }),
      send(get("Connection: Upgrade", "Upgrade: touchstone/1")),
      { do: "await", see: any(answer(), { see: "connection closed" }, { see: "interim", status: 101 }) },
    ],
    control: [origin(response("ok")), send(get("Connection: Upgrade", "Upgrade: touchstone/1")), awaitAnswer],
    allowed: [
      { see: answer({ status: ["5xx"] }) },
      permitted(all(answer({ status: ["2xx"], body: "" }), not({ see: "interim", status: 101 })), "rfc9110#15.6.3", "warn"),
      permitted(all({ see: "closed after", responses: 0 }, not({ see: "interim", status: 101 })), "rfc9112#9.5", "warn"),
    ],
  },
];
