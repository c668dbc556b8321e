import type { CodecAnswer } from "../codec.ts";
import { about, ACCEPTED, type Question, type Questions, refusal, show, unexpected } from "../question.ts";
import type { Message, MessageVector, Pair } from "./source/craft.ts";

/** What a parser reported: the complete messages in order, and why the octets after them are not a message. */
export type Reading = { readonly messages: readonly Readonly<Record<string, unknown>>[]; readonly error?: string };

/** The questions about HTTP/1.1 messages, by kind. */
export const QUESTIONS: Questions = {
  "http1-request": about((vector: MessageVector) => messagesQuestion("http1-request", vector)),
  "http1-response": about((vector: MessageVector) => messagesQuestion("http1-response", vector)),
};

function messagesQuestion(op: "http1-request" | "http1-response", vector: MessageVector): Question {
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
      return unexpected(answer);
    },
  };
}

/** One line about what is wrong with the report of a parser; undefined if nothing is. A parser may leave out members. */
export function judgeReading(vector: MessageVector, { messages, error }: Reading): string | undefined {
  const { result } = vector;
  // A parser may refuse or ignore the octets after the last message.
  if (error !== undefined && result === "valid" && vector.rest === undefined) return refusal(error);
  if (error === undefined && result === "invalid") return ACCEPTED;
  const expected = vector.messages;
  const isLoose = result === "acceptable";
  for (const [i, message] of messages.entries()) {
    const due = expected[i];
    if (due === undefined) return `message ${i + 1} is unexpected: ${show(message)}`;
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
      if (!isPairs(other) || !isPartOf(other, due.trailers ?? [], isLoose))
        return `trailers are ${text(other, false)}, not ${text(value, false)}`;
    } else if (other !== value) return `${name} is ${show(other)}, not ${show(value)}`;
  }
  const surplus = got["trailers"];
  if (!("trailers" in due) && isPairs(surplus) && surplus.length > 0) return `trailers are ${text(surplus, false)}, but there are none`;
  return undefined;
}

/** Fields with lower-case names. If `isLoose`, any number of spaces equals one: a folded line or a replaced control character. */
const text = (fields: unknown, isLoose: boolean): string =>
  isPairs(fields)
    ? JSON.stringify(fields.map(([name, value]) => [name.toLowerCase(), isLoose ? value.replaceAll(/ +/g, " ").trim() : value]))
    : show(fields);

/** An answer of a codec may have anything in place of fields. */
const isPairs = (fields: unknown): fields is readonly Pair[] =>
  Array.isArray(fields) && fields.every((one) => Array.isArray(one) && typeof one[0] === "string" && typeof one[1] === "string");

/** A recipient may drop any trailer fields (rfc9112#7.1.2), but must keep the order of the others. */
function isPartOf(got: readonly Pair[], due: readonly Pair[], isLoose: boolean): boolean {
  let at = 0;
  for (const pair of got) {
    while (at < due.length && text([due[at]], isLoose) !== text([pair], isLoose)) at++;
    if (at++ === due.length) return false;
  }
  return true;
}
