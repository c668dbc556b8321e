import {
  accepted,
  answered,
  badRequest,
  exchanged,
  get,
  head,
  permitted,
  refusedWith,
  request,
  send,
  servedWith,
  texts,
} from "../phrases.ts";
import type { Allowed, Case, Text } from "../../vocabulary.ts";

/** RFC 9112, sections 3.2 and 3.3: the four forms of a request target, and the authority that it implies. */

const host = "Host: {authority}";
const absolute = "GET {scheme}://{authority}{path} HTTP/1.1";

/** CONNECT to an invalid port: an error, whether or not the server implements CONNECT (rfc9110#9.3.6). */
const noPort = (id: Case["id"], title: string, target: Text): Case => ({
  id,
  spec: "rfc9110#9.3.6",
  covers: ["rfc9110#9.3.6/invalid-port"],
  level: "MUST",
  title,
  ...texts({ wrong: head(`CONNECT ${target} HTTP/1.1`, host), right: get() }),
  // Only 2xx opens a tunnel.
  allowed: [
    { see: refusedWith([400]) },
    permitted(refusedWith(["3xx", "4xx", "5xx"]), "rfc9110#9.3.6"),
    permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
  ],
});

/** 421 says that the request is for another connection (rfc9110#15.5.20). */
const misdirected: Allowed = [
  { see: refusedWith([400, 421]) },
  permitted(refusedWith(["4xx", 501, 505]), "rfc9110#15.5", "warn"),
  permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
];

