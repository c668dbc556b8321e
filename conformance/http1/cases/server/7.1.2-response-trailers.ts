import { answered, awaitResponse, closedAfter, get, head, permitted, request, send, servedWith } from "../phrases.ts";
import type { Case, Sight, Step } from "../../vocabulary.ts";

/** RFC 9112, sections 6 and 7.1.2: trailers that a server sends, and the framing of responses to other methods than GET. */

const host = "Host: {authority}";
const withTrailers = head("GET {trailers} HTTP/1.1", host, "TE: trailers", "Connection: TE");
const held = (monitor: string): Sight => ({ see: "holds", monitor });
const sound: readonly Sight[] = [held("chunked syntax"), held("permitted trailer fields"), held("no octets between responses")];
const trailed = (nth: number): Sight => answered(nth, { status: ["2xx"], framing: "chunked" });

/** Responses without content, or with little of it, which servers often write with other code than their pages. */
const others: readonly Step[] = ["PUT", "DELETE", "OPTIONS"].flatMap((method, at) => [
  send(request(method, "Content-Length: 0")),
  awaitResponse(at + 1),
]);

export const cases: readonly Case[] = [
  {
    id: "http1/response-trailers",
    spec: "rfc9112#7.1.2",
    covers: ["rfc9112#7.1/decode", "rfc9110#6.5.1/permitted-fields"],
    level: "MUST",
    role: "server",
    needs: ["trailers", "keep-alive"],
    title: "The server ends a response with trailers so that the next response follows.",
    steps: [send(withTrailers), awaitResponse(1), send(withTrailers), awaitResponse(2)],
    control: [send(get())],
    allowed: [{ see: servedWith(3, trailed(1), trailed(2), ...sound) }],
  },
  {
    id: "http1/response-trailers-pipelined",
    spec: "rfc9112#9.3.2",
    covers: ["rfc9112#9.3.2/in-order", "rfc9112#7.1/decode"],
    level: "MUST",
    role: "server",
    needs: ["trailers", "keep-alive"],
    title: "The server ends the content of pipelined responses with trailers before the next response.",
    steps: [send(withTrailers + withTrailers + withTrailers)],
    control: [send(get() + get() + get())],
    allowed: [{ see: servedWith(4, trailed(1), trailed(2), trailed(3), ...sound) }],
  },
  {
    id: "http1/response-trailers-to-head",
    spec: "rfc9110#9.3.2",
    covers: ["rfc9110#9.3.2/no-content", "rfc9112#6.3/no-body"],
    level: "MUST NOT",
    role: "server",
    needs: ["trailers", "keep-alive"],
    title: "The server sends no trailers in response to HEAD.",
    steps: [send(head("HEAD {trailers} HTTP/1.1", host, "TE: trailers", "Connection: TE")), awaitResponse()],
    control: [send(get())],
    allowed: [{ see: servedWith(2, answered(1), held("no octets between responses")) }],
  },
  {
    id: "http1/response-trailers-to-older-version",
    spec: "rfc9112#6.1",
    covers: ["rfc9112#6.1/no-coding-to-1.0"],
    level: "MUST NOT",
    role: "server",
    needs: ["trailers"],
    title: "The server sends HTTP/1.0 a response without chunks, and without the trailers that only chunks can have.",
    steps: [send(head("GET {trailers} HTTP/1.0", host))],
    control: [send(head("GET {path} HTTP/1.0", host))],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            answered(1, { status: ["2xx"] }),
            closedAfter(1),
            held("no Transfer-Encoding to HTTP/1.0"),
            { see: "not", of: { see: "response", bodyPattern: "\\r\\n[\\w-]+: [^\\r\\n]*\\r\\n\\r\\n$" } },
          ],
        },
      },
    ],
  },
  ...(["unambiguous framing", "no framing fields without content", "no Content-Length with Transfer-Encoding"] as const).map(
    (monitor): Case => ({
      id: `http1/response-${monitor.toLowerCase().replaceAll(" ", "-")}-of-other-methods`,
      spec: "rfc9112#6.2",
      covers: ["rfc9112#6.2/no-length-with-coding", "rfc9112#6.1/no-coding-in-1xx-204"],
      level: "MUST NOT",
      role: "server",
      needs: ["keep-alive"],
      title: `In responses to PUT, DELETE and OPTIONS, too: ${monitor}.`,
      steps: others,
      control: [send(get())],
      allowed: [
        { see: servedWith(4, held(monitor)) },
        permitted({ see: "all", of: [{ see: "connection closed" }, { see: "not", of: answered(4) }, held(monitor)] }, "rfc9112#9.5"),
      ],
    }),
  ),
];
