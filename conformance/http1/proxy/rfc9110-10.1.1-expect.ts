import type { Case, Step } from "../vocabulary.ts";
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

/** RFC 9110, sections 10.1.1 and 15.2: expectations, and answers before the answer. */

const EXPECT = "Expect: 100-continue";
const head5 = postOf("", "Content-Length: 5", EXPECT);
const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const HINT = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n";
/** The head of the request is there, or the proxy has answered it by itself. */
const headArrived: Step = { do: "await", see: any(atOrigin({}), { see: "interim", status: 100 }, answer()) };
const hasContinue: Step = { do: "await", see: any({ see: "interim", status: 100 }, answer(), { see: "connection closed" }) };

/** An answer that does not come when it is due does not come at all, in milliseconds. */
const LATE_MS = 300;
/**
 * Interim answers before the answer, on a connection that stays open: who takes the first for the answer waits for its end, and passes
 * on what follows unread.
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
    title: "Who expects 100 gets it without having sent content, from the origin or from the proxy.",
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
    title: "The final answer of an origin to an expectation reaches the client.",
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
    title: "An expectation whose content comes at once is answered, and what follows is, too.",
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
    title: "An expectation in HTTP/1.0 is ignored: no 100 goes to that client.",
    ...exchange(send(`${head("POST {path} HTTP/1.0", "Host: {authority}", "Content-Length: 5", EXPECT)}hello`)),
    allowed: [{ see: all(ok, atOrigin({ body: "hello" }), holds("no 1xx to HTTP/1.0")) }],
  },
  {
    id: "http1/proxy-103-forwarded",
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/proxy-forwards", "rfc8297#2/one-final"],
    level: "MUST",
    title: "A 103 of the origin reaches the client before the answer.",
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
    title: "A 103 reaches the client while the answer is still to come.",
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
    // The answer is never given.
    allowed: [{ see: { see: "interim", status: 103 } }],
  },
  {
    id: "http1/proxy-interim-chain",
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/proxy-forwards", "rfc9110#15/one-final", "rfc8297#2/more-than-one"],
    level: "MUST",
    title: "A chain of interim answers does not become the answer, and does not swallow it.",
    ...early(`${CONTINUE}HTTP/1.1 102 Processing\r\n\r\n${HINT}${HINT}`),
    allowed: [{ see: all(answer({ status: [200], body: "ok" }), { see: "interim", status: 103 }) }],
  },
  {
    id: "http1/proxy-interim-not-to-http10",
    spec: "rfc9110#15.2",
    covers: ["rfc9110#15.2/not-to-1.0"],
    level: "MUST NOT",
    title: "A 103 of the origin does not reach a client of HTTP/1.0.",
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
    title: "A 101 that nobody asked for makes no tunnel: the origin cannot speak to the client beside HTTP.",
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
    title: "A 101 to a protocol other than the one that was asked for makes no tunnel.",
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
