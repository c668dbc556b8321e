import type { SpecRef } from "../../../../reference/core/index.ts";
import { head, permitted } from "../phrases.ts";
import type { Ask, Case, Outcome, Sight, Step, Text } from "../../vocabulary.ts";

/** Short forms shared by most client cases. Every one returns plain data. */

/** The content of most responses: ten octets. */
export const CONTENT = "touchstone";
/** The content of the response to the second request. */
export const SECOND = "again";
/** Content of a response to no request: the client must never use it. */
const UNREQUESTED = "evil";

/** The head of a response with status 200. */
export const ok = (...fields: readonly Text[]): Text => head("HTTP/1.1 200 OK", "Content-Type: text/plain", ...fields);
/** A complete response with Content-Length. */
export const whole = (content: Text = CONTENT, ...fields: readonly Text[]): Text =>
  `${ok(...fields, `Content-Length: ${content.length}`)}${content}`;
/** The head of a chunked response, and whatever follows it. */
export const inChunks = (chunks: Text, ...fields: readonly Text[]): Text => `${ok("Transfer-Encoding: chunked", ...fields)}${chunks}`;
/** One chunk with its correct size. */
export const chunk = (content: Text, extension = ""): Text => `${content.length.toString(16)}${extension}\r\n${content}\r\n`;
export const LAST = "0\r\n\r\n";
/** The usual content in two chunks. */
export const CHUNKS = `${chunk("touch")}${chunk("stone")}${LAST}`;

export const answer = (text: Text, more: Omit<Extract<Step, { do: "answer" }>, "do" | "text"> = {}): Step => ({
  do: "answer",
  text,
  ...more,
});
/** A response, then the end of the connection. */
export const lastAnswer = (text: Text, close: "end" | "reset" = "end"): Step => answer(text, { close });

/** The command succeeds and prints this. */
export const prints = (text: Text = CONTENT): Sight => ({
  see: "all",
  of: [
    { see: "exit", ok: true },
    { see: "output", text },
  ],
});
/** The command fails. */
export const fails: Sight = { see: "exit", ok: false };
/** It notices the mistake, but leaves the command waiting: no text says how soon a program reports a failure. */
export const orGivesUp: Outcome = permitted({ see: "gave up" }, "rfc9112#9.5", "warn");
/** A recipient may recover a usable message from an invalid one, where nothing depends on it (rfc9110#2.4). */
export const recovered = (text: Text = CONTENT): Outcome => permitted(prints(text), "rfc9110#2.4", "warn");
/** By this passage the client may fail as well. */
export const orFails = (by: SpecRef, verdict: "pass" | "warn" = "pass"): Outcome => permitted(fails, by, verdict);
/** By this passage the client may go on as well. */
export const orPrints = (by: SpecRef, text: Text = CONTENT, verdict: "pass" | "warn" = "pass"): Outcome =>
  permitted(prints(text), by, verdict);

/** What every client case says for itself. */
type Entry = Pick<Case, "id" | "spec" | "covers" | "title"> & Partial<Pick<Case, "level" | "needs" | "ask">>;

/** A valid response, however unusual: the client prints its content. Without a plainer `right` or a `control`, it is its own control. */
export const accepts = (
  it: Entry & {
    readonly text: Text;
    readonly right?: Text;
    readonly output?: Text;
    readonly cut?: number;
    readonly close?: "end";
    /** Instead of the response alone. */
    readonly steps?: readonly Step[];
    readonly control?: readonly Step[];
    readonly others?: readonly Outcome[];
    readonly allowed?: Case["allowed"];
  },
): Case => {
  const { text, right, output = CONTENT, cut, close, needs = [], others = [], ...entry } = it;
  const steps = [answer(text, { ...(cut === undefined ? {} : { cut }), ...(close === undefined ? {} : { close }) })];
  return {
    level: "MUST",
    role: "client",
    needs: ["output", ...needs],
    steps,
    control: right === undefined ? steps : [lastAnswer(right)],
    allowed: [{ see: prints(output) }, ...others],
    ...entry,
  };
};

/** An invalid response: the request fails, and the client reports that. The connection ends after it, so that no one waits for more. */
export const rejects = (
  it: Entry & {
    readonly text: Text;
    readonly right?: Text;
    readonly close?: "end" | "reset";
    readonly others?: readonly Outcome[];
  },
): Case => {
  const { text, right = whole(), close = "end", needs = [], others = [], ...entry } = it;
  return {
    level: "MUST",
    role: "client",
    needs: [...(others.length === 0 ? ["status"] : ["status", "output"]), ...needs],
    steps: [lastAnswer(text, close)],
    control: [lastAnswer(right)],
    allowed: [{ see: fails }, ...others, orGivesUp],
    ...entry,
  };
};

/** This response to the first request, a plain one to the second. */
export const twice = (first: Text, close?: "end" | "reset"): readonly Step[] => [
  answer(first, close === undefined ? {} : { close }),
  answer(whole(SECOND), { nth: 2 }),
];
export const TWICE: Ask = { twice: true };
/** The second request came on this connection. */
export const secondOn = (connection: "new" | "reused"): Sight => ({ see: "request", nth: 2, connection });
/** Both requests succeeded, each with its own content. */
export const printsBoth = (first: Text = CONTENT): Sight => prints(first + SECOND);

/** The client must not use the connection again after the first response; whether it accepts that response is not judged. */
export const abandons = (it: Entry & { readonly text: Text; readonly right?: Text; readonly close?: "end" }): Case => {
  const { text, right = whole(), close, needs = [], ...entry } = it;
  return {
    level: "MUST",
    role: "client",
    needs: ["reuse", ...needs],
    ask: TWICE,
    steps: twice(text, close),
    control: twice(right),
    // A command that exits after the failed request has not used the connection again either.
    allowed: [{ see: secondOn("new") }, permitted({ see: "all", of: [fails, { see: "requests", count: 1 }] }, "rfc9110#2.4")],
    ...entry,
  };
};

/** Octets after the first response answer no request: the second request gets its own response, on whatever connection. */
export const ignoresExtra = (it: Entry & { readonly text: Text; readonly right?: Text; readonly first?: Text }): Case => {
  const { text, first = CONTENT, right = whole(first), needs = [], ...entry } = it;
  return {
    level: "MUST",
    role: "client",
    needs: ["second", "output", ...needs],
    ask: TWICE,
    steps: twice(text),
    control: twice(right),
    allowed: [
      { see: printsBoth(first) },
      // The client noticed, and reports it.
      permitted(fails, "rfc9112#9.2"),
    ],
    ...entry,
  };
};

/** Octets that look like a response. */
export const EVIL: Text = whole(UNREQUESTED);
