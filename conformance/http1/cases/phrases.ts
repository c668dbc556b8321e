import type { SpecRef } from "../../../reference/core/index.ts";
import type { Allowed, Case, Outcome, Sight, StatusSight, Step, Text } from "../vocabulary.ts";

/** Short forms shared by most server cases. Every one returns plain data: octets, a step, a sight, or outcomes. */

/**
 * What the cases of one table say for themselves. The function that builds them supplies the rest, and its `spec`, `covers`, `level` or
 * `allowed` where an entry does not give its own.
 */
export type Entry = Pick<Case, "id" | "title"> & Partial<Pick<Case, "spec" | "covers" | "level" | "needs" | "allowed">>;

/** A head: the start line and field lines, each with its line end, then the empty line. */
export const head = (start: Text, ...fields: readonly Text[]): Text => [start, ...fields, "", ""].join("\r\n");
/** A request by its method, with a good Host. */
export const request = (method: string, ...fields: readonly Text[]): Text =>
  head(`${method} {path} HTTP/1.1`, "Host: {authority}", ...fields);
/** A plain good request. */
export const get = (...fields: readonly Text[]): Text => request("GET", ...fields);
/** A request whose content has the length that it declares. */
export const post = (content: Text, ...fields: readonly Text[]): Text =>
  `${request("POST", `Content-Length: ${content.length}`, ...fields)}${content}`;

/** A good request for a path that does not exist (feature `distinct`): the one that the probe uses, so that its length does not depend on the subject. */
export const NOWHERE: Text = head("GET /touchstone-looks-for-nothing-here HTTP/1.1", "Host: localhost");

export const send = (text: Text, more: { readonly cut?: number; readonly on?: number } = {}): Step => ({ do: "send", text, ...more });
/** Waits until the n-th response is complete. */
export const awaitResponse = (nth = 1, on = 1): Step => ({ do: "await", see: { see: "response", nth, on, complete: true } });

/** An outcome that is allowed only because a passage makes it optional. */
export const permitted = (see: Sight, by: SpecRef, verdict: "pass" | "warn" = "pass"): Outcome => ({ see, by, verdict });

/** The n-th response is an error with this status, whether or not the connection persists. */
export const refusedWith = (status: StatusSight, nth = 1): Sight => ({
  see: "any",
  of: [
    { see: "error and close", status, nth },
    { see: "error and keep-alive", status, nth },
  ],
});

/** Requires 400; the server decides whether the connection persists. Another error, or a mere close, is discouraged. */
export const badRequest = (nth = 1, ...others: readonly Outcome[]): Allowed => [
  { see: refusedWith([400], nth) },
  ...others,
  permitted(refusedWith(["4xx", 501, 505], nth), "rfc9110#15.5", "warn"),
  permitted(closedAfter(nth - 1), "rfc9112#9.5", "warn"),
];

/** Octets that are not an HTTP message: 400, then close (rfc9112#2.2). Keeping the connection open is discouraged, since what follows is unknown. */
export const notHttp = (nth = 1, ...others: readonly Outcome[]): Allowed => [
  { see: { see: "error and close", status: [400], nth } },
  ...others,
  permitted({ see: "error and keep-alive", status: [400], nth }, "rfc9112#2.2", "warn"),
  permitted(refusedWith(["4xx", 501, 505], nth), "rfc9112#2.2", "warn"),
  permitted(closedAfter(nth - 1), "rfc9112#2.2", "warn"),
];

/** The connection closed after this many responses. */
export const closedAfter = (responses: number): Sight => ({ see: "closed after", responses });

/** Everything was answered, the fence included: this many responses in all. */
export const served = (responses: number): Sight => ({ see: "all answered", responses });
/** This many responses in all, and these sights too. */
export const servedWith = (responses: number, ...also: readonly Sight[]): Sight => ({ see: "all", of: [served(responses), ...also] });
/** The n-th response has the status of the good request. */
export const likePath = (nth = 1, more: Partial<Extract<Sight, { see: "response" }>> = {}): Sight => ({
  see: "response",
  nth,
  like: "path",
  complete: true,
  ...more,
});
/** The n-th response is complete. */
export const answered = (nth = 1, more: Partial<Extract<Sight, { see: "response" }>> = {}): Sight => ({
  see: "response",
  nth,
  complete: true,
  ...more,
});

/** A response that announces the end of its connection. */
export const SAYS_CLOSE = { name: "connection", pattern: "\\bclose\\b" } as const;

/** A server may close any connection after a response with `Connection: close` (rfc9112#9.6). For exchanges, where the response was awaited. */
export const closesPolitely = (nth = 1, verdict: "pass" | "warn" = "pass"): Outcome =>
  permitted({ see: "all", of: [likePath(nth, { fields: [SAYS_CLOSE] }), closedAfter(nth)] }, "rfc9112#9.6", verdict);
/** The request is served as the good one that it is, and so is the next. */
export const accepted: Allowed = [{ see: servedWith(2, likePath()) }, closesPolitely()];

/** One message, and its twin without the mistake. */
export type Pair = { readonly wrong: Text; readonly right: Text };
type Played = Pick<Case, "role" | "steps" | "control">;

/** Sends the message; the control sends its twin. */
export const texts = ({ wrong, right }: Pair): Played => ({ role: "server", steps: [send(wrong)], control: [send(right)] });
/** The same, and awaits the response before anything follows, so that there is no doubt which request it answers. */
export const exchanged = ({ wrong, right }: Pair): Played => ({
  role: "server",
  steps: [send(wrong), awaitResponse()],
  control: [send(right)],
});
