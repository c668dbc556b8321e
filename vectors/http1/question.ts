import type { CodecAnswer } from "../codec.ts";
import type { Question } from "../judge.ts";
import type { Message, MessageVector, Pair } from "./source/craft.ts";

/** What a reader said: the whole messages that it found, in order, and why what is behind them is none. */
export type Reading = { readonly messages: readonly Readonly<Record<string, unknown>>[]; readonly error?: string };

/** The question that a vector of HTTP/1.1 puts to a reader. */
export function messagesQuestion(op: "http1-request" | "http1-response", vector: MessageVector): Question {
  const { octets, to, ended } = vector;
  return {
    request: {
      op,
      octets,
      ...(op === "http1-response" ? { to: to ?? ["GET"] } : {}),
      ...(ended === undefined ? {} : { ended }),
    },
    judge(answer: CodecAnswer) {
      if (answer.is === "error") return judgeReading(vector, { messages: [], error: answer.error });
      if (answer.is === "messages") return judgeReading(vector, answer);
      return answer.is === "trouble" ? answer.why : `it answered with ${answer.is}`;
    },
  };
}

/** What is wrong with a reading: one line, or nothing. Members that a reader leaves out are not missed. */
export function judgeReading(vector: MessageVector, { messages, error }: Reading): string | undefined {
  const { result } = vector;
  // What stands behind the last message may be refused, or not be looked at.
  if (error !== undefined && result === "valid" && vector.rest === undefined) return `it was refused: ${error}`;
  if (error === undefined && result === "invalid") return "it was accepted, and has to be refused";
  const expected = vector.messages;
  const isLoose = result === "acceptable";
  for (const [i, message] of messages.entries()) {
    const due = expected[i];
    if (due === undefined) return `message ${i + 1} is none: ${show(message)}`;
    const different = differenceOf(due, message, isLoose);
    if (different !== undefined) return `message ${i + 1}: ${different}`;
  }
  const mayEndEarly = error !== undefined && result !== "valid";
  if (messages.length < expected.length && !mayEndEarly) return `message ${messages.length + 1} is missing`;
  return undefined;
}

function differenceOf(due: Message, got: Readonly<Record<string, unknown>>, isLoose: boolean): string | undefined {
  for (const [name, value] of Object.entries(due)) {
    const other = got[name];
    if (other === undefined) continue;
    if (name === "fields") {
      if (text(value, isLoose) !== text(other, isLoose)) return `fields are ${text(other, false)}, not ${text(value, false)}`;
    } else if (name === "trailers") {
      if (!isPartOf(other as readonly Pair[], value as readonly Pair[], isLoose)) return `trailers are ${text(other, false)}, not ${text(value, false)}`;
    } else if (other !== value) return `${name} is ${show(other)}, not ${show(value)}`;
  }
  const surplus = got["trailers"] as readonly Pair[] | undefined;
  if (!("trailers" in due) && surplus !== undefined && surplus.length > 0) return `trailers are ${text(surplus, false)}, and there are none`;
  return undefined;
}

/** Names without case; where a fold or a control has been replaced, any number of spaces stands for it. */
const text = (fields: unknown, isLoose: boolean): string =>
  JSON.stringify((fields as readonly Pair[]).map(([name, value]) => [name.toLowerCase(), isLoose ? value.replaceAll(/ +/g, " ").trim() : value]));

/** Trailer fields may be dropped, all or some (rfc9112#7.1.2); those that are kept keep their order. */
function isPartOf(got: readonly Pair[], due: readonly Pair[], isLoose: boolean): boolean {
  let at = 0;
  for (const pair of got) {
    while (at < due.length && text([due[at]], isLoose) !== text([pair], isLoose)) at++;
    if (at++ === due.length) return false;
  }
  return true;
}

const show = (value: unknown): string => {
  const said = JSON.stringify(value);
  return said.length > 100 ? `${said.slice(0, 100)}…` : said;
};
