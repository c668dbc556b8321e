import type { SpecRef } from "../../../../reference/core/index.ts";
import { LAST } from "../framing-phrases.ts";
import { awaitResponse, get, head, permitted, request, send } from "../phrases.ts";
import type { Allowed, Case, Outcome, Sight, Step, Text } from "../../vocabulary.ts";

/**
 * RFC 9112, sections 3.3, 6.3 and 8: what the program of a server learns of a request. No peer sees that, so these cases need a server whose
 * program reports it (`conformance/http1/reports.ts`).
 */

const NAME = "Touchstone-Report: {report}";
/** Asks for the report on a connection of its own. */
const asks: Step = send(head("GET /report/{report} HTTP/1.1", "Host: {authority}"), { on: 2 });
const report: Step = {
  do: "await",
  see: {
    see: "any",
    of: [
      { see: "response", on: 2 },
      { see: "connection closed", on: 2 },
    ],
  },
};
const reported = (pattern: string): Sight => ({ see: "response", on: 2, status: [200], complete: true, bodyPattern: pattern });
const line = (name: string, value: string): string => `(?:^|\\n)${name}: ${value}\\r?\\n`;
/** The program was never called for the request, which it could have mistaken for a complete one. */
const neverCalled = (by: SpecRef): Outcome => permitted({ see: "response", on: 2, status: [404] }, by);
const LEFT: Step = { do: "await", see: { see: "connection closed" } };

type Entry = Pick<Case, "id" | "title" | "spec" | "covers"> & Partial<Pick<Case, "level" | "needs">>;
const told = (entry: Entry & { readonly steps: readonly Step[]; readonly control?: readonly Step[]; readonly allowed: Allowed }): Case => ({
  level: "MUST",
  role: "server",
  needs: ["report"],
  fence: "new",
  ...entry,
  control: [...(entry.control ?? [send(get(NAME)), awaitResponse()]), asks, report],
  steps: [...entry.steps, asks, report],
});

const posted = (content: Text, ...fields: readonly Text[]): Text => request("POST", ...fields, NAME) + content;
const HELLO = "5\r\nhello\r\n";
const IN_CHUNKS = "Transfer-Encoding: chunked";

/** Content that ends too early: the program must not take it for all. */
const cutShort = (
  entry: Entry & { readonly text: Text; readonly by?: "half-close" | "reset"; readonly others?: readonly Outcome[] },
): Case => {
  const { text, by = "half-close", others = [], ...rest } = entry;
  const ends: readonly Step[] = by === "half-close" ? [{ do: by }, LEFT] : [{ do: "wait", ms: 20 }, { do: by }, { do: "wait", ms: 20 }];
  return told({
    ...rest,
    steps: [send(text), ...ends],
    control: [send(posted("hello", "Content-Length: 5")), awaitResponse()],
    allowed: [{ see: reported(line("end", "incomplete[^\\n]*")) }, neverCalled("rfc9112#8"), ...others],
  });
};
const whole = (entry: Entry & { readonly text: Text; readonly content: number; readonly also?: readonly string[] }): Case => {
  const { text, content, also = [], ...rest } = entry;
  const sights = [line("content", String(content)), line("end", "complete"), ...also].map(reported);
  return told({ ...rest, steps: [send(text), awaitResponse()], allowed: [{ see: { see: "all", of: sights } }] });
};
/** Whom a request is for. */
const meant = (
  entry: Entry & { readonly text: Text; readonly scheme?: string; readonly authority: string; readonly path: string },
): Case => {
  const { text, scheme = "{scheme}", authority, path, ...rest } = entry;
  const sights = [line("scheme", scheme), line("authority", authority), line("path", path)].map(reported);
  return told({
    needs: ["report", "report target"],
    ...rest,
    steps: [send(text), awaitResponse()],
    allowed: [{ see: { see: "all", of: sights } }],
  });
};

