import {
  awaitResponse,
  answered,
  closedAfter,
  closesPolitely,
  head,
  likePath,
  NOWHERE,
  permitted,
  post,
  refusedWith,
  SAYS_CLOSE,
  send,
  servedWith,
} from "../phrases.ts";
import type { Case, Sight, Text } from "../../vocabulary.ts";

/** RFC 9110, section 10.1.1: Expect: 100-continue. */

const host = "Host: {authority}";
const CONTENT = "name=value";
const expecting = (...fields: readonly Text[]): Text =>
  head("POST {path} HTTP/1.1", host, `Content-Length: ${CONTENT.length}`, "Expect: 100-continue", ...fields);
const continued: Sight = { see: "interim", status: 100 };
const good = answered(1, { status: ["2xx", "3xx"] });
/** A server need not read unwanted content; it then sends Connection: close (rfc9112#9.3). */
const closesInstead = permitted(
  { see: "all", of: [answered(1, { status: ["2xx", "3xx"], fields: [SAYS_CLOSE] }), closedAfter(1)] },
  "rfc9112#9.3",
);

export const cases: readonly Case[] = [
  {
    id: "http1/expect-continue",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/immediate", "rfc9110#10.1.1/no-waiting", "rfc9110#10.1.1/final-follows"],
    level: "MUST",
    role: "server",
    needs: ["expect", "post"],
    title: "The server sends 100 before the content arrives, then a final response.",
    steps: [send(expecting()), { do: "await", see: continued }, send(CONTENT), awaitResponse()],
    control: [send(post(CONTENT))],
    allowed: [{ see: servedWith(2, good, continued) }, closesInstead],
  },
  {
    id: "http1/expect-answered-at-once",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/immediate"],
    level: "MUST",
    role: "server",
    fence: "new",
    title: "The server answers Expect: 100-continue immediately, with 100 or a final response.",
    steps: [send(expecting()), { do: "await", see: { see: "any", of: [continued, answered(1)] } }],
    control: [send(head("GET {path} HTTP/1.1", host))],
    allowed: [{ see: { see: "all", of: [continued, { see: "not", of: answered(1) }] } }, permitted(answered(1), "rfc9110#10.1.1")],
  },
  {
    id: "http1/expect-with-content-at-once",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/final-follows", "rfc9110#10.1.1/may-omit"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "The server answers a request with Expect whose content does not wait for 100.",
    steps: [send(`${expecting()}${CONTENT}`), awaitResponse()],
    control: [send(post(CONTENT))],
    allowed: [{ see: servedWith(2, good) }, closesInstead, permitted(refusedWith([417]), "rfc9110#10.1.1", "warn")],
  },
  {
    id: "http1/expect-in-upper-case",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/case"],
    level: "MUST",
    role: "server",
    needs: ["expect", "post"],
    title: "The server compares 100-continue without regard to case.",
    steps: [
      send(head("POST {path} HTTP/1.1", host, `Content-Length: ${CONTENT.length}`, "EXPECT: 100-CONTINUE")),
      { do: "await", see: continued },
      send(CONTENT),
      awaitResponse(),
    ],
    control: [send(post(CONTENT))],
    allowed: [{ see: servedWith(2, good) }, closesInstead],
  },
  {
    id: "http1/expect-with-chunks",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/immediate"],
    level: "MUST",
    role: "server",
    needs: ["expect", "post"],
    title: "The server sends 100 before chunked content, too.",
    steps: [
      send(head("POST {path} HTTP/1.1", host, "Transfer-Encoding: chunked", "Expect: 100-continue")),
      { do: "await", see: continued },
      send("5\r\nhello\r\n0\r\n\r\n"),
      awaitResponse(),
    ],
    control: [send(post(CONTENT))],
    allowed: [{ see: servedWith(2, good) }, closesInstead],
  },
  {
    id: "http1/expect-behind-early-hints",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/immediate", "rfc9110#10.1.1/final-follows"],
    level: "MUST",
    role: "server",
    needs: ["expect", "early", "post"],
    title: "The server sends 100 or a final response after a 103, too.",
    // The 103 is not the 100 that the client waits for.
    steps: [
      send(head("GET {early} HTTP/1.1", host, `Content-Length: ${CONTENT.length}`, "Expect: 100-continue")),
      { do: "await", see: { see: "any", of: [continued, answered(1)] } },
      send(CONTENT),
      awaitResponse(),
    ],
    control: [send(head("GET {early} HTTP/1.1", host)), awaitResponse()],
    allowed: [
      { see: servedWith(2, answered(1, { status: ["2xx", "3xx"] }), continued) },
      permitted(servedWith(2, answered(1)), "rfc9110#10.1.1"),
      permitted({ see: "all", of: [answered(1), closedAfter(1)] }, "rfc9110#10.1.1"),
    ],
  },
  {
    id: "http1/expect-in-older-version",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/http-1.0", "rfc9110#15.2/not-to-1.0"],
    level: "MUST",
    role: "server",
    needs: ["post"],
    title: "The server ignores Expect in an HTTP/1.0 request.",
    steps: [send(`${head("POST {path} HTTP/1.0", host, `Content-Length: ${CONTENT.length}`, "Expect: 100-continue")}${CONTENT}`)],
    control: [send(`${head("POST {path} HTTP/1.0", host, `Content-Length: ${CONTENT.length}`)}${CONTENT}`)],
    allowed: [{ see: { see: "all", of: [good, closedAfter(1), { see: "holds", monitor: "no 1xx to HTTP/1.0" }] } }],
  },
  {
    id: "http1/expect-without-content",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/may-omit"],
    level: "SHOULD",
    role: "server",
    title: "The server answers a request with Expect: 100-continue and no content.",
    steps: [send(head("GET {path} HTTP/1.1", host, "Expect: 100-continue")), awaitResponse()],
    control: [send(head("GET {path} HTTP/1.1", host))],
    allowed: [{ see: servedWith(2, likePath()) }, closesPolitely(), permitted(refusedWith([400, 417]), "rfc9110#10.1.1", "warn")],
  },
  {
    id: "http1/expect-unknown",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/unknown"],
    level: "MAY",
    role: "server",
    title: "The server answers an unknown expectation with 417, or ignores it.",
    steps: [send(head("GET {path} HTTP/1.1", host, "Expect: x-odd")), awaitResponse()],
    control: [send(head("GET {path} HTTP/1.1", host))],
    allowed: [{ see: refusedWith([417]) }, permitted(servedWith(2, likePath()), "rfc9110#10.1.1"), closesPolitely()],
  },
  {
    id: "http1/expect-final-before-content",
    spec: "rfc9110#10.1.1",
    covers: ["rfc9110#10.1.1/final-before-content", "rfc9112#9.3/server-reads-all"],
    level: "MUST",
    role: "server",
    needs: ["distinct", "keep-alive"],
    title: "The server reads past content that arrives after a final response instead of 100, or closes the connection.",
    steps: [
      send(head("POST {missing} HTTP/1.1", host, `Content-Length: ${NOWHERE.length}`, "Expect: 100-continue")),
      { do: "await", see: { see: "any", of: [continued, answered(1)] } },
      send(NOWHERE),
    ],
    control: [send(head("GET {missing} HTTP/1.1", host))],
    allowed: [
      { see: servedWith(2, answered(1)) },
      permitted({ see: "all", of: [answered(1, { fields: [SAYS_CLOSE] }), closedAfter(1)] }, "rfc9110#10.1.1"),
      permitted({ see: "all", of: [answered(1), closedAfter(1)] }, "rfc9112#9.3", "warn"),
    ],
  },
];
