import { answered, get, head, permitted, refusedWith, request, send, servedWith } from "../phrases.ts";
import type { Case } from "../../vocabulary.ts";

/** RFC 9110, section 9.3: methods other than GET, HEAD and POST. */

const host = "Host: {authority}";
const names = { see: "holds", monitor: "fields required by the status" } as const;

/** Whether or not the server allows the method: a 405 lists what is allowed, and no method causes a 500. */
const named = (method: string): Case => ({
  id: `http1/method-${method.toLowerCase()}-allowed-or-named`,
  spec: "rfc9110#15.5.6",
  covers: ["rfc9110#15.5.6/allow", "rfc9110#10.2.1/405-allow", "rfc9110#9.1/not-allowed"],
  level: "MUST",
  role: "server",
  title: `The server performs ${method} or rejects it, and lists the allowed methods in Allow with a 405.`,
  steps: [send(request(method))],
  control: [send(get())],
  allowed: [
    { see: servedWith(2, answered(1, { status: ["2xx", "3xx", 404, 405, 411, 501] }), names) },
    permitted({ see: "all", of: [refusedWith([400, 403, 405, 409, 411, 501]), names] }, "rfc9110#9.1"),
  ],
});

export const cases: readonly Case[] = [
  ...["PUT", "DELETE", "PATCH", "OPTIONS"].map(named),
  {
    id: "http1/trace-reflects-request",
    spec: "rfc9110#9.3.8",
    covers: ["rfc9110#9.3.8/reflected"],
    level: "SHOULD",
    role: "server",
    needs: ["trace"],
    title: "The server reflects the request in its response to TRACE.",
    steps: [send(request("TRACE", "X-Odd: touchstone"))],
    control: [send(request("TRACE"))],
    allowed: [{ see: servedWith(2, answered(1, { status: [200], bodyPattern: "^TRACE {path} HTTP/1\\.1\r\n.*X-Odd: touchstone\r\n" })) }],
  },
  {
    id: "http1/trace-without-secrets",
    spec: "rfc9110#9.3.8",
    covers: ["rfc9110#9.3.8/sensitive-excluded"],
    level: "SHOULD",
    role: "server",
    needs: ["trace"],
    title: "The server excludes likely secrets from its response to TRACE.",
    steps: [send(request("TRACE", "Cookie: secret=touchstone", "Authorization: Basic dG91Y2g6c3RvbmU="))],
    control: [send(request("TRACE"))],
    allowed: [{ see: servedWith(2, { see: "not", of: { see: "response", bodyPattern: "secret=touchstone|dG91Y2g6c3RvbmU=" } }) }],
  },
  {
    id: "http1/trace-refused-or-done",
    spec: "rfc9110#9.3.8",
    covers: ["rfc9110#9.3.8/reflected", "rfc9110#9.1/unknown-method"],
    level: "SHOULD",
    role: "server",
    title: "The server answers TRACE with the request or rejects it, but never sends the page.",
    steps: [send(request("TRACE", "X-Odd: touchstone"))],
    control: [send(get())],
    allowed: [
      { see: servedWith(2, answered(1, { status: [200], bodyPattern: "X-Odd: touchstone" })) },
      permitted(refusedWith([403, 405, 501]), "rfc9110#9.1"),
      permitted(refusedWith(["4xx"]), "rfc9110#9.1", "warn"),
    ],
  },
  {
    id: "http1/options-asterisk-without-content",
    spec: "rfc9110#9.3.7",
    covers: ["rfc9110#9.3.7/asterisk"],
    level: "MUST",
    role: "server",
    needs: ["options *", "pipelining"],
    title: "The server answers a pipelined OPTIONS * in its place.",
    steps: [send(`${get()}${head("OPTIONS * HTTP/1.1", host)}${get()}`)],
    control: [send(`${get()}${get()}`)],
    allowed: [{ see: servedWith(4, answered(1, { like: "path" }), answered(2, { status: ["2xx"] }), answered(3, { like: "path" })) }],
  },
];
