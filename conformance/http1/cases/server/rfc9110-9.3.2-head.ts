import { answered, get, head, likePath, permitted, refusedWith, request, send, servedWith } from "../phrases.ts";
import type { Case, Sight } from "../../vocabulary.ts";

/** RFC 9110, sections 9.3.2 and 15.4.5: responses without content, to HEAD and to conditional requests. */

const host = "Host: {authority}";
const nothingMore: Sight = { see: "holds", monitor: "no octets between responses" };

export const cases: readonly Case[] = [
  {
    id: "http1/head-supported",
    spec: "rfc9110#9.1",
    covers: ["rfc9110#9.1/get-and-head"],
    level: "MUST",
    role: "server",
    title: "The server answers HEAD with the status of GET.",
    steps: [send(request("HEAD"))],
    control: [send(get())],
    allowed: [{ see: servedWith(2, likePath(1)) }],
  },
  {
    id: "http1/head-without-content",
    spec: "rfc9110#9.3.2",
    covers: ["rfc9110#9.3.2/no-content", "rfc9110#6.4.1/head", "rfc9112#6.3/no-body"],
    level: "MUST NOT",
    role: "server",
    needs: ["head"],
    title: "The server sends no content in response to HEAD.",
    steps: [send(request("HEAD"))],
    control: [send(request("HEAD"))],
    allowed: [{ see: servedWith(2, likePath(1, { framing: "none" }), nothingMore) }],
  },
  {
    id: "http1/head-without-content-of-missing",
    spec: "rfc9110#9.3.2",
    covers: ["rfc9110#9.3.2/no-content", "rfc9110#6.4.1/head"],
    level: "MUST NOT",
    role: "server",
    needs: ["head", "distinct"],
    title: "The server sends no content in response to HEAD for a missing path.",
    steps: [send(head("HEAD {missing} HTTP/1.1", host))],
    control: [send(head("GET {missing} HTTP/1.1", host))],
    allowed: [{ see: servedWith(2, answered(1, { like: "missing", framing: "none" }), nothingMore) }],
  },
  {
    id: "http1/head-without-content-of-refusal",
    spec: "rfc9110#9.3.2",
    covers: ["rfc9110#9.3.2/no-content", "rfc9110#6.4.1/head"],
    // The method of a request that is malformed may be in doubt: several servers do not read it before they reject the request.
    level: "SHOULD NOT",
    role: "server",
    needs: ["head"],
    title: "The server sends no content in response to HEAD when it rejects the request for its fields.",
    steps: [send(request("HEAD", "Host: touchstone.invalid"))],
    control: [send(get())],
    allowed: [
      { see: { see: "all", of: [refusedWith(["4xx"]), nothingMore] } },
      // Whether it must reject the request is another case.
      permitted(servedWith(2, answered(1, { framing: "none" }), nothingMore), "rfc9110#9.3.2"),
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
    ],
  },
  {
    id: "http1/head-without-chunks",
    spec: "rfc9110#9.3.2",
    covers: ["rfc9110#9.3.2/no-content", "rfc9112#6.1/in-head-response"],
    level: "MUST NOT",
    role: "server",
    needs: ["head", "chunked"],
    title: "The server sends no chunks in response to HEAD, not even the last one.",
    steps: [send(head("HEAD {chunked} HTTP/1.1", host))],
    control: [send(head("GET {chunked} HTTP/1.1", host))],
    allowed: [{ see: servedWith(2, answered(1, { framing: "none" }), nothingMore) }],
  },
  {
    id: "http1/head-length-of-get",
    spec: "rfc9110#8.6",
    covers: ["rfc9110#8.6/head-equals-get"],
    level: "MUST NOT",
    role: "server",
    needs: ["head", "length"],
    title: "The server sends the Content-Length of GET in response to HEAD, or none.",
    steps: [send(`${get()}${request("HEAD")}`)],
    control: [send(`${get()}${request("HEAD")}`)],
    allowed: [{ see: servedWith(3, { see: "holds", monitor: "lengths of HEAD and GET agree" }) }],
  },
  {
    id: "http1/head-fields-of-get",
    spec: "rfc9110#9.3.2",
    covers: ["rfc9110#9.3.2/same-fields"],
    level: "SHOULD",
    role: "server",
    needs: ["head"],
    title: "The server sends the fields of GET in response to HEAD, except the framing fields.",
    steps: [send(`${get()}${request("HEAD")}`)],
    control: [send(`${get()}${request("HEAD")}`)],
    allowed: [{ see: servedWith(3, { see: "holds", monitor: "fields of HEAD and GET agree" }) }],
  },
  ...(
    [
      ["etag", "If-None-Match: {etag}", "a matching entity tag", "rfc9110#13.1.2/if-none-match", []],
      // A server need not evaluate a date (rfc9110#13.1.3).
      ["modified", "If-Modified-Since: {modified}", "a matching date", "rfc9110#13.1.3/not-modified", ["rfc9110#13.1.3"]],
    ] as const
  ).flatMap(([feature, field, words, answeredBy, ignoredBy]): Case[] => [
    {
      id: `http1/not-modified-by-${feature}`,
      spec: "rfc9110#15.4.5",
      covers: [answeredBy, "rfc9110#15.4.5/no-content", "rfc9110#6.4.1/no-content", "rfc9112#6.3/no-body"],
      level: "MUST NOT",
      role: "server",
      needs: [feature, "pipelining"],
      title: `The server sends no content with a 304 for ${words}: what follows is the next response.`,
      // No error in between: a server may close the connection after one.
      steps: [send(`${get(field)}${get()}${get(field)}`)],
      control: [send(get())],
      allowed: [
        {
          see: servedWith(4, answered(1, { status: [304], framing: "none" }), answered(3, { status: [304], framing: "none" }), nothingMore),
        },
        ...ignoredBy.map((by) => permitted(servedWith(4, likePath(1), likePath(3)), by, "warn")),
      ],
    },
    {
      id: `http1/not-modified-by-${feature}-with-head`,
      spec: "rfc9110#15.4.5",
      covers: ["rfc9110#15.4.5/no-content"],
      level: "MUST NOT",
      role: "server",
      needs: [feature, "head"],
      title: `The server answers a HEAD with ${words} with 304, too.`,
      steps: [send(request("HEAD", field))],
      control: [send(request("HEAD"))],
      allowed: [
        { see: servedWith(2, answered(1, { status: [304], framing: "none" }), nothingMore) },
        ...ignoredBy.map((by) => permitted(servedWith(2, likePath(1)), by, "warn")),
      ],
    },
  ]),
  {
    id: "http1/not-modified-with-fields",
    spec: "rfc9110#15.4.5",
    covers: ["rfc9110#15.4.5/fields"],
    level: "MUST",
    role: "server",
    needs: ["etag"],
    title: "The server sends the Date and ETag of the 200 in a 304.",
    steps: [send(get("If-None-Match: {etag}"))],
    control: [send(get())],
    allowed: [{ see: servedWith(2, answered(1, { status: [304], fields: [{ name: "date" }, { name: "etag", value: "{etag}" }] })) }],
  },
  {
    id: "http1/not-modified-length-of-get",
    spec: "rfc9110#8.6",
    covers: ["rfc9110#8.6/304-equals-200"],
    level: "MUST NOT",
    role: "server",
    needs: ["etag", "length"],
    title: "The server sends the Content-Length of the 200 in a 304, or none.",
    steps: [send(`${get()}${get("If-None-Match: {etag}")}`)],
    control: [send(get())],
    allowed: [{ see: servedWith(3, answered(2, { status: [304] }), { see: "holds", monitor: "lengths of HEAD and GET agree" }) }],
  },
];
