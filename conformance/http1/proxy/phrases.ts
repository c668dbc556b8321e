import type { SpecRef } from "../../../reference/core/index.ts";
import { get, head, permitted, request, send } from "../phrases.ts";
import type { Case, Outcome, Sight, Step, Text } from "../vocabulary.ts";

/** Turns of phrase that cases for proxies share, beside those of the suite. */

export { get, head, permitted, request, send };
export type Allowed = readonly [Outcome, ...Outcome[]];
type Request = Extract<Sight, { see: "request" }>;
type Response = Extract<Sight, { see: "response" }>;

export const all = (...of: readonly Sight[]): Sight => ({ see: "all", of });
export const any = (...of: readonly Sight[]): Sight => ({ see: "any", of });
export const not = (of: Sight): Sight => ({ see: "not", of });
export const holds = (monitor: string): Sight => ({ see: "holds", monitor });

/** No request of the case reached the origin whole: what the proxy refused, nobody has processed. */
export const nothingWhole = holds("no complete request at the origin");
/** All octets at the origin are messages whose bounds no two readers can disagree about. */
export const oneReading = holds("unambiguous requests at the origin");
export const requests = (count: number): Sight => ({ see: "requests", count });
export const atOrigin = (more: Omit<Request, "see">): Sight => ({ see: "request", ...more });
export const answer = (more: Omit<Response, "see"> = {}): Sight => ({ see: "response", complete: true, ...more });
export const ok = answer({ status: [200] });

/** From here on the origin answers with this. */
export const origin = (text: Text, more: { readonly close?: "end" | "reset"; readonly at?: "head" | "end" } = {}): Step => ({
  do: "origin",
  text,
  ...more,
});
/** A response of the origin with its length, and with further fields. */
export const response = (content: Text, ...fields: readonly Text[]): Text =>
  `${head("HTTP/1.1 200 OK", "Date: Thu, 01 Jan 2026 00:00:00 GMT", `Content-Length: ${content.length}`, ...fields)}${content}`;
/** A response of the origin of which everything behind the date is given. */
export const rawResponse = (rest: Text): Text => `HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n${rest}`;

/** A POST with these fields, whatever they say of the content, and the content. */
export const postOf = (content: Text, ...fields: readonly Text[]): Text => request("POST", ...fields) + content;
/** One chunk and the last one. */
export const inChunks = (content: Text, trailers: Text = ""): Text =>
  `${content.length.toString(16)}\r\n${content}\r\n0\r\n${trailers}\r\n`;
/** `{hidden}` as content: 256 octets. */
export const HIDDEN = "{hidden}";
export const HIDDEN_LENGTH = "Content-Length: 256";
export const HIDDEN_CHUNK = `100\r\n${HIDDEN}\r\n0\r\n\r\n`;
export const CHUNKED = "Transfer-Encoding: chunked";
/** A good POST by length, and one by chunks. */
export const goodPost = postOf("hello", "Content-Length: 5");
export const goodChunks = postOf(inChunks("hello"), CHUNKED);

/** Goes on with the first response, whole, or with the end of the connection, or with octets that are no response. */
export const awaitAnswer: Step = {
  do: "await",
  see: any(answer(), { see: "connection closed" }, not(holds("no octets between responses"))),
};

/** A request that must not be understood: refused, with the end of the connection, and nothing of it whole at the origin. */
export const rejected = (...others: readonly Outcome[]): Allowed => [
  { see: all({ see: "error and close" }, nothingWhole) },
  ...others,
  permitted(all({ see: "error and close", status: ["5xx"] }, nothingWhole), "rfc9110#15.6", "warn"),
  permitted(all({ see: "closed after", responses: 0 }, nothingWhole), "rfc9112#9.5", "warn"),
];
/** The same where a section allows the connection to go on behind the refusal. */
export const refusedOnly = (by: SpecRef, ...others: readonly Outcome[]): Allowed =>
  rejected(permitted(all({ see: "error and keep-alive" }, nothingWhole), by), ...others);

/** Taken by its one reading: this content, this many requests and no more, and what went on to the origin is beyond doubt. */
export const understood = (content: Text, ...more: readonly Sight[]): Sight =>
  all(ok, requests(1), atOrigin({ body: content }), oneReading, ...more);
/** The same without content. */
export const passedOn = (more: Omit<Request, "see"> = {}, ...also: readonly Sight[]): Sight =>
  all(ok, requests(1), atOrigin(more), oneReading, ...also);

/** An answer of the origin that is none: 502. */
export const badGateway = (...others: readonly Outcome[]): Allowed => [
  { see: answer({ status: [502] }) },
  ...others,
  permitted(answer({ status: ["5xx"] }), "rfc9110#15.6", "warn"),
  permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
];

/** What the proxy sends in one performance: the same request but for the mistake, to an origin that answers plainly. */
export const texts = (wrong: Text, right: Text): Pick<Case, "role" | "steps" | "control"> => ({
  role: "proxy",
  steps: [send(wrong)],
  control: [send(right)],
});
/** One good request, and two answers of the origin. */
export const answers = (
  wrong: Text,
  right: Text,
  more: { readonly close?: "end" | "reset"; readonly asked?: Text } = {},
): Pick<Case, "role" | "steps" | "control"> => {
  const { close, asked = get() } = more;
  const end = close === undefined ? {} : { close };
  return {
    role: "proxy",
    steps: [origin(wrong, end), send(asked), awaitAnswer],
    control: [origin(right), send(asked), awaitAnswer],
  };
};
/** Nothing is done wrong: what comes through is the case. */
export const exchange = (...steps: readonly [Step, ...Step[]]): Pick<Case, "role" | "steps" | "control"> => ({
  role: "proxy",
  steps,
  control: steps,
});
/** Answered once, and then the end of the connection, whatever stood behind the request. */
export const closedBehindIt: Sight = { see: "closed after", responses: 1 };
/** A method whose content means nothing may be refused for having some, and the content be left out (rfc9110#9.3.1). */
export const meaningless = (content: Text): Allowed => {
  const [refused, ...others] = refusedOnly("rfc9110#9.3.1", permitted(understood(""), "rfc9110#9.3.1", "warn"));
  return [{ see: understood(content) }, permitted(refused.see, "rfc9110#9.3.1"), ...others];
};
