import type { SpecRef } from "../../reference/core/index.ts";
import type { RequirementRef } from "../harness/case.ts";
import { permitted, request, send, servedWith } from "./phrases.ts";
import type { Case, Outcome, Text } from "./vocabulary.ts";

/** Turns of phrase of the cases about where content ends. */

type Allowed = readonly [Outcome, ...Outcome[]];

/**
 * A request inside what may be content: whoever takes it for the next request answers it, with another status where there is one
 * (feature `distinct`). It names the path that the probe asks for, so that its length is known without the subject.
 */
export const INNER: Text = "GET /touchstone-looks-for-nothing-here HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** The content was taken, and the good request behind it answered. */
export const tookContent: Allowed = [{ see: servedWith(2, { see: "response", status: ["2xx", "3xx"], complete: true }) }];

/** The length cannot be known: 400 and the end of the connection (rfc9112#6.3). */
export const noFraming = (...others: readonly Outcome[]): Allowed => [
  { see: { see: "error and close", status: [400] } },
  ...others,
  permitted({ see: "error and close", status: ["4xx", 501] }, "rfc9110#15.5", "warn"),
  permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
];

/** Refused, or answered by the chunks alone; either way the connection ends, and nothing behind it is a request (rfc9112#6.1). */
export const faultyFraming: Allowed = [
  { see: { see: "error and close", status: ["4xx", 501] } },
  permitted({ see: "closed after", responses: 1 }, "rfc9112#6.1"),
  permitted({ see: "closed after", responses: 0 }, "rfc9112#6.1", "warn"),
];

const HELLO = "5\r\nhello\r\n0\r\n\r\n";
export const chunked = (content: Text, ...fields: readonly Text[]): Text =>
  request("POST", "Transfer-Encoding: chunked", ...fields) + content;
/** Five octets in one chunk, as everybody sends them. */
export const plainChunks: Text = chunked(HELLO);
/** The same by their length. */
export const plainLength: Text = `${request("POST", "Content-Length: 5")}hello`;

/** Content in an unusual form that is lawful, beside the same in the usual one. */
export const takenContent = (
  id: Case["id"],
  requirement: string,
  spec: SpecRef,
  title: string,
  text: Text,
  right: Text = plainLength,
): Case => ({
  id,
  spec,
  covers: [`rfc9112#${requirement}`] as [RequirementRef],
  level: "MUST",
  role: "server",
  needs: ["post"],
  title,
  steps: [send(text)],
  control: [send(right)],
  allowed: tookContent,
});

/** It has answered before it read the content, which it may, and goes no further. */
export const answeredFirst: Outcome = permitted({ see: "closed after", responses: 1 }, "rfc9112#9.3");

/** It ends without a second answer, or says that it does not want so much. */
export const notSecond: Allowed = [
  { see: { see: "all", of: [{ see: "connection closed" }, { see: "not", of: { see: "response", nth: 2 } }] } },
  permitted({ see: "response", status: [413] }, "rfc9110#15.5.14"),
];

/** A wrong chunk beside a right one. Whatever comes behind it is no request any more. */
export const wrongChunks = (
  id: Case["id"],
  requirement: string,
  spec: SpecRef,
  title: string,
  content: Text,
  ...others: readonly Outcome[]
): Case => ({
  id,
  spec,
  covers: [`rfc9112#${requirement}`] as [RequirementRef],
  level: "MUST",
  role: "server",
  needs: ["post"],
  title,
  steps: [send(chunked(content))],
  control: [send(plainChunks)],
  allowed: [
    { see: { see: "error and close", status: [400] } },
    ...others,
    permitted({ see: "error and close", status: ["4xx", 501] }, "rfc9110#15.5", "warn"),
    permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
    answeredFirst,
  ],
});

/** The last chunk, and the empty line behind the trailers. */
export const LAST: Text = "0\r\n\r\n";
/** A request whose content ends in two places, by these lines and by Content-Length; a request stands behind the first of them. */
export const hidden = (
  id: Case["id"],
  covers: Case["covers"],
  spec: SpecRef,
  title: string,
  lines: readonly Text[],
  ...others: readonly Outcome[]
): Case => ({
  id,
  spec,
  covers,
  level: "MUST",
  role: "server",
  needs: ["post", "distinct"],
  title,
  steps: [send(`${request("POST", `Content-Length: ${INNER.length + LAST.length}`, ...lines)}${LAST}${INNER}`)],
  control: [send(plainChunks)],
  allowed: [...faultyFraming, ...others],
});

/** Faulty framing, and content that holds a request: it is refused, or answered once, and nothing inside is a request. */
export const wrongFraming = (
  id: Case["id"],
  title: string,
  covers: Case["covers"],
  lines: readonly Text[],
  content: Text,
  ...others: readonly Outcome[]
): Case => ({
  id,
  spec: "rfc9112#11.2",
  covers,
  level: "MUST",
  role: "server",
  needs: ["post", "distinct"],
  title,
  steps: [send(request("POST", ...lines) + content)],
  control: [send(plainChunks)],
  allowed: [...noFraming(), answeredFirst, ...others],
});
