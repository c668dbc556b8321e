import type { Level, SpecRef } from "../../../reference/core/index.ts";
import { head, permitted } from "../phrases.ts";
import type { Ask, Case, Outcome, Sight, Step, Text } from "../vocabulary.ts";

/** Turns of phrase that most cases for clients share. A case stays data: these only spell it shorter. */

/** The content of most answers: ten octets. */
export const CONTENT = "touchstone";
/** What the second request is answered with. */
export const SECOND = "again";
/** What must never be taken for the answer to anything: it was not asked for. */
const UNASKED = "evil";

/** The head of an answer with status 200. */
export const ok = (...fields: readonly Text[]): Text => head("HTTP/1.1 200 OK", "Content-Type: text/plain", ...fields);
/** A whole answer by its length. */
export const whole = (content: Text = CONTENT, ...fields: readonly Text[]): Text =>
  `${ok(...fields, `Content-Length: ${content.length}`)}${content}`;
/** The head of an answer in chunks, and whatever follows it. */
export const inChunks = (chunks: Text, ...fields: readonly Text[]): Text => `${ok("Transfer-Encoding: chunked", ...fields)}${chunks}`;
/** One chunk by its true size. */
export const chunk = (content: Text, extension = ""): Text => `${content.length.toString(16)}${extension}\r\n${content}\r\n`;
export const LAST = "0\r\n\r\n";
/** The usual content as the usual chunks. */
export const CHUNKS = `${chunk("touch")}${chunk("stone")}${LAST}`;

export const answer = (text: Text, more: Omit<Extract<Step, { do: "answer" }>, "do" | "text"> = {}): Step => ({
  do: "answer",
  text,
  ...more,
});
/** Answered, and then the end of the connection. */
export const lastAnswer = (text: Text, close: "end" | "reset" = "end"): Step => answer(text, { close });

/** It says that all went well, and what it printed is this. */
export const took = (text: Text = CONTENT): Sight => ({
  see: "all",
  of: [
    { see: "exit", ok: true },
    { see: "output", text },
  ],
});
/** It says that it went wrong. */
export const told: Sight = { see: "exit", ok: false };
/** What a recipient may make of what is no valid message, where nothing depends on it (rfc9110#2.4). */
export const recovered = (text: Text = CONTENT): Outcome => permitted(took(text), "rfc9110#2.4", "warn");
/** Going on is as good as refusing, by this passage. */
export const orTold = (by: SpecRef, verdict: "pass" | "warn" = "pass"): Outcome => permitted(told, by, verdict);
export const orTook = (by: SpecRef, text: Text = CONTENT, verdict: "pass" | "warn" = "pass"): Outcome => permitted(took(text), by, verdict);

type About = {
  readonly id: Case["id"];
  readonly spec: SpecRef;
  readonly covers: Case["covers"];
  readonly title: string;
  readonly level?: Level;
  readonly needs?: readonly string[];
  readonly ask?: Ask;
};
const about = ({
  id,
  spec,
  covers,
  title,
  level = "MUST",
  ask,
}: About): Pick<Case, "id" | "spec" | "covers" | "title" | "level" | "role" | "ask"> => ({
  id,
  spec,
  covers,
  level,
  role: "client",
  title,
  ...(ask === undefined ? {} : { ask }),
});
const withNeeds = (needs: readonly string[], more: readonly string[] = []): { needs: readonly string[] } => ({
  needs: [...needs, ...more],
});

/** Legal, however odd: taken for what it says. Unless there is something plainer, what is served is its own control. */
export const taken = (
  it: About & { readonly text: Text; readonly right?: Text; readonly output?: Text; readonly cut?: number; readonly close?: "end" },
  ...others: readonly Outcome[]
): Case => {
  const { text, right, output = CONTENT, cut, close } = it;
  const steps = [answer(text, { ...(cut === undefined ? {} : { cut }), ...(close === undefined ? {} : { close }) })];
  return {
    ...about(it),
    ...withNeeds(["output"], it.needs),
    steps,
    control: right === undefined ? steps : [lastAnswer(right)],
    allowed: [{ see: took(output) }, ...others],
  };
};

/** Wrong, and its request has failed: the client says so. The connection ends behind it, so that nobody waits for more. */
export const failed = (
  it: About & { readonly text: Text; readonly right?: Text; readonly close?: "end" | "reset" },
  ...others: readonly Outcome[]
): Case => {
  const { text, right = whole(), close = "end" } = it;
  return {
    ...about(it),
    ...withNeeds(others.length === 0 ? ["status"] : ["status", "output"], it.needs),
    steps: [lastAnswer(text, close)],
    control: [lastAnswer(right)],
    allowed: [{ see: told }, ...others],
  };
};

/** The first request is answered thus, the second plainly. */
export const twice = (first: Text, close?: "end" | "reset"): readonly Step[] => [
  answer(first, close === undefined ? {} : { close }),
  answer(whole(SECOND), { nth: 2 }),
];
export const TWICE: Ask = { twice: true };
/** The second request came on this connection. */
export const secondOn = (connection: "new" | "reused"): Sight => ({ see: "request", nth: 2, connection });
/** Both were answered, the second with what belongs to it. */
export const tookBoth = (first: Text = CONTENT): Sight => took(first + SECOND);

/** Behind the first answer the connection must not be used again; whether the first answer was any good is not what is judged. */
export const abandoned = (it: About & { readonly text: Text; readonly right?: Text; readonly close?: "end" }): Case => ({
  ...about(it),
  ...withNeeds(["reuse"], it.needs),
  ask: TWICE,
  steps: twice(it.text, it.close),
  control: twice(it.right ?? whole()),
  // A command that gives up behind a failed request has not used the connection again either.
  allowed: [{ see: secondOn("new") }, permitted({ see: "all", of: [told, { see: "requests", count: 1 }] }, "rfc9110#2.4")],
});

/** What was sent behind the first answer was asked for by nobody: the second request has its own answer, wherever it is asked. */
export const unasked = (it: About & { readonly text: Text; readonly right?: Text; readonly first?: Text }): Case => ({
  ...about(it),
  ...withNeeds(["second", "output"], it.needs),
  ask: TWICE,
  steps: twice(it.text),
  control: twice(it.right ?? whole(it.first ?? CONTENT)),
  allowed: [
    { see: tookBoth(it.first) },
    // It has noticed, and says so.
    permitted(told, "rfc9112#9.2"),
  ],
});

/** Octets that look like an answer. */
export const EVIL: Text = whole(UNASKED);
