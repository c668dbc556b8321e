import type { SpecRef } from "../../../../reference/core/index.ts";
import { get, head, type Pair, permitted, request, send } from "../phrases.ts";
import type { Allowed, Case, Outcome, Sight, Step, Text } from "../../vocabulary.ts";

/**
 * Short forms shared by proxy cases, in addition to those of the suite. The harness stands on both sides: it sends requests as the client,
 * and answers them as the origin. "response" sights are what the client got, "request" sights what the origin got.
 */

export { get, head, permitted, request, send };
type Request = Extract<Sight, { see: "request" }>;
type Response = Extract<Sight, { see: "response" }>;
type Played = Pick<Case, "role" | "steps" | "control">;

export const all = (...of: readonly Sight[]): Sight => ({ see: "all", of });
export const any = (...of: readonly Sight[]): Sight => ({ see: "any", of });
export const not = (of: Sight): Sight => ({ see: "not", of });
export const holds = (monitor: string): Sight => ({ see: "holds", monitor });

/** No request of the case reached the origin complete, so nothing processed what the proxy rejected. */
export const notForwarded = holds("no complete request at the origin");
/** All octets at the origin are messages with bounds that no two readers can disagree about. */
export const unambiguous = holds("unambiguous requests at the origin");
export const requests = (count: number): Sight => ({ see: "requests", count });
export const atOrigin = (more: Omit<Request, "see">): Sight => ({ see: "request", ...more });
export const answer = (more: Omit<Response, "see"> = {}): Sight => ({ see: "response", complete: true, ...more });
export const ok = answer({ status: [200] });

/** From here on the origin answers with this. */
export const origin = (text: Text, more: Omit<Extract<Step, { do: "origin" }>, "do" | "text"> = {}): Step => ({
  do: "origin",
  text,
  ...more,
});
const DATE = "Date: Thu, 01 Jan 2026 00:00:00 GMT";
/** A response of the origin with Content-Length, and with further fields. */
export const response = (content: Text, ...fields: readonly Text[]): Text =>
  `${head("HTTP/1.1 200 OK", DATE, `Content-Length: ${content.length}`, ...fields)}${content}`;
/** A response of the origin; everything after Date is given. */
export const rawResponse = (rest: Text): Text => `HTTP/1.1 200 OK\r\n${DATE}\r\n${rest}`;

/** A POST with these fields, whatever they say about the content, and the content. */
export const postOf = (content: Text, ...fields: readonly Text[]): Text => request("POST", ...fields) + content;
/** One chunk and the last one. */
export const inChunks = (content: Text, trailers: Text = ""): Text =>
  `${content.length.toString(16)}\r\n${content}\r\n0\r\n${trailers}\r\n`;
/** `{hidden}` as content: 256 octets. */
export const HIDDEN = "{hidden}";
export const HIDDEN_LENGTH = "Content-Length: 256";
export const HIDDEN_CHUNK = `100\r\n${HIDDEN}\r\n0\r\n\r\n`;
export const CHUNKED = "Transfer-Encoding: chunked";
/** A good POST with Content-Length, and a chunked one. */
export const goodPost = postOf("hello", "Content-Length: 5");
export const goodChunks = postOf(inChunks("hello"), CHUNKED);

/** Awaits the first complete response, the end of the connection, or octets that are not a response. */
export const awaitAnswer: Step = {
  do: "await",
  see: any(answer(), { see: "connection closed" }, not(holds("no octets between responses"))),
};

/** A request that no reader may accept: an error, then close, and no complete request at the origin. */
export const rejected = (...others: readonly Outcome[]): Allowed => [
  { see: all({ see: "error and close" }, notForwarded) },
  ...others,
  permitted(all({ see: "error and close", status: ["5xx"] }, notForwarded), "rfc9110#15.6", "warn"),
  permitted(all({ see: "closed after", responses: 0 }, notForwarded), "rfc9112#9.5", "warn"),
];
/** The same where a section lets the connection persist after the error. */
export const refusedOnly = (by: SpecRef, ...others: readonly Outcome[]): Allowed =>
  rejected(permitted(all({ see: "error and keep-alive" }, notForwarded), by), ...others);

/** Forwarded by its only reading: one request with this content, unambiguous at the origin. */
export const understood = (content: Text, ...more: readonly Sight[]): Sight =>
  all(ok, requests(1), atOrigin({ body: content }), unambiguous, ...more);
/** The same without content. */
export const forwarded = (more: Omit<Request, "see"> = {}, ...also: readonly Sight[]): Sight =>
  all(ok, requests(1), atOrigin(more), unambiguous, ...also);

/** The origin sent no valid response: 502. */
export const badGateway = (...others: readonly Outcome[]): Allowed => [
  { see: answer({ status: [502] }) },
  ...others,
  permitted(answer({ status: ["5xx"] }), "rfc9110#15.6", "warn"),
  permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
];

/** Sends the request to an origin that answers plainly; the control sends its twin. */
export const texts = ({ wrong, right }: Pair): Played => ({
  role: "proxy",
  steps: [send(wrong)],
  control: [send(right)],
});
/** A good request, to an origin with this response; in the control, with its twin. */
export const answers = ({
  wrong,
  right,
  close,
  asked = get(),
}: Pair & { readonly close?: "end" | "reset"; readonly asked?: Text }): Played => ({
  role: "proxy",
  steps: [origin(wrong, close === undefined ? {} : { close }), send(asked), awaitAnswer],
  control: [origin(right), send(asked), awaitAnswer],
});
/** No mistake: the case is about what the proxy forwards. */
export const exchange = (...steps: readonly [Step, ...Step[]]): Played => ({
  role: "proxy",
  steps,
  control: steps,
});
/** One response, then the end of the connection, whatever followed the request. */
export const closedAfterIt: Sight = { see: "closed after", responses: 1 };
/** Content of a method that defines no meaning for it: a proxy may reject the request, or drop the content (rfc9110#9.3.1). */
export const meaningless = (content: Text): Allowed => {
  const [refused, ...others] = refusedOnly("rfc9110#9.3.1", permitted(understood(""), "rfc9110#9.3.1", "warn"));
  return [{ see: understood(content) }, permitted(refused.see, "rfc9110#9.3.1"), ...others];
};
