import type { SpecRef } from "../../reference/core/index.ts";
import type { Case, Outcome, Sight, StatusSight, Step, Text } from "./vocabulary.ts";

/** Turns of phrase that most cases for servers share. A case stays data: these only spell it shorter. */

/** A head: the start line and field lines, each with its line end, then the empty line. */
export const head = (start: Text, ...fields: readonly Text[]): Text => [start, ...fields, "", ""].join("\r\n");
/** A request by its method, with a good Host. */
export const request = (method: string, ...fields: readonly Text[]): Text =>
  head(`${method} {path} HTTP/1.1`, "Host: {authority}", ...fields);
/** A plain good request. */
export const get = (...fields: readonly Text[]): Text => request("GET", ...fields);
/** A request whose content has the length that it says. */
export const post = (content: Text, ...fields: readonly Text[]): Text =>
  `${request("POST", `Content-Length: ${content.length}`, ...fields)}${content}`;

/** A good request for what is not there (feature `distinct`). It names what the probe asks for, so that its length is known without the subject. */
export const NOWHERE: Text = head("GET /touchstone-looks-for-nothing-here HTTP/1.1", "Host: localhost");

export const send = (text: Text, more: { readonly cut?: number; readonly on?: number } = {}): Step => ({ do: "send", text, ...more });
/** Goes on when the n-th response is whole. */
export const awaitResponse = (nth = 1, on = 1): Step => ({ do: "await", see: { see: "response", nth, on, complete: true } });

type Allowed = readonly [Outcome, ...Outcome[]];

/** For outcomes that a passage makes optional. */
export const permitted = (see: Sight, by: SpecRef, verdict: "pass" | "warn" = "pass"): Outcome => ({ see, by, verdict });

/** The n-th response is a refusal with this status, whether or not the connection goes on. */
export const refusedWith = (status: StatusSight, nth = 1): Sight => ({
  see: "any",
  of: [
    { see: "error and close", status, nth },
    { see: "error and keep-alive", status, nth },
  ],
});

/** 400 is demanded by its name; whether the connection goes on is the server's to say. Another refusal, or the mere end, is discouraged. */
export const badRequest = (nth = 1, ...others: readonly Outcome[]): Allowed => [
  { see: refusedWith([400], nth) },
  ...others,
  permitted(refusedWith(["4xx", 501, 505], nth), "rfc9110#15.5", "warn"),
  permitted(closedAfter(nth - 1), "rfc9112#9.5", "warn"),
];

/** What is no HTTP message: 400 and the end (rfc9112#2.2). To go on behind it is discouraged, as what it looks like is not known. */
export const notHttp = (nth = 1, ...others: readonly Outcome[]): Allowed => [
  { see: { see: "error and close", status: [400], nth } },
  ...others,
  permitted({ see: "error and keep-alive", status: [400], nth }, "rfc9112#2.2", "warn"),
  permitted(refusedWith(["4xx", 501, 505], nth), "rfc9112#2.2", "warn"),
  permitted(closedAfter(nth - 1), "rfc9112#2.2", "warn"),
];

/** The end of the connection without an answer to what came after so many. */
export const closedAfter = (responses: number): Sight => ({ see: "closed after", responses });

/** Everything was answered, the fence included: so many responses in all. */
export const served = (count: number): Sight => ({ see: "all answered", responses: count });
/** So many responses in all, and these are true of them. */
export const servedWith = (count: number, ...also: readonly Sight[]): Sight => ({ see: "all", of: [served(count), ...also] });
/** The n-th response has the status of the good request. */
export const likePath = (nth = 1, more: Partial<Extract<Sight, { see: "response" }>> = {}): Sight => ({
  see: "response",
  nth,
  like: "path",
  complete: true,
  ...more,
});
export const answered = (nth = 1, more: Partial<Extract<Sight, { see: "response" }>> = {}): Sight => ({
  see: "response",
  nth,
  complete: true,
  ...more,
});

const saysClose = { name: "connection", pattern: "\\bclose\\b" } as const;
/** The same, and the answer is there before anything follows: whose it is leaves no doubt. */
export const exchanged = (wrong: Text, right: Text): Pick<Case, "role" | "steps" | "control"> => ({
  ...texts(wrong, right),
  steps: [send(wrong), awaitResponse()],
});

/** A server may end any connection behind an answer that says so (rfc9112#9.6): for exchanges, where the answer was waited for. */
export const closesPolitely = (nth = 1, verdict: "pass" | "warn" = "pass"): Outcome =>
  permitted({ see: "all", of: [likePath(nth, { fields: [saysClose] }), closedAfter(nth)] }, "rfc9112#9.6", verdict);
/** Taken as the good request that it is, and so is what follows. */
export const accepted: Allowed = [{ see: servedWith(2, likePath()) }, closesPolitely()];
/** Properties that must hold of everything the server sends, by the names of `driver/monitors.ts`. */
export const holding = (count: number, ...monitors: readonly [string, ...string[]]): Allowed => [
  { see: servedWith(count, ...monitors.map((monitor): Sight => ({ see: "holds", monitor }))) },
];

/** One exchange that only the text tells apart from its control. */
export const texts = (wrong: Text, right: Text): Pick<Case, "role" | "steps" | "control"> => ({
  role: "server",
  steps: [send(wrong)],
  control: [send(right)],
});