export const cases: readonly Case[] = [
  whole({
    id: "http1/report-content-of-length",
    title: "The program learns all content of a request with Content-Length, and that it is complete.",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length"],
    text: posted("hello", "Content-Length: 5"),
    content: 5,
  }),
  whole({
    id: "http1/report-content-in-chunks",
    title: "The program learns all content of a chunked request, and that it is complete.",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/decode"],
    text: posted(`${HELLO}${HELLO}${LAST}`, IN_CHUNKS),
    content: 10,
  }),
  whole({
    id: "http1/report-no-content",
    title: "The program learns that a request without Content-Length and Transfer-Encoding has no content.",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/request-none"],
    text: get(NAME),
    content: 0,
  }),
  cutShort({
    id: "http1/report-length-cut-short",
    title: "The program learns that content shorter than its Content-Length is incomplete.",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/short", "rfc9112#8/length-incomplete"],
    text: posted("hello", "Content-Length: 10"),
  }),
  cutShort({
    id: "http1/report-length-reset",
    title: "The program learns that content is incomplete if the connection is reset within it.",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/short", "rfc9112#8/length-incomplete"],
    text: posted("hello", "Content-Length: 10"),
    by: "reset",
  }),
  cutShort({
    id: "http1/report-without-last-chunk",
    title: "The program learns that content without its last chunk is incomplete.",
    spec: "rfc9112#8",
    covers: ["rfc9112#8/chunked-incomplete"],
    text: posted(HELLO, IN_CHUNKS),
  }),
  cutShort({
    id: "http1/report-within-a-chunk",
    title: "The program learns that content that ends inside a chunk is incomplete.",
    spec: "rfc9112#8",
    covers: ["rfc9112#8/chunked-incomplete"],
    text: posted(HELLO.slice(0, -4), IN_CHUNKS),
  }),
  cutShort({
    id: "http1/report-invalid-chunk",
    title: "The program does not learn of content as complete whose chunks have an invalid size.",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/grammar"],
    level: "SHOULD",
    text: posted(`${HELLO}5g\r\nhello\r\n${LAST}`, IN_CHUNKS),
  }),
  told({
    id: "http1/report-trailers",
    title: "The program learns the trailers of a request, or its server drops them.",
    spec: "rfc9110#6.5.1",
    covers: ["rfc9112#7.1/decode"],
    level: "MAY",
    needs: ["report", "report trailers"],
    steps: [send(posted(`${HELLO}0\r\nX-Sum: five\r\n\r\n`, IN_CHUNKS)), awaitResponse()],
    allowed: [
      { see: reported(line("trailers", "x-sum=five")) },
      permitted({ see: "all", of: [reported(line("trailers", "")), reported(line("end", "complete"))] }, "rfc9110#6.5.1"),
    ],
  }),
  meant({
    id: "http1/report-origin-form",
    title: "The program learns the target URI of a request in origin form: the connection's scheme, Host, path and query.",
    spec: "rfc9112#3.3",
    covers: ["rfc9112#3.3/authority", "rfc9112#3.3/path"],
    text: head("GET /a/b?c=d HTTP/1.1", "Host: example.com:81", NAME),
    authority: "example\\.com:81",
    path: "/a/b\\?c=d",
  }),
  meant({
    id: "http1/report-absolute-form",
    title: "The program learns the target URI of a request in absolute form from its target alone.",
    spec: "rfc9112#3.2.2",
    covers: ["rfc9112#3.2.2/origin-ignores-host", "rfc9112#3.3/authority"],
    text: head("GET {scheme}://{authority}/a?b HTTP/1.1", "Host: other.example", NAME),
    authority: "{authority}",
    path: "/a\\?b",
  }),
  meant({
    id: "http1/report-asterisk-form",
    title: "The program learns whom OPTIONS * is for from Host.",
    spec: "rfc9112#3.3",
    covers: ["rfc9112#3.3/authority"],
    text: head("OPTIONS * HTTP/1.1", "Host: example.com", NAME),
    authority: "example\\.com",
    path: "\\*?",
  }),
  told({
    id: "http1/report-half-closed-client",
    title: "The program learns that its client has ended its half, or that it is still there.",
    spec: "rfc9112#9.6",
    covers: ["rfc9112#9.6/half-close"],
    level: "MAY",
    needs: ["report", "report client"],
    steps: [send(head("GET /?wait HTTP/1.1", "Host: {authority}", NAME)), { do: "half-close" }],
    allowed: [{ see: reported(line("client", "present")) }, permitted(reported(line("client", "gone[^\\n]*")), "rfc9112#9.6")],
  }),
  told({
    id: "http1/report-client-that-left",
    title: "The program may learn that its client has reset the connection.",
    spec: "rfc9112#9.5",
    covers: ["rfc9112#9.6/half-close"],
    level: "MAY",
    needs: ["report", "report client"],
    steps: [send(head("GET /?wait HTTP/1.1", "Host: {authority}", NAME)), { do: "wait", ms: 20 }, { do: "reset" }],
    allowed: [{ see: reported(line("client", "gone[^\\n]*")) }, permitted(reported(line("client", "present")), "rfc9112#9.5")],
  }),
];
