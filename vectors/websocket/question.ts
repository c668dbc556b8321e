import type { CodecAnswer } from "../codec.ts";
import type { Question } from "../judge.ts";
import type { AnyVector } from "./source/craft.ts";

/** What a reader said: messages, control frames and Close in order, or the one answer to a handshake; and why it refuses what comes then. */
export type Reading = { readonly messages: readonly Readonly<Record<string, unknown>>[]; readonly error?: string };

export const KINDS = ["websocket-frames", "websocket-request", "websocket-response"] as const;
export type Kind = (typeof KINDS)[number];

/** The question that a vector of WebSocket puts to a reader. */
export function websocketQuestion(op: Kind, vector: AnyVector): Question {
  const { id: _id, note: _note, spec: _spec, flags: _flags, result: _result, messages: _messages, fault: _fault, ...asked } = vector;
  const { code: _code, at: _at, status: _status, ...request } = asked as Record<string, unknown>;
  return {
    request: { op, ...request },
    judge(answer: CodecAnswer) {
      if (answer.is === "error") return judgeReading(vector, { messages: [], error: answer.error });
      if (answer.is === "messages") return judgeReading(vector, answer);
      return answer.is === "trouble" ? answer.why : `it answered with ${answer.is}`;
    },
  };
}

/** What is wrong with a reading: one line, or nothing. Members that a reader leaves out are not missed, but for what a message says. */
export function judgeReading({ result, messages: expected }: AnyVector, { messages, error }: Reading): string | undefined {
  if (error !== undefined && result === "valid") return `it was refused: ${error}`;
  if (error === undefined && result === "invalid") return "it was accepted, and has to be refused";
  for (const [i, message] of messages.entries()) {
    const due = expected[i] as Readonly<Record<string, unknown>> | undefined;
    if (due === undefined) return `message ${i + 1} is none: ${show(message)}`;
    const [kind] = Object.keys(due);
    if (kind !== undefined && !(kind in message)) return `message ${i + 1} is ${show(message)}, not ${show(due)}`;
    for (const name of new Set([...Object.keys(due), ...Object.keys(message)])) {
      // A reason is often not told; a sub-protocol or an extension that nobody expects is one too many.
      if (message[name] === undefined && name === "reason") continue;
      if (message[name] !== due[name]) return `message ${i + 1}: ${name} is ${show(message[name])}, not ${show(due[name])}`;
    }
  }
  return messages.length < expected.length ? `message ${messages.length + 1} is missing` : undefined;
}

const show = (value: unknown): string => {
  const said = JSON.stringify(value) ?? "absent";
  return said.length > 100 ? `${said.slice(0, 100)}…` : said;
};
