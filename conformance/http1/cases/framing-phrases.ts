import type { SpecRef } from "../../../reference/core/index.ts";
import { answered, closedAfter, permitted, request, send, servedWith } from "./phrases.ts";
import type { Allowed, Case, Outcome, Text } from "../vocabulary.ts";

/** Short forms for the cases about where content ends. */

/**
 * A request inside what may be content. A server that reads it as the next request answers it, with another status if it can
 * (feature `distinct`). It uses the path of the probe, so that its length does not depend on the subject.
 */
export const INNER: Text = "GET /touchstone-looks-for-nothing-here HTTP/1.1\r\nHost: localhost\r\n\r\n";
/** The last chunk, and the empty line after the trailers. */
export const LAST: Text = "0\r\n\r\n";
export const CHUNKED: Text = "Transfer-Encoding: chunked";

/** The server answered before it read all of the content, and closes instead of reading the rest. */
export const answeredUnread: Outcome = permitted(
  { see: "all", of: [answered(1, { status: ["2xx", "3xx"] }), closedAfter(1)] },
  "rfc9112#9.3",
);
/** The server accepted the content and answered the good request after it. */
export const contentAccepted: Allowed = [
  { see: servedWith(2, { see: "response", status: ["2xx", "3xx"], complete: true }) },
  answeredUnread,
];

/** The length cannot be determined: 400, then close (rfc9112#6.3). */
export const noFraming = (...others: readonly Outcome[]): Allowed => [
  { see: { see: "error and close", status: [400] } },
  ...others,
  permitted({ see: "error and close", status: ["4xx", 501] }, "rfc9110#15.5", "warn"),
  permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
];

/** An error, or a response to the content as the chunks delimit it; either way the server closes and reads no further request (rfc9112#6.1). */
export const faultyFraming: Allowed = [
  { see: { see: "error and close", status: ["4xx", 501] } },
  permitted({ see: "closed after", responses: 1 }, "rfc9112#6.1"),
  permitted({ see: "closed after", responses: 0 }, "rfc9112#6.1", "warn"),
];

export const chunked = (content: Text, ...fields: readonly Text[]): Text => request("POST", CHUNKED, ...fields) + content;
/** Five octets in one plain chunk. */
export const plainChunks: Text = chunked(`5\r\nhello\r\n${LAST}`);
/** The same five octets by length. */
export const plainLength: Text = `${request("POST", "Content-Length: 5")}hello`;

type Content = Pick<Case, "id" | "title" | "spec"> & Partial<Pick<Case, "covers" | "level" | "allowed" | "steps">>;

/** Content in an unusual but valid form, with a control in the usual one. */
export const acceptsContent = ({
  text,
  right = plainLength,
  requirement,
  ...entry
}: Content & { readonly text: Text; readonly right?: Text; readonly requirement: `${string}/${string}` }): Case => ({
  covers: [`rfc9112#${requirement}`],
  level: "MUST",
  role: "server",
  needs: ["post"],
  steps: [send(text)],
  control: [send(right)],
  allowed: contentAccepted,
  ...entry,
});

/** The server responded before it read the content, which it may, and reads no further. */
export const answeredFirst: Outcome = permitted({ see: "closed after", responses: 1 }, "rfc9112#9.3");

/** The connection ends without a second response, or the server declines so much content. */
export const notSecond: Allowed = [
  { see: { see: "all", of: [{ see: "connection closed" }, { see: "not", of: { see: "response", nth: 2 } }] } },
  permitted({ see: "response", status: [413] }, "rfc9110#15.5.14"),
];

/** Malformed chunks, with good ones as the control. Nothing after them is a request. */
export const rejectsChunks = ({
  content,
  others = [],
  requirement,
  ...entry
}: Content & { readonly content: Text; readonly others?: readonly Outcome[]; readonly requirement: `${string}/${string}` }): Case => ({
  covers: [`rfc9112#${requirement}`],
  level: "MUST",
  role: "server",
  needs: ["post"],
  steps: [send(chunked(content))],
  control: [send(plainChunks)],
  allowed: [
    { see: { see: "error and close", status: [400] } },
    ...others,
    permitted({ see: "error and close", status: ["4xx", 501] }, "rfc9110#15.5", "warn"),
    permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
    answeredFirst,
  ],
  ...entry,
});

/** The section of the first requirement. */
export const sectionOf = ([first = "rfc9112#11.2/no-smuggling"]: Case["covers"]): SpecRef => first.slice(0, first.indexOf("/")) as SpecRef;

type Smuggling = Pick<Case, "id" | "title" | "covers"> & {
  readonly level?: Case["level"];
  readonly lines: readonly Text[];
  readonly others?: readonly Outcome[];
};

/** Content that ends in two places, by these lines and by Content-Length; a request follows the first end. */
export const hidden = ({ spec, lines, others = [], ...entry }: Smuggling & Pick<Case, "spec">): Case => ({
  spec,
  level: "MUST",
  role: "server",
  needs: ["post", "distinct"],
  steps: [send(`${request("POST", `Content-Length: ${INNER.length + LAST.length}`, ...lines)}${LAST}${INNER}`)],
  control: [send(plainChunks)],
  allowed: [...faultyFraming, ...others],
  ...entry,
});

/** Faulty framing, and content that holds a request: the server rejects it or responds once, and reads no request inside. */
export const wrongFraming = ({
  lines,
  content,
  others = [],
  ...entry
}: Smuggling & { readonly content: Text; readonly allowed?: Allowed }): Case => ({
  spec: sectionOf(entry.covers),
  level: "MUST",
  role: "server",
  needs: ["post", "distinct"],
  steps: [send(request("POST", ...lines) + content)],
  control: [send(plainChunks)],
  allowed: [...noFraming(), answeredFirst, ...others],
  ...entry,
});