export const cases: readonly Case[] = [
  {
    id: "http1/absolute-form",
    spec: "rfc9112#3.2.2",
    covers: ["rfc9112#3.2.2/accepted"],
    level: "MUST",
    title: "The server treats a target in absolute form like the same path in origin form.",
    ...exchanged({ wrong: head(absolute, host), right: get() }),
    allowed: accepted,
  },
  {
    id: "http1/absolute-form-scheme-in-upper-case",
    spec: "rfc9110#4.2.3",
    covers: ["rfc9110#4.2.3/case", "rfc9112#3.2.2/accepted"],
    level: "MUST",
    needs: ["clear"],
    title: "The server compares the scheme of an absolute target without regard to case.",
    ...exchanged({ wrong: head("GET HTTP://{authority}{path} HTTP/1.1", host), right: head(absolute, host) }),
    allowed: accepted,
  },
  {
    id: "http1/absolute-form-against-host",
    spec: "rfc9112#3.2.2",
    covers: ["rfc9112#3.2.2/origin-ignores-host", "rfc9112#3.3/authority"],
    level: "MUST",
    title: "The server uses the authority of an absolute target and ignores a different Host.",
    ...exchanged({ wrong: head(absolute, "Host: other.example"), right: head(absolute, host) }),
    allowed: accepted,
  },
  {
    id: "http1/absolute-form-of-missing-path",
    spec: "rfc9112#3.2.2",
    covers: ["rfc9112#3.2.2/accepted"],
    level: "MUST",
    needs: ["distinct"],
    title: "The server serves the path of an absolute target, not its own root.",
    ...texts({ wrong: head("GET {scheme}://{authority}{missing} HTTP/1.1", host), right: head("GET {missing} HTTP/1.1", host) }),
    allowed: [{ see: servedWith(2, answered(1, { like: "missing" })) }],
  },
  {
    id: "http1/absolute-form-without-host",
    spec: "rfc9112#3.2",
    covers: ["rfc9112#3.2/host-missing"],
    level: "MUST",
    title: "The server answers 400 to an absolute target without Host.",
    ...texts({ wrong: head(absolute), right: head(absolute, host) }),
    allowed: badRequest(),
  },
  {
    id: "http1/absolute-form-with-userinfo",
    spec: "rfc9110#4.2.4",
    covers: ["rfc9110#4.2.4/userinfo-error"],
    level: "SHOULD",
    title: "The server rejects an absolute target with userinfo.",
    ...texts({ wrong: head("GET {scheme}://user:secret@{authority}{path} HTTP/1.1", host), right: head(absolute, host) }),
    allowed: badRequest(),
  },
  {
    id: "http1/absolute-form-without-authority",
    spec: "rfc9110#4.2.1",
    covers: ["rfc9110#4.2.1/empty-host"],
    level: "MUST",
    title: "The server rejects an absolute target with an empty host.",
    ...texts({ wrong: head("GET {scheme}://{path} HTTP/1.1", "Host:"), right: head(absolute, host) }),
    allowed: badRequest(),
  },
  {
    id: "http1/absolute-form-https-without-authority",
    spec: "rfc9110#4.2.2",
    covers: ["rfc9110#4.2.2/empty-host"],
    level: "MUST",
    title: "The server rejects an https URI with an empty host as its target.",
    ...texts({ wrong: head("GET https://{path} HTTP/1.1", "Host:"), right: head(absolute, host) }),
    allowed: misdirected,
  },
  {
    id: "http1/absolute-form-https-in-clear",
    spec: "rfc9110#7.4",
    covers: ["rfc9110#7.4/https-unsecured"],
    // The sentence excepts trusted gateways, and a server may trust its own machine.
    level: "SHOULD",
    needs: ["clear"],
    title: "The server rejects a request for an https resource on a connection without TLS.",
    ...texts({ wrong: head("GET https://{authority}{path} HTTP/1.1", host), right: head(absolute, host) }),
    allowed: misdirected,
  },
  {
    id: "http1/query-and-path",
    spec: "rfc9112#3.3",
    covers: ["rfc9112#3.3/path"],
    level: "MUST",
    title: "The server accepts a target with a query.",
    ...exchanged({ wrong: head("GET {path}?q=now&%20=a/b:c@d HTTP/1.1", host), right: get() }),
    allowed: accepted,
  },
  {
    id: "http1/options-asterisk",
    spec: "rfc9112#3.2.4",
    covers: ["rfc9110#9.3.7/asterisk"],
    level: "MAY",
    role: "server",
    title: "The server answers OPTIONS * for the server as a whole or does not implement the method; it never answers 400.",
    steps: [send(head("OPTIONS * HTTP/1.1", host))],
    control: [send(get())],
    allowed: [
      { see: servedWith(2, answered(1, { status: ["2xx"] })) },
      permitted(servedWith(2, answered(1, { status: [403, 404, 405, 501] })), "rfc9110#9.1"),
    ],
  },
  {
    id: "http1/options-of-path",
    spec: "rfc9110#9.3.7",
    covers: ["rfc9110#9.3.7/features"],
    level: "SHOULD",
    role: "server",
    needs: ["options"],
    title: "The server lists the allowed methods in Allow in its response to OPTIONS.",
    steps: [send(request("OPTIONS"))],
    control: [send(request("OPTIONS"))],
    allowed: [{ see: servedWith(2, answered(1, { fields: [{ name: "allow" }] })) }],
  },
  noPort("http1/connect-without-port", "The server rejects CONNECT to a target without a port.", "127.0.0.1"),
  noPort("http1/connect-with-empty-port", "The server rejects CONNECT to a target with an empty port.", "127.0.0.1:"),
  noPort("http1/connect-with-port-of-letters", "The server rejects CONNECT to a target whose port is not a number.", "127.0.0.1:http"),
  noPort("http1/connect-with-port-too-high", "The server rejects CONNECT to port 65,536.", "127.0.0.1:65536"),
  noPort("http1/connect-to-path", "The server rejects CONNECT to a path.", "{path}"),
  {
    id: "http1/connect-with-content",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length", "rfc9112#11.2/no-smuggling"],
    level: "MUST",
    title: "The server that refuses CONNECT with content does not read that content as a request.",
    ...texts({ wrong: `${head("CONNECT {authority} HTTP/1.1", host, "Content-Length: 5")}hello`, right: get() }),
    allowed: [
      { see: servedWith(2, answered(1, { status: ["3xx", "4xx", "5xx"] })) },
      permitted({ see: "error and close", status: ["3xx", "4xx", "5xx"] }, "rfc9112#9.5"),
      // Whether what follows belongs to the content or to the tunnel, no text says.
      permitted({ see: "response", status: ["2xx"] }, "rfc9110#9.3.6", "warn"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
    ],
  },
  {
    id: "http1/connect-answer-without-length",
    spec: "rfc9110#9.3.6",
    covers: ["rfc9110#9.3.6/no-framing-fields"],
    level: "MUST NOT",
    role: "server",
    needs: ["connect"],
    fence: "new",
    title: "The server sends neither Content-Length nor Transfer-Encoding in a 2xx response to CONNECT.",
    steps: [send(head("CONNECT {authority} HTTP/1.1", host)), { do: "await", see: { see: "response", status: ["2xx"] } }],
    control: [send(head("CONNECT {authority} HTTP/1.1", host))],
    allowed: [{ see: servedWith(2, { see: "holds", monitor: "unambiguous framing" }) }],
  },
];
